"""Scores of page types: precision, recall and F1 of each class."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.items import PageType
from newscrawl.truth.metrics import harmonic

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIASES: Final = {"collection": PageType.LISTING.value}
"""Types of the corpus that a page type of ours stands for; what is neither is ``other``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScore:
    n: int
    """Pages of the type by gold."""
    precision: float
    recall: float
    f1: float


def known_type(label: str) -> str:
    """Return the page type of ours that a label of the corpus stands for.

    >>> known_type("collection"), known_type("hub"), known_type("documentation")
    ('listing', 'hub', 'other')
    """
    known = {page_type.value for page_type in PageType}
    return _ALIASES.get(label, label if label in known else PageType.OTHER.value)


def type_scores(pairs: Iterable[tuple[str, str]]) -> dict[str, TypeScore]:
    """Return the scores of each type that occurs, from pairs of gold and judged type."""
    counts = Counter(pairs)
    names = sorted({name for pair in counts for name in pair})
    return {name: _score(name, counts) for name in names}


def _score(name: str, counts: Counter[tuple[str, str]]) -> TypeScore:
    hits = counts[name, name]
    expected = sum(count for (gold, _), count in counts.items() if gold == name)
    judged = sum(count for (_, output), count in counts.items() if output == name)
    precision = hits / judged if judged else 0.0
    recall = hits / expected if expected else 0.0
    return TypeScore(n=expected, precision=precision, recall=recall, f1=harmonic(precision, recall))
