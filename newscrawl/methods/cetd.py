"""CETD-DS: the subtrees of greatest density sum (Sun, Song, Liao 2011, SIGIR, "DOM based content extraction via
text density").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from newscrawl.languages.text import VisibleTexts
from newscrawl.methods.base import Extraction, PageExtractor
from newscrawl.page.measures import TEXT, element_descendants

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures


def composite_densities(measures: Measures) -> Floats:
    """Return the composite text density of each row, shape ``(n,)`` (§4.2, eq. 3); 0 for text rows and empty nodes.

    CTD = C/T · log_b(C/LC · T/LT) with b = ln(C/¬LC · LC + LC_body/C_body · C + e): C characters, LC those in links,
    ¬LC the others, T tags below the node, LT links. A denominator of 0 counts as 1, as in the paper. On a page
    without link text b is 1 and the logarithm has no value: there the density stays C/T (ours).
    """
    chars, link_chars = measures.chars.astype(np.float64), measures.link_chars.astype(np.float64)
    tags = _at_least_one(element_descendants(measures))
    density = chars / tags
    if len(chars) and link_chars[0] > 0:
        spread = chars / _at_least_one(chars - link_chars) * link_chars + link_chars[0] / chars[0] * chars
        ratio = chars / _at_least_one(link_chars) * tags / _at_least_one(measures.links)
        base = np.log(np.log(spread + np.e), where=chars > 0, out=np.ones_like(chars))
        density = density * np.log(np.maximum(ratio, np.finfo(np.float64).tiny)) / base
    is_element = np.fromiter((tag is not TEXT for tag in measures.tags), dtype=np.bool_, count=len(measures))
    return np.where(is_element & (chars > 0), density, 0.0)


def density_sums(measures: Measures, densities: Floats) -> Floats:
    """Return for each row the sum of its children's densities (§4.3, eq. 4)."""
    sums = np.zeros(len(densities))
    np.add.at(sums, measures.parent[1:], densities[1:])
    return sums


class CETDExtractor(PageExtractor):
    """Extract by composite text density and DensitySum, the variant CETD-DS.

    The threshold is the least density on the way from the node of the page's greatest density sum up to the body
    (§4.4). From the body's children down, a node at or above the threshold gives the subtree of greatest density sum
    within it, itself included, and its children are looked at in turn; a node below it is left out.
    """

    name: ClassVar[str] = "cetd"

    def extract(self, document: Document) -> Extraction:
        measures = document.measures
        if not len(measures) or not measures.chars[0]:
            return Extraction(text="", method=self.name)
        densities = composite_densities(measures)
        sums = density_sums(measures, densities)
        spans = [(row, int(measures.end[row])) for row in content_rows(measures, densities, sums)]
        return Extraction(text="\n".join(VisibleTexts(measures).lines(spans)), method=self.name)


def threshold(measures: Measures, densities: Floats, sums: Floats) -> float:
    """Return the least density among the node of greatest density sum and its ancestors below the body."""
    row = int(np.argmax(sums))
    least = float(densities[row])
    while row > 0:
        least = min(least, float(densities[row]))
        row = int(measures.parent[row])
    return least


def content_rows(measures: Measures, densities: Floats, sums: Floats) -> list[int]:
    """Return the rows of the content subtrees, in document order, none inside another."""
    least = threshold(measures, densities, sums)
    best, end = _best_below(measures, sums), measures.end.tolist()
    marked: set[int] = set()
    row, stop = 1, len(measures)
    while row < stop:
        if row in marked or densities[row] < least or not densities[row]:
            row = end[row]
        else:
            marked.add(best[row])
            row = end[row] if best[row] == row else row + 1
    return _outermost(marked, end) or [0]


def _best_below(measures: Measures, sums: Floats) -> list[int]:
    """Return for each row the row of greatest density sum in its subtree, itself included; the first of equals."""
    best = list(range(len(sums)))
    value, parent = sums.tolist(), measures.parent.tolist()
    for row in range(len(best) - 1, 0, -1):
        above = parent[row]
        if value[best[row]] > value[above] and value[best[row]] >= value[best[above]]:
            best[above] = best[row]
    return best


def _outermost(rows: set[int], end: list[int]) -> list[int]:
    found: list[int] = []
    for row in sorted(rows):
        if not found or row >= end[found[-1]]:
            found.append(row)
    return found


def _at_least_one(counts: np.ndarray) -> Floats:
    result: Floats = np.where(counts > 0, counts, 1).astype(np.float64)
    return result
