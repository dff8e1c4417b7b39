"""Days of other calendars than the Gregorian one, found in text and counted from the calendar's first.

Buddhist years, eras, solar and lunar Hijri, Ethiopian, Hebrew and Nepali months, dates in Chinese numerals. The
arithmetic is that of Reingold and Dershowitz, *Calendrical Calculations* (4th ed., 2018): chapters 4, 7 and 8. The
Islamic calendar is Umm al-Qura's from 1410 to 1500, as Saudi Arabia prints it, else the tabular one. The lengths of its
months and of Nepal's follow no rule and stand in tables.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from newscrawl.languages.characters import HAN_DIGITS, han_number
from newscrawl.languages.patterns import WordPattern, alternatives, fold_case
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newscrawl.languages.tables import Language

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
    "222322011011 223222101011 232321101011 232321110012 222322101011 223222101011 232321110011 232321110102 "
    "222322101011 223222101011 232321110011 232321110102 223222101011 223221110111 223221110111 232312110111"
)
"""Days beyond 29 of each month, a year after another from 2070."""
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
    lengths = [29 + int(days) for year in _NEPALI_MONTHS.split() for days in year]
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


Day = tuple[int, int, int, int, int]
"""Start, end, year of the Common Era, month, day."""

BUDDHIST_ERA: Final = 543
"""Years before those of the Common Era; Thai pages write either."""
_FIRST_BUDDHIST: Final = 2400
_SHORT_BUDDHIST: Final = 2500
"""Added to a year of two digits."""
_SHORT_YEARS: Final = 100
_DIGITS: Final = re.compile(
    r"(?<![\d/.-])(?:(?P<y>[12]\d{3})\s?([./-])\s?(?P<m>\d{1,2})\s?\2\s?(?P<d>\d{1,2})"
    r"|(?P<day>\d{1,2})\s?([./-])\s?(?P<month>\d{1,2})\s?\6\s?(?P<year>[12]\d{3}|(?<=[./])[5-9]\d))(?![\d/-])"
)
"""Dates in digits alone, which are read by the calendars of the page's language: elsewhere such a year is of the Middle
Ages, or a price. Of two digits are years of the Buddhist calendar.
"""
_FIRST_SOLAR_HIJRI: Final = date(622, 3, 21)
"""1 Farvardin 1, in the Gregorian calendar counted back."""
_YEARS_IN_33: Final = frozenset((1, 5, 9, 13, 17, 22, 26, 30))
"""Leap years of the solar calendar's cycle of 33 years; right from 1799 to 2256."""
_FIELDS: Final = (("y", "year"), ("m", "month"), ("d", "day"))
_ROC_DIGITS: Final = WordPattern(
    r"(?<![\d/.-])(1[0-4]\d)\s?([./-]|{~zh:dates.year})\s?(\d{1,2})\s?(?:\2|{~zh:dates.month})\s?(\d{1,2})(?![\d/.-])"
)
"""Years of the Republic from 2011: dates of its sites in digits alone."""
_REPUBLIC: Final = 1911
_ERA_DIGITS: Final = r"(?<![A-Za-z\d])([{}])\.?(\d{{1,2}})([./-])(\d{{1,2}})\3(\d{{1,2}})(?!\d)"
"""Dates of an era that has a letter: ``R6.6.5``."""
_HAN_DAY: Final = WordPattern(
    r"([二一][〇零○一二三四五六七八九]{3}|20\d\d){~dates.year}\s?([一二三四五六七八九十]{1,2}){~dates.month}"
    r"\s?([一二三四五六七八九十]{1,3}){~dates.day}"
)
_WITH_NUMBERS: Final = WordPattern(
    r"(?<!\d)(\d{1,2})\s?{dates.before_month}\s?(\d{1,2})\s?(?:,|{dates.before_year})?\s?((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
"""A day, the word for month, its number: *5 tháng 6 năm 2024*."""
_ARABIC_LETTER: Final = re.compile("[\u0621-\u06ff]")
_HAN: Final = re.compile("[\u3007\u4e00-\u9fff]")
_THAI: Final = re.compile("[\u0e01-\u0e2e]")


def other_days(text: str, code: str | None = None) -> Iterator[Day]:
    """Yield start, end, year of the Common Era, month and day of each such date; a day may not exist.

    :param code: the page's language; dates of digits alone are read by its calendar.

    >>> list(other_days("5 พ.ย. 2566")), list(other_days("令和5年11月5日"))
    ([(0, 11, 2023, 11, 5)], [(0, 9, 2023, 11, 5)])
    """
    table = language(code)
    if table is not None:
        yield from _in_digits(text, table)
    if text.isascii():
        return
    for match in _WITH_NUMBERS.finditer(text):
        yield *match.span(), int(match[3]), int(match[2]), int(match[1])
    if _ARABIC_LETTER.search(text):
        yield from _solar_hijri_days(text)
    if _HAN.search(text):
        pattern, eras = _eras()
        for match in pattern.finditer(text):
            year, month, day = (int(said) if said.isdecimal() else han_number(said) for said in match.groups()[1:])
            yield *match.span(), eras[match[1]] + year, month, day
        for match in _HAN_DAY.finditer(text):
            year = int(match[1]) if match[1].isdecimal() else han_number(match[1])
            yield *match.span(), year, han_number(match[2]), han_number(match[3])
    if _THAI.search(text):
        yield from _buddhist_days(text)


def _in_digits(text: str, table: Language) -> Iterator[Day]:
    for match in _DIGITS.finditer(text):
        year, month, day = (int(match[short] or match[long]) for short, long in _FIELDS)
        year += _SHORT_BUDDHIST if year < _SHORT_YEARS else 0
        for name in table.calendars:
            counted, years = _BY_DIGITS.get(name, (None, ()))
            if counted and year in years and (found := counted(year, month, day)):
                yield *match.span(), found.year, found.month, found.day
    if "roc" in table.calendars:
        for match in _ROC_DIGITS.finditer(text):
            yield *match.span(), int(match[1]) + _REPUBLIC, int(match[3]), int(match[4])
    letters = "".join(name for name in table.eras if name.isascii() and len(name) == 1)
    for match in re.finditer(_ERA_DIGITS.format(letters), text) if letters else ():
        yield *match.span(), table.eras[match[1]] + int(match[2]), int(match[4]), int(match[5])


def _buddhist_days(text: str) -> Iterator[Day]:
    pattern, numbers, eras = _buddhist()
    for match in pattern.finditer(text):
        year = int(match[4])
        if len(match[4]) == 2:
            year += _SHORT_BUDDHIST
        if match[3] and year < _FIRST_BUDDHIST:
            year += eras[match[3]] + BUDDHIST_ERA if eras[match[3]] < 0 else 0
        yield *match.span(), year - BUDDHIST_ERA if year >= _FIRST_BUDDHIST else year, numbers[match[2]], int(match[1])


@cache
def _buddhist() -> tuple[re.Pattern[str], dict[str, int], dict[str, int]]:
    """Return the pattern of such dates, month → number, and era → its first year."""
    own = [table for table in languages() if "buddhist" in table.calendars]
    numbers = {
        name.rstrip("."): number for table in own for number, name in table.named_months("months", "months_short")
    }
    eras = {name: year for table in own for name, year in table.eras.items()}
    names, said = (alternatives(found) for found in (numbers, eras))
    return re.compile(rf"(?<!\d)(\d{{1,2}})\s?({names})\.?\s?(?:({said})\s?)?(\d{{4}}|\d\d)(?!\d)"), numbers, eras


@cache
def _eras() -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of dates of an era, and era → the year before its first."""
    eras = {name: year for table in languages() for name, year in table.eras.items() if year > 0}
    number = rf"(\d{{1,3}}|[{''.join(HAN_DIGITS)}十元]{{1,3}})"
    template = rf"\s?{number}{{~dates.year}}\s?{number}{{~dates.month}}\s?{number}{{~dates.day}}"
    return re.compile(f"({alternatives(eras)})" + WordPattern(template).filled()), eras


def _solar_hijri_days(text: str) -> Iterator[Day]:
    pattern, numbers = _solar_hijri_months()
    for match in pattern.finditer(text):
        if found := _solar_hijri_day(int(match[3]), numbers.get(_farsi(match[2]), 0), int(match[1])):
            yield *match.span(), found.year, found.month, found.day


@cache
def _solar_hijri_months() -> tuple[re.Pattern[str], dict[str, int]]:
    numbers: dict[str, int] = {}
    for table in languages():
        for number, name in table.named_months("months_persian"):
            numbers.setdefault(name, number)
    names = alternatives(numbers).replace("ی", "[یي]")
    template = rf"(?<!\d)(\d{{1,2}})\s?({names})(?:\s?{{dates.after_month}})?[\s،,]{{1,3}}(1[34]\d\d)(?!\d)"
    return re.compile(WordPattern(template).filled()), numbers


def _farsi(name: str) -> str:
    return name.replace("ي", "ی")


def _solar_hijri_day(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian day: a year begins on the 20th or 21st of March, its first six months have 31 days."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return None
    cycles, rest = divmod(year - 1, 33)
    days = cycles * (33 * 365 + len(_YEARS_IN_33)) + rest * 365 + sum(leap <= rest for leap in _YEARS_IN_33)
    return _FIRST_SOLAR_HIJRI + timedelta(days=days + (month - 1) * 31 - max(0, month - 7) + day - 1)


def _buddhist_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year - BUDDHIST_ERA, month, day)
    except ValueError:
        return None


_BY_DIGITS: Final[dict[str, tuple[Callable[[int, int, int], date | None], range]]] = {
    "persian": (_solar_hijri_day, range(1300, 1500)),
    "buddhist": (_buddhist_day, range(_FIRST_BUDDHIST, 2600)),
    "islamic": (islamic_day, range(1410, 1530)),
    "nepali": (nepali_day, range(2070, 2086)),
}
"""Calendars that dates in digits are read by: what counts the days, and the years of online news."""


_GEMATRIA: Final = dict(
    zip("אבגדהוזחטיכלמנסעפצקרשת", (*range(1, 10), *range(10, 100, 10), *range(100, 500, 100)), strict=True)
)
_HEBREW_ERA: Final = 5_000
_HEBREW_NUMBER: Final = r"[א-ת]{1,4}(?:[״\"׳'][א-ת]?)?"
_SCRIPTS: Final = {
    "months_ethiopic": (re.compile("[\u1200-\u137f]"), ethiopic_day, range(1983, 2093)),
    "months_islamic": (_ARABIC_LETTER, islamic_day, range(1410, 1530)),
    "months_nepali": (re.compile("[\u0900-\u097f]"), nepali_day, range(2070, 2086)),
}
"""Calendars whose months have names of their own: the script, what counts the days, the years of online news."""


def counted_days(text: str) -> Iterator[tuple[int, int, date]]:
    """Yield start, end and day of dates of the Ethiopian, Islamic, Nepali and Hebrew calendars.

    They often stand beside the same day of the Common Era, which is read before them.
    """
    if text.isascii():
        return
    for kind, (script, counted, years) in _SCRIPTS.items():
        if script.search(text) is not None:
            yield from _counted(text, kind, counted, years)
    if _HEBREW_LETTER.search(text) is not None:
        pattern, numbers = _hebrew()
        for match in pattern.finditer(text):
            year = _HEBREW_ERA + _gematria(match[3])
            if day := hebrew_day(year, numbers[match[2]], _gematria(match[1])):
                yield *match.span(), day


_HEBREW_LETTER: Final = re.compile("[\u05d0-\u05ea]")


def _counted(
    text: str, kind: str, counted: Callable[[int, int, int], date | None], years: range
) -> Iterator[tuple[int, int, date]]:
    pattern, numbers = _month_pattern(kind)
    for match in pattern.finditer(text):
        year, day = int(match["y1"] or match["y2"] or match["y3"]), int(match["d1"] or match["d2"] or match["d3"])
        month = numbers[fold_case(match["m1"] or match["m2"] or match["m3"])]
        if year in years and (found := counted(year, month, day)):
            yield *match.span(), found


@cache
def _month_pattern(kind: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of a day, a month of a calendar and a year in either order, and month → number."""
    numbers = {fold_case(name): number for table in languages() for number, name in table.named_months(kind)}
    names, end = alternatives(numbers), r"(?!\d)"
    forms = (
        rf"(?<!\d)(?P<d1>\d{{1,2}})\s?(?P<m1>{names})[\s،,፣]{{1,3}}(?P<y1>\d{{4}}){end}",
        rf"(?P<m2>{names})\s(?P<d2>\d{{1,2}})(?:\s\w{{1,4}})?[\s,،፣]{{1,3}}(?P<y2>\d{{4}}){end}",
        rf"(?<!\d)(?P<y3>\d{{4}})[\s,،፣]{{1,3}}(?:\w{{1,4}}\s)?(?P<m3>{names})\s(?P<d3>\d{{1,2}}){end}",
    )
    return re.compile("|".join(forms)), numbers


@cache
def _hebrew() -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of a Hebrew date in letters, and month → number; of Adar without a letter it is the first."""
    numbers: dict[str, int] = {}
    for table in languages():
        for number, name in table.named_months("months_hebrew"):
            numbers.setdefault(name, number)
    names = "|".join(sorted(map(re.escape, numbers), key=len, reverse=True))
    pattern = rf"(?<![א-ת])({_HEBREW_NUMBER})\sב?({names})\s(?:ה['׳]?)?(ת[א-ת]{{0,3}}[״\"]?[א-ת])(?![א-ת])"
    return re.compile(pattern), numbers


def _gematria(letters: str) -> int:
    """Return the number that Hebrew letters spell.

    >>> _gematria("כ״ד"), _gematria("תשפ״ד")
    (24, 784)
    """
    return sum(_GEMATRIA.get(letter, 0) for letter in letters)
