"""The rows of a subtree: elements and non-blank texts in document order, read off its marked text with numpy.

Where the marked text cannot be had, the nodes are walked in Python (:mod:`newscrawl.dom.walk`), to the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from lxml import etree

from newscrawl.dom.marks import DROP, END, FIRST_MARK, marked_text
from newscrawl.dom.tags import NAMES, OTHER_KIND, TEXT_KIND

if TYPE_CHECKING:
    from collections.abc import Collection

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.dom.tags import Kinds

    Ints = NDArray[np.int32]

_LAST_SPACE: Final = 0x3000
_IS_INK: Final = np.array([not chr(code).isspace() and code != 0 for code in range(_LAST_SPACE + 2)], dtype=np.int32)
"""1 for a code point that counts as a character, 0 for white space and NUL; the last stands for all beyond."""
_NAMES: Final = np.array(NAMES, dtype=np.object_)
_STEPS: Final = np.array([-1, *[1] * (len(NAMES) - 1), *[0] * (256 - len(NAMES))], dtype=np.int8)
"""Mark → how many levels it goes down."""


class Rows(Protocol):
    """Columns of shape ``(n,)``, and lists of that length."""

    @property
    def kinds(self) -> Kinds:
        """Number of the tag, see :mod:`newscrawl.dom.tags`."""

    @property
    def own(self) -> Ints:
        """Characters of a text row; 0 for an element."""

    @property
    def end(self) -> Ints: ...
    @property
    def parent(self) -> Ints: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def texts(self) -> list[str]: ...
    @property
    def apart(self) -> Ints:
        """Rows of texts with a blank text, which has no row, between them and the text before."""

    @property
    def nodes(self) -> list[HtmlElement]: ...
    @property
    def elements(self) -> list[HtmlElement]:
        """The nodes of the rows that are elements."""

    @property
    def body(self) -> HtmlElement:
        """The element of the first row."""

    @property
    def truncated(self) -> bool: ...
    def rows_of(self, nodes: Collection[HtmlElement]) -> Ints:
        """Return the rows of some elements; those without a row are left out."""


def is_ink(codes: NDArray[np.uint32]) -> Ints:
    """Return 1 for each code point that counts as a character, 0 for white space."""
    return _IS_INK.take(codes, mode="clip")


def count_chars(texts: list[str]) -> Ints:
    """Return the number of characters of each text that are not white space, counted in one go."""
    if not texts:
        return np.zeros(0, dtype=np.int32)
    codes = np.frombuffer("\x00".join(["", *texts]).encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.add.reduceat(is_ink(codes), np.flatnonzero(codes == 0))


def marked_rows(body: HtmlElement, max_rows: int) -> MarkedRows | None:
    """Return the rows of ``body``; None if they have to be had otherwise: by cut, or because of marks in the text."""
    text = marked_text(body)
    if text is None:
        return None
    rows = MarkedRows(body, text)
    return rows if rows.is_sound and len(rows.kinds) <= max_rows else None


class MarkedRows:
    """Rows of a marked text. Columns are worked out when first asked for; of those with an underscore, arrays have an
    entry for each mark, in order.
    """

    truncated = False

    def __init__(self, body: HtmlElement, text: str) -> None:
        self.body = body
        self._text = text
        codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        self._at = np.flatnonzero(codes >= FIRST_MARK)
        self._marks = codes[self._at].astype(np.uint8)  # the last byte of a mark is its number
        self._step = _STEPS.take(self._marks)
        self._walked: list[HtmlElement] = list(body.iter(etree.Element))
        counts = np.bincount(self._marks, minlength=256).tolist()
        self.is_sound = self._is_sound(counts)
        chars = np.add.reduceat(is_ink(codes), self._at)  # a mark counts 1
        if counts[OTHER_KIND]:
            chars[self._marks == OTHER_KIND] = 1  # a name follows, no text
        self._set_rows(chars)

    def _is_sound(self, counts: list[int]) -> bool:
        """Tell whether all marks are ours, none the page's: as many as elements. A stray note does no harm."""
        n_begun = sum(counts[OTHER_KIND : len(NAMES)])
        n_unknown = sum(counts[len(NAMES) : DROP])
        return counts[END] == n_begun and not n_unknown and n_begun + counts[DROP] == len(self._walked)

    def _set_rows(self, chars: Ints) -> None:
        """Give each begin a row, and each mark with text behind it another."""
        begins, has_text = self._step > 0, chars > 1
        n_rows = np.cumsum(begins.view(np.int8) + has_text.view(np.int8), dtype=np.int32)
        self._begins, self._texts = np.flatnonzero(begins), np.flatnonzero(has_text)
        self._element_rows = n_rows[self._begins] - 1 - has_text[self._begins]
        self._text_rows = n_rows[self._texts] - 1
        self._n_rows = n_rows  # as many rows as there are up to each mark, its text included
        self.own = np.zeros(int(n_rows[-1]), dtype=np.int32)
        self.own[self._text_rows] = chars[self._texts] - 1
        self.kinds = np.zeros(len(self.own), dtype=np.uint8)
        self.kinds[self._element_rows] = self._marks[self._begins]

    @cached_property
    def _depth(self) -> Ints:
        return np.cumsum(self._step, dtype=np.int32)

    @cached_property
    def _by_depth(self) -> NDArray[np.intp]:
        """Numbers of the marks of tags by depth: begins and ends of one depth take turns, each pair an element."""
        tags = np.flatnonzero(self._step)
        level = self._depth[tags] + (self._step[tags] < 0)
        by_depth: NDArray[np.intp] = tags[np.argsort(level.astype(np.uint16), kind="stable")]
        return by_depth

    @cached_property
    def _row_at(self) -> Ints:
        """Row of the element that a mark begins; elsewhere without meaning."""
        rows = np.empty(len(self._marks), dtype=np.int32)
        rows[self._begins] = self._element_rows
        return rows

    @cached_property
    def end(self) -> Ints:
        end = np.arange(1, len(self.kinds) + 1, dtype=np.int32)
        end[self._row_at[self._by_depth[::2]]] = self._n_rows[self._by_depth[1::2] - 1]
        return end

    @cached_property
    def parent(self) -> Ints:
        """The last element begun before the row, one level up."""
        stride = len(self._marks)
        depth = self._depth.astype(np.int64) * stride + np.arange(stride)
        begun = self._by_depth[::2]
        sought = np.empty(len(self.kinds), dtype=np.int64)
        sought[self._element_rows] = depth[self._begins] - stride
        sought[self._text_rows] = depth[self._texts]
        place = np.searchsorted(depth[begun], sought, side="right") - 1
        parent: Ints = self._row_at[begun[place]]
        parent[:1] = -1
        return parent

    @cached_property
    def tags(self) -> list[str]:
        tags: list[str] = _NAMES.take(self.kinds).tolist()
        others = np.flatnonzero(self._marks == OTHER_KIND)
        for row, span in zip(self._row_at[others].tolist(), self._spans(others), strict=True):
            tags[row] = self._text[slice(*span)]
        return tags

    @cached_property
    def texts(self) -> list[str]:
        texts = [""] * len(self.kinds)
        text = self._text
        for row, (start, stop) in zip(self._text_rows.tolist(), self._spans(self._texts), strict=True):
            texts[row] = text[start:stop]
        return texts

    @property
    def apart(self) -> Ints:
        behind = np.zeros(len(self._at), dtype=np.bool_)
        np.greater(self._at[1:] - self._at[:-1], 1, out=behind[:-1])  # the last mark ends the whole: no text follows
        behind[self._texts] = False
        behind[self._marks == OTHER_KIND] = False  # a name, no text
        n_blank = np.cumsum(behind).take(self._texts)
        is_apart = n_blank > 0
        np.greater(n_blank[1:], n_blank[:-1], out=is_apart[1:])
        rows: Ints = self._text_rows[is_apart]
        return rows

    def _spans(self, marks: NDArray[Any]) -> zip[tuple[int, int]]:
        """Return start and end of the text after each mark; none is the last, which ends the whole."""
        return zip((self._at[marks] + 1).tolist(), self._at[marks + 1].tolist(), strict=True)

    @cached_property
    def nodes(self) -> list[HtmlElement]:
        is_element = self.kinds != TEXT_KIND
        number = np.cumsum(is_element) - 1
        number = np.where(is_element, number, number[self.parent])
        nodes: list[HtmlElement] = np.fromiter(self.elements, dtype=np.object_).take(number).tolist()
        return nodes

    @cached_property
    def elements(self) -> list[HtmlElement]:
        step = self._step[(self._step > 0) | (self._marks == DROP)]  # of the elements of the tree in its order
        return list(compress(self._walked, step.tolist()))

    def rows_of(self, nodes: Collection[HtmlElement]) -> Ints:
        return _rows_of(nodes, self)


def _rows_of(nodes: Collection[HtmlElement], rows: Rows) -> Ints:
    wanted = frozenset(nodes)
    found = np.fromiter(compress(count(), map(wanted.__contains__, rows.elements)), dtype=np.intp)
    return np.flatnonzero(rows.kinds != TEXT_KIND)[found].astype(np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRows:
    """Rows already at hand."""

    kinds: Kinds
    own: Ints
    end: Ints
    parent: Ints
    tags: list[str]
    texts: list[str]
    nodes: list[HtmlElement]
    apart: Ints
    truncated: bool = False

    @property
    def body(self) -> HtmlElement:
        return self.nodes[0]

    @property
    def elements(self) -> list[HtmlElement]:
        return list(compress(self.nodes, (self.kinds != TEXT_KIND).tolist()))

    def rows_of(self, nodes: Collection[HtmlElement]) -> Ints:
        return _rows_of(nodes, self)
