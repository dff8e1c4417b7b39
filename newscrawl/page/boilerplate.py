"""The line of the page's own title, below which the article begins; and the lines in parts named as boilerplate.

Menus, footers, comments, related links are named so, by tag or by class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.text import fold
from newscrawl.page.hints import BOILERPLATE_TAGS, speaks_for_boilerplate
from newscrawl.page.lines import MAX_LINK_SHARE, line_features, lines_inside, sum_subtrees
from newscrawl.page.measures import rows_where
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures
    from newscrawl.page.measures import Bools, Ints, Measures

_LETTERS: Final = re.compile(r"[^\W_]+")

MIN_SHARE: Final = 0.25
"""A line shorter than this share of the page title is rather the site's or a section's name."""
MIN_WEIGHT: Final = 5.0
HEADING_BONUS: Final = 1.5
"""A line in h1 … h6 may be this much shorter than another one and is still preferred."""


MAX_MARKED: Final = 2.2
"""Most characters of a line for one of the folded title: in Indic scripts every second one is a mark, which folds."""


def find_headline(document: Document) -> int:
    """Return the line of the page's own title; -1 if it is not on the page."""
    return title_line(document.once(line_features), fold(document.title))


def title_line(features: LineFeatures, title: str) -> int:
    """Return the line that is, or is contained in, the folded page title; -1 if there is none.

    The longest match wins, headings before other lines, plain text before links (logos, breadcrumbs, teasers), the
    later of two equal ones.
    """
    lines = features.lines
    chars = lines.chars
    is_candidate = (
        (features.is_heading | (features.link_share <= MAX_LINK_SHARE))
        & (features.weight >= MIN_WEIGHT)
        & (chars >= MIN_SHARE * len(title))
        & (chars <= MAX_MARKED * len(title) + 4)
    )
    pieces, first = lines.pieces, lines.first
    candidates = [line for line in is_candidate.nonzero()[0].tolist() if _may_begin(pieces[first[line]], title)]
    best, best_score = -1, 0.0
    for line, text in zip(candidates, lines.texts(candidates), strict=True):
        folded = fold(text)
        if not folded or folded not in title:
            continue
        score = (
            len(folded) * (HEADING_BONUS if features.is_heading[line] else 1.0) * (1 - features.link_share[line] / 2)
        )
        if score >= best_score:
            best, best_score = line, score
    return best


def _may_begin(text: str, title: str) -> bool:
    """Tell whether a line that begins with ``text`` may stand in the folded title; most lines may not."""
    start = _LETTERS.search(text)
    return start is None or (first := fold(start[0])) in title or not first.isalnum()


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
