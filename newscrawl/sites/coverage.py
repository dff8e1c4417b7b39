"""What a site's feeds, sitemaps and lists show of its stories, and lists that run dry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.sites.memory.site import Drift

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

#: Bit of each door in ``sightings.doors``.
DOORS: Final[Mapping[str, int]] = MappingProxyType({"feed": 1, "sitemap": 2, "hub": 4})
MIN_STORIES: Final = 5
"""A list that usually has fewer stories may be empty at times."""
DRY_SHARE: Final = 0.2
"""Share of the usual number of stories under which a list counts as dry."""
DRY_VISITS: Final = 2
"""Dry visits in a row that are an event; one may be a fault of the server."""
USUAL_RATE: Final = 0.3
"""Weight of the newest visit in the running mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCoverage:
    """The stored stories that a site published on a day, by the doors that showed them."""

    day: str
    """ISO 8601, as the site has it."""
    n_seen: int
    by_door: Mapping[str, int]
    """Door → stories; a story counts at each."""

    @classmethod
    def from_counts(cls, day: str, counts: Mapping[int, int]) -> Self:
        """Count a day's stories.

        :param counts: doors (bits of ``DOORS``) → stories that these and no others showed.
        """
        known = {doors: n for doors, n in counts.items() if doors}
        by_door = {door: sum(n for doors, n in known.items() if doors & bit) for door, bit in DOORS.items()}
        return cls(day=day, n_seen=sum(known.values()), by_door=MappingProxyType(by_door))

    def as_json(self) -> dict[str, Any]:
        return {"day": self.day, "seen": self.n_seen, **self.by_door}


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


def coverage_by_day(rows: Iterable[tuple[str, int, int]]) -> tuple[DayCoverage, ...]:
    """Return the coverage of each day, the oldest first.

    :param rows: day, doors, stories.
    """
    days: dict[str, Counter[int]] = {}
    for day, doors, n in rows:
        days.setdefault(day, Counter())[doors] += n
    return tuple(DayCoverage.from_counts(day, days[day]) for day in sorted(days))
