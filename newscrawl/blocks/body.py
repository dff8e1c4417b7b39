"""The body of an article: the subtree where most sentences and fewest links and fragments stand, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.features import MAX_LINK_SHARE, line_features, lines_inside, subtree_sums
from newscrawl.blocks.hints import boilerplate_rows

if TYPE_CHECKING:
    from newscrawl.blocks.features import Floats, LineFeatures
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools

FRAGMENT_COST: Final = 12.0
"""What a line that is neither prose nor links takes from its container. Letters."""
LINK_LINE_COST: Final = 8.0
MAX_LINK_LINE_WEIGHT: Final = 60.0
"""A line of links costs its weight up to this, and ``LINK_LINE_COST``."""
MAX_HINTED_SHARE: Final = 0.5
"""Names that speak against a part with more than this share of the page's prose are not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Where the article's text is; arrays have an entry for each line of the page."""

    features: LineFeatures
    container: int
    """Row of the chosen subtree; -1 if the page has no line."""
    is_boilerplate: Bools
    """Stands in a part whose names or tag speak for boilerplate."""
    is_body: Bools
    """Line of the article's text."""

    @property
    def weight(self) -> float:
        """Letters of the body outside links, ideographs counted by their worth."""
        return float(self.features.free[self.is_body].sum())


def find_body(document: Document) -> Body:
    """Choose the container and its lines; an empty body for a page without prose."""
    features = line_features(document)
    n = len(features)
    if not n:
        nothing = np.zeros(0, dtype=np.bool_)
        return Body(features=features, container=-1, is_boilerplate=nothing, is_body=nothing)
    is_boilerplate = _boilerplate(features)
    container = _container(features, _gains(features, is_boilerplate))
    inside = lines_inside(features, np.array([container], dtype=np.int32))
    keep = inside & ~is_boilerplate & (features.link_share <= MAX_LINK_SHARE)
    return Body(
        features=features,
        container=container,
        is_boilerplate=is_boilerplate,
        is_body=_between_prose(keep, features),
    )


def _boilerplate(features: LineFeatures) -> Bools:
    roots = boilerplate_rows(features.lines.measures)
    prose = subtree_sums(features, features.free * features.is_prose)
    return lines_inside(features, roots[prose[roots] <= MAX_HINTED_SHARE * prose[0]])


def _gains(features: LineFeatures, is_boilerplate: Bools) -> Floats:
    """What each line adds to a container that holds it."""
    link_line = -np.minimum(features.weight, MAX_LINK_LINE_WEIGHT) - LINK_LINE_COST
    plain = np.where(features.is_prose, features.free * (1 - features.link_share), -FRAGMENT_COST)
    gain = np.where(features.link_share > MAX_LINK_SHARE, link_line, plain)
    gains: Floats = np.where(is_boilerplate, np.minimum(-FRAGMENT_COST, -0.2 * np.abs(gain)), gain)
    return gains


def _container(features: LineFeatures, gains: Floats) -> int:
    """Return the row of the subtree with the greatest gain; of nested ones with the same gain, the deepest."""
    sums = subtree_sums(features, gains)
    return len(sums) - 1 - int(np.argmax(sums[::-1]))


def _between_prose(keep: Bools, features: LineFeatures) -> Bools:
    """Cut what stands before the first and after the last line of prose."""
    prose = np.flatnonzero(keep & features.is_prose)
    kept = np.zeros_like(keep)
    if len(prose):
        span = slice(prose[0], prose[-1] + 1)
        kept[span] = keep[span]
    return kept
