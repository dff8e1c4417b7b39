"""The body of an article by rules: the subtree with most sentences and fewest links and fragments, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.verdict import Speaker, Verdict
from newscrawl.page.boilerplate import find_boilerplate
from newscrawl.page.lines import line_features, sum_subtrees
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Floats, LineFeatures
    from newscrawl.page.measures import Bools

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
    boilerplate = document.once(find_boilerplate)
    is_boilerplate, headline = boilerplate.lines, boilerplate.headline
    if not len(features):
        return RuledBody(by=Speaker.METHOD, features=features, boilerplate=boilerplate, is_body=is_boilerplate)
    gains = _gains(features, is_boilerplate)
    weighted = gains * _nearness(features, headline, is_boilerplate)
    sums = sum_subtrees(features, weighted)
    deepest = len(sums) - 1 - int(np.argmax(sums[::-1]))  # of nested rows with the greatest gain
    container, inside = _widened(features, weighted, deepest)
    keep = inside & ~is_boilerplate & ~features.is_links
    return RuledBody(
        by=Speaker.METHOD,
        features=features,
        container=container,
        boilerplate=boilerplate,
        is_body=_body_lines(keep, features, headline),
    )


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
