"""The strategies to compare with: breadth-first, random, anchor text, block order, and the last two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.focus.score.url import hash_of
from newscrawl.links.model import LinkPosition

if TYPE_CHECKING:
    from newscrawl.focus.keywords import KeywordMatcher
    from newscrawl.focus.score.view import PageView, SeenLink

_MASK: Final = 0xFFFFFFFF
BLOCK_TIERS: Final = {LinkPosition.IN_BODY: 2, LinkPosition.ADJACENT: 1, LinkPosition.ELSEWHERE: 0}
"""The order of Zhang, Cao, Li (2015), §5.4: links of main text blocks, then of blocks of related links, then others."""


def breadth(_seen: SeenLink, page: PageView) -> float:
    """Return ``1 / (1 + d)``, d the link's own depth: pages nearer to the seeds first, in the order they were found."""
    return 1.0 / (2.0 + page.depth)


def anchor_text(seen: SeenLink, matcher: KeywordMatcher) -> float:
    """Return ``s = m / (m + 1)``, m the summed weights of the topic's different keywords in the anchor text.

    ATA: best-first by similarity of the anchor text to the topic; 0 without a keyword, 0.5 for one of weight 1.
    """
    mentioned = matcher.distinct_weight(seen.link.anchor)
    return mentioned / (mentioned + 1.0)


def block_order(seen: SeenLink, _page: PageView) -> float:
    """Return the block tier over 3; within a tier links are taken in the order they were found."""
    return BLOCK_TIERS[seen.link.position] / 3.0


def anchor_in_block_order(seen: SeenLink, matcher: KeywordMatcher) -> float:
    """Return ``(tier + s) / 3``: the block order, and anchor text within a tier (the paper's KNNLP+SVM+ATA)."""
    return (BLOCK_TIERS[seen.link.position] + anchor_text(seen, matcher)) / 3.0


def at_random(seen: SeenLink, seed: int) -> float:
    """Return a number in 0..1 for an address: the same in every run with the same seed, whatever the order."""
    x = (hash_of(seen.link.url) ^ (seed * 0x9E3779B1)) & _MASK
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & _MASK
    x = ((x ^ (x >> 15)) * 0x846CA68B) & _MASK
    return (x ^ (x >> 16)) / _MASK
