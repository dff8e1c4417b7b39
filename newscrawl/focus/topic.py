"""A topic and its TOML file, with every mistake in it named; and what its user decides while it is crawled."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.check import ValueKind, each_of, mistakes, number, table, text
from newscrawl.console.files import parse_toml, read_text
from newscrawl.urls.canonical import is_web_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Self

DEFAULT_THRESHOLD: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    term: str
    weight: float = 1.0
    """How much one mention says, above 0 up to 3; 1 is a word that belongs to the topic."""
    synonyms: tuple[str, ...] = ()
    """Other spellings and names; each counts as the keyword."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What to crawl for: keywords, example texts, or both."""

    name: str
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes; pages known to be in another language need much more to be relevant. Empty: any."""
    keywords: tuple[Keyword, ...] = ()
    exclusions: tuple[str, ...] = ()
    """Words whose pages are about something else: in the headline they outweigh a keyword."""
    examples: tuple[str, ...] = ()
    """Texts that are about the topic."""
    counterexamples: tuple[str, ...] = ()
    """Texts that look like it and are not."""
    example_pages: tuple[str, ...] = ()
    """Addresses of pages about the topic; the crawl fetches them first and learns from them."""
    threshold: float = DEFAULT_THRESHOLD
    """Pages of at least this probability are relevant, 0..1."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a user has decided. Without any, the topic is as its file says."""

    accepted: tuple[str, ...] = ()
    """Labels and words that belong to the topic: they count as keywords."""
    refused: tuple[str, ...] = ()
    """Labels that say nothing about it."""

    @classmethod
    def from_words(cls, words: Mapping[str, bool]) -> Self:
        """:param words: word → whether it belongs to the topic."""
        accepted = tuple(name for name, belongs in words.items() if belongs)
        return cls(accepted, tuple(name for name, belongs in words.items() if not belongs))


def grow_topic(topic: Topic, decisions: Decisions) -> Topic:
    """Return the topic with the accepted words as keywords."""
    known = {word.lower() for keyword in topic.keywords for word in (keyword.term, *keyword.synonyms)}
    new = dict.fromkeys(word.lower() for word in decisions.accepted if word.lower() not in known)
    return replace(topic, keywords=(*topic.keywords, *(Keyword(term=word) for word in new)))


MAX_WEIGHT: Final = 3.0
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_WORDS: Final = each_of(text("a text that is not empty", str.strip))
_KEYWORD: Final = ValueKind(
    "a word, or {term, weight, synonyms}",
    lambda value: value if isinstance(value, dict) or (isinstance(value, str) and value.strip()) else None,
    table={
        "term": text("a word or phrase", str.strip),
        "weight": number(f"a number above 0, at most {MAX_WEIGHT:g}", lambda weight: 0 < weight <= MAX_WEIGHT),
        "synonyms": _WORDS,
    },
    required=("term",),
)
_LISTS: Final[Mapping[str, ValueKind]] = {
    "languages": each_of(text("a code such as 'zh' or 'en'", _LANGUAGE.fullmatch)),
    "exclusions": _WORDS,
    "examples": _WORDS,
    "counterexamples": _WORDS,
    "example_pages": each_of(text("an http(s) address", is_web_address)),
}
_TOPIC: Final = table(
    table={
        **_LISTS,
        "name": text("a name for people, such as 'Mobile phones'", str.strip),
        "keywords": each_of(_KEYWORD, "a list of words or of {term, weight, synonyms}"),
        "threshold": number("a number between 0 and 1", lambda threshold: 0 < threshold < 1),
    },
    required=("name",),
)


def load_topic(path: Path) -> Topic:
    """Read a topic file.

    :raises UserError: there is no such file, or it has mistakes.
    """
    what = f"topic={str(path)!r}"
    absent = f"{what}: no such file; `newscrawl init NEWS` writes an example, topics/phones.toml"
    return parse_topic(read_text(path, what=what, absent=absent), origin=str(path))


def parse_topic(source: str, *, origin: str = "TOML") -> Topic:
    """Build a topic from TOML text; ``origin`` begins each line of an error.

    :raises UserError: all its mistakes, one a line.
    """
    data = parse_toml(source, origin=origin, kind=_TOPIC, more=_lacks)
    return Topic(
        name=data["name"].strip(),
        keywords=tuple(map(_keyword, data.get("keywords", []))),
        threshold=float(data.get("threshold", DEFAULT_THRESHOLD)),
        **{key: tuple(data[key]) for key in sorted(_LISTS) if key in data},
    )


def _keyword(value: str | dict[str, Any]) -> Keyword:
    if isinstance(value, str):
        return Keyword(term=value.strip())
    return Keyword(
        term=value["term"].strip(),
        weight=float(value.get("weight", 1.0)),
        synonyms=tuple(word.strip() for word in value.get("synonyms", ())),
    )


def _lacks(data: dict[str, Any]) -> Iterator[str]:
    """Say what a topic lacks, and which of its words stand there twice."""
    if not any(data.get(key) for key in ("keywords", "examples", "example_pages")):
        yield "keywords is missing; give keywords, examples (texts) or example_pages (addresses)"
    keywords = data.get("keywords")
    seen: set[str] = set()
    for n, entry in enumerate(keywords if isinstance(keywords, list) else (), 1):
        if next(mistakes(entry, _KEYWORD), None) is not None:
            continue
        for word in [entry] if isinstance(entry, str) else [entry["term"], *entry.get("synonyms", [])]:
            if word.strip().lower() in seen:
                yield f"keywords, entry {n}: {word!r} stands there twice"
            seen.add(word.strip().lower())
