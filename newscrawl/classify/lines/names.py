"""Names of classes, ids and roles as evidence of an element's part in a page, for the line network.

Patterns made by hand give bits. A learnt lexicon says for each word how much likelier text is in elements named so
than elsewhere on the same site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from newscrawl.classify.lines.columns import HINTS, PARTS
from newscrawl.page.hints import name_words, speaks_for_boilerplate
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from newscrawl.page.measures import Ints, Measures

    Array = NDArray[np.float32]

N_BITS: Final = len(HINTS)

_PATTERNS: Final = tuple(re.compile(part) for part in PARTS.values())
_ARTICLE_BODY: Final = 1 << len(PARTS)
_BOILERPLATE: Final = 1 << len(PARTS) + 1
TOLD: Final = "\x00"
"""Separator between class and id, role, and itemprop."""
MAX_NAMES: Final = 200
"""Most characters of an attribute: utility classes of style frameworks say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of the elements of a page's measures."""

    bits: NDArray[np.int64]
    """Bits of each row's names; 0 for a row that was not read."""
    classes: NDArray[np.int64]
    """Number of each row's class, the same for the same class; 0 for a row that was not read."""
    texts: tuple[str, ...]
    """Names of all elements: class and id, and behind ``TOLD`` role and itemprop; ``""`` first."""
    number: Ints
    """Place of each row in ``texts``; 0 for a row that was not read."""


def element_names(measures: Measures) -> Names:
    """Return the names of elements that show text: class, and id, role and itemprop unless they are small.

    Inline elements are skipped.
    """
    rows, asked, names = measures.shown
    numbers = {name: number for number, name in enumerate(dict.fromkeys(["", *names]))}
    number = np.fromiter(map(numbers.__getitem__, names), dtype=np.int64, count=len(names))
    found = np.array([*map(_said_by, numbers)], dtype=np.int64).take(number)
    texts, called = dict(numbers), number.astype(np.int32)
    for place in _IS_PART.take(measures.kinds.take(rows)).nonzero()[0].tolist():
        get = asked[place].get
        identity, role, prop = get("id"), get("role"), get("itemprop")
        if identity:
            found[place] = _said_by(names[place], identity)
        if role:
            found[place] |= _said_by(role)
        if prop and "articleBody" in prop:
            found[place] |= _ARTICLE_BODY
        if identity or role or prop:
            text = f"{names[place]} {identity or ''}{TOLD}{role or ''}{TOLD}{prop or ''}"
            called[place] = texts.setdefault(text, len(texts))
    bits, classes = np.zeros((2, len(measures)), dtype=np.int64)
    bits[rows] = found
    classes[rows] = number
    all_called = np.zeros(len(measures), dtype=np.int32)
    all_called[rows] = called
    return Names(bits=bits, classes=classes, texts=tuple(texts), number=all_called)


_SMALL: Final = frozenset("p li dt dd td th tr tbody thead tfoot h1 h2 h3 h4 h5 h6 br hr center col".split())
"""Elements that are seldom a part of a page alone: only their class is read."""
_IS_PART: Final = ~kinds_among(_SMALL)


@lru_cache(maxsize=16384)
def _said_by(css: str, identity: str = "") -> int:
    names = (css + " " + identity if css and identity else css or identity)[:MAX_NAMES]
    bits = _BOILERPLATE if speaks_for_boilerplate(names) else 0
    for word in name_words(names):
        bits |= _word_bits(word)
    return bits


@lru_cache(maxsize=8192)
def _word_bits(word: str) -> int:
    return sum(1 << place for place, pattern in enumerate(_PATTERNS) if pattern.search(word))


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """Return the words of one of :attr:`Names.texts` in lower case, roles and itemprops after ``role:``, ``prop:``."""
    names, *told = text.split(TOLD)
    words = name_words(names[:MAX_NAMES])
    for kind, said in zip(("role:", "prop:"), told, strict=False):
        words |= {kind + word for word in name_words(said[:MAX_NAMES])}
    return words


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLines:
    """The names around the ``n`` lines of a page of ``m`` rows."""

    texts: tuple[str, ...]
    """Texts of names, as :class:`Names` has them."""
    number: Ints
    """Place in ``texts`` of each row's names; shape ``(m,)``."""
    parent: Ints
    """Row of the element around each row; that of the root is below 1."""
    own: Ints
    """Rows of the line's own block: the innermost, and the outermost with the same lines; shape ``(2, n)``."""
    near: Ints
    """Rows just around it; shape ``(2, n)``."""


PLACES: Final = ("own", "near", "around")
"""The line's own block; the elements just around it; all elements around it, its block among them."""
COLUMNS: Final = tuple(f"{place}_{what}" for place in PLACES for what in ("sum", "least", "most"))
MAX_SUM: Final = 8.0
_MAX_KNOWN: Final = 20_000
"""Most names whose words are cached: a site's names recur on its pages."""


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
            first, second = of_row[place].take(rows[0], axis=1), of_row[place].take(rows[1], axis=1)
            np.add(first[0], np.where(rows[0] == rows[1], 0, second[0]), out=found[place, 0])  # equal rows count once
            np.minimum(first[1], second[1], out=found[place, 1])
            np.maximum(first[2], second[2], out=found[place, 2])
        # each line's block and all elements around it, in log(depth) steps
        total, least, most = of_row[2]
        total[0] = least[0] = most[0] = 0  # row 0 is the root: chains end there
        above = np.maximum(page.parent, 0)
        while above.any():
            total += total.take(above)
            np.minimum(least, least.take(above), out=least)
            np.maximum(most, most.take(above), out=most)
            above = above.take(above)
        found[2] = of_row[2].take(page.own[0], axis=1)
        np.clip(found[:, 0], -MAX_SUM, MAX_SUM, out=found[:, 0])
        return found.reshape(len(COLUMNS), -1).T

    def _said(self, texts: Sequence[str]) -> Array:
        """Return sum, least and most of the odds of each text's words, shape ``(len(PLACES), 3, len(texts))``."""
        known, places, found = self._known, self._place, list[tuple[int, ...]]()
        for text in texts:
            numbers = known.get(text)
            if numbers is None:
                numbers = tuple(places[word] for word in words_of(text) if word in places)
                if len(known) >= _MAX_KNOWN:
                    known.clear()
                known[text] = numbers
            found.append(numbers)
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
