"""How far apart differently labelled parts of the data stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from newscrawl.learn.checks import UNLABELLED

if TYPE_CHECKING:
    from newscrawl.learn.checks import Floats, Ints


def bridging_length(squared: Floats, labels: Ints) -> float:
    """Return the length of the first edge, in Kruskal's order, that joins two parts with different labels.

    Zhu, Ghahramani (2002), §4. With one class, or where such parts stand at one point, the mean distance; 1.0 where
    that is 0 too.

    :param squared: squared distances, ``(n, n)``.
    """
    fallback = float(np.sqrt(squared).mean()) or 1.0
    # the graph routines take 0 for "no edge": samples at one point are joined by an edge next to nothing
    tiny = np.finfo(np.float64).tiny
    tree = minimum_spanning_tree(np.sqrt(np.maximum(squared, tiny))).tocoo()
    parts = list(range(len(labels)))
    known = labels.tolist()
    for edge in np.argsort(tree.data, kind="stable").tolist():
        one, other = _root(parts, int(tree.row[edge])), _root(parts, int(tree.col[edge]))
        left, right = known[one], known[other]
        if UNLABELLED not in (left, right) and left != right:
            length = float(tree.data[edge])
            return length if length > np.sqrt(tiny) else fallback
        parts[other] = one
        known[one] = left if left != UNLABELLED else right
    return fallback


def _root(parts: list[int], place: int) -> int:
    while parts[place] != place:
        parts[place] = parts[parts[place]]
        place = parts[place]
    return place
