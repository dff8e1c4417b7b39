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

from newscrawl.page.rows import inside, read_rows
from newscrawl.page.sheets import page_styles
from newscrawl.page.styles import inline_style, is_gone
from newscrawl.page.tags import BLOCK_LEVEL, DROPPED, FORMATTING, HEADINGS, NAMES, TEXT_KIND, kinds_among
from newscrawl.page.unseen import find_opened, is_named_folded, mark_rows, unseen_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.page.rows import Rows

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]
    Finder = Callable[[], Collection[HtmlElement]]

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


class Measures:
    """Rows of the body's elements and non-blank text nodes, in document order.

    Arrays have shape ``(n,)`` and are worked out when first asked for. ``chars``, ``link_chars`` and ``links`` are
    sums over the row's subtree, itself included; characters leave white space out. Hidden text counts 0.

    :param finders: each gives elements that are hidden, with all that is in them, for some reason of its own; one
        that would hide nearly all of the page is not believed.
    """

    def __init__(self, rows: Rows, finders: Sequence[Finder] = (), sheets: Sequence[HtmlElement] = ()) -> None:
        self._rows = rows
        self._finders = finders
        self._sheets = sheets
        self.kinds = rows.kinds
        """The tag as a number: see :mod:`newscrawl.page.tags`."""
        self.truncated = rows.truncated
        """True if the page had more than ``MAX_NODES`` rows."""

    def __len__(self) -> int:
        return len(self.kinds)

    @cached_property
    def nodes(self) -> list[HtmlElement]:
        """The element of the row; for a text row, the element it stands in."""
        return self._rows.nodes

    @property
    def elements(self) -> list[HtmlElement]:
        """The elements that have rows, in their order; cheaper than ``nodes``."""
        return self._rows.elements

    @cached_property
    def shown(self) -> tuple[Ints, list[HtmlElement], list[str]]:
        """The rows with visible text that are elements, but for inline ones; their elements, and the classes of these.

        Several steps ask for the names of these.
        """
        rows = rows_where(_IS_SHOWN.take(self.kinds) & (self.chars > 0))
        number = np.cumsum(self.kinds != TEXT_KIND, dtype=np.int32).take(rows)
        elements = self.elements
        places = (number - 1).tolist()
        return rows, [elements[place] for place in places], [self._classes[place] for place in places]

    @cached_property
    def _classes(self) -> list[str]:
        """The classes of each element, in their order."""
        return [node.get("class", "") for node in self.elements]

    @property
    def body(self) -> HtmlElement:
        """The element of the first row, without walking the others; there must be one."""
        return self._rows.body

    @cached_property
    def tags(self) -> list[str]:
        """Tag; ``"#text"`` for a text row."""
        return self._rows.tags

    @cached_property
    def texts(self) -> list[str]:
        """The text of a text row, ``""`` for an element.

        As it stands in the markup, after a blank where only white space stood between it and the line's text before:
        the words of neighbouring elements stand apart.
        """
        texts = self._rows.texts
        apart = self._rows.apart
        if len(apart):
            rows = (self.kinds == TEXT_KIND).nonzero()[0]
            before = rows[np.searchsorted(rows, apart) - 1]  # the first text has no other before it: its own line
            texts = texts.copy()
            joined = {rest for _, rest in self._rows.initials}
            for row in apart[(before < apart) & (self.line[before] == self.line[apart])].tolist():
                texts[row] = texts[row] if row in joined else " " + texts[row]
        return texts

    @cached_property
    def parent(self) -> Ints:
        """Row of the parent; -1 for the first row."""
        return self._rows.parent

    @cached_property
    def end(self) -> Ints:
        """One past the last row of the subtree."""
        return self._rows.end

    @cached_property
    def line(self) -> Ints:
        """Number of the line a text row stands on; lines end at block-level tags and ``br``.

        For an element, the line that was open when it began.
        """
        breaks = self.rows_of(_BREAKS)
        change = np.bincount(self.end.take(breaks), minlength=len(self) + 1)
        change[breaks] += 1
        line: Ints = change[:-1].cumsum(dtype=np.int32)
        for row, rest in self._rows.initials:
            line[rest:] -= line[rest] - line[row]
            line[row:rest] = line[row]
        return line

    @cached_property
    def hidden(self) -> Bools:
        """True for rows of hidden elements and of marks beside the text, and for all below them."""
        hidden = np.zeros(len(self), dtype=np.bool_)
        marks = mark_rows(self.kinds, self.parent, self.end, self._rows.texts) if len(self) else []
        if marks:
            hidden = inside(np.array(marks, dtype=np.int32), self.end)
        for find in (self._hidden_nodes, self._unseen_nodes, *self._finders) if len(self) else ():
            nodes = find()
            if nodes:
                more = hidden | inside(self._rows.rows_of(nodes), self.end)
                if self._may_hide(more):
                    hidden = more
        return hidden

    def _may_hide(self, hidden: Bools) -> bool:
        """Tell whether enough of the page is left for a reader without these rows."""
        own = self._rows.own
        share = own[hidden].sum() / max(1, own.sum())
        if share <= MAX_BLIND_SHARE or share > MAX_HIDDEN_SHARE:
            return bool(share <= MAX_BLIND_SHARE)
        is_told = (own >= MIN_SHOWN) & ~inside(self.rows_of(_LINK | HEADINGS), self.end)
        return bool((is_told & ~hidden).any() or not (is_told & hidden).any())

    @cached_property
    def marked(self) -> list[HtmlElement]:
        """The elements with an attribute that may hide them, and those with a role."""
        return [node for node in self.elements if not _TELLING.isdisjoint(node.keys())]

    def _hidden_nodes(self) -> frozenset[HtmlElement]:
        """Return the elements that their own markup hides: ``hidden``, or an inline ``display: none``."""
        found = frozenset(filter(_is_hidden, self.marked))
        return found - find_opened(self.body, found)

    def _unseen_nodes(self) -> list[HtmlElement]:
        """Return what nobody sees, but for what holds much of the page's text: a script shows that."""
        nodes = frozenset(unseen_nodes(self.elements, self._classes, self.marked, page_styles(self._sheets)))
        closed = self.rows_of(_CLOSED).tolist()
        rows = self._rows.rows_of({node for node in nodes if not is_named_folded(node)} - find_opened(self.body, nodes))
        if not len(rows) and not closed:
            return []
        number = np.cumsum(self.kinds != TEXT_KIND, dtype=np.int32) - 1
        held = subtree_sums(self._rows.own, self.end)[rows]
        names = [self._classes[place] for place in number[rows].tolist()]
        together = Counter(dict.fromkeys(names, 0))
        for name, chars in zip(names, held.tolist(), strict=True):
            together[name] += chars
        most = MAX_UNSEEN_SHARE * self._rows.own.sum()
        rows = rows[
            [together[name] <= most if name else chars <= most for name, chars in zip(names, held, strict=True)]
        ]
        found = [self.elements[place] for place in number[[*rows.tolist(), *closed]].tolist()]
        return [node for node in found if node.tag != "dialog" or node.get("open") is None]

    @cached_property
    def own(self) -> Ints:
        """Characters of a visible text row; 0 for all others."""
        own: Ints = np.where(self.hidden, 0, self._rows.own)
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
        return rows_where(kinds_among(tags).take(self.kinds))

    def rows_among(self, nodes: Collection[HtmlElement]) -> Ints:
        """Return the rows of some elements; cheap for a few of them. Those without a row are left out."""
        return self._rows.rows_of(nodes)

    def is_shown(self, row: int) -> bool:
        """Tell whether a row is one of ``shown``."""
        return bool(_IS_SHOWN[self.kinds[row]] and self.chars[row] > 0)

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


def measure(root: HtmlElement | None, *finders: Finder, sheets: Sequence[HtmlElement] = ()) -> Measures:
    """Read the body of ``root`` (the whole tree where there is no body) once. O(nodes); never recursive.

    :param finders: of hidden elements, beside those that the page itself hides.
    :param sheets: its ``style`` elements.
    """
    if root is None:
        return Measures(read_rows(None, MAX_NODES))
    body = _body(root)
    rows = read_rows(body, MAX_NODES)
    if rows.own.sum() <= MAX_BARE and _show_unscripted(body):
        rows = read_rows(body, MAX_NODES)
    return Measures(rows, finders, sheets)


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


_NO_STRAYS: Final = DROPPED | {"head", "body"}


def rows_where(tests: Bools) -> Ints:
    """Return the numbers of the rows whose test is true."""
    return tests.nonzero()[0].astype(np.int32)


def subtree_sums(own: NDArray[Any], end: Ints) -> Ints:
    """Return for each row the sum of ``own`` over its subtree, itself included, by one prefix sum."""
    before = np.zeros(len(own) + 1, dtype=np.int32)
    own.cumsum(dtype=np.int32, out=before[1:])
    return before[end] - before[:-1]


def _is_hidden(node: HtmlElement) -> bool:
    style = node.get("style")
    if (style and is_gone(inline_style(style))) or node.get("hidden", "until-found") != "until-found":
        return not is_named_folded(node)
    return False


def element_descendants(measures: Measures) -> Ints:
    """Return the number of elements below each row, itself left out; 0 for a text row.

    Elements without rows (scripts and the like) do not count.
    """
    elements = (measures.kinds != TEXT_KIND).astype(np.int32)
    below: Ints = subtree_sums(elements, measures.end) - elements
    return below
