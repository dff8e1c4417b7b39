"""What a site's feeds, sitemaps and lists saw of its stories, and an estimate of what all of them missed."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from math import exp, log1p, sqrt
from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.sites.memory.site import Drift

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Bit of each door in ``sightings.doors``.
DOORS: Final[Mapping[str, int]] = MappingProxyType({"feed": 1, "sitemap": 2, "hub": 4})
_TOLD: Final = DOORS["feed"] | DOORS["sitemap"]
MIN_BOTH: Final = 7
"""Stories that both captures must share for an estimate: with fewer its bias is not small (Robson & Regier 1964)."""
_Z: Final = 1.96
"""Quantile of a 95 % interval."""

MIN_STORIES: Final = 5
"""A list that usually has fewer stories may be empty at times."""
DRY_SHARE: Final = 0.2
"""Share of the usual number of stories under which a list counts as dry."""
DRY_VISITS: Final = 2
"""Dry visits in a row that are an event; one may be a fault of the server."""
USUAL_RATE: Final = 0.3
"""Weight of the newest visit in the running mean."""

FELL_SHARE: Final = 0.8
"""Coverage under this share of its usual value has fallen …"""
MIN_DAYS: Final = 3
"""… if so many days say what is usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """How many stories there were, by two captures of them."""

    total: float
    low: float
    """With ``high`` a 95 % interval; never below what was seen."""
    high: float


def chapman(n_first: int, n_second: int, n_both: int) -> Estimate:
    """Estimate a population from two captures.

    Chapman (1951): ``N = (n1 + 1)(n2 + 1) / (m + 1) - 1``, with the variance of Seber (1970),
    ``V = (n1 + 1)(n2 + 1)(n1 - m)(n2 - m) / ((m + 1)^2 (m + 2))``. The interval is that of Chao (1987) for the
    unseen ``f = N - M`` beside the ``M = n1 + n2 - m`` seen: ``[M + f / C, M + f C]``,
    ``C = exp(1.96 sqrt(log(1 + V / f^2)))``. It assumes that the captures are independent and that each story has the
    same chance in one of them: where both lists prefer the same stories, ``N`` is too low. With three or four stories
    unseen the interval holds the truth on 84 % of made days, with more on 92 to 96 %.

    :raises ValueError: for ``n_both`` above the others, or below 0.

    >>> chapman(200, 100, 50).total  # Seber (1982): 201 * 101 / 51 - 1
    397.05882352941177
    >>> chapman(5, 5, 5)
    Estimate(total=5.0, low=5.0, high=5.0)
    """
    if not 0 <= n_both <= min(n_first, n_second):
        raise ValueError(f"of captures of {n_first} and {n_second}, {n_both} cannot be in both")
    pairs = (n_first + 1) * (n_second + 1)
    total = pairs / (n_both + 1) - 1
    seen = n_first + n_second - n_both
    unseen = total - seen
    if unseen <= 0:
        return Estimate(total=total, low=float(seen), high=float(seen))
    variance = pairs * (n_first - n_both) * (n_second - n_both) / ((n_both + 1) ** 2 * (n_both + 2))
    factor = exp(_Z * sqrt(log1p(variance / unseen**2)))
    return Estimate(total=total, low=seen + unseen / factor, high=seen + unseen * factor)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCoverage:
    """The stored stories that a site published on a day, by the doors that showed them."""

    day: str
    """ISO 8601, as the site has it."""
    n_seen: int
    by_door: Mapping[str, int]
    """Door → stories; a story counts at each."""
    estimate: Estimate | None
    """None where one door alone saw stories, or two share too few."""

    @property
    def share(self) -> float | None:
        """Share of the estimated stories that was seen: 0 to 1."""
        return None if self.estimate is None else min(1.0, self.n_seen / self.estimate.total)

    def as_json(self) -> dict[str, Any]:
        estimate = None if self.estimate is None else asdict(self.estimate)
        return {"day": self.day, "seen": self.n_seen, **self.by_door, "estimate": estimate, "share": self.share}

    @property
    def best_share(self) -> float | None:
        """The share at the lower end of the interval: what it is at best."""
        return None if self.estimate is None else min(1.0, self.n_seen / self.estimate.low)


def day_coverage(day: str, counts: Mapping[int, int]) -> DayCoverage:
    """Count a day's stories.

    Feeds and sitemaps come of one system of the site and repeat each other: they are one capture, lists the other.
    Where there are no lists, feeds are one and sitemaps the other.

    :param counts: doors (bits of ``DOORS``) → stories that these and no others showed.
    """
    known = {doors: n for doors, n in counts.items() if doors}
    captures = [(_TOLD, DOORS["hub"]), (DOORS["feed"], DOORS["sitemap"])]
    estimate = next((found for pair in captures if (found := _estimate(known, *pair)) is not None), None)
    by_door = {door: _sum(known, bit) for door, bit in DOORS.items()}
    return DayCoverage(day=day, n_seen=sum(known.values()), by_door=MappingProxyType(by_door), estimate=estimate)


def _estimate(counts: Mapping[int, int], first: int, second: int) -> Estimate | None:
    n_both = sum(n for doors, n in counts.items() if doors & first and doors & second)
    return chapman(_sum(counts, first), _sum(counts, second), n_both) if n_both >= MIN_BOTH else None


def _sum(counts: Mapping[int, int], bits: int) -> int:
    return sum(n for doors, n in counts.items() if doors & bits)


def fallen(days: Sequence[DayCoverage], host: str) -> Drift | None:
    """Return an event if the last day's coverage lies clearly below that of the days before.

    Clearly: under ``FELL_SHARE`` of their median, and even at the best of its interval below the median.

    :param days: the oldest first; those that are over.
    """
    if not days or days[-1].share is None or days[-1].best_share is None:
        return None
    last, earlier = days[-1], [day.share for day in days[:-1] if day.share is not None]
    if len(earlier) < MIN_DAYS:
        return None
    usual, share = median(earlier), days[-1].share
    if share >= FELL_SHARE * usual or days[-1].best_share >= usual:
        return None
    n_seen = sum(day.n_seen for day in days[:-1])
    old, new = f"{usual:.0%} of the stories seen", f"{share:.0%} on {last.day}"
    return Drift(host=host, reason="coverage", old=old, new=new, n_pages=n_seen)


@dataclass(slots=True, kw_only=True)
class ListMemory:
    """How many stories a list, feed or sitemap usually gives."""

    usual: float = 0.0
    """A running mean; 0: none so far, or since it ran dry."""
    n_visits: int = 0
    n_dry: int = 0
    """Dry visits in a row."""

    def visit(self, url: str, host: str, n_stories: int) -> Drift | None:
        """Count a visit; return an event if the list has run dry."""
        self.n_visits += 1
        if self.usual >= MIN_STORIES and n_stories < DRY_SHARE * self.usual:
            self.n_dry += 1
            if self.n_dry < DRY_VISITS:
                return None
            old, self.usual, self.n_dry = f"{self.usual:.0f} stories on {url}", float(n_stories), 0
            new = f"{n_stories} {'story' if n_stories == 1 else 'stories'}"
            return Drift(host=host, reason="list", old=old, new=new, n_pages=self.n_visits)
        self.n_dry = 0
        self.usual = float(n_stories) if not self.usual else self.usual + USUAL_RATE * (n_stories - self.usual)
        return None


def counted(rows: Sequence[tuple[str, int, int]]) -> tuple[DayCoverage, ...]:
    """Return the coverage of each day, the oldest first.

    :param rows: day, doors, stories.
    """
    days: dict[str, Counter[int]] = {}
    for day, doors, n in rows:
        days.setdefault(day, Counter())[doors] += n
    return tuple(day_coverage(day, days[day]) for day in sorted(days))
