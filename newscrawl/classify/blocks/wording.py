"""What the wording of blocks tells: marks, scripts, and words that stand above lists or in page furniture.

All texts of a page are looked through in one go.
"""

from __future__ import annotations

import bisect
import itertools
import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.characters import FIRST_WIDE
from newscrawl.languages.tables import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.learn import Floats


_UNITS: Final = 0x10000
_WIDE: Final = 1 << 32


def _worth() -> NDArray[np.int64]:
    """Return for each unit of UTF-16 its half marks, 2 at the end of a sentence, 1 within; above, 1 if it is wide."""
    table = np.zeros(_UNITS, dtype=np.int64)
    table[FIRST_WIDE:] = _WIDE
    table[[ord(mark) for mark in "。！？!?؟।…"]] += 2
    table[[ord(mark) for mark in "，、；,;،"]] += 1
    return table


_WORTH: Final = _worth()


def marks_and_wide(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sentence marks (a comma counts half) and the ideographs, kana and Hangul of each text.

    Characters beyond the basic plane, two units of UTF-16, count as two ideographs. A full stop counts where white
    space stands behind it: a decimal point has none.
    """
    joined = "\n".join((*texts, ""))
    codes = np.frombuffer(joined.encode("utf-16-le", "replace"), dtype=np.uint16)
    lengths = [len(text) + 1 for text in texts]
    if len(codes) != len(joined):
        lengths = [len(text.encode("utf-16-le", "replace")) // 2 + 1 for text in texts]
    worth = _WORTH.take(codes)
    dots = (codes == ord(".")).nonzero()[0]
    worth[dots[codes.take(dots + 1) <= ord(" ")]] = 2
    sums = np.add.reduceat(worth, [0, *itertools.accumulate(lengths[:-1])])
    return (sums & (_WIDE - 1)) / 2, (sums >> 32).astype(np.float64)


class Words:
    """Words to search many short texts for.

    Ideographs are rare enough for one pattern to find fast; ASCII words are found faster one after another.
    """

    def __init__(self, found: Sequence[str]) -> None:
        self._plain = tuple(word for word in found if word.isascii())
        # flags would cost the pattern its search for first letters
        self._others = re.compile("|".join(re.escape(word) for word in found if not word.isascii()))

    def held_by(self, texts: Sequence[str]) -> list[int]:
        """Return the places of the texts that hold one of the words, in any case; in no order, and maybe repeated."""
        lower = "\n".join(texts).lower()
        found = [] if lower.isascii() else [match.start() for match in self._others.finditer(lower)]
        found += [at for word in self._plain if word in lower for at in _all_of(word, lower)]
        if not found:
            return []
        ends = list(itertools.accumulate(len(text) + 1 for text in texts))
        if ends[-1] != len(lower) + 1:  # some letters grow in lower case
            ends = list(itertools.accumulate(len(text.lower()) + 1 for text in texts))
        return [bisect.bisect_right(ends, at) for at in found]


@cache
def related_titles() -> Words:
    """Return words above lists of other stories."""
    return Words(words("lines.related"))


@cache
def service_words() -> Words:
    """Return words of page furniture."""
    return Words(("©", *words("lines.service")))


def _all_of(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
