"""The visible lines of a page as columns: counts of characters, of links and of the marks that prose has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.characters import (
    CURRENCY,
    PAUSE,
    STOP,
    UNMARKED,
    WIDE,
    character_classes,
    codes_of,
    of_money,
)
from newscrawl.page.tags import BLOCK_LEVEL, kinds_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.languages.characters import Codes
    from newscrawl.page.measures import Ints, Measures

MAX_INLINE_DEPTH: Final = 64
"""Inline elements nested deeper are taken for the line's block."""


@dataclass(frozen=True, kw_only=True)
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
    """Currency signs beside a number."""
    pauses: Ints
    """Commas and semicolons."""
    pieces: list[str]
    """The text of each of ``rows``."""
    joined: str
    """All texts, a NUL after each."""
    codes: Codes
    """All texts character by character, a NUL after each."""
    at: NDArray[np.int64]
    """Where each line begins in ``codes``, and where the last one ends; shape ``(n + 1,)``."""

    def __len__(self) -> int:
        return len(self.block)

    def text(self, line: int) -> str:
        return self.texts((line,))[0]

    @cached_property
    def shown(self) -> list[str]:
        """The text of each line, runs of white space as one space."""
        return self.texts(range(len(self)))

    def texts(self, numbers: Sequence[int]) -> list[str]:
        """Return the text of each of some lines; it is made ready when a line is first asked for."""
        known, bounds, pieces = self._known, self._bounds, self.pieces
        for number in numbers:
            if number not in known:
                start, stop = bounds[number], bounds[number + 1]
                text = pieces[start] if stop == start + 1 else "".join(pieces[start:stop])
                known[number] = " ".join(text.split())
        return [known[number] for number in numbers]

    @cached_property
    def _known(self) -> dict[int, str]:
        return {}

    @cached_property
    def _bounds(self) -> list[int]:
        bounds: list[int] = self.first.tolist()
        return bounds


def lines(measures: Measures) -> Lines:
    """Return the lines of a page. O(characters + rows)."""
    rows = measures.own.nonzero()[0].astype(np.int32)
    number = measures.line.take(rows)
    is_first = np.ones(len(rows), dtype=np.bool_)
    np.not_equal(number[1:], number[:-1], out=is_first[1:])
    begins = is_first.nonzero()[0]
    all_texts = measures.texts
    texts = [all_texts[row] for row in rows.tolist()]
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1, out=offsets[1:])
    joined = "\x00".join([*texts, ""])
    codes = codes_of(joined)
    classes = character_classes(codes)
    first = np.append(begins, len(rows)).astype(np.int32)
    at = offsets.take(first)
    start: Ints = rows.take(begins)
    wide, stops, pauses, currencies, unmarked = _sums((classes & _COUNTED) != 0, at[:-1])
    if currencies.any():
        currencies = _sums(of_money(codes, classes, at), at[:-1])
    return Lines(
        measures=measures,
        rows=rows,
        first=first,
        start=start,
        block=_blocks(measures, start),
        chars=_sums(measures.own.take(rows), begins),
        link_chars=_sums(measures.link_chars.take(rows), begins),
        wide=wide,
        stops=stops,
        pauses=pauses,
        currencies=currencies,
        unmarked=unmarked,
        pieces=texts,
        joined=joined,
        codes=codes,
        at=at,
    )


_COUNTED: Final = np.array([[WIDE], [STOP], [PAUSE], [CURRENCY], [UNMARKED]], dtype=np.uint8)


def _sums(values: NDArray[np.bool_] | Ints, starts: NDArray[np.int64]) -> Ints:
    """Return the sums of the runs that begin at ``starts``, along the last axis."""
    if not len(starts):
        return np.zeros((*values.shape[:-1], 0), dtype=np.int32)
    return np.add.reduceat(values, starts, axis=-1, dtype=np.int32)


def _blocks(measures: Measures, starts: Ints) -> Ints:
    """Climb from each row through inline elements to the block-level one."""
    parent = measures.parent
    is_end = _IS_BLOCK_LEVEL.take(measures.kinds)
    is_end[:1] = True
    blocks: Ints = parent.take(starts)
    for _ in range(MAX_INLINE_DEPTH):
        inner = (~is_end.take(blocks)).nonzero()[0]
        if not len(inner):
            break
        blocks[inner] = parent.take(blocks.take(inner))
    return blocks


_IS_BLOCK_LEVEL: Final = kinds_among(BLOCK_LEVEL)
