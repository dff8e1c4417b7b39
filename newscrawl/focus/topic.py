"""A topic, and the TOML file that describes it; every mistake in the file is named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.files import parse_toml, read_text
from newscrawl.urls.canonical import is_web_address

if TYPE_CHECKING:
    from pathlib import Path

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


_LISTS: Final = frozenset({"languages", "exclusions", "examples", "counterexamples", "example_pages"})
_KEYS: Final = _LISTS | {"name", "keywords", "threshold"}
_KEYWORD_KEYS: Final = frozenset({"term", "weight", "synonyms"})
MAX_WEIGHT: Final = 3.0
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


def load_topic(path: Path) -> Topic:
    """Read a topic file.

    :raises UserError: there is no such file, or it has mistakes.
    """
    what = f"topic={str(path)!r}"
    absent = f"{what}: no such file; `newscrawl init NEWS` writes an example, topics/phones.toml"
    return parse_topic(read_text(path, what=what, absent=absent), origin=str(path))


def parse_topic(text: str, *, origin: str = "TOML") -> Topic:
    """Build a topic from TOML text; ``origin`` begins each line of an error.

    :raises UserError: all its mistakes, one a line.
    """
    data = parse_toml(text, origin=origin, mistakes=_mistakes)
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


def _mistakes(data: dict[str, Any]) -> list[str]:
    found = []
    if not isinstance(data.get("name"), str) or not data["name"].strip():
        found.append(f"name = {data.get('name')!r}: a name for people, such as 'Mobile phones'")
    if not any(data.get(key) for key in ("keywords", "examples", "example_pages")):
        found.append("keywords is missing; give keywords, examples (texts) or example_pages (addresses)")
    for key, value in data.items():
        if key not in _KEYS:
            found.append(f"{key} is not a key; accepted: {', '.join(sorted(_KEYS))}")
        elif key in _LISTS:
            found += _list_mistakes(key, value)
        elif key == "keywords":
            found += _keyword_mistakes(value)
        elif key == "threshold" and not (_is_number(value) and 0 < value < 1):
            found.append(f"threshold = {value!r}: a number between 0 and 1")
    return found


def _list_mistakes(key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(entry, str) and entry.strip() for entry in value):
        return [f"{key} = {value!r}: a list of strings that are not empty"]
    if key == "languages":
        return [
            f"languages: {code!r} is not a code such as 'zh' or 'en'" for code in value if not _LANGUAGE.fullmatch(code)
        ]
    if key == "example_pages":
        return [f"example_pages: {url!r} is not an http(s) address" for url in value if not is_web_address(url)]
    return []


def _keyword_mistakes(value: object) -> list[str]:
    if not isinstance(value, list):
        return [f"keywords = {value!r}: a list of words or of {{term, weight, synonyms}}"]
    found: list[str] = []
    seen: dict[str, str] = {}
    for number, entry in enumerate(value, 1):
        mistakes = _entry_mistakes(f"keywords, entry {number}", entry)
        found += mistakes
        if mistakes:
            continue
        words = [entry] if isinstance(entry, str) else [entry["term"], *entry.get("synonyms", [])]
        for word in words:
            if word.strip().lower() in seen:
                found.append(f"keywords, entry {number}: {word!r} stands there twice")
            seen[word.strip().lower()] = word
    return found


def _entry_mistakes(place: str, entry: object) -> list[str]:
    if isinstance(entry, str):
        return [] if entry.strip() else [f"{place}: an empty word"]
    if not isinstance(entry, dict):
        return [f"{place}: {entry!r} is neither a word nor {{term, weight, synonyms}}"]
    found = [
        f"{place}: {key} is not a key; accepted: {', '.join(sorted(_KEYWORD_KEYS))}"
        for key in entry
        if key not in _KEYWORD_KEYS
    ]
    if not isinstance(entry.get("term"), str) or not entry["term"].strip():
        found.append(f"{place}: term = {entry.get('term')!r}: a word or phrase")
    weight = entry.get("weight", 1.0)
    if not (_is_number(weight) and 0 < weight <= MAX_WEIGHT):
        found.append(f"{place}: weight = {weight!r}: a number above 0, at most {MAX_WEIGHT:g}")
    synonyms = entry.get("synonyms", [])
    if not isinstance(synonyms, list) or not all(isinstance(word, str) and word.strip() for word in synonyms):
        found.append(f"{place}: synonyms = {synonyms!r}: a list of words")
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
