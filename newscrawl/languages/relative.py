"""Dates seen from the fetch, as lists and bylines show them: *2 hours ago*, *vor 3 Tagen*, 昨天 13:06.

They are looked for in one language at a time: the page's, English, and those in which the word behind a number of the
text is a unit of time.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.clock import Clock, clock_beside
from newscrawl.languages.date_text import in_ascii_digits
from newscrawl.languages.months import MONTH_LETTER
from newscrawl.languages.patterns import alternatives, fold_case
from newscrawl.languages.spans import SECONDS, forms_of, hints_of, span_in
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from datetime import datetime

    from newscrawl.languages.tables import Language

_MOST_SECONDS: Final = 100 * SECONDS["year"]
_MAX_CHARS: Final = 40
_DIGIT: Final = re.compile(r"\d")
_BEHIND_NUMBER: Final = re.compile(rf"(?<!\d)\d{{1,4}}\s?({MONTH_LETTER}+)")
_FIRST_WORD: Final = re.compile(rf"{MONTH_LETTER}+")
_CLOCK: Final = re.compile(r"\d\s?[^\W\d_]?[:：.]?\s?\d\d")
_NO_CLOCK: Final = re.compile(r"[^\d\n]{1,6}\d{1,2}[:.]\d\d")
"""A time of day that there is none, such as 25:61, behind the word for a day."""
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


class _Found(NamedTuple):
    start: int
    end: int
    seconds: float | None = None
    """How long ago; None where a day is named."""
    days: int = 0
    clock: Clock | None = None
    is_rough: bool = False


class _Days(NamedTuple):
    """What names a day in one language, or the moment."""

    pattern: re.Pattern[str]
    ago: dict[str, int]
    alone: frozenset[str]
    """Days that count without a time of day."""
    now: re.Pattern[str]


def find_relative(text: str, code: str | None = None) -> str | None:
    """Return the first relative date in ``text`` as written, or None.

    :param code: the page's language.

    >>> find_relative("Nam Anh, 3 giờ trước"), find_relative("Aktualisiert vor 2 Stunden"), find_relative("2 hours")
    ('3 giờ trước', 'vor 2 Stunden', None)
    """
    found = _found(text, code)
    return text[found.start : found.end] if found is not None and found.end - found.start <= _MAX_CHARS else None


def resolve_relative(phrase: str, base: datetime, code: str | None = None) -> datetime | None:
    """Return the moment of ``phrase`` seen from ``base`` (aware), in the zone of ``base``; None if it tells no day."""
    found = _found(phrase, code)
    if found is None or found.is_rough:
        return None
    if found.seconds is not None:
        return base - timedelta(seconds=found.seconds) if found.seconds < _MOST_SECONDS else None
    day = base - timedelta(days=found.days)
    clock = found.clock
    return day.replace(hour=clock.hour % 24, minute=clock.minute, second=0, microsecond=0) if clock else day


@lru_cache(maxsize=4096)
def _found(text: str, code: str | None) -> _Found | None:
    """Return the first relative date of the first language that reads one."""
    text = in_ascii_digits(text)
    folded = text.lower()
    for table in _candidates(text, code):
        if any(map(folded.__contains__, _hints(table))):
            found = _gone_by(text, table) or _named_day(text, _days(table), code) or _now(text, table)
            if found is not None:
                return found
    return None


def _candidates(text: str, code: str | None) -> dict[Language, None]:
    """Return the languages that may say when, the page's first; all where that is not known."""
    codes: dict[str | None, None] = dict.fromkeys((code, "en") if code else (table.code for table in languages()))
    if code and _DIGIT.search(text):
        for match in _BEHIND_NUMBER.finditer(text):
            codes |= dict.fromkeys(_with_unit().get(_key(match[1]), ()))
        if _CLOCK.search(text):
            for match in _any_day().finditer(text):
                codes |= dict.fromkeys(_with_day().get(match[0].lower(), ()))
    return dict.fromkeys(table for one in codes if (table := language(one)) is not None)


def _key(word: str) -> str:
    """Return what units are looked up by: a word, or its first character where words are not set apart."""
    return word[0] if _SPACELESS.match(word) else word.lower()


@cache
def _with_unit() -> dict[str, list[str]]:
    """Return the first word behind a number → the languages in which it is a unit."""
    found: dict[str, dict[str, None]] = {}
    for table in languages():
        for form in forms_of(table):
            if word := _FIRST_WORD.match(form.behind):
                found.setdefault(_key(word[0]), {})[table.code] = None
    return {word: list(codes) for word, codes in found.items()}


@cache
def _with_day() -> dict[str, list[str]]:
    """Return the word for a day → the languages in which it is one."""
    found: dict[str, list[str]] = {}
    for table in languages():
        for said in table.days.values():
            for word in said:
                found.setdefault(word.lower(), []).append(table.code)
    return found


@cache
def _any_day() -> re.Pattern[str]:
    return re.compile(alternatives(_with_day()), re.IGNORECASE)


@cache
def _hints(table: Language) -> tuple[str, ...]:
    """Return words of which each relative date holds one: to look for them first is far cheaper."""
    said = (*hints_of(table), *table.now, *(word for found in table.days.values() for word in found))
    return tuple(dict.fromkeys(filter(None, (word.strip().lower() for word in said))))


def _gone_by(text: str, table: Language) -> _Found | None:
    span = span_in(text, table)
    return _Found(span.start, span.end, seconds=span.seconds, is_rough=span.is_rough) if span is not None else None


def _named_day(text: str, days: _Days, code: str | None) -> _Found | None:
    """Read a day's name with a time of day, or one that is all of the text, or that counts alone."""
    for match in days.pattern.finditer(text):
        word = fold_case(match[0])
        ago = days.ago.get(word, 0)
        clock = clock_beside(text, match.end(), match.end(), code) if _DIGIT.search(text, match.end()) else None
        wrong = _NO_CLOCK.match(text, match.end()) if clock is None else None
        if wrong:
            return _Found(match.start(), wrong.end(), days=ago, is_rough=True)
        if clock is not None or word in days.alone or word == fold_case(text.strip()):
            return _Found(match.start(), clock.end if clock is not None else match.end(), days=ago, clock=clock)
    return None


def _now(text: str, table: Language) -> _Found | None:
    match = _days(table).now.search(text)
    return _Found(*match.span(), seconds=0.0) if match is not None else None


@cache
def _days(table: Language) -> _Days:
    days = [(word.lower(), ago) for ago, said in table.days.items() for word in said]
    return _Days(
        pattern=re.compile(alternatives(word for word, _ in days), re.IGNORECASE),
        ago={fold_case(word): ago for word, ago in days},
        alone=frozenset(table.words.get("dates.alone", ())),
        now=re.compile(_now_pattern(table), re.IGNORECASE),
    )


def _now_pattern(table: Language) -> str:
    """Return the pattern of words for now: within a text those of two words or of ideographs, else all of it."""
    within = [word.lower() for word in table.now if " " in word or _SPACELESS.match(word)]
    alone = [word.lower() for word in table.now]
    return rf"{alternatives(within)}|^\s*{alternatives(alone)}\s*$"
