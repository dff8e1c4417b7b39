"""Titles and names compared by their letters: folding, and the similarity of two folded texts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Final

MAX_COMPARED_CHARS: Final = 300
_NOT_ALNUM: Final = re.compile(r"[\W_]+")
_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "ı": "i"}
)


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the letters and digits of ``text``, width and case folded: what two titles are compared by.

    >>> fold("Ａｐｐｌｅ：新品 “发布”")
    'apple新品发布'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _NOT_ALNUM.sub("", text.casefold())


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
    spellings = {fold(lower.translate(_UMLAUTS)), fold(_without_marks(lower))}
    return max(similarity(spelling, words) for spelling in spellings)


def _without_marks(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
