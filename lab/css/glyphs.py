"""Widths of texts in font sizes, without a font: the mean advance of each kind of character."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.characters import FIRST_WIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NARROW: Final = 0.5
"""Advance of a letter in font sizes: that of small letters in the common faces."""
WIDE: Final = 1.0
"""Advance of an ideograph."""
_CAPITAL: Final = 0.68
_THIN: Final = 0.28
_SIZE: Final = 0x2E82


def _advances() -> Floats:
    table = np.full(_SIZE, NARROW)
    table[:32] = 0.0
    for character in " .,:;'!|ijlIft()[]/\u00a0":
        table[ord(character)] = _THIN
    for character in "ABCDEFGHKLNOPQRSTUVXYZ&":
        table[ord(character)] = _CAPITAL
    for character in "mwMW@%\u2014":
        table[ord(character)] = 0.85
    table[0x1100:] = WIDE
    table[0x1E00:0x2E00] = NARROW
    table[FIRST_WIDE:] = WIDE
    return table


_ADVANCE: Final = _advances()
_SPACES: Final = np.array([0x20, 0x09, 0x0A, 0x0C, 0x0D], dtype=np.uint32)


def text_widths(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the width of each text on one line, and of its longest unbreakable part, in font sizes.

    Runs of white space count once. Lines break at white space and around ideographs.
    """
    if not texts:
        return np.empty(0), np.empty(0)
    codes = np.frombuffer(("\x00".join(texts) + "\x00").encode("utf-32-le", "replace"), dtype=np.uint32)
    is_space = np.isin(codes, _SPACES)
    advances = _ADVANCE[np.minimum(codes, FIRST_WIDE + 1)]
    advances = np.where(is_space, np.where(np.roll(is_space, 1), 0.0, _THIN), advances)
    is_end = codes == 0
    advances[is_end] = 0.0
    totals = np.concatenate((np.zeros(1), np.cumsum(advances)))
    ends = np.flatnonzero(is_end)
    begins = np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1] + 1))
    widths = totals[ends] - totals[begins]
    breaks = is_end | is_space | (codes >= FIRST_WIDE)
    breaks[begins] = True
    at = np.flatnonzero(breaks)
    parts = np.where(is_space[at], -_THIN, 0.0) + np.add.reduceat(advances, at)
    longest = np.maximum.reduceat(parts, np.searchsorted(at, begins))
    return widths, np.maximum(longest, 0.0)
