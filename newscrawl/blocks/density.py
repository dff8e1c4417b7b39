"""Densities of every node against the whole page, and their entropy (Zhang, Cao, Li 2015, §4.1, def. 5–7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newscrawl.dom.measures import Ints, Measures
    from newscrawl.learn.samples import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Densities:
    """Shares of the page's text, links and link text in each row's subtree; shape ``(n,)``, in ``[0, 1]``."""

    text: Floats
    """Characters outside links, over the page's (def. 5)."""
    link: Floats
    """``a`` elements, over the page's (def. 6)."""
    link_text: Floats
    """Characters inside links, over the page's (def. 7)."""

    @property
    def entropy(self) -> Floats:
        """Node density entropy H(n) = −Σ pⱼ log₂ pⱼ, pⱼ = ρⱼ/2; in ``[0, 1.592]``.

        The printed formula is lost in our source; this reading is the one that reproduces the paper's number of
        blocks and its share of processed nodes. 0·log 0 = 0.
        """
        return _plogp(self.text) + _plogp(self.link) + _plogp(self.link_text)


def densities(measures: Measures) -> Densities:
    """Return the densities of all rows; 0/0 = 0."""
    return Densities(
        text=_share(measures.chars - measures.link_chars),
        link=_share(measures.links),
        link_text=_share(measures.link_chars),
    )


def _share(counts: Ints) -> Floats:
    """Divide by the first row, the whole page."""
    if not len(counts) or counts[0] == 0:
        return np.zeros(len(counts))
    return counts / np.float64(counts[0])


def _plogp(rho: Floats) -> Floats:
    p = rho / 2
    result: Floats = -p * np.log2(np.where(p > 0, p, 1.0))
    return result
