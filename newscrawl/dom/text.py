"""Text as a reader sees it: white space folded, one line for each paragraph-like element."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def lines(measures: Measures, rows: Iterable[int]) -> list[str]:
    """Return the visible lines of the text rows among ``rows`` (in document order); blank lines left out."""
    result: list[str] = []
    parts: list[str] = []
    current = -1
    tags, texts = measures.tags, measures.texts
    rows = [row for row in rows if tags[row] is TEXT]
    hidden, numbers = measures.hidden[rows].tolist(), measures.line[rows].tolist()
    for row, line, is_hidden in zip(rows, numbers, hidden, strict=True):
        if is_hidden:
            continue
        if line != current:
            if parts:
                result.append(fold_space("".join(parts)))
            parts = []
            current = line
        parts.append(texts[row])
    if parts:
        result.append(fold_space("".join(parts)))
    return result


def visible_text(measures: Measures, start: int = 0, end: int | None = None) -> str:
    """Return the visible text of the rows ``start … end - 1``, lines joined by newlines; ``""`` if there is none."""
    return "\n".join(lines(measures, range(start, len(measures) if end is None else end)))
