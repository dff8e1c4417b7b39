"""What the indexes hold of an article's text, made where its page is read: a crawl's writer is one thread for all."""

from __future__ import annotations

from typing import NamedTuple

from newscrawl.dedupe.simhash import simhash
from newscrawl.search.facts import HEADLINE
from newscrawl.search.terms import term_text, terms


class IndexEntry(NamedTuple):
    """Of a text and its headline as they were read. What is stored may differ, and has no entry then."""

    headline: str | None
    body: str
    simhash: int | None
    terms: str | None
    """As :func:`text_terms` gives them; None where the database makes its own."""

    def is_of(self, headline: str | None, body: str) -> bool:
        return (self.headline, self.body) == (headline, body)


def index_entry(headline: str | None, body: str, *, with_terms: bool) -> IndexEntry:
    """Make the entry of a text."""
    return IndexEntry(headline, body, simhash(body), text_terms(headline, body) if with_terms else None)


def text_terms(headline: str | None, body: str) -> str:
    """Return the terms of an article's text and headline between spaces; those of the headline marked, too.

    >>> text_terms("Mate", "mate x").split()
    ['mate', 'h:mate', 'mate', 'x']
    """
    titled = terms(headline or "")
    return " ".join([*titled, *(HEADLINE + term for term in titled), term_text(body)])
