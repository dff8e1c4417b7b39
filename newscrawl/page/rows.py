"""The rows of a subtree: elements and non-blank texts in document order.

They are read with numpy off its marked text, one string made in C: a mark, one character, stands for each begin and end
of an element.

Walking the nodes in Python costs 0.6 of lxml's parse of the same page, this stylesheet 0.2 (medians, 40 corpus pages
of 20 kB or more).
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from lxml import etree

from newscrawl.languages.characters import SOFT_HYPHEN, decoded, plain
from newscrawl.page.tags import DROPPED, KIND_OF, NAMES, OTHER_KIND, TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from collections.abc import Collection

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.page.tags import Bools, Kinds

    Ints = NDArray[np.int32]

FIRST_MARK: Final = 0x10FF00
"""Marks are the last characters of the last private-use plane. A begin is ``FIRST_MARK`` plus the tag's kind; that of
an element without a kind of its own is followed by its name and ``NOTE``."""
END: Final = 0
"""End of an element, as a number above ``FIRST_MARK`` like those below. No element has the kind of text."""
DROP: Final = 0xFE
"""Stands for an element without a row, once for each element in it too."""
NOTE: Final = 0xFF
"""Stands for a comment or processing instruction."""
_MARK: Final = re.compile(f"[{chr(FIRST_MARK)}-{chr(FIRST_MARK + NOTE)}]")
_CODE: Final = re.compile("|".join(chr(FIRST_MARK + KIND_OF[tag]) for tag in ("code", "pre", "samp", "xmp")))
_UNSET: Final = re.compile(f"{_MARK.pattern}|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Marks, and what a page may have in its texts and lxml refuses to be given."""

_LAST_SPACE: Final = 0x3000
_IS_INK: Final = np.array([not chr(code).isspace() and code != 0 for code in range(_LAST_SPACE + 2)], dtype=np.int32)
"""1 for a code point that counts as a character, 0 for white space and NUL; the last stands for all beyond."""
_NAMES: Final = np.array(NAMES, dtype=np.object_)
_STEPS: Final = np.array([-1, *[1] * (len(NAMES) - 1), *[0] * (256 - len(NAMES))], dtype=np.int8)
"""Mark → how many levels it goes down."""


MAX_BEHIND: Final = 4
"""Rows between a first letter and the rest of its word."""
_HOLDS: Final = kinds_among(frozenset(("div", "p", "section", "figure", "aside", "center")))


def is_ink(codes: NDArray[np.uint32]) -> Ints:
    """Return 1 for each code point that counts as a character, 0 for white space."""
    return _IS_INK.take(codes, mode="clip")


def _marked(body: HtmlElement | None) -> tuple[list[HtmlElement], str]:
    """Return the elements of ``body``, and its text with a mark for each; both are empty for no body, and for trees of
    some 3,000 levels, which no parser of ours builds.
    """
    if body is None:
        return [], ""
    try:
        text = plain(str(_stylesheet()(body)).replace(SOFT_HYPHEN, ""))
    except etree.XSLTApplyError:
        return [], ""
    return list(body.iter(etree.Element)), text if _CODE.search(text) else decoded(text)


def _clean(body: HtmlElement) -> None:
    for node in body.iter():
        if isinstance(node.tag, str) and _MARK.search(node.tag):
            node.tag = "unknown"
        for name in ("text", "tail"):
            text = getattr(node, name)
            if text and _MARK.search(text):
                setattr(node, name, _UNSET.sub("", text))


class Rows:
    """Rows of a marked text: elements, and texts that are not blank, in document order.

    Of the attributes with an underscore, arrays have an entry for each mark, in order.

    :param walked: the elements that are marked, those without a row among them.
    """

    def __init__(self, walked: list[HtmlElement], text: str, *, truncated: bool = False) -> None:
        self.truncated = truncated
        """True if the page had more rows than were asked for."""
        self._walked = walked
        self._text = text
        codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        self._at = (codes >= FIRST_MARK).nonzero()[0]
        self._marks = codes[self._at].astype(np.uint8)  # the last byte of a mark is its number
        self._step = _STEPS.take(self._marks)
        counts = np.bincount(self._marks, minlength=256).tolist()
        n_begun = sum(counts[OTHER_KIND : len(NAMES)])
        is_known = counts[END] == n_begun and not sum(counts[len(NAMES) : DROP])
        self.is_sound = is_known and n_begun + counts[DROP] == len(walked)
        """Whether all marks are ours, none the page's: as many as elements. A stray note does no harm."""
        chars = np.add.reduceat(is_ink(codes), self._at)  # a mark counts 1
        if counts[OTHER_KIND]:
            chars[self._marks == OTHER_KIND] = 1  # a name follows, no text
        # each begin has a row, and each mark with text behind it another
        begins, has_text = self._step > 0, chars > 1
        n_rows = np.cumsum(begins.view(np.int8) + has_text.view(np.int8), dtype=np.int32)
        self._begins, self._texts = begins.nonzero()[0], has_text.nonzero()[0]
        self._element_rows = n_rows[self._begins] - 1 - has_text[self._begins]
        self._text_rows = n_rows[self._texts] - 1
        self._n_rows = n_rows  # as many rows as there are up to each mark, its text included
        self.ink: Ints = np.zeros(n_rows.max(initial=0), dtype=np.int32)
        """Characters of a text row, hidden or not, without white space; 0 for an element."""
        self.ink[self._text_rows] = chars[self._texts] - 1
        self.kinds: Kinds = np.zeros(len(self.ink), dtype=np.uint8)
        """The tag as a number: see :mod:`newscrawl.page.tags`."""
        self.kinds[self._element_rows] = self._marks[self._begins]
        if self.is_sound:
            self._set_tree()

    @classmethod
    def read(cls, body: HtmlElement | None, max_rows: int) -> Self:
        """Return the rows of ``body``, at most ``max_rows``.

        A page's own characters that could be taken for marks are taken out of its tree.
        """
        rows = cls(*_marked(body))
        if not rows.is_sound and body is not None:
            _clean(body)
            rows = cls(*_marked(body))
        if not rows.is_sound:
            return cls([], "")
        return rows if len(rows.kinds) <= max_rows else rows.cut(max_rows)

    def _set_tree(self) -> None:
        """Set the parent and the end of each row: begins and ends of one depth take turns, each pair an element."""
        depth = self._step.cumsum(dtype=np.int32)
        tags = self._step.nonzero()[0]
        level = depth[tags] + (self._step[tags] < 0)
        by_depth = tags[np.argsort(level.astype(np.uint16), kind="stable")]
        begun, ended = by_depth[::2], by_depth[1::2]
        row_at = np.empty(len(self._marks), dtype=np.int32)  # of the element that a mark begins
        row_at[self._begins] = self._element_rows
        self.end: Ints = np.arange(1, len(self.kinds) + 1, dtype=np.int32)
        """One past the last row of the subtree."""
        self.end[row_at[begun]] = self._n_rows[ended - 1]
        # the parent is the last element begun before the row, one level up
        stride = len(self._marks)
        place = depth.astype(np.int64) * stride + np.arange(stride)
        sought = np.empty(len(self.kinds), dtype=np.int64)
        sought[self._element_rows] = place[self._begins] - stride
        sought[self._text_rows] = place[self._texts]
        self.parent: Ints = row_at[begun[np.searchsorted(place[begun], sought, side="right") - 1]]
        """Row of the parent; -1 for the first row."""
        self.parent[:1] = -1

    def cut(self, max_rows: int) -> Self:
        """Return the first rows, at most ``max_rows``."""
        n_marks = int(np.searchsorted(self._n_rows, max_rows, side="right"))
        step, marks = self._step[:n_marks], self._marks[:n_marks]
        n_elements = int(np.count_nonzero((step > 0) | (marks == DROP)))
        ends = chr(FIRST_MARK + END) * int(step.sum())
        return type(self)(self._walked[:n_elements], self._text[: self._at[n_marks]] + ends, truncated=True)

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def body(self) -> HtmlElement:
        """The element of the first row, without walking the others; there must be one."""
        return self._walked[0]

    @cached_property
    def tags(self) -> list[str]:
        """Tag; ``"#text"`` for a text row."""
        tags: list[str] = _NAMES.take(self.kinds).tolist()
        others = (self._marks == OTHER_KIND).nonzero()[0]
        rows = self._element_rows[np.searchsorted(self._begins, others)]
        for row, span in zip(rows.tolist(), self._spans(others), strict=True):
            tags[row] = self._text[slice(*span)]
        return tags

    @cached_property
    def pieces(self) -> list[str]:
        """The text of a text row as it stands in the markup; ``""`` for an element."""
        pieces = [""] * len(self.kinds)
        text = self._text
        for row, (start, stop) in zip(self._text_rows.tolist(), self._spans(self._texts), strict=True):
            pieces[row] = text[start:stop]
        return pieces

    @property
    def apart(self) -> Ints:
        """Rows of texts with a blank text, which has no row, between them and the text before."""
        behind = np.zeros(len(self._at), dtype=np.bool_)
        np.greater(self._at[1:] - self._at[:-1], 1, out=behind[:-1])  # the last mark ends the whole: no text follows
        behind[self._texts] = False
        behind[self._marks == OTHER_KIND] = False  # a name, no text
        n_blank = behind.cumsum().take(self._texts)
        is_apart = n_blank > 0
        np.greater(n_blank[1:], n_blank[:-1], out=is_apart[1:])
        rows: Ints = self._text_rows[is_apart]
        return rows

    def _spans(self, marks: NDArray[Any]) -> zip[tuple[int, int]]:
        """Return start and end of the text after each mark; none is the last, which ends the whole."""
        return zip((self._at[marks] + 1).tolist(), self._at[marks + 1].tolist(), strict=True)

    @cached_property
    def nodes(self) -> list[HtmlElement]:
        """The element of the row; for a text row, the element it stands in."""
        is_element = self.kinds != TEXT_KIND
        number = is_element.cumsum() - 1
        number = np.where(is_element, number, number[self.parent])
        nodes: list[HtmlElement] = np.fromiter(self.elements, dtype=np.object_).take(number).tolist()
        return nodes

    @cached_property
    def elements(self) -> list[HtmlElement]:
        """The elements that have rows, in their order; cheaper than ``nodes``."""
        step = self._step[(self._step > 0) | (self._marks == DROP)]  # of the elements of the tree in its order
        return list(compress(self._walked, step.tolist()))

    @cached_property
    def initials(self) -> list[tuple[int, int]]:
        """The rows of first letters that stand large in a block of their own, and of the texts that go on with a small
        letter behind them, in one element: both are one word.
        """
        found = []
        for row in (self.ink == 1).nonzero()[0].tolist():
            letter, above = self.pieces[row].strip(), int(self.parent[row])
            if not letter.isupper() or above <= 0 or not _HOLDS[self.kinds[above]]:
                continue
            behind = range(row + 1, min(row + MAX_BEHIND, len(self.kinds)))
            rest = next((at for at in behind if self.pieces[at].strip()), 0)
            is_near = rest and self.end[above] <= rest < self.end[self.parent[above]]
            if is_near and self.pieces[rest].lstrip()[0].islower():
                found.append((row, rest))
        return found

    def rows_among(self, nodes: Collection[HtmlElement]) -> Ints:
        """Return the rows of some elements; cheap for a few of them. Those without a row are left out."""
        if not nodes:
            return np.zeros(0, dtype=np.int32)
        of = self._row_of
        return np.array(sorted({of[node] for node in nodes if node in of}), dtype=np.int32)

    @cached_property
    def _row_of(self) -> dict[HtmlElement, int]:
        return dict(zip(self.elements, (self.kinds != TEXT_KIND).nonzero()[0].tolist(), strict=True))


_SHEET: Final = """
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:template match="comment()|processing-instruction()">{note}</xsl:template>
<xsl:template match="{dropped}"><xsl:for-each select="descendant-or-self::*">{drop}</xsl:for-each></xsl:template>
{known}
<xsl:template match="*">{other}<xsl:if test="namespace-uri()">{{<xsl:value-of select="namespace-uri()"/>}}</xsl:if>
<xsl:choose><xsl:when test="namespace-uri()"><xsl:value-of select="local-name()"/></xsl:when>
<xsl:otherwise><xsl:value-of select="name()"/></xsl:otherwise></xsl:choose><xsl:text>{note}</xsl:text>
<xsl:apply-templates/>{end}</xsl:template>
</xsl:stylesheet>
"""
_KNOWN: Final = '<xsl:template match="{tag}">{begin}<xsl:apply-templates/>{end}</xsl:template>'


@cache
def _stylesheet() -> etree.XSLT:
    end = chr(FIRST_MARK + END)
    known = "\n".join(
        _KNOWN.format(tag=tag, begin=chr(FIRST_MARK + kind), end=end)
        for kind, tag in enumerate(NAMES)
        if kind > OTHER_KIND
    )
    sheet = _SHEET.format(
        note=chr(FIRST_MARK + NOTE),
        drop=chr(FIRST_MARK + DROP),
        other=chr(FIRST_MARK + OTHER_KIND),
        dropped="|".join(sorted(DROPPED)),
        known=known,
        end=end,
    )
    return etree.XSLT(etree.XML(sheet))


def inside(roots: NDArray[Any], end: Ints) -> Bools:
    """Tell for each row whether it stands in the subtree of one of ``roots``, the roots themselves included."""
    change = np.bincount(roots, minlength=len(end) + 1)
    change -= np.bincount(end[roots], minlength=len(end) + 1)
    result: Bools = change[:-1].cumsum() > 0
    return result
