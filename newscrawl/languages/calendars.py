"""Dates of other calendars and numerals: Buddhist, of eras, solar Hijri, in Chinese numerals."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.patterns import WordPattern, alternatives
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.languages.model import Language

Day = tuple[int, int, int, int, int]
"""Start, end, year of the Common Era, month, day."""

BUDDHIST_ERA: Final = 543
"""Years before those of the Common Era; Thai pages write either."""
_FIRST_BUDDHIST: Final = 2400
_SHORT_BUDDHIST: Final = 2500
"""Added to a year of two digits."""
_BUDDHIST_DIGITS: Final = re.compile(r"(?<![\d./-])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(2[45]\d\d)(?!\d)")
_FIRST_SOLAR_HIJRI: Final = date(622, 3, 21)
"""1 Farvardin 1, in the Gregorian calendar counted back."""
_YEARS_IN_33: Final = frozenset((1, 5, 9, 13, 17, 22, 26, 30))
"""Leap years of the solar calendar's cycle of 33 years; right from 1799 to 2256."""
_SOLAR_HIJRI_DIGITS: Final = re.compile(r"(?<![\d/.-])(1[34]\d\d)\s?([/-])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?![\d/-])")
"""Dates in digits alone. They are read on Persian pages: elsewhere such a year is of the Middle Ages, or a price."""
_HAN_DIGITS: Final = {char: number for number, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0}
_HAN_DAY: Final = WordPattern(
    r"([二一][〇零○一二三四五六七八九]{3}){~dates.year}\s?([一二三四五六七八九十]{1,2}){~dates.month}"
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
        yield from _in_digits(text, table.calendars)
    if text.isascii():
        return
    for match in _WITH_NUMBERS.finditer(text):
        yield *match.span(), int(match[3]), int(match[2]), int(match[1])
    if _ARABIC_LETTER.search(text):
        yield from _solar_hijri_days(text)
    if _HAN.search(text):
        yield from _era_days(text)
        yield from _han_days(text)
    if _THAI.search(text):
        yield from _buddhist_days(text)


def _in_digits(text: str, calendars: tuple[str, ...]) -> Iterator[Day]:
    if "persian" in calendars:
        for match in _SOLAR_HIJRI_DIGITS.finditer(text):
            yield from _solar_hijri(match, int(match[1]), int(match[3]), int(match[4]))
    if "buddhist" in calendars:
        for match in _BUDDHIST_DIGITS.finditer(text):
            yield *match.span(), int(match[4]) - BUDDHIST_ERA, int(match[3]), int(match[1])


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
    numbers = {name.rstrip("."): number for table in own for number, name in _months(table, "months", "months_short")}
    eras = {name: year for table in own for name, year in table.eras.items()}
    names, said = (alternatives(found) for found in (numbers, eras))
    return re.compile(rf"(?<!\d)(\d{{1,2}})\s?({names})\.?\s?(?:({said})\s?)?(\d{{4}}|\d\d)(?!\d)"), numbers, eras


def _months(table: Language, *kinds: str) -> Iterator[tuple[int, str]]:
    for kind in kinds:
        for number, names in enumerate(table.months.get(kind, ()), start=1):
            yield from ((number, name) for name in names)


def _era_days(text: str) -> Iterator[Day]:
    pattern, eras = _eras()
    for match in pattern.finditer(text):
        year = int(match[2]) if match[2].isdigit() else 1
        yield *match.span(), eras[match[1]] + year, int(match[3]), int(match[4])


@cache
def _eras() -> tuple[re.Pattern[str], dict[str, int]]:
    """Return the pattern of dates of an era, and era → the year before its first."""
    eras = {name: year for table in languages() for name, year in table.eras.items() if year > 0}
    template = r"\s?(\d{1,3}|元){~dates.year}\s?(\d{1,2}){~dates.month}\s?(\d{1,2}){~dates.day}"
    return re.compile(f"({alternatives(eras)})" + WordPattern(template).filled()), eras


def _han_days(text: str) -> Iterator[Day]:
    for match in _HAN_DAY.finditer(text):
        year = int("".join(str(_HAN_DIGITS[char]) for char in match[1]))
        yield *match.span(), year, han_number(match[2]), han_number(match[3])


def han_number(numeral: str) -> int:
    """Return a number up to 99.

    >>> han_number("十二"), han_number("二十"), han_number("五")
    (12, 20, 5)
    """
    tens, has_ten, ones = numeral.rpartition("十")
    if not has_ten:
        return int("".join(str(_HAN_DIGITS[char]) for char in numeral))
    return (_HAN_DIGITS.get(tens, 1) if tens else 1) * 10 + _HAN_DIGITS.get(ones, 0)


def _solar_hijri_days(text: str) -> Iterator[Day]:
    pattern, numbers = _solar_hijri_months()
    for match in pattern.finditer(text):
        yield from _solar_hijri(match, int(match[3]), numbers.get(_farsi(match[2]), 0), int(match[1]))


@cache
def _solar_hijri_months() -> tuple[re.Pattern[str], dict[str, int]]:
    numbers: dict[str, int] = {}
    for table in languages():
        for number, name in _months(table, "months_persian"):
            numbers.setdefault(name, number)
    names = alternatives(numbers).replace("ی", "[یي]")
    template = rf"(?<!\d)(\d{{1,2}})\s?({names})(?:\s?{{dates.after_month}})?[\s،,]{{1,3}}(1[34]\d\d)(?!\d)"
    return re.compile(WordPattern(template).filled()), numbers


def _farsi(name: str) -> str:
    return name.replace("ي", "ی")


def _solar_hijri(match: re.Match[str], year: int, month: int, day: int) -> Iterator[Day]:
    """Yield the Gregorian day: a year begins on the 20th or 21st of March, its first six months have 31 days."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return
    cycles, rest = divmod(year - 1, 33)
    days = cycles * (33 * 365 + len(_YEARS_IN_33)) + rest * 365 + sum(leap <= rest for leap in _YEARS_IN_33)
    days += (month - 1) * 31 - max(0, month - 7) + day - 1
    gregorian = _FIRST_SOLAR_HIJRI + timedelta(days=days)
    yield *match.span(), gregorian.year, gregorian.month, gregorian.day
