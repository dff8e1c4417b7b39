"""Sums over subtrees for methods that leave rows of the page out without touching the tree."""

from __future__ import annotations

from itertools import compress, count
from operator import not_
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.dom.measures import Bools, Ints, Measures


def rows_where(tests: Iterable[bool]) -> Ints:
    """Return the numbers of the rows whose test is true."""
    return np.fromiter(compress(count(), tests), dtype=np.int32)


def inside(roots: Ints, end: Ints) -> Bools:
    """Tell for each row whether it stands in the subtree of one of ``roots``, the roots themselves included."""
    change = np.zeros(len(end) + 1, dtype=np.int32)
    np.add.at(change, roots, 1)
    np.add.at(change, end[roots], -1)
    result: Bools = np.cumsum(change[:-1]) > 0
    return result


def subtree_sums(own: Ints, end: Ints) -> Ints:
    """Return for each row the sum of ``own`` over its subtree, itself included."""
    before: Ints = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(own, dtype=np.int32)))
    return before[end] - before[:-1]


def element_descendants(measures: Measures) -> Ints:
    """Return the number of elements below each row, itself left out; 0 for a text row.

    Elements without rows (scripts and the like) do not count.
    """
    elements = np.fromiter(map(not_, measures.texts), dtype=np.int32, count=len(measures))
    return subtree_sums(elements, measures.end) - elements
