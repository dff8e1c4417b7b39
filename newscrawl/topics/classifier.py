"""A text classifier that learns page by page: log-odds of terms, shrunk towards nothing known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.topics.terms import N_HASHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SMOOTHING: Final = 1.0
"""Pages of either class that every term is assumed to have been on, beside what was seen."""


class TermTable:
    """Counts on how many relevant and other pages each term stands; 2 MiB whatever the crawl's length.

    The weight of a term is ``log((r + a·R') / (o + a·O'))`` where r of R relevant and o of O other pages have it, as
    shares of all R + O pages: naive Bayes over presence with a symmetric prior, so that a rare term weighs little.
    """

    def __init__(self) -> None:
        self.relevant: Floats = np.zeros(N_HASHES, dtype=np.float32)
        self.other: Floats = np.zeros(N_HASHES, dtype=np.float32)
        self.n_relevant = 0.0
        self.n_other = 0.0
        self._weights: Floats = np.zeros(N_HASHES, dtype=np.float32)
        self._is_stale = False

    def add(self, hashes: Sequence[int], probability: float, *, weight: float = 1.0) -> None:
        """Count a page's different terms; ``weight`` below 1 for pages that say less."""
        places = np.asarray(hashes, dtype=np.int64)
        if probability > 0.5:
            self.relevant[places] += weight
            self.n_relevant += weight
        else:
            self.other[places] += weight
            self.n_other += weight
        self._is_stale = True

    @property
    def weights(self) -> Floats:
        """Log-odds of each term, shape ``(N_HASHES,)``; 0 for terms never seen."""
        if self._is_stale:
            seen = np.flatnonzero(self.relevant + self.other)
            share = (self.n_relevant + 1.0) / (self.n_other + 1.0)
            r, o = self.relevant[seen], self.other[seen] * share
            prior = SMOOTHING * max(1.0, share)
            self._weights[seen] = np.log((r + prior) / (o + prior))
            self._is_stale = False
        return self._weights

    def state(self) -> dict[str, Any]:
        """Return counts as plain lists and numbers; :meth:`restore` takes them back."""
        seen = np.flatnonzero(self.relevant + self.other)
        return {
            "terms": seen.tolist(),
            "relevant": self.relevant[seen].tolist(),
            "other": self.other[seen].tolist(),
            "n": [self.n_relevant, self.n_other],
        }

    def restore(self, state: dict[str, Any]) -> None:
        seen = np.asarray(state["terms"], dtype=np.int64)
        self.relevant[seen] = state["relevant"]
        self.other[seen] = state["other"]
        self.n_relevant, self.n_other = state["n"]
        self._is_stale = True
