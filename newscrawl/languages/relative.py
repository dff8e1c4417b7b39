"""Dates seen from the fetch, as lists and bylines show them: *2 hours ago*, *vor 3 Tagen*, 昨天 13:06.

A span of time is numbers with units, *2 years, 4 months*; around it stands what says *ago*, its frame. Patterns are
made for one language at a time: the page's, English, and those in which the word behind a number is a unit.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.calendars import han_number
from newscrawl.languages.clock import Clock, clock_beside
from newscrawl.languages.date_text import in_ascii_digits
from newscrawl.languages.months import MONTH_LETTER
from newscrawl.languages.patterns import alternatives, case_folded
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from newscrawl.languages.model import Language

_SECONDS: Final = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 30 * 86_400, "year": 365 * 86_400,
}  # fmt: skip
_YEAR: Final = "year"
"""Years alone are too rough to say a day. So is a number that is 0 in its table: several."""
_MOST_SECONDS: Final = 100 * _SECONDS[_YEAR]
_MAX_CHARS: Final = 40
_SINGLE: Final = (("one_ago", 1.0), ("two_ago", 2.0))
_DIGIT: Final = re.compile(r"\d")
_BEHIND_NUMBER: Final = re.compile(rf"(?<!\d)\d{{1,4}}\s?({MONTH_LETTER}+)")
_CLOCK: Final = re.compile(r"\d\s?[^\W\d_]?[:：.]?\s?\d\d")
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_JOINT: Final = r"[,،]?\s?(?:<and>\s)?"
_NO_CLOCK: Final = re.compile(r"[^\d\n]{1,6}\d{1,2}[:.]\d\d")
"""A time of day that there is none, such as 25:61, behind the word for a day."""
_POINTS: Final = re.compile("[\u064b-\u0652]")
"""Marks of Arabic that are mostly left out."""
_NUMERAL: Final = re.compile("[一二三四五六七八九十]+")
_MORE: Final = 4
"""Further numbers with units in one span."""


class _Found(NamedTuple):
    start: int
    end: int
    seconds: float | None = None
    """How long ago; None where a day is named."""
    days: int = 0
    clock: Clock | None = None
    is_rough: bool = False


class _Reader(NamedTuple):
    """What reads the relative dates of one language."""

    ago: re.Pattern[str]
    part: re.Pattern[str]
    """One number with its unit."""
    units: dict[str, str]
    """What stands around a number, and what says a unit without one → unit."""
    numbers: dict[str, float]
    days: re.Pattern[str]
    days_ago: dict[str, int]
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
            reader = _reader(table)
            found = _counted(text, reader) or _named_day(text, reader, code) or _now(text, reader)
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
        for _, _, behind in _forms(table):
            word = re.match(rf"{MONTH_LETTER}+", behind)
            if word:
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


def _counted(text: str, reader: _Reader) -> _Found | None:
    """Read numbers with units within what says *ago*."""
    match = reader.ago.search(text)
    if match is None:
        return None
    parts = [
        found
        for part in reader.part.finditer(match[match.lastgroup or 0])
        if (found := _part(part, reader)) is not None
    ]
    if not parts:
        return None
    seconds = sum(number * _SECONDS[unit] for number, unit in parts)
    is_rough = all(unit == _YEAR for _, unit in parts) or not all(number for number, _ in parts)
    return _Found(*match.span(), seconds=seconds, is_rough=is_rough)


def _part(match: re.Match[str], reader: _Reader) -> tuple[float, str] | None:
    """Return the number and the unit of one part of a span; None for words that do not go together."""
    said = _spaced(match[0])
    if said in reader.units:
        return reader.numbers.get(said, 1.0), reader.units[said]
    word = case_folded(match["n"] or match["m"])
    unit = reader.units.get(_spaced(f"{match['before'] or ''}{{0}}{match['behind'] or match['after'] or ''}"))
    return (_number(word, reader), unit) if unit is not None else None


def _number(word: str, reader: _Reader) -> float:
    if word.isdigit():
        return float(word)
    return (
        reader.numbers[word] if word in reader.numbers else float(han_number(word)) if _NUMERAL.fullmatch(word) else 0.0
    )


def _spaced(said: str) -> str:
    return "".join(case_folded(said).split())


def _named_day(text: str, reader: _Reader, code: str | None) -> _Found | None:
    """Read a day's name with a time of day, or one that is all of the text, or that counts alone."""
    for match in reader.days.finditer(text):
        word = case_folded(match[0])
        clock = clock_beside(text, match.end(), match.end(), code) if _DIGIT.search(text, match.end()) else None
        wrong = _NO_CLOCK.match(text, match.end()) if clock is None else None
        if wrong:
            return _Found(match.start(), wrong.end(), days=reader.days_ago.get(word, 0), is_rough=True)
        if clock is not None or word in reader.alone or word == case_folded(text.strip()):
            end = clock.end if clock is not None else match.end()
            return _Found(match.start(), end, days=reader.days_ago.get(word, 0), clock=clock)
    return None


def _now(text: str, reader: _Reader) -> _Found | None:
    match = reader.now.search(text)
    return _Found(*match.span(), seconds=0.0) if match is not None else None


@cache
def _reader(table: Language) -> _Reader:
    numbers = {case_folded(word): number for word, number in table.numbers.items()}
    units = {f"{_spaced(before)}{{0}}{_spaced(behind)}": unit for unit, before, behind in _forms(table)}
    single = {_spaced(said): (number, unit) for number, unit, said in _single(table)}
    numbers |= {said: number for said, (number, _) in single.items()}
    days = [(word.lower(), n) for n, said in table.days.items() for word in said]
    part = _part_pattern(table)
    frames = [frame.partition("{}") for frame in table.frames]
    return _Reader(
        ago=re.compile(_ago_pattern(frames, part, table), re.IGNORECASE),
        part=re.compile(part, re.IGNORECASE),
        units=units | {said: unit for said, (_, unit) in single.items()},
        numbers=numbers,
        days=re.compile(alternatives(word for word, _ in days), re.IGNORECASE),
        days_ago={case_folded(word): n for word, n in days},
        alone=frozenset(table.words.get("dates.alone", ())),
        now=re.compile(_now_pattern(table), re.IGNORECASE),
    )


def _forms(table: Language) -> Iterator[tuple[str, str, str]]:
    """Yield unit, and what stands before and behind its number, without what says *ago* where that is a frame's."""
    for kind in ("units", "ago"):
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                for form in _variants(_within_frame(pattern, table) or pattern):
                    before, _, behind = form.partition("{0}")
                    yield unit, before.strip(), behind.strip()


def _whole(table: Language) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind the number of patterns that no frame fits."""
    for patterns in table.counted["ago"].values():
        for pattern in patterns:
            if _within_frame(pattern, table) is None:
                for form in _variants(pattern):
                    before, _, behind = form.partition("{0}")
                    yield before.strip(), behind.strip()


def _single(table: Language) -> Iterator[tuple[float, str, str]]:
    """Yield number, unit and how so many of it are said without a number."""
    for kind, number in _SINGLE:
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                yield from ((number, unit, form) for form in _variants(_within_frame(pattern, table) or pattern))


def _whole_single(table: Language) -> Iterator[str]:
    for kind, _ in _SINGLE:
        for patterns in table.counted[kind].values():
            for pattern in patterns:
                if _within_frame(pattern, table) is None:
                    yield from _variants(pattern)


def _within_frame(pattern: str, table: Language) -> str | None:
    """Return a pattern without the frame around it, None where none of the language's fits."""
    for frame in sorted(table.frames, key=len, reverse=True):
        before, _, behind = frame.partition("{}")
        inner = pattern.removeprefix(before).removesuffix(behind).strip()
        if pattern.startswith(before) and pattern.endswith(behind) and len(inner) < len(pattern) and inner:
            return inner
    return None


def _variants(form: str) -> Iterator[str]:
    """Yield a form as it is, without its last point, and without marks that are mostly left out."""
    yield from dict.fromkeys((form, form.rstrip("."), _POINTS.sub("", form)))


@cache
def _hints(table: Language) -> tuple[str, ...]:
    """Return words of which each relative date holds one: to look for them first is far cheaper."""
    around = [part for frame in table.frames for part in frame.split("{}")]
    around += [max(form, key=len) for form in _whole(table)]
    said = (*around, *_whole_single(table), *table.now, *(word for words in table.days.values() for word in words))
    return tuple(dict.fromkeys(filter(None, (word.strip().lower() for word in said))))


def _number_pattern(table: Language) -> str:
    return rf"(?:(?<![\d.,:/-])\d{{1,4}}|{alternatives(map(str.lower, table.numbers))}|{_NUMERAL.pattern})"


def _part_pattern(table: Language) -> str:
    """Return the pattern of a number with its unit, or of a word that says both."""
    number, forms = _number_pattern(table), [(before.lower(), behind.lower()) for _, before, behind in _forms(table)]
    behind = alternatives(f"*{behind}" for before, behind in forms if behind and not before)
    before = alternatives(before for before, _ in forms if before)
    after = alternatives(f"*{behind}" for before, behind in forms if behind and before)
    single = alternatives(said.lower() for _, _, said in _single(table) if len(said) > 1)
    usual = rf"(?P<n>{number})\s?(?P<behind>{behind})\.?"
    return rf"{usual}|(?P<before>{before})\s?(?P<m>{number})(?:\s?(?P<after>{after}))?|{single}"


def _ago_pattern(frames: list[tuple[str, str, str]], part: str, table: Language) -> str:
    """Return the pattern of all relative dates that are counted."""
    part = re.sub(r"\(\?P<\w+>", "(?:", part)
    ands = (*table.words.get("people.and", ()), *table.words.get("dates.and", ()))
    joint = _JOINT.replace("<and>", alternatives(map(str.lower, ands)))
    span = rf"(?:{part})(?:{joint}(?:{part})){{0,{_MORE}}}"
    framed = [
        _around(before, f"(?P<span{n}>{span})", behind)
        for n, (before, _, behind) in enumerate(frames)
        if before.strip() or behind.strip()
    ]
    number = _number_pattern(table)
    whole = [_around(before, number, f"*{behind}" if behind else "") for before, behind in dict.fromkeys(_whole(table))]
    single = [alternatives(said.lower() for said in found)] if (found := list(_whole_single(table))) else []
    return "|".join([*framed, *whole, *single]) or "(?!)"


def _around(before: str, inner: str, behind: str) -> str:
    head = alternatives([before.strip().lower()], may_go_on=True) + r"\s?" if before.strip() else ""
    tail = r"\s?" + alternatives(["*" + behind.strip("* ").lower()]) if behind.strip() else ""
    return f"{head}{inner}{tail}"


def _now_pattern(table: Language) -> str:
    """Return the pattern of words for now: within a text those of two words or of ideographs, else all of it."""
    within = [word.lower() for word in table.now if " " in word or _SPACELESS.match(word)]
    alone = [word.lower() for word in table.now]
    return rf"{alternatives(within)}|^\s*{alternatives(alone)}\s*$"
