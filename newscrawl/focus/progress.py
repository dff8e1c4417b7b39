"""How well a crawl keeps to its topic: harvest rate, and where its relevant pages were found."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.urls.patterns import hash_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    from newscrawl.focus.judge import Relevance


def harvest_points(relevant: Sequence[int], n_points: int = 200) -> list[tuple[int, float]]:
    """Return at most about ``n_points`` pairs (pages, harvest rate), the last page included.

    Zhang, Cao, Li (2015), §5.4, eq. (16): harvest_rate@N = (1/N) · Σ r_i over the first N pages.

    :param relevant: r_i, 1 for a relevant page, else 0, in order of fetching. Hubs count as fetched pages; dead links
        and redirects do not.
    """
    found = list(accumulate(relevant))
    step = max(1, -(-len(found) // n_points))
    numbers = [*range(step, len(found), step), len(found)] if found else []
    return [(n, found[n - 1] / n) for n in numbers]


SAMPLE: Final = 10
"""Relevant articles that a user is asked about."""
_Z: Final = 1.96


class Estimate(NamedTuple):
    """A share estimated from a sample, with the bounds of Wilson's 95 % interval."""

    n: int
    n_right: int
    low: float
    high: float

    @classmethod
    def from_verdicts(cls, verdicts: Sequence[bool]) -> Self:
        """Return the estimate; everything is possible without verdicts.

        >>> [round(bound, 2) for bound in Estimate.from_verdicts([True] * 8 + [False] * 2)[2:]]
        [0.49, 0.94]
        """
        n, k = len(verdicts), sum(verdicts)
        if not n:
            return cls(0, 0, 0.0, 1.0)
        share, spread = k / n, _Z * _Z / n
        middle = share + spread / 2
        reach = _Z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
        return cls(n, k, max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread)))

    def __str__(self) -> str:
        if not self.n:
            return "none of the sample is judged"
        bounds = f"95 % interval {self.low:.0%} to {self.high:.0%}"
        return f"{self.n_right} of {self.n} judged are about the topic: {self.n_right / self.n:.0%}, {bounds}"


def in_sample_order(urls: Iterable[str]) -> list[str]:
    """Return addresses in an order that has nothing to do with the crawl's, and is always the same."""
    return sorted(urls, key=lambda url: (hash_of(f"sample {url}"), url))


MAX_NAMES: Final = 5_000
N_LISTED: Final = 15
N_DOUBTS: Final = 20


class Payers:
    """Names with the articles they led to and how many of them were relevant; the poorest are forgotten first."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}

    def add(self, name: str, *, is_relevant: bool) -> None:
        counts = self._counts.setdefault(name, [0, 0])
        counts[0] += 1
        counts[1] += is_relevant
        if len(self._counts) > 2 * MAX_NAMES:
            ordered = sorted(self._counts.items(), key=lambda item: (-item[1][1], item[1][0]))
            self._counts = dict(ordered[:MAX_NAMES])

    def best(self, n: int = N_LISTED) -> list[tuple[str, int, int]]:
        """Return (name, articles, relevant ones), most relevant ones first."""
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1][1], item[1][0], item[0]))
        return [(name, total, relevant) for name, (total, relevant) in ordered[:n] if relevant]


@dataclass
class Tally:
    """Counts of one crawl. Of each page one byte is kept, for the curve."""

    n_articles: int = 0
    n_relevant: int = 0
    n_named: int = 0
    """Relevant articles whose headline or text has a keyword."""
    hubs: Payers = field(default_factory=Payers)
    places: Payers = field(default_factory=Payers)
    anchors: Payers = field(default_factory=Payers)
    doubts: list[tuple[float, str, str, Relevance]] = field(default_factory=list)
    """Distance from the threshold, URL, headline, judgement; the nearest ones."""
    sample: dict[str, str] = field(default_factory=dict)
    """URL → headline of some relevant articles, in the sample's order."""
    _relevant: bytearray = field(default_factory=bytearray)

    def add(self, url: str, headline: str, relevance: Relevance | None, *, hub: str, place: str, anchor: str) -> None:
        """Count a judged page and where it was found; ``""`` where that is not known."""
        is_relevant = relevance is not None and relevance.is_relevant
        self._relevant.append(is_relevant)
        if relevance is None:
            return
        self.n_articles += 1
        self.n_relevant += is_relevant
        self.n_named += is_relevant and relevance.is_named
        if is_relevant:
            known = self.sample | {url: headline}
            self.sample = {one: known[one] for one in in_sample_order(known)[:SAMPLE]}
        for payers, name in ((self.hubs, hub), (self.places, place), (self.anchors, anchor)):
            if name:
                payers.add(name, is_relevant=is_relevant)
        self.doubts.append((abs(relevance.probability - relevance.threshold), url, headline, relevance))
        self.doubts.sort(key=lambda doubt: doubt[:2])
        del self.doubts[N_DOUBTS:]

    @property
    def n_pages(self) -> int:
        return len(self._relevant)

    @property
    def harvest_rate(self) -> float:
        return self.n_relevant / self.n_pages if self._relevant else 0.0

    @property
    def named_share(self) -> float:
        """Share of the relevant articles that name the topic; 0 without any."""
        return self.n_named / self.n_relevant if self.n_relevant else 0.0

    def latest_rate(self, n: int) -> float:
        """Return the harvest rate of the last ``n`` pages."""
        latest = self._relevant[-n:]
        return sum(latest) / len(latest) if latest else 0.0

    def points(self) -> list[tuple[int, float]]:
        return harvest_points(self._relevant)
