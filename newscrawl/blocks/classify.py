"""Blocks → main text, related links, other. Lines are judged first, then blocks by their lines and neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.blocks.model import Block, BlockLabel, labelled
from newscrawl.blocks.segment import segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.blocks.body import Body
    from newscrawl.dom.document import Document
    from newscrawl.dom.line_features import Floats

MIN_BODY_SHARE: Final = 0.4
"""A block with at least this share of its text in the body is main text."""
MIN_SHARE_OF_BODY: Final = 0.3
"""So is one that holds at least this share of the body."""
MIN_RELATED_LINKS: Final = 2
RELATED_LINK_SHARE: Final = 0.5
MIN_RELATED_ANCHOR: Final = 16.0
"""Mean weight of a link's text from which a block of links lists stories, not sections."""


class BlockClassifier(Protocol):
    """Anything that labels the blocks of one page."""

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        """Return the blocks, in the same order, with ``label`` and ``confidence`` set."""


class RuleClassifier:
    """Labels by the lines that rules take for body, without training."""

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(find_body))


def label_by_lines(blocks: Sequence[Block], body: Body) -> tuple[Block, ...]:
    """Label blocks by the share of their text that is body; beside it, blocks of links to stories are related."""
    judged = _judgements(blocks, body)
    return labelled(blocks, *zip(*judged, strict=True)) if judged else ()


def crawl_blocks(document: Document) -> tuple[Block, ...]:
    """Return the blocks the crawl works on: Algorithm 1 without loss of text."""
    return segment(document, lossless=True)


def _judgements(blocks: Sequence[Block], body: Body) -> list[tuple[BlockLabel, float]]:
    if not blocks or not len(body.features):
        return [(BlockLabel.OTHER, 0.5)] * len(blocks)
    weight, in_body = _weights(blocks, body)
    total = max(in_body.sum(), 1.0)
    is_list = _lists_stories(blocks, weight)
    judged = []
    for number, block in enumerate(blocks):
        share = min(1.0, float(in_body[number] / max(weight[number], 1.0)))
        if in_body[number] and (share >= MIN_BODY_SHARE or in_body[number] >= MIN_SHARE_OF_BODY * total):
            judged.append((BlockLabel.MAIN, max(share, 0.5)))
        elif is_list[number]:
            judged.append((BlockLabel.RELATED, block.n_link_chars / block.n_chars))
        else:
            judged.append((BlockLabel.OTHER, 1 - share))
    return judged


def _lists_stories(blocks: Sequence[Block], weight: Floats) -> list[bool]:
    """Tell blocks of links to stories: by themselves, or one link beside another where segmentation went that deep."""
    n_links = [max(block.n_links, int(block.n_link_chars > 0)) for block in blocks]
    is_candidate = [
        n > 0
        and block.n_link_chars >= RELATED_LINK_SHARE * block.n_chars
        and own * block.n_link_chars >= MIN_RELATED_ANCHOR * block.n_chars * n
        for block, n, own in zip(blocks, n_links, weight.tolist(), strict=True)
    ]
    around = [False, *is_candidate, False]
    return [
        candidate and (n >= MIN_RELATED_LINKS or around[number] or around[number + 2])
        for number, (candidate, n) in enumerate(zip(is_candidate, n_links, strict=True))
    ]


def _weights(blocks: Sequence[Block], body: Body) -> tuple[Floats, Floats]:
    """Return each block's weight, and that of its text on lines of the body; a line may go through several blocks."""
    features = body.features
    lines = features.lines
    line = np.repeat(np.arange(len(lines)), np.diff(lines.first))
    row_weight = lines.measures.chars[lines.rows] * (features.weight / np.maximum(lines.chars, 1))[line]
    first = np.searchsorted(lines.rows, np.array([block.start for block in blocks]))
    stop = np.searchsorted(lines.rows, np.array([block.end for block in blocks]))
    return _sums(row_weight, first, stop), _sums(row_weight * body.is_body[line], first, stop)


def _sums(values: Floats, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Floats:
    before = np.concatenate((np.zeros(1), np.cumsum(values)))
    sums: Floats = before[stop] - before[first]
    return sums
