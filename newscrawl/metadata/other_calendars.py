"""Dates that count otherwise: Thai (Buddhist era), Japanese (reign), Taiwanese (Republic), Persian (solar Hijri) years;
months of two words or numbers (Levantine, Vietnamese).
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

BUDDHIST_ERA: Final = 543
"""Years before those of the Common Era; Thai pages write either."""
_FIRST_BUDDHIST: Final = 2400
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""Year before the first of an era."""

_THAI_MONTHS: Final = (
    "มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. กรกฎาคม|ก.ค. สิงหาคม|ส.ค."
    " กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค."
)
_NUMBER: Final = {
    name.rstrip("."): number for number, names in enumerate(_THAI_MONTHS.split(), start=1) for name in names.split("|")
}
_THAI: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(map(re.escape, _NUMBER))})\.?\s?(?:พ\.ศ\.\s?|ค\.ศ\.\s?)?(\d{{4}}|\d\d)(?!\d)"
)
_ERA: Final = re.compile(rf"({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)年\s?(\d{{1,2}})月\s?(\d{{1,2}})日")
_HINT: Final = re.compile("[\u0e01-\u0e2e]|" + "|".join(_ERAS))

_SOLAR_HIJRI_MONTHS: Final = (
    "فروردین|حمل اردیبهشت|ثور خرداد|جوزا تیر|سرطان مرداد|امرداد|اسد شهریور|سنبله مهر|میزان آبان|عقرب آذر|قوس دی|جدی"
    " بهمن|دلو اسفند|حوت"
)
_SOLAR_HIJRI_NUMBER: Final = {
    name: number for number, names in enumerate(_SOLAR_HIJRI_MONTHS.split(), start=1) for name in names.split("|")
}
_SOLAR_HIJRI: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(_SOLAR_HIJRI_NUMBER).replace('ی', '[یي]')})(?:\s?ماه)?"
    r"[\s،,]{1,3}(1[34]\d\d)(?!\d)"
)
_SOLAR_HIJRI_DIGITS: Final = re.compile(r"(?<![\d/.-])(1[34]\d\d)\s?([/-])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?![\d/-])")
"""Dates in digits alone. They are read on Persian pages: elsewhere such a year is of the Middle Ages, or a price."""
_PERSIAN: Final = frozenset(("fa", "ps", "prs", "ckb"))
_YEARS_IN_33: Final = frozenset((1, 5, 9, 13, 17, 22, 26, 30))
"""Leap years of the solar calendar's cycle of 33 years; right from 1799 to 2256."""

_LEVANTINE: Final = {"كانون الثاني": 1, "تشرين الأول": 10, "تشرين الاول": 10, "تشرين الثاني": 11, "كانون الأول": 12,
                     "كانون الاول": 12, "شباط": 2, "آذار": 3, "اذار": 3, "نيسان": 4, "أيار": 5, "ايار": 5, "حزيران": 6,
                     "تموز": 7, "آب": 8, "أيلول": 9, "ايلول": 9}  # fmt: skip
_ARABIC: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s({'|'.join(_LEVANTINE)})(?:\s?[/-]\s?\w{{3,8}})?[\s،,]{{1,3}}((?:19|20)\d\d)(?!\d)"
)
_VIETNAMESE: Final = re.compile(
    r"(?<!\d)(\d{1,2})\s?(?:tháng|thg)\s?(\d{1,2})\s?(?:,|năm)?\s?((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_ARABIC_LETTER: Final = re.compile("[\u0621-\u064a]")


def other_days(text: str, language: str | None = None) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield start, end, year of the Common Era, month and day of each such date; a day may not exist.

    :param language: of the page; dates of digits alone are read as solar Hijri where it is Persian.

    >>> list(other_days("5 พ.ย. 2566")), list(other_days("令和5年11月5日"))
    ([(0, 11, 2023, 11, 5)], [(0, 9, 2023, 11, 5)])
    """
    if language in _PERSIAN:
        for match in _SOLAR_HIJRI_DIGITS.finditer(text):
            yield from _solar_hijri(match, int(match[1]), int(match[3]), int(match[4]))
    if text.isascii():
        return
    if _ARABIC_LETTER.search(text):
        for match in _SOLAR_HIJRI.finditer(text):
            number = _SOLAR_HIJRI_NUMBER[match[2].replace("ي", "ی")]
            yield from _solar_hijri(match, int(match[3]), number, int(match[1]))
        for match in _ARABIC.finditer(text):
            yield *match.span(), int(match[3]), _LEVANTINE[match[2]], int(match[1])
    for match in _VIETNAMESE.finditer(text):
        yield *match.span(), int(match[3]), int(match[2]), int(match[1])
    if not _HINT.search(text):
        return
    for match in _THAI.finditer(text):
        year = int(match[3])
        if len(match[3]) == 2:
            year += 2500
        yield *match.span(), year - BUDDHIST_ERA if year >= _FIRST_BUDDHIST else year, _NUMBER[match[2]], int(match[1])
    for match in _ERA.finditer(text):
        year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
        yield *match.span(), year, int(match[3]), int(match[4])


def _solar_hijri(match: re.Match[str], year: int, month: int, day: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the day of the Gregorian calendar: a year begins on the 20th or 21st of March, and its first six months
    have 31 days.
    """
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return
    cycles, rest = divmod(year - 1, 33)
    days = cycles * (33 * 365 + len(_YEARS_IN_33)) + rest * 365 + sum(leap <= rest for leap in _YEARS_IN_33)
    days += (month - 1) * 31 - max(0, month - 7) + day - 1
    gregorian = _FIRST_DAY + timedelta(days=days)
    yield *match.span(), gregorian.year, gregorian.month, gregorian.day


_FIRST_DAY: Final = date(622, 3, 21)
"""1 Farvardin 1, in the Gregorian calendar counted back."""
