"""Line-block distribution: the text between steep rises and falls of the length of neighbouring lines.

The original: 陈鑫, 基于行块分布函数的通用网页正文抽取 (cx-extractor). The improved one: patent of 中山大学 (陈嘉锴,
戴宪华, 2022), 一种改进的基于行块分布函数的网页正文提取方法, which looks for the text's first and last line by the title
and by punctuation, and judges the very last line by its parent tag.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from lxml import etree

from newscrawl.languages.text import fold_space
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.rows import is_ink
from newscrawl.page.tags import BLOCK_LEVEL, DROPPED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints

THRESHOLD: Final = 86
"""A rise begins at a block of more characters than this: the original's constant."""
BLOCK_LINES: Final = 3
"""A block is a line and the lines below it, so many together (K = 3 in both sources)."""
TITLE_SHARE: Final = 0.6
"""Least share of the title that a line has in common with it. Ours: the patent names no value."""
MIN_SENTENCE_MARKS: Final = 2
"""Least sentence marks of the last line of the text. Ours: the patent names no value."""

_SENTENCE_MARK: Final = re.compile("[。！？；，.!?;,]")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBlockCurve:
    """The line-block distribution of a page, as the patent's figure draws it."""

    lines: tuple[str, ...]
    """The page's lines, white space folded, blank ones included."""
    lengths: tuple[int, ...]
    """Characters of the block that begins at each line; 0 outside ``first … last``."""
    first: int
    last: int
    """Numbers of the first and last line that the text may take, both included; -1 for a page without lines."""
    spans: tuple[tuple[int, int], ...]
    """Lines of text, ``start … end - 1``, from a rise to the next fall."""


class OriginalLineBlockExtractor(PageExtractor):
    """cx-extractor's method.

    A rise is a block longer than ``threshold`` with the next two blocks not empty, a fall is two empty blocks.
    Lines are those of :func:`source_lines`: block-level tags end a line too, so
    that minified pages have lines (beyond the source).
    """

    name: ClassVar[str] = "lineblock_original"

    def __init__(self, *, threshold: int = THRESHOLD, block_lines: int = BLOCK_LINES) -> None:
        self.threshold = threshold
        self.block_lines = block_lines

    def extract(self, document: Document) -> Extraction:
        lines = source_lines(document.root)
        spans = self._spans(self._lengths(document, lines)[0])
        found = [start + n for start, end in spans for n in np.flatnonzero(lines.lengths[start:end]).tolist()]
        text = "\n".join(fold_space(lines[n]) for n in self._check(lines, found))
        return Extraction(text=text, method=self.name)

    def curve(self, document: Document) -> LineBlockCurve:
        """Return the distribution that the text is read from."""
        lines = source_lines(document.root)
        lengths, first, last = self._lengths(document, lines)
        return LineBlockCurve(
            lines=tuple(fold_space(lines[n]) for n in range(len(lines))),
            lengths=tuple(lengths.tolist()),
            first=first,
            last=last,
            spans=tuple(self._spans(lengths)),
        )

    def _lengths(self, document: Document, lines: SourceLines) -> tuple[Ints, int, int]:
        first, last = self.text_range(document, lines)
        lengths = block_lengths(lines.lengths, self.block_lines)
        lengths[:first] = 0
        lengths[last + 1 :] = 0
        return lengths, first, last

    def _spans(self, lengths: Ints) -> list[tuple[int, int]]:
        return text_spans(lengths, self.threshold)

    def text_range(self, document: Document, lines: SourceLines) -> tuple[int, int]:
        """Return the numbers of the first and the last line that the text may take: here, the whole page's."""
        return 0, len(lines) - 1

    def _check(self, lines: SourceLines, found: list[int]) -> list[int]:
        """Return the numbers of the lines of text after a last check; here there is none."""
        return found


class LineBlockExtractor(OriginalLineBlockExtractor):
    """The patent's method: the original between a first and a last line, and a check of the last line.

    The first line is the first from the top that has ``title_share`` of the title in common with it; the last is
    the first from the bottom that has, or that holds ``min_sentence_marks``; where there is none, or the last comes
    before the first, the page's own first and last line. Of the text found, the last line is dropped if its block-
    level element has another tag than that of the line before.
    """

    name: ClassVar[str] = "lineblock"

    def __init__(
        self,
        *,
        threshold: int = THRESHOLD,
        block_lines: int = BLOCK_LINES,
        title_share: float = TITLE_SHARE,
        min_sentence_marks: int = MIN_SENTENCE_MARKS,
        check_last_line: bool = True,
    ) -> None:
        super().__init__(threshold=threshold, block_lines=block_lines)
        self.title_share = title_share
        self.min_sentence_marks = min_sentence_marks
        self.check_last_line = check_last_line

    def text_range(self, document: Document, lines: SourceLines) -> tuple[int, int]:
        matcher = TitleMatcher(core_title(document.title), self.title_share)
        end = len(lines) - 1
        like_title = np.flatnonzero(lines.lengths >= matcher.min_chars).tolist() if matcher.min_chars else ()
        titled = next((n for n in like_title if matcher.matches(lines[n])), None)

        def is_last(n: int) -> bool:
            if len(_SENTENCE_MARK.findall(lines[n])) >= self.min_sentence_marks:
                return True
            may_match = titled is not None and n >= titled and lines.lengths[n] >= matcher.min_chars
            return may_match and matcher.matches(lines[n])

        last = next(filter(is_last, np.flatnonzero(lines.lengths)[::-1].tolist()), end)
        first = titled or 0
        return (first, last) if first <= last else (0, end)

    def _check(self, lines: SourceLines, found: list[int]) -> list[int]:
        if not self.check_last_line or len(found) < 2:
            return found
        before, last = found[-2:]
        return found if lines.container(before) == lines.container(last) else found[:-1]


def block_lengths(line_lengths: Sequence[int] | Ints, block_lines: int = BLOCK_LINES) -> Ints:
    """Return for each line the characters of the line and the ``block_lines - 1`` below it, shape ``(n,)``.

    >>> block_lengths([5, 0, 7, 1]).tolist()
    [12, 8, 8, 1]
    """
    own = np.array(line_lengths, dtype=np.int32)
    lengths = own.copy()
    for below in range(1, min(block_lines, len(own))):
        lengths[:-below] += own[below:]
    return lengths


def text_spans(lengths: Ints, threshold: int = THRESHOLD) -> list[tuple[int, int]]:
    """Return the half-open line ranges from each rise to the next fall, or to the end.

    >>> text_spans(np.array([0, 90, 10, 5, 0, 0, 99, 0]))
    [(1, 4)]
    """
    following = np.concatenate((lengths, np.zeros(2, dtype=lengths.dtype)))
    after, second = following[1:-1], following[2:]
    rises = np.flatnonzero((lengths > threshold) & (after > 0) & (second > 0))
    falls = np.flatnonzero((lengths == 0) & (after == 0))
    spans: list[tuple[int, int]] = []
    reached = 0
    for rise in rises.tolist():
        if rise >= reached:
            place = int(np.searchsorted(falls, rise))
            reached = int(falls[place]) if place < len(falls) else len(lengths)
            spans.append((rise, reached))
    return spans


MAX_TITLE_CHARS: Final = 300
STRIDE: Final = 32
"""After so many characters of a line each it is asked whether it has enough in common."""

_SEPARATOR: Final = re.compile(r"[_|｜│»«›‹·•—–]+|\s-+\s|--+")
_PUNCTUATION: Final = re.compile(r"[\W_]+")


def core_title(title: str) -> str:
    """Return the first 300 characters of ``title`` without the site's name and punctuation.

    The patent does not say how the site's name is found. Ours: of the parts between separators, the longest stays.

    >>> core_title("车企年报：44家“上涨”_新浪财经_新浪网")
    '车企年报44家上涨'
    """
    parts = (_PUNCTUATION.sub("", part) for part in _SEPARATOR.split(title[:MAX_TITLE_CHARS]))
    return max(parts, key=len)


class TitleMatcher:
    """Compares lines with one title.

    :param share: lines match whose longest common subsequence with the title has at least this share of the
        title's characters.
    """

    def __init__(self, title: str, share: float) -> None:
        self._least = share * len(title)
        self._length = len(title)
        self.min_chars = math.ceil(self._least)
        """A line with fewer characters cannot match; 0 if the title is empty, which no line matches."""
        self._masks: dict[str, int] = {}
        for place, char in enumerate(title):
            self._masks[char] = self._masks.get(char, 0) | 1 << place
        self._counts = {char: mask.bit_count() for char, mask in self._masks.items()}
        self._chars = frozenset(self._masks)

    def matches(self, line: str) -> bool:
        """Tell whether the line matches; never where the title is empty."""
        if not self._length or len(line) < self._least:
            return False
        # The subsequence has each character at most as often as the title has it.
        if sum(map(self._counts.__getitem__, self._chars.intersection(line))) < self._least:
            return False
        return self.common(line, self._least) >= self._least

    def common(self, line: str, enough: float = math.inf) -> int:
        """Return the length of the longest common subsequence, a word operation for each character of ``line``.

        Hyyrö (2004), "Bit-parallel LCS-length computation revisited": the zeros of ``row`` are its steps.

        :param enough: of a line that has so much in common, what its beginning has in common may be returned.
        """
        row = full = (1 << self._length) - 1
        found = 0
        for start in range(0, len(line), STRIDE):
            for mask in filter(None, map(self._masks.get, line[start : start + STRIDE])):
                hits = row & mask
                row = ((row + hits) | (row - hits)) & full
            found = self._length - row.bit_count()
            if found >= enough:
                break
        return found


_LINE_END: Final = "\u2028"
"""The end of a line that a tag makes."""
_END: Final = "\u2029"
"""Mark of the end of a block-level element, before its text."""
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
    """Return the lines of the page's body; one blank line for no page.

    In C, by one XSLT pass over the tree that leaves it as it is. Measured over lxml's parse of the same page (medians,
    100 corpus pages of 20 kB or more): this stylesheet 0.13, a walk over the nodes in Python 0.39, regular expressions
    over the serialised tree 0.75, over the page's source 0.8.
    """
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
