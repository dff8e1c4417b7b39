"""Which doors of a site showed which stories; how much its lists usually give, and which have run dry; dead feeds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import Column, Float, Integer, Table, Text, delete, false, func, literal_column, not_, or_, select

from newscrawl.outcomes import Outcome
from newscrawl.sites.memory import Drift
from newscrawl.sites.revisit import FIRST
from newscrawl.store.columns import Kind, State, UtcTime, insert_into, storable, storable_row, stored_url
from newscrawl.store.engine import execute_many, upsert
from newscrawl.store.schema import articles, frontier, frontier_crawls, metadata, pages, runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

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

DAYS: Final = 14
"""Days whose coverage is told; sightings are kept twice as long."""
MAX_LISTS: Final = 5_000

sightings = Table(
    "sightings",
    metadata,
    Column("site", Text, primary_key=True),
    Column("url", Text, primary_key=True),
    Column("doors", Integer, nullable=False),  # bits of DOORS
    Column("seen_at", UtcTime, nullable=False),  # first
)

site_lists = Table(
    "site_lists",
    metadata,
    Column("site", Text, primary_key=True),
    Column("url", Text, primary_key=True),
    Column("door", Text, nullable=False),
    Column("usual", Float, nullable=False),  # stories a visit
    Column("n_visits", Integer, nullable=False),
    Column("n_dry", Integer, nullable=False),
    Column("n_last", Integer, nullable=False),
    Column("visited_at", UtcTime, nullable=False),
)


_SEEN: Final = insert_into(sightings)
_ADD_DOORS: Final = _SEEN.on_conflict_do_update(
    index_elements=("site", "url"), set_={"doors": sightings.c.doors.bitwise_or(_SEEN.excluded.doors)}
)


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


def note_sightings(connection: Connection, site: str, doors: Mapping[str, int], now: datetime) -> None:
    bits_of: dict[str, int] = {}
    for url, bits in doors.items():
        address = storable(stored_url(url))
        bits_of[address] = bits_of.get(address, 0) | bits
    rows = [{"site": site, "url": url, "doors": bits, "seen_at": now} for url, bits in bits_of.items()]
    execute_many(connection, _ADD_DOORS, rows)


def read_lists(connection: Connection, site: str) -> dict[str, ListMemory]:
    """Return what is known of the site's lists, feeds and sitemaps, those visited last."""
    query = select(site_lists).where(site_lists.c.site == site).order_by(site_lists.c.visited_at.desc())
    return {
        row.url: ListMemory(usual=row.usual, n_visits=row.n_visits, n_dry=row.n_dry)
        for row in connection.execute(query.limit(MAX_LISTS))
    }


def save_list(connection: Connection, row: dict[str, Any]) -> None:
    upsert(connection, site_lists, [storable_row(row | {"url": stored_url(row["url"])})], "site", "url")


def coverage(connection: Connection, site: str, now: datetime) -> tuple[DayCoverage, ...]:
    """Return the coverage of the site's last days that have stories, the oldest first."""
    day = func.substr(articles.c.date_published, 1, 10)
    same = (sightings.c.url == articles.c.url) & (sightings.c.site == site)
    recent = articles.c.date_published_utc >= now - timedelta(days=DAYS)
    query = (
        select(day, sightings.c.doors, func.count())
        .join(sightings, same)
        .where(articles.c.site == site, articles.c.duplicate_of.is_(None), recent)
        .group_by(day, sightings.c.doors)
    )
    return coverage_by_day((row[0], row[1], row[2]) for row in connection.execute(query))


def coverage_by_day(rows: Iterable[tuple[str, int, int]]) -> tuple[DayCoverage, ...]:
    """Return the coverage of each day, the oldest first.

    :param rows: day, doors, stories.
    """
    days: dict[str, Counter[int]] = {}
    for day, doors, n in rows:
        days.setdefault(day, Counter())[doors] += n
    return tuple(DayCoverage.from_counts(day, days[day]) for day in sorted(days))


def forget_sightings(connection: Connection, site: str, now: datetime) -> None:
    old = sightings.c.seen_at < now - timedelta(days=2 * DAYS)
    connection.execute(delete(sightings).where(sightings.c.site == site, old))


SILENT_RUNS: Final = 3
"""Harvests without anything new after which a feed counts as silent …"""
SILENCE: Final = timedelta(days=7)
"""… and the time without it."""
MAX_FEEDS: Final = 500
MAX_RUNS: Final = 200


def dead_feeds(connection: Connection, site: str, declared: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return a row for each feed of a site that its last visits got nothing from.

    ``url``; ``fault``: ``failed``, ``no feed`` or ``silent``; ``why``: what came instead; ``n_failures`` in a row;
    ``visited_at``; ``last_new_at``: when it last led to something new, None: never.

    :param declared: feeds that the site's file names; one that never was a feed is told by this alone.
    """
    found = {row["url"]: dict(row) for row in _visits(connection, site)}
    named = [url for url in declared if url not in found][:MAX_FEEDS]
    names = ("url", "outcome", "reason", "status", "fetched_at")
    is_fine = pages.c.outcome == Outcome.REDIRECTED, pages.c.reason.in_(["feed", "not_modified"])
    query = select(*(pages.c[name] for name in names)).where(
        pages.c.url.in_(named), not_(func.coalesce(or_(*is_fine), false()))
    )
    starts = select(runs.c.started_at).where((runs.c.site == site) | (runs.c.spider == site))
    begun = list(connection.execute(starts.order_by(runs.c.id.desc()).limit(MAX_RUNS)).scalars())
    rows = [told for row in found.values() if (told := _told(row, begun))]
    rows += [_never_a_feed(row) for row in connection.execute(query).mappings()]
    return sorted(rows, key=lambda row: (row["fault"], row["url"]))


def _visits(connection: Connection, site: str) -> Sequence[Mapping[Any, Any]]:
    """Return what the frontier knows of the site's feeds, the crawl that visited one last at the end."""
    f, name = frontier.c, frontier_crawls.c.name
    names = ("url", "state", "reason", "n_failures", "last_changed_at", "interval_seconds")
    # one that waits was visited before it was queued
    visited = func.coalesce(f.ended_at, f.queued_at).label("visited_at")
    of_site = or_(name == site, name.startswith(f"{site}:", autoescape=True))
    query = (
        select(*(f[name_] for name_ in names), visited)
        .join(frontier_crawls, frontier_crawls.c.id == f.crawl_id)
        .where(of_site, f.kind == literal_column(f"'{Kind.FEED.value}'"))  # as the index has it
        .order_by(visited)
        .limit(MAX_FEEDS)
    )
    return connection.execute(query).mappings().all()


def _told(row: Mapping[Any, Any], begun: Iterable[datetime]) -> dict[str, Any] | None:
    """Return what is wrong with a feed; None where nothing is.

    :param begun: when the site's runs began.
    """
    last_new, visited = row["last_changed_at"], row["visited_at"]
    told = {"url": row["url"], "visited_at": visited, "last_new_at": last_new, "n_failures": row["n_failures"] or 0}
    if row["state"] == State.FAILED or told["n_failures"]:
        return told | {"fault": "failed", "why": row["reason"] or ""}
    n_runs = sum(start <= visited and (last_new is None or start > last_new) for start in begun)
    if last_new is None:  # a first visit may find all known already
        is_silent = (row["interval_seconds"] or 0) > FIRST.total_seconds()
    else:
        is_silent = visited - last_new >= SILENCE
    return told | {"fault": "silent", "why": ""} if is_silent and n_runs >= SILENT_RUNS else None


def _never_a_feed(row: Mapping[Any, Any]) -> dict[str, Any]:
    is_page = row["status"] == 200
    why = ":".join(str(part) for part in (row["outcome"], row["reason"] or row["status"]) if part)
    told = {"url": row["url"], "visited_at": row["fetched_at"], "last_new_at": None, "n_failures": 0}
    return told | {"fault": "no feed" if is_page else "failed", "why": why}
