"""What a site's addresses answer, and the site's entry as the answers leave it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from newscrawl.console.wording import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.sites.model import NewsSite


class Door(StrEnum):
    """What an address is for."""

    HOME = "home"
    ROBOTS = "robots.txt"
    FEED = "feed"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorAnswer:
    door: Door
    url: str
    named_by: str
    """``entry``, or where the site itself names the address: ``home``, ``robots.txt``."""
    answer: str
    """The status of the server, or why there is none."""
    n_records: int = 0
    """Entries of a feed; addresses, or further sitemaps, of a sitemap; stories of a home page."""
    newest: str | None = None
    """The latest day that a record states."""

    @property
    def is_good(self) -> bool:
        return self.n_records > 0


@dataclass(slots=True, kw_only=True)
class SiteCheck:
    site: NewsSite
    day: date | None
    """None: an archive answered, not the site."""
    answers: list[DoorAnswer] = field(default_factory=list)

    @property
    def is_reached(self) -> bool:
        """Whether the site gave anything: if it gave nothing, that may be our network's fault."""
        return any(answer.answer == "200" for answer in self.answers)

    def entry(self) -> NewsSite:
        """Return the site with the feeds and sitemaps that gave records; as it was where nothing was reached."""
        if not self.is_reached:
            return self.site
        feeds, sitemaps = (tuple(dict.fromkeys(self._good(door))) for door in (Door.FEED, Door.SITEMAP))
        checked = self.day.isoformat() if self.day else self.site.checked
        return replace(self.site, feeds=feeds, sitemaps=sitemaps, checked=checked)

    def notes(self) -> dict[str, str]:
        return {answer.url: _remark(answer) for answer in self.answers if answer.is_good}

    def as_json(self) -> dict[str, Any]:
        doors = [asdict(answer) for answer in self.answers]
        day = self.day.isoformat() if self.day else None
        return {"name": self.site.name, "checked": day, "reached": self.is_reached, "doors": doors}

    def _good(self, door: Door) -> list[str]:
        return [answer.url for answer in self.answers if answer.door is door and answer.is_good]


def newest_day(moments: Iterable[date | None]) -> str | None:
    """Return the latest day, in UTC, as ISO 8601; None of none.

    >>> newest_day([None, date(2024, 3, 5), datetime(2024, 3, 6, 23, tzinfo=UTC)])
    '2024-03-06'
    """
    known = (moment for moment in moments if moment is not None)
    days = [m.astimezone(UTC).date() if isinstance(m, datetime) else m for m in known]
    return max(days).isoformat() if days else None


def _remark(answer: DoorAnswer) -> str:
    return quantity(answer.n_records, "record") + (f", newest {answer.newest}" if answer.newest else "")
