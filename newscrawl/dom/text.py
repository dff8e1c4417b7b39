"""Text as a reader sees it: white space folded, one line for each paragraph-like element."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from newscrawl.dom.measures import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.dom.measures import Measures


def fold_space(text: str) -> str:
    """Return ``text`` with every run of white space as one space, none at the ends.

    >>> fold_space("  a　b  c ")
    'a b c'
    """
    return " ".join(text.split())


class VisibleTexts:
    """The visible text rows of a page, and the lines they make; for many questions about one page."""

    def __init__(self, measures: Measures) -> None:
        is_leaf = measures.end == np.arange(1, len(measures) + 1)
        rows = np.flatnonzero(is_leaf & (measures.chars > 0))  # leaves with characters are visible texts
        self._rows: list[int] = rows.tolist()
        self._numbers: list[int] = measures.line[rows].tolist()
        self._texts = measures.texts

    def lines(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        """Return the lines of the rows ``start … end - 1`` of each span, spans in document order."""
        result: list[str] = []
        parts: list[str] = []
        current = -1
        for start, end in spans:
            first, stop = bisect_left(self._rows, start), bisect_left(self._rows, end)
            for row, number in zip(self._rows[first:stop], self._numbers[first:stop], strict=True):
                if number != current:
                    if parts:
                        result.append(fold_space("".join(parts)))
                    parts, current = [], number
                parts.append(self._texts[row])
        if parts:
            result.append(fold_space("".join(parts)))
        return result


def lines(measures: Measures, rows: Iterable[int]) -> list[str]:
    """Return the visible lines of the text rows among ``rows`` (in document order); blank lines left out."""
    return VisibleTexts(measures).lines((row, row + 1) for row in rows if measures.tags[row] is TEXT)


def visible_text(measures: Measures, start: int = 0, end: int | None = None) -> str:
    """Return the visible text of the rows ``start … end - 1``, lines joined by newlines; ``""`` if there is none."""
    return "\n".join(VisibleTexts(measures).lines([(start, len(measures) if end is None else end)]))
