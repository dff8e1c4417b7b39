"""Numbers about the lines of a page, each an array over all lines at once; they hold in every script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.lines import lines
from newscrawl.page.measures import inside
from newscrawl.page.tags import HEADINGS, kinds_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines
    from newscrawl.page.measures import Bools, Ints

    Floats = NDArray[np.float64]

WIDE_WEIGHT: Final = 2.5
"""Letters that an ideograph is worth: a translation into Chinese has about 0.4 times the letters."""
MIN_PROSE_WEIGHT: Final = 25.0
"""A line outside links with less text than this is a heading, a label or a menu entry. Letters."""
LONG_SENTENCE: Final = 600.0
"""A line with fewer marks than one in so many letters is a list of words."""
UNMARKED_WEIGHT: Final = 60.0
"""A line this long is prose in scripts that write no sentence marks."""
MAX_LINK_SHARE: Final = 0.5
"""Above this share of link text a line is a line of links."""
LINKED_PROSE_WEIGHT: Final = 60.0
"""Unless it has at least this much punctuated text outside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFeatures:
    """Features of a page's lines; arrays of shape ``(n,)``."""

    lines: Lines
    weight: Floats
    """Text in letters, an ideograph counting ``WIDE_WEIGHT``."""
    link_share: Floats
    """Share of the characters that stand inside links, 0..1."""
    free: Floats
    """Weight outside links."""
    is_heading: Bools
    """Stands in ``h1`` … ``h6``."""
    is_links: Bools
    """Mostly link text."""
    is_prose: Bools
    """Sentence-like by itself: long enough, punctuated (or very long), and not mostly links."""

    def __len__(self) -> int:
        return len(self.weight)


def line_features(document: Document) -> LineFeatures:
    """Return the context-free features of the page's visible lines. O(characters + rows)."""
    page = lines(document.measures)
    weight = page.chars + (WIDE_WEIGHT - 1) * page.wide
    link_share = page.link_chars / np.maximum(page.chars, 1)
    free = weight * (1 - link_share)
    marks = page.stops + page.pauses / 2
    punctuated = (marks >= 1) & (marks * LONG_SENTENCE >= weight)
    punctuated |= (2 * page.unmarked > page.chars) & (free >= UNMARKED_WEIGHT)
    is_links = (link_share > MAX_LINK_SHARE) & ~(punctuated & (free >= LINKED_PROSE_WEIGHT))
    is_heading = _in_headings(page)
    return LineFeatures(
        lines=page,
        weight=weight,
        link_share=link_share,
        free=free,
        is_heading=is_heading,
        is_links=is_links,
        is_prose=punctuated & (free >= MIN_PROSE_WEIGHT) & ~is_links & ~is_heading,
    )


def _in_headings(page: Lines) -> Bools:
    is_heading: Bools = kinds_among(HEADINGS)[page.measures.kinds[page.block]]
    return is_heading


def sum_subtrees(features: LineFeatures, values: Floats) -> Floats:
    """Return, for each row of the measures, the sum of the lines' ``values`` over its subtree."""
    measures = features.lines.measures
    before = np.zeros(len(measures) + 1)
    before[features.lines.start + 1] = values
    before = before.cumsum()
    sums: Floats = before[measures.end] - before[:-1]
    return sums


def lines_inside(features: LineFeatures, roots: Ints) -> Bools:
    """Tell for each line whether it begins in the subtree of one of ``roots``."""
    return inside(roots, features.lines.measures.end)[features.lines.start]
