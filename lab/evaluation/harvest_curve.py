"""Harvest rate and target recall of a crawl whose relevant pages are known."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.focus.progress import harvest_points

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class HarvestCurve:
    """Whether each fetched HTML page was relevant, in order of fetching."""

    relevant: tuple[bool, ...]
    requests: tuple[int, ...] = ()
    """Requests made until each page was there, redirects and dead links included; empty: one for each page."""

    def harvest_rate(self, n: int) -> float:
        """Return harvest_rate@n; a crawl that ended before is taken as if it fetched nothing of use after.

        >>> HarvestCurve((True, False, True)).harvest_rate(2)
        0.5
        """
        return sum(self.relevant[:n]) / n if n else 0.0

    def rate_of_requests(self, n: int) -> float:
        """Return the relevant pages that the first n requests gave, for each request.

        >>> HarvestCurve((True, False, True), (1, 3, 4)).rate_of_requests(3)
        0.3333333333333333
        """
        if not self.requests:
            return self.harvest_rate(n)
        return self.harvest_rate(bisect_right(self.requests, n)) * bisect_right(self.requests, n) / n if n else 0.0

    def recall(self, n: int, reachable: int) -> float:
        """Return the share of the reachable relevant pages among the first n; 0 where none is reachable."""
        return sum(self.relevant[:n]) / reachable if reachable else 0.0

    def harvest_rate_at_r(self, reachable: int) -> float:
        """Return ``hr@R``: the harvest rate after as many pages as relevant ones can be reached."""
        return self.harvest_rate(reachable)

    def recall_at_2r(self, reachable: int) -> float:
        return self.recall(2 * reachable, reachable)

    def points(self, n_points: int = 200) -> list[tuple[int, float]]:
        """Return at most about ``n_points`` pairs (pages, harvest rate), the last page included."""
        return harvest_points(self.relevant, n_points)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
