"""What is searched for, as a person writes it: ``手机 -华为 "climate change" site:sina before:2024-03``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final

from newscrawl.exceptions import UserError
from newscrawl.serve.search.terms import WORD_CHARS, is_spaceless, needed_terms, runs

#: Longest query, and most words of one. A query comes from anybody.
MAX_CHARS: Final = 500
MAX_PHRASES: Final = 32


class Sort(StrEnum):
    DATE = "date"  # the newest day first
    RANK = "rank"  # what has the words in headline or author, and most of them in its text


@dataclass(frozen=True, slots=True)
class Phrase:
    """A word, or several that stand one behind the other, folded."""

    runs: tuple[str, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """Terms of the index that a text with the phrase has."""
        return needed_terms(self.runs)

    @property
    def is_exact(self) -> bool:
        """Tell whether a text with the terms always has the phrase: a word, or one or two characters."""
        return len(self.runs) == 1 and len(self.runs[0]) <= (2 if is_spaceless(self.runs[0]) else WORD_CHARS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """All of it must hold. Without anything: every article."""

    phrases: tuple[Phrase, ...] = ()
    excluded: tuple[Phrase, ...] = ()
    authors: tuple[Phrase, ...] = ()
    excluded_authors: tuple[Phrase, ...] = ()
    sites: tuple[str, ...] = ()  # any of them: a site's name, a host, or the domain above it
    excluded_sites: tuple[str, ...] = ()
    source: Phrase | None = None
    language: str | None = None
    first_day: date | None = None
    """Published on this day or later, by the clock of the page; never for undated articles."""
    last_day: date | None = None
    topics: tuple[str, ...] = ()  # a focused crawl found it relevant to any of them
    excluded_topics: tuple[str, ...] = ()
    confidence_below: float | None = None
    confidence_above: float | None = None
    not_fields: tuple[str, ...] = ()  # what stands before a colon as fields do, and is none: words, as all others
    duplicates: bool = False  # also articles that repeat another
    sort: Sort = Sort.DATE


#: A part of a query: minus, name of a field, quoted or plain value.
_FIELDS: Final = "site|author|source|lang|before|after|topic|confidence"
_PART: Final = re.compile(rf'(-?)(?:({_FIELDS}):)?(?:"([^"]*)"?|(\S+)|(?=\s|$))', re.IGNORECASE)
_NOT_FIELD: Final = re.compile(r"([a-z]{2,12}):[^\s/]", re.IGNORECASE)
FIELDS_ACCEPTED: Final = (
    "accepted: site:NAME, author:NAME, source:NAME, topic:NAME, lang:CODE, after:2024-03-05, before:2024-03, "
    "confidence:<0.6"
)
_WIDE_MARKS: Final = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "＜": "<", "＞": ">", "\u3000": " "})
_WIDE_COLON: Final = re.compile(rf"\b({_FIELDS})：", re.IGNORECASE)
#: What a minus takes out; of other fields one value counts, and its opposite is no question.
_EXCLUDABLE: Final = frozenset({"", "site", "author", "topic"})
_BOUND: Final = re.compile(r"([<>])\s*(0|1|(?:0|1|)\.\d{1,9})")
_DAY: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def parse_query(text: str, **filters: Any) -> Query:
    """Return what the text asks for; ``filters`` are fields of :class:`Query` as a form gives them.

    Accepted filters: ``site``, ``source``, ``author``, ``topic``, ``language``, ``confidence``, ``day_from`` and
    ``day_to`` (texts, empty: none; both days count), ``duplicates``, ``sort``.

    :raises UserError: for a value that is not accepted.
    """
    if len(text) > MAX_CHARS:
        raise UserError(f"the query has {len(text)} characters; at most {MAX_CHARS} are accepted")
    text = _WIDE_COLON.sub(r"\1:", text.translate(_WIDE_MARKS))
    query = Query(duplicates=bool(filters.pop("duplicates", False)), sort=_sort(filters.pop("sort", None)))
    for part in _PART.finditer(text):
        minus, name, quoted, plain = part.groups()
        value = quoted if quoted is not None else plain or ""
        query = _with(query, name.lower() if name else "", value, excluded=bool(minus))
        if not name and plain and (field := _NOT_FIELD.match(plain)):
            query = _and(query, "not_fields", field[1])
    names = {"language": "lang", "day_from": "after", "day_to": "until"}
    for name, value in filters.items():
        if value:
            query = _with(query, names.get(name, name), str(value), excluded=False)
    if len(query.phrases) + len(query.excluded) > MAX_PHRASES:
        raise UserError(f"the query has more than {MAX_PHRASES} words")
    return query


def _with(query: Query, name: str, value: str, *, excluded: bool) -> Query:
    if name and not value.strip():
        raise UserError(f"{name}: has no value; {FIELDS_ACCEPTED}")
    if excluded and name not in _EXCLUDABLE:
        raise UserError(f"-{name}: cannot be left out; words, site:, author: and topic: can")
    if name in {"before", "after", "until", "confidence"}:
        return _with_confidence(query, value) if name == "confidence" else _with_day(query, name, value)
    minus = "excluded_" if excluded else ""
    if name in {"site", "topic"}:  # a topic's name may be the name of a file
        return _and(query, f"{minus}{name}s", value.strip().lower() if name == "site" else value.strip())
    if name == "lang":
        return replace(query, language=value.strip().lower())
    phrase = Phrase(tuple(runs(value)))
    if name == "source" and phrase.runs:
        return replace(query, source=phrase)
    words = minus + "authors" if name == "author" else "excluded" if excluded else "phrases"
    return _and(query, words, phrase)


def _and(query: Query, field: str, value: str | Phrase) -> Query:
    if isinstance(value, Phrase) and not value.runs:
        return query
    more: dict[str, Any] = {field: (*getattr(query, field), value)}
    return replace(query, **more)


def _with_confidence(query: Query, value: str) -> Query:
    bound = _BOUND.fullmatch(value.strip())
    number = float(bound[2]) if bound else 2.0
    if bound is None or number > 1:
        raise UserError(f"confidence:{value} is no limit; accepted: confidence:<0.6, confidence:>0.9, from 0 to 1")
    if bound[1] == "<":
        return replace(query, confidence_below=number)
    return replace(query, confidence_above=number)


def _with_day(query: Query, name: str, value: str) -> Query:
    """``after:`` and ``until:`` take the days they name in, ``before:`` leaves them out."""
    first, last = _days(name, value)
    if name == "after":
        return replace(query, first_day=max(first, query.first_day or first))
    day = last if name == "until" else date.fromordinal(max(1, first.toordinal() - 1))
    return replace(query, last_day=min(day, query.last_day or day))


def _days(name: str, value: str) -> tuple[date, date]:
    """Return first and last day of a year, a month or a day."""
    match = _DAY.fullmatch(value.strip())
    try:
        if match is None:
            raise ValueError(value)
        year, month, day = (int(number or 0) for number in match.groups())
        first = date(year, month or 1, day or 1)
        if day:
            return first, first
        beyond = date(year + 1, 1, 1) if month in {0, 12} else date(year, month + 1, 1)
        return first, date.fromordinal(beyond.toordinal() - 1)
    except ValueError:
        raise UserError(f"{name}:{value} is not a day; accepted: 2024, 2024-03 or 2024-03-05") from None


def _sort(value: str | None) -> Sort:
    try:
        return Sort(value or Sort.DATE)
    except ValueError:
        raise UserError(f"unknown order {value!r}; accepted: {', '.join(Sort)}") from None
