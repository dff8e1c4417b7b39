"""Dates written in text, found by pattern: ISO, Chinese, Japanese and Korean, numeric, and with month names.

Below them are dates seen from the fetch, as lists and bylines show them: "2 hours ago", "vor 3 Tagen", 昨天 13:06.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.calendar_names import month_number, other_days

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
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?[\s.,/\-]{{0,3}}(?:(?:de|of|di|d')\s)?(?:[^\W\d_]{{3,10}}\s/\s)?{_WORD}"
    r"(?:[\s.,/\-]{1,3}|\s(?:de|del|do|of)\s)((?:19|20)\d\d)(?!\d)"
)
_MONTH_D_Y: Final = re.compile(
    rf"{_WORD}[\s\-]{{1,2}}(\d{{1,2}})(?:st|nd|rd|th)?(?:[\s,\-]{{1,3}}|\s+\d\d:\d\d(?::\d\d)?\s+(?:[A-Z+\d:]{{1,9}}\s)?)"
    r"((?:19|20)\d\d)(?!\d)"
)
_Y_MONTH_D: Final = re.compile(
    rf"(?<!\d)((?:19|20)\d\d)[\s.,\-]{{1,3}}(?:m\.\s)?{_WORD}[\s.\-]{{1,2}}(\d{{1,2}})(?!\d)"
)
_NAMED: Final = ((_D_MONTH_Y, (3, 2, 1)), (_MONTH_D_Y, (3, 1, 2)), (_Y_MONTH_D, (1, 2, 3)))
"""Patterns with a month's name, and their groups of year, month and day."""
_NO_YEAR: Final = re.compile(
    r"(?<![\d/-])(?:(\d\d)-)?(\d{1,2})(?:-|月|/(?=\d{1,2}\s?[(（][月火水木金土日]))(\d{1,2})日?"
    r"(?:\s?[(（][月火水木金土日][)）]\s*|\s+)([01]?\d|2[0-3]):([0-5]\d)(?!\d)"
)
"""With a slash only before a Japanese weekday, which tells that the month comes first: ``11/23(月) 22:15``."""
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
    r"(?:[A-Z]{2,4}\b|Uhr)?[\s,|–—-]{0,3}(?:on\s)?(?:[^\W\d_]{2,10}[\s,.]{1,2})?$"
)
_HALF_AFTER: Final = re.compile(
    r"\s?(?:(?P<p>مساء|عصر|ظهر|م\b|μ\.?\s?μ\b|পিএম|अपराह्न)|(?P<a>صباح|ص\b|π\.?\s?μ\b|এএম|पूर्वाह्न))"
)
"""The half of the day behind the clock where it is not written in Latin letters."""
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
    moment = _combine(day, *(clock if clock <= (23, 59, 59) else (0, 0, 0)), None)
    return FoundDate(moment, bool(match[4]), *match.span())


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
            moment = _combine(day, int(match[4]), int(match[5]), 0, None)
            return FoundDate(moment, has_time=True, start=match.start(), end=match.end())
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
    before = _CLOCK_BEFORE.search(text[max(0, start - 40) : start])
    if match and (match[2] or match[4]) and not (before and "(" in text[end : match.start(1)]):  # (updated: 08:00 …)
        after = None if text.isascii() else _HALF_AFTER.match(text, match.end())
        half = match[4] or (after.lastgroup if after else None)
        hour = _hour24(int(match[1]), half, text[end : match.start(1)])
        moment = _combine(day, hour, int(match[2] or 0), int(match[3] or 0), zone_of(match[5]))
        return moment, True, match.end()
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


_MAX_RELATIVE: Final = 40
_RELATIVE: Final = re.compile(
    r"刚刚|剛剛|(?:(?<!\d)\d{1,4}|[一二三四五六七八九十半几])\s?(?:个)?(?:秒|分钟|分鐘|小时|小時|天|日|周|週|星期|月)[钟鐘]?[之以]?前"
    r"|(?:今天|昨天|前天|昨日|今日)\s?(?:[上下]午|晚上|凌晨)?\s?\d{1,2}[:：点]\d{2}|昨天|前天"
    r"|(?<!\d)\d+\s?(?:秒|分|時間|日|週間|か月|ヶ月)前|(?<!\d)\d+\s?(?:초|분|시간|일|주|개월)\s?전"
    r"|(?:(?<!\d)\d+|an?|one|two|three)\s+(?:sec(?:ond)?|min(?:ute)?|hr|hour|day|week|month)s?\.?\s+ago|\bjust now\b"
    r"|\byesterday\b(?:\s+(?:at\s+)?\d{1,2}:\d{2}\s?(?:[ap]m)?)?|\btoday(?:,?\s+at"
    r"|,)?\s+\d{1,2}:\d{2}\s?(?:[ap]m)?"
    r"|\bvor\s+(?:\d+|einer|einem|zwei|drei)\s+(?:Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr)(?:e?n?)?"
    r"|\b(?:gestern|heute)(?:,?\s+(?:um\s+)?\d{1,2}[:.]\d{2}(?:\s+Uhr)?)"
    r"|\bil y a\s+\d+\s+\w+|\bhier à\s+\d{1,2}[h:]\d{2}|\bhace\s+\d+\s+\w+|\bhá\s+\d+\s+\w+"
    r"|(?<!\d)\d+\s+\w+\s+(?:fa|geleden)\b"
    r"|(?<!\d)\d+\s+(?:секунд|минут|час|день|дня|дней|недел|месяц)\w*\s+назад|вчера(?:\s+в)?\s+\d{1,2}:\d{2}"
    r"|(?<!\d)\d+\s+(?:minut|godzin|dni|tygod|miesi)\w*\s+temu|(?<!\d)\d+\s+(?:dakika|saat|gün|hafta|ay)\s+önce",
    re.IGNORECASE,
)
_RELATIVE_WORDS: Final = (
    *"前刚剛昨今전", "ago", "now", "day", "vor", "gestern", "heute", "il y a", "hier ", "hace", "há", " fa", "geleden",
    "назад", "вчера", "temu", "önce",
)  # fmt: skip
"""Each relative date holds one of these words. To look for them first is far cheaper than the pattern."""
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "einer": 1, "einem": 1, "zwei": 2, "drei": 3, "半": 0.5,
}  # fmt: skip
_UNITS: Final = {
    "year": (365 * 86_400, r"年|년|year|jahr|ans?\b|añ|ano|ann[io]|jaar|лет|год|lat|rok|yıl"),
    "month": (30 * 86_400, r"[个個か]月|ヶ月|개월|month|monat|mois|mes|mês|maand|месяц|miesi|ay\b"),
    "week": (604_800, "周|週|星期|주|week|woche|semai|seman|settim|недел|tygod|hafta"),
    "second": (1, "秒|초|sec|sek|seg|секунд"),
    "minute": (60, "分|분|min|мин|dakika"),
    "hour": (3600, "小[时時]|時間|시간|hour|hr|stund|heure|hora|or[ae]|uur|час|godz|saat"),
    "day": (86_400, "天|日|일|day|tag|jour|d[ií]a|giorn|dag|д(?:ень|н)|dni|gün"),
}
"""Unit → seconds, and how its names begin. Years alone are too rough to say a day."""
_COUNTED: Final = re.compile(
    rf"(?:(?<!\d)(\d{{1,4}})|\b({'|'.join(_NUMBERS)}))\s?[个個]?(?:"
    + "|".join(rf"(?P<{unit}>{names})" for unit, (_, names) in _UNITS.items())
    + ")"
)
_NAMES: Final = "|".join(names for _, names in _UNITS.values())
_MORE: Final = rf"(?:(?<!\d)\d\d?|\b(?:{'|'.join(_NUMBERS)}))\s?[个個]?(?:{_NAMES})[^\W\d]{{0,8}}"
_JOINT: Final = r",?\s?(?:(?:and|und|et|y|e|en|и|i|ve)\s)?"
_LONGER: Final = re.compile(rf"(?:{_MORE}{_JOINT}){{1,4}}$", re.IGNORECASE)
_SHORTER: Final = re.compile(rf"(?:{_JOINT}{_MORE}){{1,4}}", re.IGNORECASE)
"""Other units before the one that is found, as in *2 years, 4 months ago*, and behind it: *vor 2 Jahren, 4 Monaten*."""
_DAY: Final = re.compile("(?P<d0>今[天日]|today|heute)|(?P<d1>昨[天日]|yesterday|gestern|hier |вчера)|(?P<d2>前天)")
_SPOKEN_CLOCK: Final = re.compile(r"(下午|晚上)?\s?(\d{1,2})\s?[:：.h点]\s?(\d\d)(?!\d)\s?([ap]m)?")


@lru_cache(maxsize=4096)
def find_relative(text: str) -> str | None:
    """Return the first relative date in ``text`` as written, or None."""
    folded = text.casefold()
    match = _RELATIVE.search(text) if any(map(folded.__contains__, _RELATIVE_WORDS)) else None
    if match is None:
        return None
    longer, shorter = _LONGER.search(text, 0, match.start()), _SHORTER.match(text, match.end())
    phrase = text[longer.start() if longer else match.start() : shorter.end() if shorter else match.end()]
    return phrase if len(phrase) <= _MAX_RELATIVE else None


def resolve_relative(phrase: str, base: datetime) -> datetime | None:
    """Return the moment of ``phrase`` seen from ``base`` (aware), in the zone of ``base``; None if it tells no day."""
    folded = phrase.casefold()
    if folded in {"刚刚", "剛剛", "just now"}:
        return base
    counted = [(float(one[1] or _NUMBERS[one[2]]), one.lastgroup or "") for one in _COUNTED.finditer(folded)]
    if counted:
        seconds = sum(number * _UNITS[unit][0] for number, unit in counted)
        return base - timedelta(seconds=seconds) if any(unit != "year" for _, unit in counted) else None
    day = _DAY.search(folded)
    if day is None or day.lastgroup is None:
        return None
    moment = base - timedelta(days=int(day.lastgroup[1]))
    clock = _SPOKEN_CLOCK.search(folded, day.end())
    if clock is None:
        return moment
    hour, minute = int(clock[2]), int(clock[3])
    if clock[1] or clock[4]:
        hour = hour % 12 + (0 if clock[4] == "am" else 12)
    return moment.replace(hour=hour, minute=minute, second=0, microsecond=0) if hour < 24 and minute < 60 else None
