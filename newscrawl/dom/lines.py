"""The visible lines of a page as columns: counts of characters, of links and of the marks that prose has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.dom.characters import CURRENCY, INK, PAUSE, STOP, UNMARKED, WIDE, character_classes
from newscrawl.dom.kinds import kinds_among
from newscrawl.dom.tags import BLOCK_LEVEL
from newscrawl.dom.text import fold_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.dom.measures import Ints, Measures

MAX_INLINE_DEPTH: Final = 64
"""Inline elements nested deeper are taken for the line's block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Visible lines in document order; arrays of shape ``(n,)``. Counts leave white space out."""

    measures: Measures
    rows: Ints
    """All visible text rows."""
    first: Ints
    """Place in ``rows`` of each line's first text; shape ``(n + 1,)``, the last entry is ``len(rows)``."""
    start: Ints
    """Row of each line's first text."""
    block: Ints
    """Row of the nearest block-level element around each line's first text."""
    chars: Ints
    link_chars: Ints
    wide: Ints
    """Ideographs, kana and Hangul."""
    stops: Ints
    """Sentence marks."""
    unmarked: Ints
    """Characters of scripts that write no sentence marks."""
    currencies: Ints
    """Currency signs."""
    pauses: Ints
    """Commas and semicolons."""

    def __len__(self) -> int:
        return len(self.block)

    def text(self, line: int) -> str:
        texts, rows = self.measures.texts, self.rows
        return fold_space("".join([texts[row] for row in rows[self.first[line] : self.first[line + 1]].tolist()]))

    def texts(self, numbers: Sequence[int]) -> list[str]:
        """Return the text of each of some lines."""
        texts = self.measures.texts
        lines = np.asarray(numbers, dtype=np.int64)
        spans = zip(self.first[lines].tolist(), self.first[lines + 1].tolist(), strict=True)
        rows = self.rows.tolist()
        return [fold_space("".join([texts[row] for row in rows[first:end]])) for first, end in spans]


def lines(measures: Measures) -> Lines:
    """Return the lines of a page. O(characters + rows)."""
    is_leaf = measures.end == np.arange(1, len(measures) + 1)
    rows = np.flatnonzero(is_leaf & (measures.chars > 0)).astype(np.int32)  # leaves with characters: visible texts
    number = measures.line[rows]
    begins = np.flatnonzero(np.diff(number, prepend=-1))
    texts = [measures.texts[row] for row in rows.tolist()]
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths + 1)))
    classes = character_classes("\x00".join([*texts, ""]))
    at = offsets[begins]
    start: Ints = rows[begins]

    def count(flag: int) -> Ints:
        if not len(at):
            return np.zeros(0, dtype=np.int32)
        return np.add.reduceat((classes & flag) != 0, at, dtype=np.int32)

    return Lines(
        measures=measures,
        rows=rows,
        first=np.append(begins, len(rows)).astype(np.int32),
        start=start,
        block=_blocks(measures, start),
        chars=count(INK),
        link_chars=np.add.reduceat(measures.link_chars[rows], begins) if len(begins) else np.zeros(0, dtype=np.int32),
        wide=count(WIDE),
        stops=count(STOP),
        pauses=count(PAUSE),
        currencies=count(CURRENCY),
        unmarked=count(UNMARKED),
    )


def _blocks(measures: Measures, starts: Ints) -> Ints:
    """Climb from each row through inline elements to the block-level one."""
    parent = measures.parent
    is_end = kinds_among(BLOCK_LEVEL)[measures.kinds]
    is_end[:1] = True
    blocks: Ints = parent[starts]
    for _ in range(MAX_INLINE_DEPTH):
        inner = np.flatnonzero(~is_end[blocks])
        if not len(inner):
            break
        blocks[inner] = parent[blocks[inner]]
    return blocks
