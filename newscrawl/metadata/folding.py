"""Titles and names compared by their letters: the similarity of two folded texts."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Final

from newscrawl.dom.text import fold

MAX_COMPARED_CHARS: Final = 300
_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "ı": "i"}
)


def similarity(first: str, second: str) -> float:
    """Return how alike two folded titles are, 0..1: Dice's coefficient of their pairs of neighbouring characters.

    1.0 for equal ones, 0.0 where one is empty.
    """
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    if min(len(first), len(second)) < 3:
        return 0.0
    ours, theirs = _pairs(first), _pairs(second)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


@lru_cache(maxsize=1024)
def _pairs(text: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(text[:MAX_COMPARED_CHARS])))


def spelled_in_url(text: str, slug: str) -> float:
    """Return how alike a title and the words of an address are, 0..1; 0.0 for titles that no address spells.

    Addresses write umlauts as two letters or drop their marks; both are tried.

    >>> spelled_in_url("Eignet sich eine Wärmepumpe im Altbau?", "eignet-sich-eine-waermepumpe-im-altbau")
    1.0
    """
    words = fold(slug)
    lower = text.lower()
    spellings = {fold(lower.translate(_UMLAUTS)), fold(without_marks(lower))}
    return max(similarity(spelling, words) for spelling in spellings)


def without_marks(text: str) -> str:
    """Return ``text`` with letters for accented letters, and with compatibility forms folded (NFKD)."""
    if text.isascii():
        return text
    return "".join([letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)])
