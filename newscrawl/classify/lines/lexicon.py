"""What the words that sites call their elements by were worth on labelled sites: evidence for the line network.

:mod:`newscrawl.classify.lines.names` knows parts of a page by patterns made by hand. A lexicon is learnt: for each
word, how much likelier text is where an element is called so than elsewhere on the same site.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from newscrawl.classify.lines.names import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.names import NamedLines
    from newscrawl.page.measures import Ints

    Array = NDArray[np.float32]

PLACES: Final = ("own", "near", "around")
"""The line's own block; the elements just around it; all elements around it, its block among them."""
COLUMNS: Final = tuple(f"{place}_{what}" for place in PLACES for what in ("sum", "least", "most"))
MAX_SUM: Final = 8.0
_MAX_KNOWN: Final = 20_000
"""Names whose words are remembered: those of a site come again on each of its pages."""


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Log odds of text by word."""

    words: tuple[str, ...]
    odds: Array
    """In each of ``PLACES``, against all lines of a site; shape ``(len(PLACES), len(words))``."""

    def columns(self, page: NamedLines) -> Array:
        """Return ``COLUMNS`` for each line, shape ``(n, len(COLUMNS))``: sum, least and most of the words' odds.

        Least is at most 0, most at least 0.
        """
        of_row = self._said(page.texts).take(page.number, axis=2)
        found = np.empty((len(PLACES), 3, page.own.shape[1]), dtype=np.float32)
        for place, rows in enumerate((page.own, page.near)):
            _both(of_row[place], rows, found[place])
        _chain(of_row[2], page.parent, page.own[0], found[2])
        np.clip(found[:, 0], -MAX_SUM, MAX_SUM, out=found[:, 0])
        return found.reshape(len(COLUMNS), -1).T

    def _said(self, texts: Sequence[str]) -> Array:
        """Return sum, least and most of the odds of each text's words, shape ``(len(PLACES), 3, len(texts))``."""
        found = [self._words_among(text) for text in texts]
        n_words = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        odds = self.odds.take(list(chain.from_iterable(found)), axis=1)
        some = n_words.nonzero()[0]
        said = np.zeros((len(PLACES), 3, len(texts)), dtype=np.float32)
        if len(some):
            starts = (n_words.cumsum() - n_words).take(some)
            said[:, 0, some] = np.add.reduceat(odds, starts, axis=1)
            said[:, 1, some] = np.minimum(np.minimum.reduceat(odds, starts, axis=1), 0)
            said[:, 2, some] = np.maximum(np.maximum.reduceat(odds, starts, axis=1), 0)
        return said

    def _words_among(self, text: str) -> tuple[int, ...]:
        """Return the places of the known words of a text."""
        found = self._known.get(text)
        if found is None:
            place = self._place
            found = tuple(place[word] for word in words_of(text) if word in place)
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[text] = found
        return found

    @cached_property
    def _place(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    @cached_property
    def _known(self) -> dict[str, tuple[int, ...]]:
        return {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the lexicon as kept in a model file."""
        return {"lexicon_words": np.array(self.words, dtype=np.str_), "lexicon_odds": self.odds.astype(np.float16)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return the lexicon that :meth:`arrays` described.

        :raises ValueError: if an array is missing or of another shape.
        """
        try:
            words, odds = arrays["lexicon_words"], arrays["lexicon_odds"].astype(np.float32)
        except KeyError as error:
            raise ValueError(f"no array {error}") from error
        if words.dtype.kind != "U" or odds.shape != (len(PLACES), len(words)):
            raise ValueError(f"a lexicon of {len(words)} words with odds of shape {odds.shape}")
        return cls(words=tuple(words.tolist()), odds=odds)


def _both(of_row: Array, rows: Ints, found: Array) -> None:
    """Take together what is said of two rows for each line; one of them counts where both are the same."""
    first, second = of_row.take(rows[0], axis=1), of_row.take(rows[1], axis=1)
    np.add(first[0], np.where(rows[0] == rows[1], 0, second[0]), out=found[0])
    np.minimum(first[1], second[1], out=found[1])
    np.maximum(first[2], second[2], out=found[2])


def _chain(of_row: Array, parent: Ints, rows: Ints, found: Array) -> None:
    """Take together what is said of each of ``rows`` and all elements around it, in log(depth) steps."""
    total, least, most = of_row.copy()
    total[0] = least[0] = most[0] = 0  # the first row is the root: who is beyond it stays there
    above = np.maximum(parent, 0)
    while above.any():
        total += total.take(above)
        np.minimum(least, least.take(above), out=least)
        np.maximum(most, most.take(above), out=most)
        above = above.take(above)
    found[0], found[1], found[2] = total.take(rows), least.take(rows), most.take(rows)
