"""What names of classes, ids and roles say of an element's part in a page, as bits: evidence for the line network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.columns import HINTS, PARTS
from newscrawl.page.hints import name_words, speaks_for_boilerplate
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.page.measures import Ints, Measures

N_BITS: Final = len(HINTS)

_PATTERNS: Final = tuple(re.compile(part) for part in PARTS.values())
_ARTICLE_BODY: Final = 1 << len(PARTS)
_BOILERPLATE: Final = 1 << len(PARTS) + 1
TOLD: Final = "\x00"
"""Stands between class and id, role, and itemprop."""
MAX_NAMES: Final = 200
"""Longer attributes are cut: utility classes of style frameworks say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of the elements of a page's measures."""

    bits: NDArray[np.int64]
    """For each row what its names say; 0 for a row that was not asked."""
    classes: NDArray[np.int64]
    """For each row a number of its class, the same for the same class; 0 for a row that was not asked."""
    texts: tuple[str, ...]
    """All that elements are called: class and id, and behind ``TOLD`` their role and itemprop; ``""`` first."""
    number: Ints
    """For each row its place in ``texts``; 0 for a row that was not asked."""


def element_names(measures: Measures) -> Names:
    """Return what the elements that show text are called: their class, and id, role and itemprop unless they are small.

    Inline elements are not asked.
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
"""Elements that are seldom a part of a page by themselves: only their class is asked."""
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
    """Return the words of one of :attr:`Names.texts`, small; behind ``role:``, ``prop:`` those of role and itemprop."""
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
    """Rows of the line's own block: the inmost, the outmost with the same lines; shape ``(2, n)``."""
    near: Ints
    """Rows just around it, likewise."""
