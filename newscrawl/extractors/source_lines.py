"""The lines of a page for line-block methods: in C, by one XSLT pass over the tree that leaves it as it is.

Of the ways to get them, measured over lxml's parse of the same page (medians, 100 corpus pages of 20 kB or more):
this stylesheet 0.15, a walk over the nodes in Python 0.39, regular expressions over the serialised tree 0.75, over
the page's source 0.8; the source is not always at hand either, the tree is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from lxml import etree

from newscrawl.dom.measures import measure
from newscrawl.dom.tags import BLOCK_LEVEL, DROPPED

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MARK: Final = "\ufdd0"
"""A code point that Unicode assigns to no character. In a page that holds it all the same, a container may be named
wrongly, no more."""
_TAG_LINE_END: Final = "\ufdd1"
_DOUBLE_LINE_END: Final = re.compile(f"{_TAG_LINE_END}[ \t]*\n")

_SHEET: Final = """
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:template match="{dropped}|comment()|processing-instruction()"/>
<xsl:template match="br"><xsl:text>{line_end}</xsl:text></xsl:template>
<xsl:template match="{blocks}"
  >{begin}<xsl:text>{line_end}</xsl:text><xsl:apply-templates/>{end}<xsl:text>{line_end}</xsl:text></xsl:template>
</xsl:stylesheet>
"""


def source_lines(root: HtmlElement | None) -> list[str]:
    """Return the lines of the page's body, blank ones included; ``[]`` for no page.

    A line ends at every newline of the source, at every ``br``, and where a block-level element begins or ends; the
    newline that follows such a tag ends no second line. Elements whose text no reader sees (scripts, styles, form
    controls …) are left out, comments too.
    """
    if root is None:
        return []
    return _transformed(root, marked=False).split("\n")


def container_tags(root: HtmlElement, wanted: list[int]) -> list[str]:
    """Return, for each number of a line of :func:`source_lines`, the block-level element the line stands in.

    ``""`` where it stands in none.
    """
    lines = _transformed(root, marked=True).split("\n")
    return [_container(lines, number) for number in wanted]


def _container(lines: list[str], number: int) -> str:
    """Go up the lines to the nearest one that ended at the begin of a block whose end has not been passed."""
    ended = 0
    for line in reversed(lines[:number]):
        if not line.endswith(MARK):
            continue
        tag = line.rsplit(MARK, 2)[1]
        if not tag:
            ended += 1
        elif ended:
            ended -= 1
        else:
            return tag
    return ""


def _transformed(root: HtmlElement, *, marked: bool) -> str:
    body = root.find("body")
    try:
        text = str(_stylesheet(marked)(root if body is None else body)).replace("\r", "")
    except etree.XSLTApplyError:  # some 3,000 levels: no parser of ours builds such a tree
        return "\n".join(measure(root).texts)
    return _DOUBLE_LINE_END.sub("\n", text).replace(_TAG_LINE_END, "\n")


@cache
def _stylesheet(marked: bool) -> etree.XSLT:  # noqa: FBT001 (cached on its value)
    sheet = _SHEET.format(
        dropped="|".join(sorted(DROPPED)),
        blocks="|".join(sorted(BLOCK_LEVEL)),
        line_end=_TAG_LINE_END,
        begin=f'<xsl:text>{MARK}</xsl:text><xsl:value-of select="name()"/><xsl:text>{MARK}</xsl:text>'
        if marked
        else "",
        end=f"<xsl:text>{MARK}{MARK}</xsl:text>" if marked else "",
    )
    return etree.XSLT(etree.XML(sheet.encode()))
