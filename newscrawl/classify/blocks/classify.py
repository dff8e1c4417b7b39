"""Blocks → main text, related links, other. Lines are judged first, then blocks by their lines and neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.classify.blocks.body import find_body
from newscrawl.page.segment import Block, BlockLabel, label_blocks, segment, with_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Floats, Lines
    from newscrawl.page.measures import Bools, Ints

MIN_BODY_SHARE: Final = 0.4
"""A block with at least this share of its text in the body is main text."""
MIN_SHARE_OF_BODY: Final = 0.3
"""A block that holds at least this share of the body is main text."""
STORY_WEIGHT: Final = 30.0
"""Least letters of a link that is another story's headline. Shorter ones may name sections or pages."""
STORY_WORDS: Final = 5
WORDY_WEIGHT: Final = 24.0
"""In scripts without vowels a headline is shorter: this many letters, if it also has ``STORY_WORDS`` words."""
MIN_STORIES: Final = 2
NEAR_BLOCKS: Final = 2
"""Neighbouring blocks of a list of stories, if each link is a block of its own. Dates may stand between."""
MIN_STORY_SHARE: Final = 0.3
"""Least share of a block's text in such links if it lists stories. Dates and openings may stand between."""
MAX_HEADING: Final = 30.0
"""Most letters of a text right before a list of stories that may be its heading."""
_LINK: Final = frozenset("a")


class BlockClassifier(Protocol):
    """Anything that labels the blocks of one page."""

    @property
    def reads_texts(self) -> bool:
        """Whether it needs the blocks' ``text``; otherwise ``bare_blocks`` will do."""

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        """Return the blocks, in the same order, with ``label`` and ``confidence`` set."""


class RuleClassifier:
    """Labels by the lines that rules take for body, without training."""

    reads_texts = False

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(find_body))


def label_by_lines(blocks: Sequence[Block], verdict: Verdict) -> tuple[Block, ...]:
    """Label blocks by the share of their text that the verdict takes; lists of story links are related."""
    return label_blocks(blocks, *_judgements(blocks, verdict)) if blocks else ()


def crawl_blocks(document: Document) -> tuple[Block, ...]:
    """Return the crawl's blocks: Algorithm 1 without loss of text."""
    return with_texts(document.once(bare_blocks), document)


def bare_blocks(document: Document) -> tuple[Block, ...]:
    """Return the crawl's blocks without their ``text``, which few pages need."""
    return segment(document, lossless=True, texts=False)


def places_in(blocks: Sequence[Block], rows: Ints, ends: Ints) -> NDArray[np.int64]:
    """Return for each subtree the place of the block that it begins in, or ends in; -1 where there is none.

    A block may be the text within a link.

    :param rows: rows of the measures, with the ``ends`` of their subtrees.
    """
    starts, stops = np.array([block.start for block in blocks]), np.array([block.end for block in blocks])
    first, last = (np.searchsorted(starts, at, side="right") - 1 for at in (rows, ends - 1))
    is_held = (first >= 0) & (rows < stops[first])
    return np.where(is_held, first, np.where((last >= 0) & (ends - 1 < stops[last]), last, -1))


def _judgements(blocks: Sequence[Block], body: Verdict) -> tuple[list[BlockLabel], list[float]]:
    """Return label and probability of each block."""
    if not len(body.features):
        return [BlockLabel.OTHER] * len(blocks), [0.5] * len(blocks)
    lines = body.features.lines
    line = np.repeat(np.arange(len(lines)), np.diff(lines.first))
    row_weight = lines.measures.chars[lines.rows] * (body.features.weight / np.maximum(lines.chars, 1))[line]
    starts, ends = np.array([block.start for block in blocks]), np.array([block.end for block in blocks])
    weight = _sums(row_weight, lines.rows, starts, ends)
    in_body = _sums(row_weight * body.is_body[line], lines.rows, starts, ends)  # a line may go through several blocks
    share = np.minimum(in_body / np.maximum(weight, 1.0), 1.0)
    is_main = (in_body > 0) & ((share >= MIN_BODY_SHARE) | (in_body >= MIN_SHARE_OF_BODY * in_body.sum()))
    is_list = _lists_stories(blocks, weight, row_weight, lines) & ~_in_head(starts, body)
    is_list[:-1] |= is_list[1:] & ~is_main[1:] & (weight[:-1] <= MAX_HEADING)
    labels = [
        BlockLabel.MAIN if in_main else BlockLabel.RELATED if in_list else BlockLabel.OTHER
        for in_main, in_list in zip(is_main.tolist(), is_list.tolist(), strict=True)
    ]
    return labels, np.where(is_main, np.maximum(share, 0.5), 1 - share).tolist()


def _in_head(starts: Ints, body: Verdict) -> Bools:
    """Tell which blocks above the text stand in boilerplate: menus, whose entries may be as long as headlines."""
    lines = body.features.lines
    line = np.minimum(np.searchsorted(lines.start, starts), len(lines) - 1)
    is_head: Bools = body.is_boilerplate[line] & (line < int(body.is_body.argmax()))
    return is_head


def _lists_stories(blocks: Sequence[Block], weight: Floats, row_weight: Floats, lines: Lines) -> Bools:
    """Tell which blocks are lists of story links: alone, or with others like them."""
    measures = lines.measures
    links = measures.rows_of(_LINK)
    ends = measures.end[links]
    own = _sums(row_weight, lines.rows, links, ends)
    place = places_in(blocks, links, ends)
    is_story = own >= STORY_WEIGHT
    for short in (~is_story & (own >= WORDY_WEIGHT)).nonzero()[0].tolist():
        words = " ".join(measures.texts[links[short] : ends[short]]).split()
        is_story[short] = len(words) >= STORY_WORDS
    is_story &= place >= 0
    n_stories = np.bincount(place[is_story], minlength=len(blocks))
    stories = np.bincount(place[is_story], weights=own[is_story], minlength=len(blocks))
    is_candidate = (n_stories > 0) & (stories >= MIN_STORY_SHARE * weight)
    n_near = np.convolve(is_candidate, np.ones(2 * NEAR_BLOCKS + 1))[NEAR_BLOCKS:-NEAR_BLOCKS]
    is_list: Bools = is_candidate & ((n_stories >= MIN_STORIES) | (n_near >= MIN_STORIES))
    return is_list


def _sums(values: Floats, rows: Ints, starts: Ints, ends: Ints) -> Floats:
    """Return the sums of the values of the texts at ``rows`` from each of ``starts`` to the one of ``ends``."""
    before = np.concatenate((np.zeros(1), values.cumsum()))
    sums: Floats = before[np.searchsorted(rows, ends)] - before[np.searchsorted(rows, starts)]
    return sums
