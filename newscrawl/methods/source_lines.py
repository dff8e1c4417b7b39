"""The lines of a page for line-block methods: in C, by one XSLT pass over the tree that leaves it as it is.

Of the ways to get them, measured over lxml's parse of the same page (medians, 100 corpus pages of 20 kB or more):
this stylesheet 0.13, a walk over the nodes in Python 0.39, regular expressions over the serialised tree 0.75, over
the page's source 0.8; the source is not always at hand either, the tree is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from newscrawl.dom.rows import is_ink
from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from newscrawl.dom.measures import Ints

_LINE_END: Final = "\u2028"
"""The end of a line that a tag makes."""
_END: Final = "\u2029"
"""Stands before it at the end of a block-level element."""
_SPACES: Final = [chr(code) for code in range(0x2000, 0x200B)]
_TAG_OF: Final = dict(zip((one + other for one in _SPACES for other in _SPACES), sorted(BLOCK_LEVEL), strict=False))
"""Stand before it at the begin of an element: two spaces of odd width, so that marks count as white space and need no
taking out. A page that ends a line with two of them may have a container named wrongly, no more."""


class SourceLines:
    """A page's lines, blank ones included.

    A line ends at every newline of the source, at every ``br``, and where a block-level element begins or ends; a
    newline right after such a tag ends no second line. Elements whose text no reader sees (scripts, styles, form
    controls …) are left out, comments too.

    :param text: the page's text; ``""`` is one blank line.
    """

    def __init__(self, text: str) -> None:
        if "\r" in text:
            text = text.replace("\r", "")
        self._text = text
        codes = np.frombuffer((text + "\n").encode("utf-32-le", "replace"), dtype=np.uint32)
        ends = np.flatnonzero((codes == ord(_LINE_END)) | (codes == ord("\n")))
        is_newline = codes[ends] == ord("\n")
        # a newline right after the end that a tag made goes with it; the very last one is not the page's
        goes = is_newline[1:] & ~is_newline[:-1] & (ends[1:] == ends[:-1] + 1) & (ends[1:] < len(text))
        stops, nexts = ends[np.append([True], ~goes)], (ends + 1)[np.append(~goes, [True])]
        starts = np.append([0], nexts[:-1])
        self.lengths: Ints = np.add.reduceat(is_ink(codes), starts, dtype=np.int32)
        """Characters of each line, white space left out; shape ``(n,)``."""
        self._starts: list[int] = starts.tolist()
        self._stops: list[int] = stops.tolist()

    def __len__(self) -> int:
        return len(self._stops)

    def __getitem__(self, number: int) -> str:
        """Return a line with its white space; at the end of one that a tag ended, the tag's mark, white space too."""
        return self._text[self._starts[number] : self._stops[number]]

    def container(self, number: int) -> str:
        """Return the tag of the block-level element that a line stands in; ``""`` if it stands in none.

        Goes up the lines to the nearest one that ended at the begin of an element whose end has not been passed.
        """
        ended = 0
        text = self._text
        for stop in reversed(self._stops[:number]):
            if text.endswith(_END, 0, stop):
                ended += 1
            elif text[max(stop - 2, 0) : stop] in _TAG_OF:
                if not ended:
                    return _TAG_OF[text[stop - 2 : stop]]
                ended -= 1
        return ""


def source_lines(root: HtmlElement | None) -> SourceLines:
    """Return the lines of the page's body; one blank line for no page."""
    if root is None:
        return SourceLines("")
    body = next((child for child in root if child.tag == "body"), root)
    try:
        return SourceLines(str(_stylesheet()(body)))
    except etree.XSLTApplyError:  # some 3,000 levels: no parser of ours builds such a tree
        return SourceLines("\n".join(body.itertext()))


_SHEET: Final = """
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:template match="{dropped}|comment()|processing-instruction()"/>
<xsl:template match="br">{line_end}</xsl:template>
{blocks}
</xsl:stylesheet>
"""
_BLOCK: Final = '<xsl:template match="{tag}">{begin}{line_end}<xsl:apply-templates/>{end}{line_end}</xsl:template>'


@cache
def _stylesheet() -> etree.XSLT:
    blocks = (_BLOCK.format(tag=tag, begin=mark, end=_END, line_end=_LINE_END) for mark, tag in _TAG_OF.items())
    sheet = _SHEET.format(dropped="|".join(sorted(DROPPED)), line_end=_LINE_END, blocks="\n".join(blocks))
    return etree.XSLT(etree.XML(sheet.encode()))
