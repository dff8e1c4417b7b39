"""Dates seen from the fetch, as lists and bylines show them: *2 hours ago*, *vor 3 Tagen*, 昨天 13:06.

They are looked for in one language at a time: the page's, English, and those in which the word behind a number of the
text is a unit of time.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.characters import han_number
from newscrawl.languages.date_parts import MONTH_LETTER, Clock, clock_beside
from newscrawl.languages.date_text import in_ascii_digits
from newscrawl.languages.patterns import alternatives, fold_case
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from newscrawl.languages.tables import Language

_SECONDS: Final = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 30 * 86_400, "year": 365 * 86_400,
}  # fmt: skip
_YEAR: Final = "year"
"""Years alone are too rough to say a day. So is a number that is 0 in its table: several."""
_SINGLE: Final = (("one_ago", 1.0), ("two_ago", 2.0))
_POINTS: Final = re.compile("[\u064b-\u0652]")
"""Marks of Arabic that are mostly left out."""
_NUMERAL: Final = re.compile("[一二三四五六七八九十]+")
_MOST_SECONDS: Final = 100 * _SECONDS["year"]
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
            found = _span(text, table) or _named_day(text, _days(table), code)
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
        for form in _forms(table):
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
    said = [part for frame in table.frames for part in frame.split("{}")]
    for form in _forms(table):  # what says ago itself
        said += [max(form.before, form.behind, key=len)] if form.is_whole else []
    said += [text for text, meaning in _single(table) if meaning.is_whole]
    said += [*table.now, *(word for found in table.days.values() for word in found)]
    return tuple(dict.fromkeys(filter(None, (word.strip().lower() for word in said))))


def _named_day(text: str, days: _Days, code: str | None) -> _Found | None:
    """Read a day's name with a time of day, or one that is all of the text or counts alone; else a word for now."""
    for match in days.pattern.finditer(text):
        word = fold_case(match[0])
        ago = days.ago.get(word, 0)
        clock = clock_beside(text, match.end(), match.end(), code) if _DIGIT.search(text, match.end()) else None
        wrong = _NO_CLOCK.match(text, match.end()) if clock is None else None
        if wrong:
            return _Found(match.start(), wrong.end(), days=ago, is_rough=True)
        if clock is not None or word in days.alone or word == fold_case(text.strip()):
            return _Found(match.start(), clock.end if clock is not None else match.end(), days=ago, clock=clock)
    now = days.now.search(text)
    return _Found(*now.span(), seconds=0.0) if now is not None else None


@cache
def _days(table: Language) -> _Days:
    days = [(word.lower(), ago) for ago, said in table.days.items() for word in said]
    # within a text words for now are those of two words or of ideographs, else a word is all of it
    within = [word.lower() for word in table.now if " " in word or _SPACELESS.match(word)]
    now = rf"{alternatives(within)}|^\s*{alternatives(map(str.lower, table.now))}\s*$"
    return _Days(
        pattern=re.compile(alternatives(word for word, _ in days), re.IGNORECASE),
        ago={fold_case(word): ago for word, ago in days},
        alone=frozenset(table.words.get("dates.alone", ())),
        now=re.compile(now, re.IGNORECASE),
    )


# --- spans: 2 years, 4 months; and what says "ago" around them, their frame ----------------------------------


class _Meaning(NamedTuple):
    unit: str
    number: float | None = None
    """What the words say without a number."""
    is_whole: bool = False
    """Says *ago* itself."""


class _Part(NamedTuple):
    start: int
    end: int
    seconds: float
    meaning: _Meaning


class _Reader(NamedTuple):
    part: re.Pattern[str]
    """A number with its unit, or a word that says both."""
    meanings: dict[str, _Meaning]
    """What stands around a number, or says one and its unit."""
    numbers: dict[str, float]
    joint: re.Pattern[str]
    frames: tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]


def _span(text: str, table: Language) -> _Found | None:
    """Return the first span that the text says to have gone by, None where it says none."""
    reader = _reader(table)
    parts = list(_parts(text, reader))
    while parts:
        n = 1  # how many of the first parts make one span
        while n < len(parts) and reader.joint.fullmatch(text, parts[n - 1].end, parts[n].start):
            n += 1
        span, parts = parts[:n], parts[n:]
        bounds = _bounds(text, span, reader)
        if bounds is not None:
            is_rough = all(part.meaning.unit == _YEAR for part in span) or not all(part.seconds for part in span)
            return _Found(*bounds, sum(part.seconds for part in span), is_rough=is_rough)
    return None


def _parts(text: str, reader: _Reader) -> Iterator[_Part]:
    """Yield the numbers with their units, from left to right; words that do not go together are none."""
    at = 0
    while (match := reader.part.search(text, at)) is not None:
        said = match["n"] or match["m"]
        around = f"{match['before'] or ''}{{0}}{match['behind'] or match['after'] or ''}" if said else match[0]
        meaning = reader.meanings.get(_spaced(around))
        at = match.start() + 1
        if meaning is None:
            continue
        at, number = match.end(), meaning.number or 0.0
        if said:
            word = fold_case(said)
            known = han_number(word) if _NUMERAL.fullmatch(word) else 0.0
            number = float(word) if word.isdigit() else reader.numbers.get(word, known)
        yield _Part(*match.span(), number * _SECONDS[meaning.unit], meaning)


def _spaced(said: str) -> str:
    return "".join(fold_case(said).split())


def _bounds(text: str, span: Sequence[_Part], reader: _Reader) -> tuple[int, int] | None:
    """Return where the span and its frame begin and end, None where nothing says that it has gone by."""
    start, end = span[0].start, span[-1].end
    for head, tail in reader.frames:
        before = head.search(text, 0, start) if head is not None else None
        behind = tail.match(text, end) if tail is not None else None
        if (head is None or before) and (tail is None or behind):
            return before.start() if before else start, behind.end() if behind else end
    return (start, end) if any(part.meaning.is_whole for part in span) else None


@cache
def _reader(table: Language) -> _Reader:
    forms, single = list(_forms(table)), list(_single(table))
    meanings = {
        f"{_spaced(form.before)}{{0}}{_spaced(form.behind)}": _Meaning(form.unit, None, form.is_whole) for form in forms
    }
    joints = (*table.words.get("people.and", ()), *table.words.get("dates.and", ()))
    return _Reader(
        part=re.compile(_part_pattern(table, forms, [said for said, _ in single]), re.IGNORECASE),
        meanings=meanings | {_spaced(said): meaning for said, meaning in single},
        numbers={fold_case(word): number for word, number in table.numbers.items()},
        joint=re.compile(rf"[,،]?\s?(?:{alternatives(map(str.lower, joints))}\s)?", re.IGNORECASE),
        frames=tuple((_head(before), _tail(behind)) for before, behind in _frames(table)),
    )


def _head(before: str) -> re.Pattern[str] | None:
    said = before.strip().lower()
    return re.compile(alternatives([said], may_go_on=True) + r"\s?$", re.IGNORECASE) if said else None


def _tail(behind: str) -> re.Pattern[str] | None:
    said = behind.strip().lower()
    return re.compile(r"\s?" + alternatives([f"*{said}"]), re.IGNORECASE) if said else None


class _Form(NamedTuple):
    """What stands before and behind the number of a unit, without the frame around it."""

    unit: str
    before: str
    behind: str
    is_whole: bool
    """No frame fits it."""


def _forms(table: Language) -> Iterator[_Form]:
    """Yield how a language counts each unit."""
    for kind in ("units", "ago"):
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                inner, variants = _within_frame(pattern, table)
                for form in variants:
                    before, _, behind = form.partition("{0}")
                    yield _Form(unit, before.strip(), behind.strip(), kind == "ago" and inner is None)


def _single(table: Language) -> Iterator[tuple[str, _Meaning]]:
    """Yield what says one or two of a unit without a number, with its meaning."""
    for kind, number in _SINGLE:
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                inner, variants = _within_frame(pattern, table)
                meaning = _Meaning(unit, number, inner is None)
                yield from ((form, meaning) for form in variants if len(form) > 1)


def _within_frame(pattern: str, table: Language) -> tuple[str | None, Iterable[str]]:
    """Return a pattern without the frame around it, None where none of the language's fits, and how it is written.

    It is as it is, without its last point, and without marks that are mostly left out.
    """
    inner = None
    for before, behind in _frames(table):
        if pattern.startswith(before) and pattern.endswith(behind):
            inner = pattern[len(before) : len(pattern) - len(behind)].strip() or None
            if inner:
                break
    form = inner or pattern
    return inner, dict.fromkeys((form, form.rstrip("."), _POINTS.sub("", form)))


@cache
def _frames(table: Language) -> tuple[tuple[str, str], ...]:
    """Return what stands before and behind a span in the language's frames, the longest first."""
    parted = (frame.partition("{}") for frame in sorted(table.frames, key=len, reverse=True))
    return tuple((before, behind) for before, _, behind in parted if before.strip() or behind.strip())


def _part_pattern(table: Language, forms: Sequence[_Form], single: Sequence[str]) -> str:
    """Return the pattern of a number with its unit, or of a word that says both."""
    number = rf"(?:(?<![\d.,:/-])\d{{1,4}}|{alternatives(map(str.lower, table.numbers))}|{_NUMERAL.pattern})"
    behind = alternatives(f"*{form.behind.lower()}" for form in forms if form.behind and not form.before)
    before = alternatives(form.before.lower() for form in forms if form.before)
    after = alternatives(f"*{form.behind.lower()}" for form in forms if form.behind and form.before)
    usual = rf"(?P<n>{number})\s?(?P<behind>{behind})\.?"
    rare = rf"(?P<before>{before})\s?(?P<m>{number})(?:\s?(?P<after>{after}))?"
    return rf"{usual}|{rare}|{alternatives(map(str.lower, single))}"
