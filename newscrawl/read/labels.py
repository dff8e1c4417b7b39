"""A user's own labels as the judge of a page: the text is what blocks labelled main hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newscrawl.classify.blocks.classify import places_in
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.structure import take_labels
from newscrawl.classify.verdict import EVEN
from newscrawl.segment.model import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.segment.model import Block


def judge_by_labels(verdict: Verdict, document: Document, blocks: Sequence[Block]) -> Verdict:
    """Return the verdict of the labels: the lines of the blocks labelled main.

    A page without lines, or on which no block is main, is left to the verdict given.
    """
    page = document.once(page_lines) if any(block.label is BlockLabel.MAIN for block in blocks) else None
    if page is None:
        return verdict
    lines = page.lines
    place = places_in(blocks, lines.start, lines.start + 1)
    main = np.array([_main_probability(block) for block in blocks], dtype=np.float32)
    probabilities = np.where(place < 0, np.float32(0), main[place])
    return take_labels(verdict, page, probabilities, probabilities > EVEN)


def _main_probability(block: Block) -> float:
    """Return the probability that a block is main text; a label alone stands on its side of one half."""
    if block.label is BlockLabel.MAIN:
        return max(block.confidence, EVEN + 0.01)
    return min(1 - block.confidence, EVEN)
