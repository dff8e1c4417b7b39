"""Days of the Ethiopian, Islamic, Hebrew and Nepali calendars as Gregorian days, by counting from their first.

The arithmetic is that of Reingold and Dershowitz, *Calendrical Calculations* (4th ed., 2018): chapters 4, 7 and 8. The
Islamic calendar is Umm al-Qura's from 1410 to 1500, as Saudi Arabia prints it, else the tabular one. The lengths of its
months and of Nepal's follow no rule and stand in tables.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from typing import Final

_ETHIOPIC: Final = date(8, 8, 27).toordinal()
_ISLAMIC: Final = date(622, 7, 19).toordinal()
_UMM_AL_QURA: Final = date(1989, 8, 2)
_FIRST_UMM_AL_QURA: Final = 1410
_LONG_MONTHS: Final = (
    "95d 2da 5d9 db2 ba4 b4a a55 2b5 575 b6a bd2 bc4 b89 a95 52d 5ad b6a 6d4 dc9 d92 aa6 956 2ae 56d 36a b55 "
    "aaa 94d 49d 95d 2ba 5b5 5aa d55 a9a 92e 26e 55d ada 6d4 6a5 54b a97 54e aae 5ac ba9 d92 b25 64b cab 55a "
    "b55 6d2 ea5 e4a a95 52d aad 36c 759 6d2 695 52d a5b 4ba 9ba 3b4 b69 b52 aa6 4b6 96d 2ec 6d9 eb2 d54 d2a "
    "a56 4ae 96d d6a b54 b29 a93 52b a57 536 ab5 6aa e93"
)
"""A bit for each month of 30 days, the lowest for the first, a year after another from 1410."""
_HEBREW: Final = -1_373_427
"""Ordinal of the day before 1 Tishri 1."""
_NEPALI: Final = date(2013, 4, 14)
_FIRST_NEPALI: Final = 2070
_NEPALI_MONTHS: Final = (
    "31 31 31 32 31 31 29 30 30 29 30 30, 31 31 32 31 31 31 30 29 30 29 30 30, 31 32 31 32 31 30 30 29 30 29 30 30,"
    "31 32 31 32 31 30 30 30 29 29 30 31, 31 31 31 32 31 31 30 29 30 29 30 30, 31 31 32 31 31 31 30 29 30 29 30 30,"
    "31 32 31 32 31 30 30 30 29 29 30 30, 31 32 31 32 31 30 30 30 29 30 29 31, 31 31 31 32 31 31 30 29 30 29 30 30,"
    "31 31 32 31 31 31 30 29 30 29 30 30, 31 32 31 32 31 30 30 30 29 29 30 30, 31 32 31 32 31 30 30 30 29 30 29 31,"
    "31 31 32 31 31 31 30 29 30 29 30 30, 31 31 32 31 31 30 30 30 29 30 30 30, 31 31 32 31 31 30 30 30 29 30 30 30,"
    "31 32 31 32 30 31 30 30 29 30 30 30"
)
"""Days of the months from 2070, a year after another."""
_LEAP_IN_19: Final = frozenset((0, 3, 6, 8, 11, 14, 17))
ADAR_II: Final = 13


def ethiopic_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date; None where there is none such.

    >>> ethiopic_day(2016, 6, 25)
    datetime.date(2024, 3, 4)
    """
    if not (0 < month <= 13 and 0 < day <= 30):
        return None
    return date.fromordinal(_ETHIOPIC - 1 + 365 * (year - 1) + year // 4 + 30 * (month - 1) + day)


def islamic_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date; None where there is none such.

    >>> islamic_day(1445, 8, 23), islamic_day(1446, 9, 1), islamic_day(1400, 1, 1)
    (datetime.date(2024, 3, 4), datetime.date(2025, 3, 1), datetime.date(1979, 11, 21))
    """
    if not (0 < month <= 12 and 0 < day <= 30):
        return None
    place = 12 * (year - _FIRST_UMM_AL_QURA) + month - 1
    starts, lengths = _umm_al_qura_months()
    if 0 <= place < len(lengths):
        return _UMM_AL_QURA + timedelta(days=starts[place] + day - 1) if day <= lengths[place] else None
    return date.fromordinal(
        _ISLAMIC - 1 + 354 * (year - 1) + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day
    )


@cache
def _umm_al_qura_months() -> tuple[list[int], list[int]]:
    lengths = [29 + (int(year, 16) >> month & 1) for year in _LONG_MONTHS.split() for month in range(12)]
    return [0, *accumulate(lengths)], lengths


def nepali_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date from 2070 to 2085 of Nepal's calendar; None for all others.

    >>> nepali_day(2080, 11, 21), nepali_day(2090, 1, 1)
    (datetime.date(2024, 3, 4), None)
    """
    place = 12 * (year - _FIRST_NEPALI) + month - 1
    starts, lengths = _nepali_months()
    if not (0 < month <= 12 and 0 <= place < len(lengths) and 0 < day <= lengths[place]):
        return None
    return _NEPALI + timedelta(days=starts[place] + day - 1)


@cache
def _nepali_months() -> tuple[list[int], list[int]]:
    lengths = [int(length) for year in _NEPALI_MONTHS.split(",") for length in year.split()]
    return [0, *accumulate(lengths)], lengths


def hebrew_day(year: int, month: int, day: int) -> date | None:
    """Return the day of a date; months count from Nisan, :data:`ADAR_II` is the second Adar. None for no such day.

    >>> hebrew_day(5784, 12, 24), hebrew_day(5785, 7, 1)
    (datetime.date(2024, 3, 4), datetime.date(2024, 10, 3))
    """
    if not (0 < month <= _last_month(year) and 0 < day <= _month_days(year, month)):
        return None
    before = range(7, month) if month >= 7 else (*range(7, _last_month(year) + 1), *range(1, month))
    return date.fromordinal(_new_year(year) + sum(_month_days(year, each) for each in before) + day - 1)


def _is_leap(year: int) -> bool:
    return year % 19 in _LEAP_IN_19


def _last_month(year: int) -> int:
    return ADAR_II if _is_leap(year) else 12


def _month_days(year: int, month: int) -> int:
    if month in {2, 4, 6, 10, 13} or (month == 12 and not _is_leap(year)):
        return 29
    length = _new_year(year + 1) - _new_year(year)
    if month == 8:
        return 30 if length % 10 == 5 else 29
    return 29 if month == 9 and length % 10 == 3 else 30


@cache
def _new_year(year: int) -> int:
    """Return the ordinal of the first of Tishri, put off as the rules want it."""
    ahead, own, behind = (_elapsed(year + step) for step in (-1, 0, 1))
    late = 2 if behind - own == 356 else 1 if own - ahead == 382 else 0
    return _HEBREW + own + late


def _elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    days = 29 * months + (12_084 + 13_753 * months) // 25_920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days
