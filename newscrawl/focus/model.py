"""A topic, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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
