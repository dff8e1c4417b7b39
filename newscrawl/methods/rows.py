"""Counts over subtrees that several methods need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newscrawl.dom.kinds import TEXT_KIND
from newscrawl.dom.measures import subtree_sums

if TYPE_CHECKING:
    from newscrawl.dom.measures import Ints, Measures


def element_descendants(measures: Measures) -> Ints:
    """Return the number of elements below each row, itself left out; 0 for a text row.

    Elements without rows (scripts and the like) do not count.
    """
    elements = (measures.kinds != TEXT_KIND).astype(np.int32)
    below: Ints = subtree_sums(elements, measures.end) - elements
    return below
