"""Parts of a date: names of months and weekdays, looked up in the page's language first and then in all; times of day
beside it, and the zones that they name.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from newscrawl.languages.characters import SPACELESS_LETTER
from newscrawl.languages.patterns import WordPattern, alternatives, fold_case
from newscrawl.languages.tables import first_languages, language, languages
from newscrawl.languages.text import without_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from newscrawl.languages.tables import Language


_MIN_ABBREVIATION: Final = 3
_NAMES: Final = ("months", "months_short", "months_other")
_NUMBERED_MONTH: Final = WordPattern(r"[0-9一二三四五六七八九十]{0,3}{~dates.month}")
MONTH_LETTER: Final = r"(?:[^\W\d_]|(?!\d)[\u0900-\u0963\u0970-\u109f\u1780-\u17d3])"
"""Letters, and the vowel signs of scripts from India to Cambodia, which are none to regular expressions."""
_BEYOND_LATIN: Final = "\u0370"
_FIRST_IDEOGRAPH: Final = "\u3400"
_PLAIN: Final = re.compile(rf"{MONTH_LETTER}+\.?")


@lru_cache(maxsize=4096)
def month_number(word: str, code: str | None = None) -> int | None:
    """Return 1..12 for a month's name or its abbreviation of three letters or more, else None.

    The page's language decides where two languages use one word for different months; a word no language
    knows as a whole counts as an abbreviation only of a name it begins.

    >>> month_number("Sept."), month_number("août"), month_number("listopada", "hr"), month_number("Monday")
    (9, 8, 10, None)
    """
    folded = _fold(word)
    table = language(code)
    if table is not None and (number := _table(table).get(folded)):
        return number
    return _all_names().get(folded) or next(_behind_preposition(folded), None)


def _fold(word: str) -> str:
    return without_marks(word.casefold().strip(". "))


def _behind_preposition(folded: str) -> Iterator[int]:
    """Yield the month that a word names behind a preposition written together with it."""
    for prefix in _prepositions():
        if folded.startswith(prefix) and (number := _all_names().get(folded.removeprefix(prefix))):
            yield number


@cache
def _prepositions() -> tuple[str, ...]:
    return tuple(table.in_month for table in languages() if table.in_month)


@cache
def _table(table: Language) -> dict[str, int]:
    """Return the folded names and abbreviations of one language's months."""
    found = {_fold(name): number for number, name in names_of(table)}
    ambiguous: set[str] = set()
    begun: dict[str, int] = {}
    for number, name in table.named_months("months"):
        folded = _fold(name)
        for length in range(_MIN_ABBREVIATION, len(folded)):
            if begun.setdefault(folded[:length], number) != number:
                ambiguous.add(folded[:length])
    return {name: number for name, number in begun.items() if name not in ambiguous} | found


def names_of(table: Language) -> Iterator[tuple[int, str]]:
    """Yield a language's names of months with their numbers, those in full last."""
    yield from table.named_months(*reversed(_NAMES))


@cache
def _all_names() -> dict[str, int]:
    """Return the names of all languages; earlier languages win, and a name before what begins like one."""
    merged: dict[str, int] = {}
    for table in languages():
        own = _table(table)
        named = {folded: own[folded] for _, name in names_of(table) if (folded := _fold(name))}
        for name, number in (named | own).items():
            merged.setdefault(name, number)
    return merged


def is_date_word(word: str) -> bool:
    """Tell whether a word names a month or a weekday: in full in any language, or as English shortens it.

    Short forms of other languages are left out, for many are given names: *Sam* of *samedi*, *Mai*.

    >>> [is_date_word(word) for word in ("Thu", "Montag", "周四", "Sam", "Anna")]
    [True, True, True, False, False]
    """
    return _fold(word) in _full_names() or _NUMBERED_MONTH.fullmatch(word) is not None


@cache
def _full_names() -> frozenset[str]:
    """Return folded names in full; in Latin letters only of the languages that come first: others are given names."""
    first = set(first_languages())
    found = {word for table in languages() for word in _in_full(table) if table.code in first or not _is_latin(word)}
    english = language("en")
    return frozenset(map(_fold, (*found, *(_shortened(english) if english is not None else ()))))


def _is_latin(word: str) -> bool:
    return word[0] < _BEYOND_LATIN


def _in_full(table: Language) -> Iterator[str]:
    """Yield a language's months and weekdays in full that are one word of more than one letter."""
    weekdays = (part for day in table.weekdays for part in day.split("-"))
    short = (day for day in table.weekdays_short if day[0] >= _FIRST_IDEOGRAPH)  # these are no less clear
    months = (name for _, name in table.named_months("months"))
    yield from (word for word in (*months, *weekdays, *short) if " " not in word and len(word) > 1)


def _shortened(table: Language) -> Iterator[str]:
    yield from (name for _, name in table.named_months("months_short", "months_other"))
    yield from (*table.weekdays_short, *table.halves["am"], *table.halves["pm"], "gmt", "utc")


@cache
def many_worded() -> tuple[str, dict[str, int]]:
    """Return a pattern of the names that are no single word, as *тавдугаар сар*, and the names with their numbers."""
    numbers: dict[str, int] = {}
    for table in languages():
        for number, name in names_of(table):
            if not _PLAIN.fullmatch(name) and len(name) > _MIN_ABBREVIATION:
                numbers.setdefault(name.lower(), number)
    return alternatives(numbers), {fold_case(name): number for name, number in numbers.items()}


_OFFSET: Final = re.compile(r"([+-])(\d{1,2}):?(\d\d)?$")
_ZONE: Final = (
    r"(Z\b|[A-Z][a-z]+/[A-Z]\w+(?:/\w+)?|(?:\+(?:0\d|1[0-4])|-(?:0\d|10)):?(?:[03]0|[14]5)\b"
    r"|(?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::?\d\d)?)?|<zones>|[A-Z]{3,4}\b)"
)
_AFTER: Final = WordPattern(
    r"(?:T|[^\d\n]{0,16}?)(?<!\d)([01]?\d|2[0-4])\s?(?:[:：]|{~dates.hour}|\.(?=\d\d(?:\D|$)))\s?([0-5]\d|\d(?=\s?{~dates.minute}))?"
    r"(?:\s?(?:[:：.]|{~dates.minute})\s?([0-5]\d)(?:[.,]\d{1,9})?)?(?!\d)\s?{~dates.minute}?"
    r"(?:\s?([AaPp])\.?\s?[Mm]\b\.?)?(?:\s?{dates.clock})?"
    rf"\s?\(?{_ZONE}?"
)
_BEFORE: Final = WordPattern(
    r"(?<![\d:])([01]?\d|2[0-3])(?:[:h]|\.(?=\d\d\s?[AaPp]\.?[Mm]))([0-5]\d)(?::[0-5]\d)?\s?(?:([AaPp])\.?[Mm]\b\.?)?\s?"
    rf"(?:{_ZONE}|[A-Z]{{2,4}}\b|{{dates.clock}})?[\s,|–—-]{{0,3}}(?:{{dates.dated_on}}\s)?(?:[^\W\d_]{{2,10}}[\s,.]{{1,2}})?$"
)
_ZONE_BEHIND: Final = WordPattern(rf"[\s,(]{{1,2}}{_ZONE}")
_LOOK_BACK: Final = 40


class Clock(NamedTuple):
    """A time of day, and where in the text it ends."""

    hour: int
    minute: int
    second: int
    zone: tzinfo | None
    end: int


def clock_beside(text: str, start: int, end: int, code: str | None, home: tzinfo | None = None) -> Clock | None:
    """Return the time of day behind the date that stands at ``start`` to ``end``, else that before it.

    :param home: the site's zone, whose own names count first.
    """
    patterns = _patterns()
    match = patterns.after.match(text, end)
    before = patterns.before.search(text[max(0, start - _LOOK_BACK) : start])
    if match and (match[2] or match[4]) and not (before and "(" in text[end : match.start(1)]):  # (updated: 08:00 …)
        half = match[4] or _half_behind(text, match.end(), code)
        hour = _hour24(int(match[1]), half, text[end : match.start(1)])
        return Clock(hour, int(match[2] or 0), int(match[3] or 0), zone_of(match[5], code, home), match.end())
    if before is None:
        return None
    zone = zone_of(before[4], code, home)
    if zone is None and (behind := patterns.zone.match(text, end)):
        zone = zone_of(behind[1], code, home)
        end = behind.end() if zone is not None else end
    return Clock(_hour24(int(before[1]), before[3], ""), int(before[2]), 0, zone, end)


def moment_of(day: date, clock: Clock | None) -> datetime:
    """Return the moment of a day: 00:00 without a time of day, and aware only where that names a zone."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=clock.zone if clock else None)
    if clock is None:
        return midnight
    return midnight + timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)  # 24:00 is the next day


class _Patterns(NamedTuple):
    after: re.Pattern[str]
    before: re.Pattern[str]
    zone: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    names = alternatives(_zones())
    return _Patterns(*(re.compile(one.filled().replace("<zones>", names)) for one in (_AFTER, _BEFORE, _ZONE_BEHIND)))


@cache
def _zones() -> dict[str, str]:
    """Return the names of zones in all languages; earlier languages win. ``""`` stands for a name of several zones."""
    found: dict[str, str] = {}
    for table in languages():
        for name, zone in table.zones.items():
            found.setdefault(name, zone)
    return found


@lru_cache(maxsize=1024)
def zone_of(name: str | None, code: str | None = None, home: tzinfo | None = None) -> tzinfo | None:
    """Return the zone a text names (``+08:00``, ``GMT+8``, ``CEST``, ``ET``), None where it names none we know.

    Zones share names: *CST* is of Chicago and of Shanghai, *IST* of Kolkata, Jerusalem and Dublin. A site prints such a
    name all the year.

    :param code: the page's language, whose names count before those of others.
    :param home: the site's zone, whose own names count first.
    """
    if not name:
        return None
    offset = _OFFSET.search(name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    own = language(code)
    named = (own.zones.get(name) if own is not None else None) or _zones().get(name) or (name if "/" in name else "")
    fixed = _fixed(named) if _OFFSET.search(named) else None
    if home is not None and (own_offset := _seasons(home).get(name)):
        return own_offset if not named or fixed == own_offset else home
    if not named or fixed is not None:
        return fixed
    try:
        return ZoneInfo(named)
    except (ZoneInfoNotFoundError, ValueError):
        return None


@cache
def _seasons(home: tzinfo) -> dict[str, tzinfo]:
    """Return the names that a zone has in winter and in summer, with their offsets; numbers are no names."""
    moments = [datetime(2024, month, 15, tzinfo=home) for month in (1, 7)]
    named = ((moment.tzname() or "", moment.utcoffset()) for moment in moments)
    return {name: timezone(offset) for name, offset in named if name.isalpha() and offset is not None}


def _fixed(offset: str) -> tzinfo:
    """Return the zone of an offset as tables write it."""
    minutes = int(offset[1:3]) * 60 + int(offset[4:6])
    return timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes)) if minutes else UTC


def _half_behind(text: str, at: int, code: str | None) -> str | None:
    """Return ``"a"`` or ``"p"`` for the half of the day behind a clock, where it is not written as *am* or *pm*."""
    own = language(code)
    for halves in (_other_halves() if not text.isascii() else None, _own_halves(own) if own is not None else None):
        match = halves.match(text, at) if halves is not None else None
        if match:
            return match.lastgroup
    return None


@cache
def _other_halves() -> re.Pattern[str]:
    """Return the pattern of the halves of the day in letters beyond ASCII, in all languages."""
    am, pm = (
        [word for table in languages() for word in table.halves[half] if not word[0].isascii()] for half in ("am", "pm")
    )
    return _halves(am, pm)


@cache
def _own_halves(table: Language) -> re.Pattern[str]:
    return _halves(table.halves["am"], table.halves["pm"])


def _halves(am: Iterable[str], pm: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\s?(?:(?P<p>{alternatives(pm)})|(?P<a>{alternatives(am)}))", re.IGNORECASE)


@cache
def _halves_before() -> re.Pattern[str]:
    """Return the pattern of the halves of the day that stand before the clock: in Chinese, Japanese and Korean."""
    am, pm = (
        [word for table in languages() for word in table.halves[half] if SPACELESS_LETTER.match(word)]
        for half in ("am", "pm")
    )
    return re.compile(f"(?P<p>{alternatives(pm)})|(?P<a>{alternatives(am)})")


def _hour24(hour: int, half: str | None, words_before: str) -> int:
    if half:
        return hour % 12 + (12 if half in "pP" else 0)
    before = None if words_before.isascii() else _halves_before().search(words_before)
    if before is None:
        return hour
    if before.lastgroup == "p":
        return hour + 12 if hour < 12 else hour
    return 0 if hour == 12 else hour
