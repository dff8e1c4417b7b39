"""Line-block distribution: the text between steep rises and falls of the length of neighbouring lines.

The original: 陈鑫, 基于行块分布函数的通用网页正文抽取 (cx-extractor). The improved one: patent of 中山大学 (陈嘉锴,
戴宪华, 2022), 一种改进的基于行块分布函数的网页正文提取方法, which looks for the text's first and last line by the title
and by punctuation, and judges the very last line by its parent tag.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.dom.headline import page_title
from newscrawl.dom.text import fold_space
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.methods.source_lines import source_lines
from newscrawl.methods.title_text import TitleMatcher, core_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Ints
    from newscrawl.methods.source_lines import SourceLines

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
    """For each line, the characters of the block that begins there; 0 outside ``first … last``."""
    first: int
    last: int
    """Numbers of the first and last line that the text may take, both included; -1 for a page without lines."""
    spans: tuple[tuple[int, int], ...]
    """Lines of text, ``start … end - 1``, from a rise to the next fall."""


class OriginalLineBlockExtractor(PageExtractor):
    """cx-extractor's method.

    A rise is a block longer than ``threshold`` with the next two blocks not empty, a fall is two empty blocks.
    Lines are those of :func:`newscrawl.methods.source_lines.source_lines`: block-level tags end a line too, so
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
        text = "\n".join(fold_space(lines[n]) for n in self._checked(lines, found))
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

    def _checked(self, lines: SourceLines, found: list[int]) -> list[int]:
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
        matcher = TitleMatcher(core_title(page_title(document.root)), self.title_share)
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

    def _checked(self, lines: SourceLines, found: list[int]) -> list[int]:
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
