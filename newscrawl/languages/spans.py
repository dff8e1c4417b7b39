"""Spans of time as a language writes them, *2 years, 4 months*, and what says *ago* around them, their frame."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.languages.characters import han_number
from newscrawl.languages.patterns import alternatives, fold_case

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.languages.tables import Language

SECONDS: Final = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 30 * 86_400, "year": 365 * 86_400,
}  # fmt: skip
_YEAR: Final = "year"
"""Years alone are too rough to say a day. So is a number that is 0 in its table: several."""
_SINGLE: Final = (("one_ago", 1.0), ("two_ago", 2.0))
_POINTS: Final = re.compile("[\u064b-\u0652]")
"""Marks of Arabic that are mostly left out."""
_NUMERAL: Final = re.compile("[一二三四五六七八九十]+")


class Span(NamedTuple):
    """How long ago a text says that something was, and where it says so."""

    start: int
    end: int
    seconds: float
    is_rough: bool


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


def span_in(text: str, table: Language) -> Span | None:
    """Return the first span that the text says to have gone by, None where it says none."""
    reader = _reader(table)
    parts = list(_parts(text, reader))
    while parts:
        n = _n_joined(text, parts, reader)
        span, parts = parts[:n], parts[n:]
        bounds = _bounds(text, span, reader)
        if bounds is not None:
            is_rough = all(part.meaning.unit == _YEAR for part in span) or not all(part.seconds for part in span)
            return Span(*bounds, sum(part.seconds for part in span), is_rough)
    return None


def _parts(text: str, reader: _Reader) -> Iterator[_Part]:
    """Yield the numbers with their units, from left to right."""
    at = 0
    while (match := reader.part.search(text, at)) is not None:
        part = _part(match, reader)
        if part is not None:
            yield part
        at = match.end() if part is not None else match.start() + 1


def _part(match: re.Match[str], reader: _Reader) -> _Part | None:
    """Return what a number with its unit says; None for words that do not go together."""
    said = match["n"] or match["m"]
    around = f"{match['before'] or ''}{{0}}{match['behind'] or match['after'] or ''}" if said else match[0]
    meaning = reader.meanings.get(_spaced(around))
    if meaning is None:
        return None
    number = _number(fold_case(said), reader) if said else meaning.number or 0.0
    return _Part(*match.span(), number * SECONDS[meaning.unit], meaning)


def _number(word: str, reader: _Reader) -> float:
    if word.isdigit():
        return float(word)
    if word in reader.numbers:
        return reader.numbers[word]
    return float(han_number(word)) if _NUMERAL.fullmatch(word) else 0.0


def _spaced(said: str) -> str:
    return "".join(fold_case(said).split())


def _n_joined(text: str, parts: Sequence[_Part], reader: _Reader) -> int:
    """Return how many of the first parts make one span."""
    n = 1
    while n < len(parts) and reader.joint.fullmatch(text, parts[n - 1].end, parts[n].start):
        n += 1
    return n


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
    forms, single = list(forms_of(table)), list(_single(table))
    meanings = {
        f"{_spaced(form.before)}{{0}}{_spaced(form.behind)}": _Meaning(form.unit, None, form.is_whole) for form in forms
    }
    joints = (*table.words.get("people.and", ()), *table.words.get("dates.and", ()))
    return _Reader(
        part=re.compile(_part_pattern(table, forms, [said for said, _ in single]), re.IGNORECASE),
        meanings=meanings | {_spaced(said): meaning for said, meaning in single},
        numbers={fold_case(word): number for word, number in table.numbers.items()},
        joint=re.compile(rf"[,،]?\s?(?:{alternatives(map(str.lower, joints))}\s)?", re.IGNORECASE),
        frames=tuple((_head(before), _tail(behind)) for before, behind in frames_of(table)),
    )


def _head(before: str) -> re.Pattern[str] | None:
    said = before.strip().lower()
    return re.compile(alternatives([said], may_go_on=True) + r"\s?$", re.IGNORECASE) if said else None


def _tail(behind: str) -> re.Pattern[str] | None:
    said = behind.strip().lower()
    return re.compile(r"\s?" + alternatives([f"*{said}"]), re.IGNORECASE) if said else None


class SpanForm(NamedTuple):
    """What stands before and behind the number of a unit, without the frame around it."""

    unit: str
    before: str
    behind: str
    is_whole: bool
    """No frame fits it."""


def forms_of(table: Language) -> Iterator[SpanForm]:
    """Yield how a language counts each unit."""
    for kind in ("units", "ago"):
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                inner = _within_frame(pattern, table)
                for form in _variants(inner or pattern):
                    before, _, behind = form.partition("{0}")
                    yield SpanForm(unit, before.strip(), behind.strip(), kind == "ago" and inner is None)


def _single(table: Language) -> Iterator[tuple[str, _Meaning]]:
    """Yield what says one or two of a unit without a number, with its meaning."""
    for kind, number in _SINGLE:
        for unit, patterns in table.counted[kind].items():
            for pattern in patterns:
                inner = _within_frame(pattern, table)
                meaning = _Meaning(unit, number, inner is None)
                yield from ((form, meaning) for form in _variants(inner or pattern) if len(form) > 1)


def _within_frame(pattern: str, table: Language) -> str | None:
    """Return a pattern without the frame around it, None where none of the language's fits."""
    for before, behind in frames_of(table):
        if pattern.startswith(before) and pattern.endswith(behind):
            inner = pattern[len(before) : len(pattern) - len(behind)].strip()
            if inner:
                return inner
    return None


@cache
def frames_of(table: Language) -> tuple[tuple[str, str], ...]:
    """Return what stands before and behind a span in the language's frames, the longest first."""
    parted = (frame.partition("{}") for frame in sorted(table.frames, key=len, reverse=True))
    return tuple((before, behind) for before, _, behind in parted if before.strip() or behind.strip())


def _variants(form: str) -> Iterator[str]:
    """Yield a form as it is, without its last point, and without marks that are mostly left out."""
    yield from dict.fromkeys((form, form.rstrip("."), _POINTS.sub("", form)))


def hints_of(table: Language) -> Iterator[str]:
    """Yield words, of which each span that has gone by has one: what says *ago*."""
    yield from (part for frame in table.frames for part in frame.split("{}"))
    yield from (max(form.before, form.behind, key=len) for form in forms_of(table) if form.is_whole)
    yield from (said for said, meaning in _single(table) if meaning.is_whole)


def _part_pattern(table: Language, forms: Sequence[SpanForm], single: Sequence[str]) -> str:
    """Return the pattern of a number with its unit, or of a word that says both."""
    number = rf"(?:(?<![\d.,:/-])\d{{1,4}}|{alternatives(map(str.lower, table.numbers))}|{_NUMERAL.pattern})"
    behind = alternatives(f"*{form.behind.lower()}" for form in forms if form.behind and not form.before)
    before = alternatives(form.before.lower() for form in forms if form.before)
    after = alternatives(f"*{form.behind.lower()}" for form in forms if form.behind and form.before)
    usual = rf"(?P<n>{number})\s?(?P<behind>{behind})\.?"
    rare = rf"(?P<before>{before})\s?(?P<m>{number})(?:\s?(?P<after>{after}))?"
    return rf"{usual}|{rare}|{alternatives(map(str.lower, single))}"
