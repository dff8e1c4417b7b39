"""Blocks → main text, related links, other. Lines are judged first, then blocks by their lines and neighbours.

Rules that judge lines without training stand here, too: the body is the subtree with most sentences and fewest links
and fragments, line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.classify.verdict import Speaker, Verdict
from newscrawl.page.lines import find_boilerplate, find_headline, line_features, span_sums, sum_subtrees
from newscrawl.page.segment import Block, BlockLabel, label_blocks, segment, with_texts
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.lines import Floats, LineFeatures, Lines
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
    features, lines = verdict.features, verdict.features.lines
    if not blocks or not len(features):
        return label_blocks(blocks, repeat(BlockLabel.OTHER), repeat(0.5))
    line = np.repeat(np.arange(len(lines)), np.diff(lines.first))
    row_weight = lines.measures.chars[lines.rows] * (features.weight / np.maximum(lines.chars, 1))[line]
    starts, ends = np.array([block.start for block in blocks]), np.array([block.end for block in blocks])
    texts = lines.rows.searchsorted(starts), lines.rows.searchsorted(ends)
    weight = span_sums(row_weight, *texts)
    in_body = span_sums(row_weight * verdict.is_body[line], *texts)  # a line may go through several
    share = np.minimum(in_body / np.maximum(weight, 1.0), 1.0)
    is_main = (in_body > 0) & ((share >= MIN_BODY_SHARE) | (in_body >= MIN_SHARE_OF_BODY * in_body.sum()))
    # boilerplate above the text are menus, whose entries may be as long as headlines
    first = np.minimum(np.searchsorted(lines.start, starts), len(lines) - 1)
    is_head = verdict.is_boilerplate[first] & (first < int(verdict.is_body.argmax()))
    is_list = _lists_stories(blocks, weight, row_weight, lines) & ~is_head
    is_list[:-1] |= is_list[1:] & ~is_main[1:] & (weight[:-1] <= MAX_HEADING)
    labels = [
        BlockLabel.MAIN if in_main else BlockLabel.RELATED if in_list else BlockLabel.OTHER
        for in_main, in_list in zip(is_main.tolist(), is_list.tolist(), strict=True)
    ]
    return label_blocks(blocks, labels, np.where(is_main, np.maximum(share, 0.5), 1 - share).tolist())


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


def _lists_stories(blocks: Sequence[Block], weight: Floats, row_weight: Floats, lines: Lines) -> Bools:
    """Tell which blocks are lists of story links: alone, or with others like them."""
    measures = lines.measures
    links = measures.rows_of(_LINK)
    ends = measures.end[links]
    own = span_sums(row_weight, lines.rows.searchsorted(links), lines.rows.searchsorted(ends))
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


FRAGMENT_COST: Final = 12.0
"""Cost of a line that is neither prose nor links, for its container. Letters."""
FREE_FRAGMENT_WEIGHT: Final = 60.0
"""Weight from which a fragment costs nothing: items of lists are text too."""
LINK_LINE_COST: Final = 8.0
MAX_LINK_LINE_WEIGHT: Final = 60.0
"""Most weight that a line of links costs, beside ``LINK_LINE_COST``."""
MIN_PARAGRAPH_WEIGHT: Final = 30.0
"""Least weight of a line beside prose, without sentence marks, that is a paragraph and no credit or label."""
PARAGRAPHS: Final = frozenset(("p", "li", "blockquote"))
WIDER_GAIN: Final = 1.15
MAX_WIDENING: Final = 3
"""Wider elements around the container that are tried."""
NEAR_LINES: Final = 10
FAR_LINES: Final = 25.0
"""Lines without prose between headline and text from which the text counts half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledBody(Verdict):
    """Verdict by rules, without training."""

    container: int = -1
    """Row of the subtree that the rules chose; -1 where the page has no line."""


def find_body(document: Document) -> RuledBody:
    """Choose the container and its lines by rules; an empty body for a page without prose."""
    features = document.once(line_features)
    headline, is_boilerplate = document.once(find_headline), document.once(find_boilerplate)
    body = partial(RuledBody, by=Speaker.METHOD, features=features, headline=headline, is_boilerplate=is_boilerplate)
    if not len(features):
        return body(is_body=is_boilerplate)
    gains = _gains(features, is_boilerplate)
    weighted = gains * _nearness(features, headline, is_boilerplate)
    sums = sum_subtrees(features, weighted)
    deepest = len(sums) - 1 - int(np.argmax(sums[::-1]))  # of nested rows with the greatest gain
    container, inside = _widened(features, weighted, deepest)
    keep = inside & ~is_boilerplate & ~features.is_links
    return body(container=container, is_body=_body_lines(keep, features, headline))


def _gains(features: LineFeatures, is_boilerplate: Bools) -> Floats:
    """Return what each line adds to a container that holds it."""
    fragment = -FRAGMENT_COST * (1 - np.minimum(features.free / FREE_FRAGMENT_WEIGHT, 1))
    link_line = -np.minimum(features.weight, MAX_LINK_LINE_WEIGHT) - LINK_LINE_COST
    plain = np.where(features.is_prose, features.free * (1 - features.link_share), fragment)
    gain = np.where(features.is_links, link_line, plain)
    gains: Floats = np.where(is_boilerplate, np.minimum(-FRAGMENT_COST, -0.2 * np.abs(gain)), gain)
    return gains


def _nearness(features: LineFeatures, headline: int, is_boilerplate: Bools) -> Floats:
    """Return a factor for each line: 1 just below the headline, less for each line without prose between."""
    n = len(features)
    if headline < 0:
        return np.ones(n)
    noise = np.cumsum(~features.is_prose | is_boilerplate)
    distance = noise - noise[headline]
    distance = np.where(distance < 0, 3 * -distance, distance)
    factor: Floats = 1 / (1 + np.maximum(distance - NEAR_LINES, 0) / FAR_LINES)
    return factor


def _widened(features: LineFeatures, gains: Floats, container: int) -> tuple[int, Bools]:
    """Return the container, or a wider element if a run of its lines gains clearly more; and the lines.

    Flat pages have no element that holds the article and nothing else.
    """
    measures = features.lines.measures
    before = np.concatenate((np.zeros(1), gains.cumsum()))
    first, stop = _span(features, container)
    best = before[stop] - before[first]
    row, chosen, levels = container, container, 0
    while row > 0 and levels < MAX_WIDENING:
        row = int(measures.parent[row])
        outer_first, outer_stop = _span(features, row)
        if outer_stop - outer_first == stop - first:
            continue
        levels += 1
        run_first, run_stop = _best_run(before[outer_first : outer_stop + 1])
        gain = before[outer_first + run_stop] - before[outer_first + run_first]
        if gain >= WIDER_GAIN * best:
            chosen, first, stop, best = row, outer_first + run_first, outer_first + run_stop, gain
    inside = np.zeros(len(features), dtype=np.bool_)
    inside[first:stop] = True
    return chosen, inside


def _span(features: LineFeatures, row: int) -> tuple[int, int]:
    """Return the first line of a row's subtree and the one after its last."""
    end = int(features.lines.measures.end[row])
    first, stop = np.searchsorted(features.lines.start, np.array([row, end]))
    return int(first), int(stop)


def _best_run(before: Floats) -> tuple[int, int]:
    """Return the run ``[first, stop)`` of greatest sum, given the prefix sums (Pasternak and Roth 2009, §3)."""
    lowest = np.minimum.accumulate(before)
    stop = int(np.argmax(before - lowest))
    return int(np.argmin(before[: stop + 1])), stop


def _body_lines(keep: Bools, features: LineFeatures, headline: int) -> Bools:
    """Cut lines before the first and after the last line of prose, except paragraphs beside them."""
    prose = (keep & features.is_prose).nonzero()[0]
    body = np.zeros_like(keep)
    if not len(prose):
        return body
    first, last = int(prose[0]), int(prose[-1])
    beside = keep & (features.weight >= MIN_PARAGRAPH_WEIGHT) & ~features.is_heading
    parents = _parents(features)
    while first - 1 > headline and beside[first - 1] and parents[first - 1] == parents[first]:
        first -= 1
    while last + 1 < len(keep) and beside[last + 1] and parents[last + 1] == parents[last]:
        last += 1
    body[first : last + 1] = keep[first : last + 1]
    return body


def _parents(features: LineFeatures) -> list[int]:
    """Return the row of the element around each line's paragraph. Siblings share it."""
    block, measures = features.lines.block, features.lines.measures
    is_paragraph = kinds_among(PARAGRAPHS)[measures.kinds[block]]
    parents: list[int] = np.where(is_paragraph, measures.parent[block], block).tolist()
    return parents
