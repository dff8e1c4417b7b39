"""Which doors of a site showed which stories, and how much its lists usually give."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Column, Float, Integer, Table, Text, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from newscrawl.sites.coverage import ListMemory, counted
from newscrawl.storage.batch import upsert
from newscrawl.storage.columns import UtcTime, storable
from newscrawl.storage.engine import execute_many
from newscrawl.storage.schema import articles, metadata
from newscrawl.storage.site_memory import site_drifts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from newscrawl.sites.coverage import DayCoverage
    from newscrawl.sites.memory.site import Drift

DAYS: Final = 14
"""Days whose coverage is told; sightings are kept twice as long."""
MAX_LISTS: Final = 5_000

sightings = Table(
    "sightings",
    metadata,
    Column("site", Text, primary_key=True),
    Column("url", Text, primary_key=True),
    Column("doors", Integer, nullable=False),  # newscrawl.sites.coverage.DOORS
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


def note_sightings(connection: Connection, site: str, doors: Mapping[str, int], now: datetime) -> None:
    """Add the doors at which addresses were seen."""
    rows = [{"site": site, "url": storable(url), "doors": bits, "seen_at": now} for url, bits in doors.items()]
    if rows:
        execute_many(connection, _adding(connection.dialect.name), rows)


@cache
def _adding(dialect: str) -> Any:
    new: Any = (postgresql if dialect == "postgresql" else sqlite).insert(sightings)
    both = sightings.c.doors.bitwise_or(new.excluded.doors)
    return new.on_conflict_do_update(index_elements=("site", "url"), set_={"doors": both})


def read_lists(connection: Connection, site: str) -> dict[str, ListMemory]:
    """Return what is known of the site's lists, feeds and sitemaps, those visited last."""
    query = select(site_lists).where(site_lists.c.site == site).order_by(site_lists.c.visited_at.desc())
    return {
        row.url: ListMemory(usual=row.usual, n_visits=row.n_visits, n_dry=row.n_dry)
        for row in connection.execute(query.limit(MAX_LISTS))
    }


def save_list(connection: Connection, row: dict[str, Any]) -> None:
    upsert(connection, site_lists, [row], "site", "url")


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
    return counted([(row[0], row[1], row[2]) for row in connection.execute(query)])


def forget_sightings(connection: Connection, site: str, now: datetime) -> None:
    """Leave out what was seen long ago."""
    old = sightings.c.seen_at < now - timedelta(days=2 * DAYS)
    connection.execute(delete(sightings).where(sightings.c.site == site, old))


def is_told(connection: Connection, drift: Drift) -> bool:
    """Tell whether the fall of a day's coverage is known: each later run sees it again."""
    same = site_drifts.c.host == storable(drift.host), site_drifts.c.reason == drift.reason
    day = site_drifts.c.new.endswith(drift.new.rpartition(" ")[2], autoescape=True)
    return connection.execute(select(site_drifts.c.id).where(*same, day).limit(1)).first() is not None
