"""First letters that stand large in a block of their own, and belong to the word behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.page.tags import TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.page.measures import Ints
    from newscrawl.page.tags import Kinds

MAX_BEHIND: Final = 4
"""Rows between a first letter and the rest of its word."""
_HOLDS: Final = kinds_among(frozenset(("div", "p", "section", "figure", "aside", "center")))


def initials(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give the rows of such letters, and of the texts that go on with a small letter behind them, in one element.

    :param texts: of the text rows, ``""`` for elements.
    """
    for row in (kinds == TEXT_KIND).nonzero()[0].tolist():
        letter, above = texts[row].strip(), int(parent[row])
        if len(letter) != 1 or not letter.isupper() or above <= 0 or not _HOLDS[kinds[above]]:
            continue
        rest = next((at for at in range(row + 1, min(row + MAX_BEHIND, len(kinds))) if texts[at].strip()), 0)
        if rest and end[above] <= rest < end[parent[above]] and texts[rest].lstrip()[0].islower():
            yield row, rest
