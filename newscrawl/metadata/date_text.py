"""Dates written in text, found by pattern: ISO, Chinese, Japanese and Korean, numeric, and with month names.

Dates seen from the fetch ("2 hours ago") are in ``relative.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.metadata.calendar_names import month_number, other_days

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_YEAR: Final = 1990
"""No news page is older; smaller years are history told in the text."""
LAST_YEAR: Final = 2099


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date found in a text."""

    moment: datetime
    """Aware only if the text states a zone; 00:00 where it states no time."""
    has_time: bool
    start: int
    end: int


_YMD: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\s?[年년]\s?|\s?([-/.])\s?)(\d{1,2})(?:\s?[月월]\s?"
    r"|\s?\2\s?)(\d{1,2})(?!\d)\s?[日号號일]?\.?"
)
_DMY: Final = re.compile(r"(?<![\d.,/-])(\d{1,2})\s?([./|-])\s?(\d{1,2})\s?\2\s?((?:19|20)\d\d|\d\d)(?!\d|[,./-]\d)")
_WORD: Final = r"((?:[^\W\d_]|[\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd]){3,14}\.?)"
"""Letters, and the vowel signs of Devanagari and Bengali, which are none to regular expressions."""
_DIGIT: Final = re.compile(r"\d")
_FULL_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_LETTER_DAY: Final = re.compile(r"[^\W_]\.?[\s\-]{1,2}\d{1,2}(?:st|nd|rd|th)?[\s,\-]")
"""A part of every date of ``_MONTH_D_Y``. It is looked for first, because that pattern tries every letter of a word."""
_D_MONTH_Y: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?[\s.,\-]{{0,3}}(?:(?:de|of|di|d')\s)?(?:[^\W\d_]{{3,10}}\s/\s)?{_WORD}"
    r"(?:[\s.,\-]{1,3}|\s(?:de|del|do|of)\s)((?:19|20)\d\d)(?!\d)"
)
_MONTH_D_Y: Final = re.compile(
    rf"{_WORD}[\s\-]{{1,2}}(\d{{1,2}})(?:st|nd|rd|th)?(?:[\s,\-]{{1,3}}|\s+\d\d:\d\d(?::\d\d)?\s+(?:[A-Z+\d:]{{1,9}}\s)?)"
    r"((?:19|20)\d\d)(?!\d)"
)
_Y_MONTH_D: Final = re.compile(
    rf"(?<!\d)((?:19|20)\d\d)[\s.,\-]{{1,3}}(?:m\.\s)?{_WORD}[\s.\-]{{1,2}}(\d{{1,2}})(?!\d)"
)
_NO_YEAR: Final = re.compile(r"(?<![\d-])(?:(\d\d)-)?(\d{1,2})(?:-|月)(\d{1,2})日?\s+([01]?\d|2[0-3]):([0-5]\d)(?!\d)")
_COMPACT: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?(\d\d)(\d\d)(\d\d)?)?(?!\d)"
)

_CLOCK: Final = re.compile(
    r"(?:T|[^\d\n]{0,16}?)(?<!\d)([01]?\d|2[0-4])\s?(?:[:：時时點点h시]|\.(?=\d\d(?:\D|$)))\s?([0-5]\d)?"
    r"(?:\s?[:：分분.]\s?([0-5]\d)(?:[.,]\d{1,9})?)?(?!\d)\s?分?"
    r"(?:\s?([AaPp])\.?\s?[Mm]\b\.?)?"
    r"(?:\s?(?:Uhr|hrs?|น\.)\b)?"
    r"\s?\(?(Z\b|[+-](?:0\d|1[0-4]):?[0-5]\d\b|(?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::?\d\d)?)?|[A-Z]{3,4}\b|北京时间)?"
)
_CLOCK_BEFORE: Final = re.compile(
    r"(?<![\d:])([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d)?\s?(?:([AaPp])\.?[Mm]\b\.?)?\s?"
    r"(?:[A-Z]{3,4}\b|Uhr)?[\s,|–—-]{0,3}(?:on\s)?(?:[^\W\d_]{2,10}[\s,.]{1,2})?$"
)
_AFTERNOON: Final = re.compile(r"下午|晚上|晚间|오후|午後|晚")
_FORENOON: Final = re.compile(r"오전|午前")
"""Words for the forenoon, in which twelve o'clock is midnight."""
_ZONE_HOURS: Final = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "EST": -5, "EDT": -4, "PST": -8, "PDT": -7, "MST": -7, "MDT": -6,
    "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "BST": 1, "WEST": 1, "EET": 2, "EEST": 3, "MSK": 3, "IST": 5.5,
    "SGT": 8, "HKT": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "SAST": 2, "WIB": 7, "ICT": 7, "北京时间": 8,
}  # fmt: skip
"""Hours east of UTC; CST is left out, it is China's and Chicago's."""


_ASCII_DIGITS: Final = {
    first + digit: ord("0") + digit for first in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10) for digit in range(10)
} | {ord("："): ":", ord("／"): "/", ord("－"): "-"}
"""Arabic, Persian, Devanagari, Bengali, Thai and full-width digits; lengths stay the same."""


def parse_iso(text: str) -> tuple[datetime, bool] | None:
    """Return the moment of an ISO 8601 or Unix time stamp and whether it states a time of day, else None."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) in {10, 13}:
        seconds = int(text) / (1000 if len(text) == 13 else 1)
        return datetime.fromtimestamp(seconds, UTC), True
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        return None
    return moment, len(text) > len("2024-03-05")


def parse_stamp(text: str, language: str | None = None, *, day_first: bool = True) -> tuple[datetime, bool] | None:
    """Return the moment a machine-readable field states (ISO, RFC 822, or any form of :func:`find_dates`)."""
    parsed = parse_iso(text)
    if parsed:
        return parsed
    found = next(find_dates(text[:100], language, day_first=day_first), None) or _compact(text[:40])
    return (found.moment, found.has_time) if found else None


def _compact(text: str) -> FoundDate | None:
    match = _COMPACT.search(text)
    if match is None:
        return None
    day = make_date(int(match[1]), int(match[2]), int(match[3]))
    if day is None:
        return None
    clock = (int(match[4] or 0), int(match[5] or 0), int(match[6] or 0))
    if clock > (23, 59, 59):
        clock = (0, 0, 0)
    return FoundDate(datetime(day.year, day.month, day.day, *clock), bool(match[4]), *match.span())  # noqa: DTZ001


def find_dates(text: str, language: str | None = None, *, day_first: bool = True) -> Iterator[FoundDate]:
    """Yield the full dates (day, month, year) of ``text`` from left to right, with the time of day beside them.

    :param language: decides between equal month names; ISO 639-1.
    :param day_first: whether ``03/05/2024`` is the third of May; a number above 12 decides by itself.
    """
    return iter(_found_dates(text, language, day_first)) if _DIGIT.search(text) else iter(())


@lru_cache(maxsize=2048)
def _found_dates(text: str, language: str | None, day_first: bool) -> tuple[FoundDate, ...]:  # noqa: FBT001
    """Remember the dates of a text: several facts are looked for in the same lines."""
    text = text.translate(_ASCII_DIGITS)
    taken = -1
    dates = []
    for start, end, day in sorted(_days(text, language, day_first=day_first), key=lambda found: (found[0], -found[1])):
        if start >= taken:
            moment, has_time, taken = _with_clock(text, start, end, day)
            dates.append(FoundDate(moment, has_time, start, taken))
    return tuple(dates)


def _days(text: str, language: str | None, *, day_first: bool) -> Iterator[tuple[int, int, date]]:
    for start, end, *numbers in other_days(text, language):
        if day := make_date(*numbers):
            yield start, end, day
    has_year = _FULL_YEAR.search(text) is not None
    for match in _YMD.finditer(text) if has_year else ():
        if day := make_date(int(match[1]), int(match[3]), int(match[4])):
            yield *match.span(), day
    for match in _DMY.finditer(text):
        day = _numeric(match, day_first=day_first)
        if day:
            yield *match.span(), day
    if has_year:
        yield from _named_days(text, language)


def _named_days(text: str, language: str | None) -> Iterator[tuple[int, int, date]]:
    for pattern, (year, month, number) in _NAMED:
        if pattern is _MONTH_D_Y and not _LETTER_DAY.search(text):
            continue
        for match in pattern.finditer(text):
            named = month_number(match[month], language)
            day = make_date(int(match[year]), named, int(match[number])) if named else None
            if day:
                yield *match.span(), day


_NAMED: Final = ((_D_MONTH_Y, (3, 2, 1)), (_MONTH_D_Y, (3, 1, 2)), (_Y_MONTH_D, (1, 2, 3)))
"""Patterns with a month's name, and their groups of year, month and day."""


def _numeric(match: re.Match[str], *, day_first: bool) -> date | None:
    first, separator, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
    if len(match[4]) == 2:
        if separator in "-|":
            return None  # scores and phone numbers
        year += 2000
    if separator == ".":
        day_first = True  # no language writes month.day.year
    if first > 12 or (day_first and second <= 12):
        return make_date(year, second, first)
    return make_date(year, first, second)


def find_short_date(text: str, latest: datetime) -> FoundDate | None:
    """Return the first date without its century or its year (``03-05 10:20``): the last such day before ``latest``."""
    match = _NO_YEAR.search(text)
    if match is None:
        return None
    years = (2000 + int(match[1]),) if match[1] else (latest.year, latest.year - 1)
    for year in years:
        day = make_date(year, int(match[2]), int(match[3]))
        if day is not None and day <= latest.date():
            return _at(day, int(match[4]), int(match[5]), *match.span())
    return None


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the day, or None where there is no such day or its year is no year of online news."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _with_clock(text: str, start: int, end: int, day: date) -> tuple[datetime, bool, int]:
    match = _CLOCK.match(text, end)
    if match and (match[2] or match[4]):
        hour = _hour24(int(match[1]), match[4], text[end : match.start(1)])
        moment = _combine(day, hour, int(match[2] or 0), int(match[3] or 0), zone_of(match[5]))
        return moment, True, match.end()
    before = _CLOCK_BEFORE.search(text[max(0, start - 40) : start])
    if before:
        hour = _hour24(int(before[1]), before[3], "")
        return _combine(day, hour, int(before[2]), 0, None), True, end
    return _combine(day, 0, 0, 0, None), False, end


def _hour24(hour: int, half: str | None, words_before: str) -> int:
    if half:
        return hour % 12 + (12 if half in "pP" else 0)
    if hour < 12 and _AFTERNOON.search(words_before):
        return hour + 12
    return 0 if hour == 12 and _FORENOON.search(words_before) else hour


def _at(day: date, hour: int, minute: int, start: int, end: int) -> FoundDate:
    return FoundDate(moment=_combine(day, hour, minute, 0, None), has_time=True, start=start, end=end)


def _combine(day: date, hour: int, minute: int, second: int, zone: tzinfo | None) -> datetime:
    midnight = datetime(day.year, day.month, day.day, tzinfo=zone)
    return midnight + timedelta(hours=hour, minutes=minute, seconds=second)  # 24:00 is the next midnight


def zone_of(name: str | None) -> tzinfo | None:
    """Return the zone a text names (``+08:00``, ``GMT+8``, ``CEST``), None where it names none we know."""
    if not name:
        return None
    offset = re.search(r"([+-])(\d{1,2}):?(\d\d)?$", name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    hours = _ZONE_HOURS.get(name)
    if hours is None:
        return None
    return timezone(timedelta(hours=hours)) if hours else UTC
