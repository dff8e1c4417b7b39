"""The lines of a page that stand in parts named as boilerplate: menus, footers, comments, related links."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.headline import find_headline
from newscrawl.page.hints import BOILERPLATE_TAGS, is_footer, speaks_for_boilerplate
from newscrawl.page.lines import line_features, lines_inside, sum_subtrees
from newscrawl.page.measures import rows_where
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Bools, Ints, Measures

MAX_HINTED_SHARE: Final = 0.9
"""Names that speak against a part with more than this share of the page's prose are not believed."""
MAX_HINTED_SHARE_UNTITLED: Final = 0.5
"""Share for a page whose headline, which would clear the article, was not found."""


@dataclass(frozen=True, kw_only=True)
class Boilerplate:
    """Parts of a page that are named as boilerplate; worked out when first asked for, as the text needs it not."""

    features: LineFeatures
    headline: int

    @cached_property
    def lines(self) -> Bools:
        """Tell which lines stand in a part named as boilerplate; a part with the headline in it is none.

        A footer below the headline is one, though it holds all the prose there is.
        """
        features, headline = self.features, self.headline
        if not len(features):
            return np.zeros(0, dtype=np.bool_)
        measures = features.lines.measures
        row = features.lines.start[headline] if headline >= 0 else -1
        roots = boilerplate_rows(measures)
        roots = roots[(roots > row) | (measures.end[roots] <= row)]
        prose = sum_subtrees(features, features.free * features.is_prose)
        limit = MAX_HINTED_SHARE if headline >= 0 else MAX_HINTED_SHARE_UNTITLED
        believed = prose[roots] <= limit * prose[0]
        if headline >= 0:
            for place in (~believed).nonzero()[0].tolist():
                node = measures.nodes[roots[place]]
                believed[place] = roots[place] > row and is_footer(node.tag, node.get("class"), node.get("id"))
        return lines_inside(features, roots[believed])


def find_boilerplate(document: Document) -> Boilerplate:
    """Return what stands for the page's parts of boilerplate until it is asked for."""
    features = document.once(line_features)
    return Boilerplate(features=features, headline=document.once(find_headline) if len(features) else -1)


def boilerplate_rows(measures: Measures) -> Ints:
    """Return the rows of elements whose tag, or whose class or id and nothing in them, speaks for boilerplate.

    Inline elements, and those without text, are not asked.
    """
    is_found = kinds_among(BOILERPLATE_TAGS)[measures.kinds] & (measures.chars > 0)
    rows, nodes, classes = measures.shown
    for row, node, names in zip(rows.tolist(), nodes, classes, strict=True):
        identity = node.get("id")
        if (names and speaks_for_boilerplate(names + " " + identity if identity else names)) or (
            identity and not names and speaks_for_boilerplate(identity)
        ):
            is_found[row] = True
    return rows_where(is_found)
