"""One pass over a page's tree: rows in document order, and counts over every subtree by prefix sums.

The pass is the only place that walks all nodes in Python. Segmentation, features, the extractors and the link
positions all read its arrays: a subtree is the rows ``i … end[i] - 1``, so a sum over it is a difference.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from lxml import etree

from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]

TEXT: Final = "#text"
MAX_NODES: Final = 400_000
"""Rows after which a page is cut: 50 times the largest news page seen, and a bound on time and memory."""
MAX_HIDDEN_SHARE: Final = 0.8
"""Above this share of hidden text, the page is one that a script would reveal, and nothing counts as hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Rows of the body's elements and non-blank text nodes, in document order.

    Arrays have shape ``(n,)``. ``chars``, ``link_chars`` and ``links`` are sums over the row's subtree, itself
    included; characters leave white space out. Hidden text counts 0.
    """

    nodes: list[HtmlElement]
    """The element of the row; for a text row, the element it stands in."""
    tags: list[str]
    """Tag; ``"#text"`` for a text row."""
    texts: list[str]
    """The raw text of a text row, ``""`` for an element."""
    parent: Ints
    """Row of the parent; -1 for the first row."""
    end: Ints
    """One past the last row of the subtree."""
    line: Ints
    """Number of the line a text row stands on; lines end at block-level tags and ``br``. For an element, the
    line that was open when it began."""
    hidden: Bools
    chars: Ints
    link_chars: Ints
    links: Ints
    truncated: bool
    """True if the page had more than ``MAX_NODES`` rows."""

    def __len__(self) -> int:
        return len(self.tags)

    def is_text(self, row: int) -> bool:
        return self.tags[row] == TEXT

    def children(self, row: int) -> list[int]:
        """Return the rows of the direct children, text rows included."""
        rows = []
        child, stop = row + 1, int(self.end[row])
        while child < stop:
            rows.append(child)
            child = int(self.end[child])
        return rows


def measure(root: HtmlElement | None) -> Measures:
    """Walk the body of ``root`` once (the whole tree where there is no body). O(nodes); never recursive."""
    rows = _Rows()
    if root is None:
        return rows.measures(frozenset(), truncated=False)
    body = _body(root)
    hidden_nodes = _hidden_nodes(body)
    complete = rows.walk(body)
    return rows.measures(hidden_nodes, truncated=not complete)


def _body(root: HtmlElement) -> HtmlElement:
    """Return the body, or ``root`` where the parser put text elsewhere too: unknown tags in the head, a second body."""
    if root.tag == "body":
        return root
    body = root.find("body")
    if body is None:
        return root
    strays = (child for parent in (root, *root.findall("head")) for child in parent if child.tag not in _NO_STRAYS)
    return root if any(isinstance(child.tag, str) for child in strays) else body


_NO_STRAYS: Final = DROPPED | {"head", "body"}


class _Rows:
    """The growing columns of one walk; what can be derived from them is derived in numpy afterwards."""

    def __init__(self) -> None:
        self.nodes: list[HtmlElement] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.parent: list[int] = []
        self.end: list[int] = []

    def walk(self, body: HtmlElement) -> bool:
        """Fill the columns; False if the page was cut at ``MAX_NODES``.

        ``iter()`` is ten times cheaper than ``iterwalk`` with its events, so a subtree's end is noticed when the
        next node turns out to have another parent than the element on top of the stack.
        """
        nodes, tags, texts, parent, end = self.nodes, self.tags, self.texts, self.parent, self.end
        top: Any = body.getparent()
        row = -1
        stack = [(top, row)]
        outside = top
        for node in itertools.chain(body.iter(), (None,)):
            above = outside if node is None else node.getparent()
            while top is not above:
                if row >= 0:
                    end[row] = len(tags)
                text = top.tail
                stack.pop()
                top, row = stack[-1]
                if text and row >= 0 and not text.isspace():
                    nodes.append(top)
                    texts.append(text)
                    parent.append(row)
                    tags.append(TEXT)
                    end.append(len(tags))
            if node is None:
                break
            tag = node.tag
            if (row < 0 and top is not outside) or tag in DROPPED or not isinstance(tag, str):
                top, row = node, -1  # a dropped subtree, a comment or a processing instruction
            else:
                parent.append(row)
                top, row = node, len(tags)
                if row >= MAX_NODES:
                    parent.pop()
                    return self._cut(stack)
                nodes.append(node)
                tags.append(tag)
                texts.append("")
                end.append(-1)
                text = node.text
                if text and not text.isspace():
                    nodes.append(node)
                    texts.append(text)
                    parent.append(row)
                    tags.append(TEXT)
                    end.append(len(tags))
            stack.append((top, row))
        return True

    def _cut(self, stack: list[tuple[Any, int]]) -> bool:
        for _, row in stack:
            if row >= 0:
                self.end[row] = len(self.tags)
        return False

    def measures(self, hidden_nodes: frozenset[HtmlElement], *, truncated: bool) -> Measures:
        n = len(self.tags)
        end = np.array(self.end, dtype=np.int32)
        own = _count_chars(self.texts)
        hidden = np.zeros(n, dtype=np.bool_)
        if hidden_nodes:
            hidden = _inside(_rows_where(node in hidden_nodes for node in self.nodes), end)
            if own[hidden].sum() > MAX_HIDDEN_SHARE * own.sum():
                hidden[:] = False
            own[hidden] = 0
        links = np.array([row for row, tag in enumerate(self.tags) if tag == "a"], dtype=np.int32)
        is_link = np.zeros(n, dtype=np.int32)
        is_link[links] = 1
        is_link[hidden] = 0
        return Measures(
            nodes=self.nodes,
            tags=self.tags,
            texts=self.texts,
            parent=np.array(self.parent, dtype=np.int32),
            end=end,
            line=_lines(self.tags, end),
            hidden=hidden,
            chars=_subtree_sums(own, end),
            link_chars=_subtree_sums(own * _inside(links, end), end),
            links=_subtree_sums(is_link, end),
            truncated=truncated,
        )


def _rows_where(tests: Iterable[bool]) -> Ints:
    return np.fromiter(itertools.compress(itertools.count(), tests), dtype=np.int32)


def _inside(roots: Ints, end: Ints) -> Bools:
    """Tell for each row whether it stands in the subtree of one of ``roots``."""
    change = np.zeros(len(end) + 1, dtype=np.int32)
    np.add.at(change, roots, 1)
    np.add.at(change, end[roots], -1)
    inside: Bools = np.cumsum(change[:-1]) > 0
    return inside


def _lines(tags: list[str], end: Ints) -> Ints:
    """Number the lines: one more at every block-level element's begin and end, and at every ``br``."""
    breaks = np.array([row for row, tag in enumerate(tags) if tag in _BREAKS], dtype=np.int32)
    change = np.bincount(end[breaks], minlength=len(tags) + 1)
    change[breaks] += 1
    line: Ints = np.cumsum(change[:-1], dtype=np.int32)
    return line


_BREAKS: Final = BLOCK_LEVEL | {"br"}


def _subtree_sums(own: Ints, end: Ints) -> Ints:
    """Return for each row the sum of ``own`` over its subtree, by one prefix sum."""
    before = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(own, dtype=np.int32)))
    return before[end] - before[:-1]


def _count_chars(texts: list[str]) -> Ints:
    """Return the number of characters of each text that are not white space, counted in one go."""
    codes = np.frombuffer("\x00".join(texts).encode("utf-32-le", "replace"), dtype=np.uint32)
    ends = np.flatnonzero(codes == 0)
    before = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(_IS_INK[np.minimum(codes, _LAST_SPACE + 1)])))
    stops = before[np.concatenate((ends, [len(codes)]))]
    counts: Ints = np.diff(stops, prepend=0).astype(np.int32)
    return counts[: len(texts)]


_LAST_SPACE: Final = 0x3000
_IS_INK: Final = np.array([not chr(code).isspace() and code != 0 for code in range(_LAST_SPACE + 2)], dtype=np.int32)
"""1 for a code point that counts as a character, 0 for white space and the separator NUL."""

_HIDING_STYLES: Final = etree.XPath("descendant::*/@style[contains(., 'none') or contains(., 'hidden')]")
_HIDDEN_ATTRIBUTES: Final = etree.XPath("descendant::*/@hidden")


def _hidden_nodes(body: HtmlElement) -> frozenset[HtmlElement]:
    """Return the elements that their own markup hides: ``hidden``, or an inline ``display: none``."""
    attributes = itertools.chain(_HIDING_STYLES(body), _HIDDEN_ATTRIBUTES(body))
    return frozenset(node for node in (attribute.getparent() for attribute in attributes) if _is_hidden(node))


def _is_hidden(node: HtmlElement) -> bool:
    style = "".join((node.get("style") or "").split()).lower()
    if "display:none" in style or "visibility:hidden" in style:
        return True
    return node.get("hidden", "until-found") != "until-found"
