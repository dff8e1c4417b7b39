"""One pass over a page's tree: rows in document order, and counts over every subtree by prefix sums.

Segmentation, features, the extractors and the link positions all read its arrays: a subtree is the rows
``i … end[i] - 1``, so a sum over it is a difference.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from lxml import etree

from newscrawl.page.rows import Rows, inside
from newscrawl.page.sheets import page_styles
from newscrawl.page.styles import Hiding, hiding, inline_style, may_hide
from newscrawl.page.tags import BLOCK_LEVEL, DROPPED, FORMATTING, HEADINGS, NAMES, TEXT_KIND, kinds_among
from newscrawl.page.unseen import find_opened, is_named_folded, mark_rows, unseen_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]

TEXT: Final = NAMES[TEXT_KIND]

MAX_NODES: Final = 30_000
"""Rows after which a page is cut: twice those of the largest of 9,000 labelled pages, a bound on time and memory."""
MAX_HIDDEN_SHARE: Final = 0.8
"""Above this share of hidden text, the page is one that a script would reveal, and what hides it does not count."""
MAX_BLIND_SHARE: Final = 0.4
MIN_SHOWN: Final = 30
"""A page that hides more than this share, and texts of so many characters outside links and headings,
but shows none, is one, too."""
MAX_UNSEEN_SHARE: Final = 0.5
"""Share of the text above which elements of one class count as seen, however they are drawn."""
MAX_BARE: Final = 500
"""Characters of a page that shows next to nothing until its scripts run."""


class Measures(Rows):
    """Rows of the body's elements and non-blank text nodes, in document order.

    Arrays have shape ``(n,)``; most are worked out when first asked for. ``chars``, ``link_chars`` and ``links`` are
    sums over the row's subtree, itself included; characters leave white space out. Hidden text counts 0.
    """

    sheets: Sequence[HtmlElement] = ()
    """The page's ``style`` elements."""

    @cached_property
    def shown(self) -> tuple[Ints, list[HtmlElement], list[str]]:
        """The rows with visible text that are elements, but for inline ones; their elements, and the classes of these.

        Several steps ask for the names of these.
        """
        rows = (_IS_SHOWN.take(self.kinds) & (self.chars > 0)).nonzero()[0].astype(np.int32)
        number = np.cumsum(self.kinds != TEXT_KIND, dtype=np.int32).take(rows)
        elements = self.elements
        places = (number - 1).tolist()
        return rows, [elements[place] for place in places], [self._classes[place] for place in places]

    @cached_property
    def _classes(self) -> list[str]:
        """The classes of each element, in their order."""
        return [node.get("class", "") for node in self.elements]

    @cached_property
    def texts(self) -> list[str]:
        """The text of a text row, ``""`` for an element.

        As it stands in the markup, after a blank where only white space stood between it and the line's text before:
        the words of neighbouring elements stand apart.
        """
        texts, apart = self.pieces, self.apart
        if len(apart):
            rows = (self.kinds == TEXT_KIND).nonzero()[0]
            before = rows[np.searchsorted(rows, apart) - 1]  # the first text has no other before it: its own line
            texts = texts.copy()
            joined = {rest for _, rest in self.initials}
            for row in apart[(before < apart) & (self.line[before] == self.line[apart])].tolist():
                texts[row] = texts[row] if row in joined else " " + texts[row]
        return texts

    @cached_property
    def line(self) -> Ints:
        """Number of the line a text row stands on; lines end at block-level tags and ``br``.

        For an element, the line that was open when it began.
        """
        breaks = self.rows_of(_BREAKS)
        change = np.bincount(self.end.take(breaks), minlength=len(self) + 1)
        change[breaks] += 1
        line: Ints = change[:-1].cumsum(dtype=np.int32)
        for row, rest in self.initials:
            line[rest:] -= line[rest] - line[row]
            line[row:rest] = line[row]
        return line

    @cached_property
    def hidden(self) -> Bools:
        """True for rows of hidden elements and of marks beside the text, and for all below them."""
        hidden = np.zeros(len(self), dtype=np.bool_)
        if not len(self):
            return hidden
        marks = mark_rows(self.kinds, self.parent, self.end, self.pieces)
        if marks:
            hidden = inside(np.array(marks, dtype=np.int32), self.end)
        for find in (self._hidden_nodes, self._unseen_nodes):
            nodes = find()
            if nodes:
                more = hidden | inside(self.rows_among(nodes), self.end)
                if self._may_hide(more):
                    hidden = more
        return hidden

    def _may_hide(self, hidden: Bools) -> bool:
        """Tell whether enough of the page is left for a reader without these rows."""
        ink = self.ink
        share = ink[hidden].sum() / max(1, ink.sum())
        if share <= MAX_BLIND_SHARE or share > MAX_HIDDEN_SHARE:
            return bool(share <= MAX_BLIND_SHARE)
        is_told = (ink >= MIN_SHOWN) & ~inside(self.rows_of(_LINK | HEADINGS), self.end)
        return bool((is_told & ~hidden).any() or not (is_told & hidden).any())

    @cached_property
    def marked(self) -> list[HtmlElement]:
        """The elements with an attribute that may hide them, and those with a role."""
        return [node for node in self.elements if not _TELLING.isdisjoint(node.keys())]

    def _hidden_nodes(self) -> set[HtmlElement]:
        """Return the elements that their own markup hides: ``hidden``, or an inline ``display: none``."""
        found = set()
        for node in self.marked:
            style = node.get("style")
            is_gone = style and may_hide(style) and hiding(inline_style(style)) is Hiding.GONE
            is_hidden = is_gone or node.get("hidden", "until-found") != "until-found"
            if is_hidden and not is_named_folded(node):
                found.add(node)
        return found - find_opened(self.body, found)

    def _unseen_nodes(self) -> list[HtmlElement]:
        """Return what nobody sees, but for what holds much of the page's text: a script shows that."""
        nodes = frozenset(unseen_nodes(self.elements, self._classes, self.marked, page_styles(self.sheets)))
        closed = self.rows_of(_CLOSED).tolist()
        rows = self.rows_among({node for node in nodes if not is_named_folded(node)} - find_opened(self.body, nodes))
        if not len(rows) and not closed:
            return []
        number = np.cumsum(self.kinds != TEXT_KIND, dtype=np.int32) - 1
        held = subtree_sums(self.ink, self.end)[rows]
        names = [self._classes[place] for place in number[rows].tolist()]
        together = Counter(dict.fromkeys(names, 0))
        for name, chars in zip(names, held.tolist(), strict=True):
            together[name] += chars
        most = MAX_UNSEEN_SHARE * self.ink.sum()
        rows = rows[
            [together[name] <= most if name else chars <= most for name, chars in zip(names, held, strict=True)]
        ]
        found = [self.elements[place] for place in number[[*rows.tolist(), *closed]].tolist()]
        return [node for node in found if node.tag != "dialog" or node.get("open") is None]

    @cached_property
    def own(self) -> Ints:
        """Characters of a visible text row; 0 for all others."""
        own: Ints = np.where(self.hidden, 0, self.ink)
        return own

    @cached_property
    def chars(self) -> Ints:
        return subtree_sums(self.own, self.end)

    @cached_property
    def link_chars(self) -> Ints:
        in_links = inside(self.rows_of(_LINK), self.end)
        return subtree_sums(np.where(in_links, self.own, 0), self.end)

    @cached_property
    def links(self) -> Ints:
        is_link = kinds_among(_LINK).take(self.kinds) & ~self.hidden
        return subtree_sums(is_link, self.end)

    def rows_of(self, tags: frozenset[str]) -> Ints:
        """Return the rows of elements with one of these tags, each of which must have a kind of its own."""
        return kinds_among(tags).take(self.kinds).nonzero()[0].astype(np.int32)

    def is_text(self, row: int) -> bool:
        return bool(self.kinds[row] == TEXT_KIND)

    def children(self, row: int) -> list[int]:
        """Return the rows of the direct children, text rows included."""
        rows = []
        child, stop = row + 1, int(self.end[row])
        while child < stop:
            rows.append(child)
            child = int(self.end[child])
        return rows


_TELLING: Final = frozenset(("style", "hidden", "aria-hidden", "inert", "popover", "role", "color"))
_CLOSED: Final = frozenset(("dialog",))
_BREAKS: Final = BLOCK_LEVEL | {"br"}
_LINK: Final = frozenset("a")
_IS_SHOWN: Final = ~kinds_among(FORMATTING)
_IS_SHOWN[TEXT_KIND] = False


def measure(root: HtmlElement | None, *, sheets: Sequence[HtmlElement] = ()) -> Measures:
    """Read the body of ``root`` (the whole tree where there is no body) once. O(nodes); never recursive.

    :param sheets: its ``style`` elements.
    """
    body = None if root is None else _body(root)
    measures = Measures.read(body, MAX_NODES)
    if body is not None and measures.ink.sum() <= MAX_BARE and _show_unscripted(body):
        measures = Measures.read(body, MAX_NODES)
    measures.sheets = sheets
    return measures


_TEXTS: Final = etree.XPath("descendant::text()[not(parent::script or parent::style or parent::a)]")


def _show_unscripted(body: HtmlElement) -> bool:
    """Make the text for readers without scripts a part of the page, as their browsers do; False if there is little.

    Forums that a script builds keep their posts there.
    """
    shown: set[HtmlElement] = set()
    nested: set[HtmlElement] = set()
    for node in body.iter("noscript"):
        if node in nested:  # its text was counted with the outer one's
            continue
        within = set(node.iter("noscript"))
        nested |= within
        if len("".join("".join(_TEXTS(node)).split())) > MAX_BARE:
            shown |= within
    for node in shown:
        node.tag = "div"
    return bool(shown)


def _body(root: HtmlElement) -> HtmlElement:
    """Return the body, or ``root`` where the parser put text elsewhere too: unknown tags in the head, a second body."""
    if root.tag == "body":
        return root
    body: HtmlElement | None = None
    strays: list[HtmlElement] = []
    for child in root:
        if child.tag == "body" and body is None:
            body = child
        elif child.tag == "head":
            strays += child
        else:
            strays.append(child)
    is_stray = any(child.tag not in _NO_STRAYS and isinstance(child.tag, str) for child in strays)
    return root if body is None or is_stray else body


_NO_STRAYS: Final = DROPPED | {"head"}


def subtree_sums(own: NDArray[Any], end: Ints) -> Ints:
    """Return for each row the sum of ``own`` over its subtree, itself included, by one prefix sum."""
    before = np.zeros(len(own) + 1, dtype=np.int32)
    own.cumsum(dtype=np.int32, out=before[1:])
    return before[end] - before[:-1]


def element_descendants(measures: Measures) -> Ints:
    """Return the number of elements below each row, itself left out; 0 for a text row.

    Elements without rows (scripts and the like) do not count.
    """
    elements = (measures.kinds != TEXT_KIND).astype(np.int32)
    below: Ints = subtree_sums(elements, measures.end) - elements
    return below
