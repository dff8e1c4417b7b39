"""Marks that a content system puts beside the text: links to a heading, tools in it, the numbers of a code's lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.tags import HEADINGS, KIND_OF, TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.page.measures import Ints
    from newscrawl.page.tags import Kinds

MAX_MARK: Final = 2
"""Characters of a mark: ``#``, ``¶``, a chain of links, or one without width."""
_LINK: Final = KIND_OF["a"]
_PRE: Final = KIND_OF["pre"]
_IS_HEADING: Final = kinds_among(HEADINGS)


def mark_rows(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> list[int]:
    """Return the rows of marks, each the root of a subtree that is no text of the page.

    :param texts: of the text rows, ``""`` for elements.
    """
    found = [*_heading_tools(kinds, parent, end, texts)]
    if (kinds == _PRE).any():
        found += _gutters(kinds, end, texts)
    return found


def _heading_tools(kinds: Kinds, parent: Ints, end: Ints, texts: Sequence[str]) -> Iterator[int]:
    """Give elements in headings that hold a link and either no letter, or brackets around all their text."""
    tools = (_IS_HEADING.take(kinds.take(parent)) & (kinds != TEXT_KIND) & (parent >= 0)).nonzero()[0]
    for row in tools.tolist():
        stop = int(end[row])
        if (kinds[row:stop] != _LINK).all():
            continue
        text = "".join("".join(texts[row:stop]).split())
        is_mark = len(text) <= MAX_MARK and not any(map(str.isalnum, text))
        heading = int(parent[row])
        has_more = any(texts[heading:row]) or any(texts[stop : end[heading]])
        if text and has_more and (is_mark or (text[0] == "[" and text[-1] == "]")):
            yield row


def _gutters(kinds: Kinds, end: Ints, texts: Sequence[str]) -> Iterator[int]:
    """Give texts that count 1, 2, 3 … just before or after a ``pre``, or in one of their own beside another."""
    rows = (kinds == TEXT_KIND).nonzero()[0]
    code: Ints = np.zeros(len(kinds), dtype=np.int32)  # the number of the pre that a row stands in
    for number, row in enumerate((kinds == _PRE).nonzero()[0].tolist(), 1):
        code[row : end[row]] = number
    inside = code.take(rows).tolist()
    written = [texts[row].split() for row in rows.tolist()]
    place = 0
    while place < len(rows):
        last, n = place, 0
        while last < len(rows) and inside[last] == inside[place] and (counted := _counted(written[last], n)):
            last, n = last + 1, counted
        if n:
            beside = {inside[place - 1] if place else 0, inside[last] if last < len(rows) else 0} - {0, inside[place]}
            if beside and (n > 1 or inside[place]):
                yield from rows[place:last].tolist()
        place = max(last, place + 1)


def _counted(words: Sequence[str], n: int) -> int:
    """Return how far words go on counting from ``n``; 0 if they do not."""
    for word in words:
        n += 1
        if word != str(n):
            return 0
    return n
