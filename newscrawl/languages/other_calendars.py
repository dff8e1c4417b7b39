"""Days of the Ethiopian, Islamic, Hebrew and Nepali calendars as Gregorian days, by counting from their first.

The arithmetic is that of Reingold and Dershowitz, *Calendrical Calculations* (4th ed., 2018): chapters 4, 7 and 8. The
Islamic calendar is the tabular one, a day beside the observed one at most. The lengths of Nepal's months follow no rule
and stand in a table.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from typing import Final

_ETHIOPIC: Final = date(8, 8, 27).toordinal()
_ISLAMIC: Final = date(622, 7, 19).toordinal()
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
    """Return the day of a date by the tabular calendar; None where there is none such.

    >>> islamic_day(1445, 8, 23)
    datetime.date(2024, 3, 4)
    """
    if not (0 < month <= 12 and 0 < day <= 30):
        return None
    return date.fromordinal(
        _ISLAMIC - 1 + 354 * (year - 1) + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day
    )


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
