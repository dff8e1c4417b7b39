"""The lines of a page for line-block methods: in C, by one XSLT pass over the tree that leaves it as it is.

Of the ways to get them, measured over lxml's parse of the same page (medians, 100 corpus pages of 20 kB or more):
this stylesheet 0.13, a walk over the nodes in Python 0.39, regular expressions over the serialised tree 0.75, over
the page's source 0.8; the source is not always at hand either, the tree is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from lxml import etree

from newscrawl.dom.measures import measure
from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LINE_END: Final = "\u2028"
"""The end of a line that a tag makes."""
_END: Final = "\u2029"
"""Stands before it at the end of a block-level element."""
_SPACES: Final = [chr(code) for code in range(0x2000, 0x200B)]
_TAG_OF: Final = dict(zip((one + other for one in _SPACES for other in _SPACES), sorted(BLOCK_LEVEL), strict=False))
"""Stand before it at the begin of an element: two spaces of odd width, so that marks count as white space and need no
taking out. A page that ends a line with two of them may have a container named wrongly, no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLines:
    """A page's lines, blank ones included.

    A line ends at every newline of the source, at every ``br``, and where a block-level element begins or ends; a
    newline right after such a tag ends no second line. Elements whose text no reader sees (scripts, styles, form
    controls …) are left out, comments too.
    """

    lines: list[str]
    """With white space, as in the source; at the end of a line that a tag ended, the tag's mark, white space too."""

    def container(self, number: int) -> str:
        """Return the tag of the block-level element that a line stands in; ``""`` if it stands in none.

        Goes up the lines to the nearest one that ended at the begin of an element whose end has not been passed.
        """
        ended = 0
        for line in reversed(self.lines[:number]):
            if line.endswith(_END):
                ended += 1
            elif line[-2:] in _TAG_OF:
                if not ended:
                    return _TAG_OF[line[-2:]]
                ended -= 1
        return ""


def source_lines(root: HtmlElement | None) -> SourceLines:
    """Return the lines of the page's body; none for no page."""
    if root is None:
        return SourceLines(lines=[])
    body = root.find("body")
    try:
        text = str(_stylesheet()(root if body is None else body))
    except etree.XSLTApplyError:  # some 3,000 levels: no parser of ours builds such a tree
        text = "\n".join(measure(root).texts)
    text = text.replace("\r", "").replace(f"{_LINE_END}\n", "\n").replace(_LINE_END, "\n")
    return SourceLines(lines=text.split("\n"))


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
