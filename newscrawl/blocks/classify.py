"""Blocks → main text, related links, other. Lines are judged first, then blocks by their lines and neighbours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.blocks.model import Block, BlockLabel
from newscrawl.blocks.segment import segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.features import Floats
    from newscrawl.dom.document import Document

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
    """Labels by rules over the lines of a block, without training."""

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        body = document.once(find_body)
        return tuple(
            replace(block, label=label, confidence=confidence)
            for block, (label, confidence) in zip(blocks, _judgements(blocks, body), strict=True)
        )


def classify(blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
    """Label ``blocks`` of ``document`` by rules."""
    return RuleClassifier().classify(blocks, document)


def crawl_blocks(document: Document) -> tuple[Block, ...]:
    """Return the blocks the crawl works on: Algorithm 1 without loss of text."""
    return segment(document, lossless=True)


def _judgements(blocks: Sequence[Block], body: Body) -> list[tuple[BlockLabel, float]]:
    if not blocks or not len(body.features):
        return [(BlockLabel.OTHER, 0.5)] * len(blocks)
    lines = body.features.lines
    starts = np.array([block.start for block in blocks])
    first = np.searchsorted(lines.start, starts)
    stop = np.searchsorted(lines.start, np.array([block.end for block in blocks]))
    free = _sums(body.features.free, first, stop)
    in_body = _sums(body.features.free * body.is_body, first, stop)
    weight = _sums(body.features.weight, first, stop)
    total = max(body.weight, 1.0)
    judged = []
    for number, block in enumerate(blocks):
        share = in_body[number] / max(free[number], 1.0)
        if in_body[number] and (share >= MIN_BODY_SHARE or in_body[number] >= MIN_SHARE_OF_BODY * total):
            judged.append((BlockLabel.MAIN, float(max(share, 0.5))))
        else:
            judged.append(_link_judgement(block, weight[number], share))
    return judged


def _link_judgement(block: Block, weight: float, body_share: float) -> tuple[BlockLabel, float]:
    """Tell blocks that list stories from all others."""
    link_share = block.n_link_chars / max(block.n_chars, 1)
    anchor = weight * link_share / max(block.n_links, 1)
    if block.n_links >= MIN_RELATED_LINKS and link_share >= RELATED_LINK_SHARE and anchor >= MIN_RELATED_ANCHOR:
        return BlockLabel.RELATED, link_share
    return BlockLabel.OTHER, 1 - body_share


def _sums(values: Floats, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Floats:
    before = np.concatenate((np.zeros(1), np.cumsum(values)))
    sums: Floats = before[stop] - before[first]
    return sums
