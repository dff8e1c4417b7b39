"""What is remembered of each host, shared by all workers: its articles' lines, changes of template, robots.txt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, ForeignKey, Integer, Table, Text, or_, select, text

from newscrawl.sites.memory.site import MAX_HOSTS, HostMemory
from newscrawl.store.columns import Json, UtcTime, storable, storable_row
from newscrawl.store.engine import upsert
from newscrawl.store.schema import id_column, metadata, sites
from newscrawl.urls.domains import site_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from sqlalchemy import Connection, Select

    from newscrawl.sites.memory.site import Drift

#: PostgreSQL's advisory lock of who merges: "siteMemo" as a number.
MEMORY_LOCK = int.from_bytes(b"siteMemo", "big")
MAX_DRIFTS = 10

site_memories = Table(
    "site_memories",
    metadata,
    Column("host", Text, primary_key=True),
    Column("n_pages", Integer, nullable=False),
    Column("state", Json, nullable=False),  # newscrawl.sites.memory.site.HostMemory
    Column("updated_at", UtcTime, nullable=False),
)

site_drifts = Table(
    "site_drifts",
    metadata,
    id_column(),
    Column("host", Text, nullable=False),
    Column("reason", Text, nullable=False),  # "places", "length", "list", "rule", "kinds"
    Column("old", Text, nullable=False),  # the rule that no longer holds
    Column("new", Text, nullable=False),
    Column("n_pages", Integer, nullable=False),  # articles, visits or stories behind the old rule
    Column("noticed_at", UtcTime, nullable=False),
    Column("run_id", ForeignKey("runs.id")),
)


def load_memories(connection: Connection) -> dict[str, HostMemory]:
    """Return the memories changed last, at most ``MAX_HOSTS``; a state of another version is left out."""
    return _read(connection, select(site_memories).order_by(site_memories.c.updated_at.desc()).limit(MAX_HOSTS))


def _read(connection: Connection, query: Select[Any]) -> dict[str, HostMemory]:
    found = {}
    for row in connection.execute(query):
        try:
            found[row.host] = HostMemory.from_state(row.state)
        except ValueError:
            continue
    return found


def merge_memories(
    connection: Connection, news: Mapping[str, HostMemory], void: AbstractSet[str] = frozenset()
) -> dict[str, HostMemory]:
    """Add what one worker has seen to what all know and return the sums, by host.

    Called in a writing transaction; workers merge one after the other, so that none undoes another's.

    :param void: hosts whose stored memory no longer counts.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MEMORY_LOCK})
    names = {host: storable(host) for host in news}
    kept = _read(connection, select(site_memories).where(site_memories.c.host.in_(names.values())))
    merged = {host: HostMemory() if host in void else kept.get(names[host], HostMemory()) for host in news}
    for host, memory in merged.items():
        memory.add(news[host])
    now = datetime.now(UTC)
    rows = [
        {"host": names[host], "n_pages": memory.n_pages, "state": memory.to_state(), "updated_at": now}
        for host, memory in merged.items()
    ]
    upsert(connection, site_memories, rows, "host")
    return merged


def add_drift(connection: Connection, drift: Drift, run_id: int | None) -> None:
    values = {name: storable(getattr(drift, name)) for name in ("host", "reason", "old", "new")}
    connection.execute(
        site_drifts.insert().values(**values, n_pages=drift.n_pages, noticed_at=datetime.now(UTC), run_id=run_id)
    )


def drifts_of(
    connection: Connection, site: str | None = None, *, since: datetime | None = None, most: int = MAX_DRIFTS
) -> tuple[dict[str, Any], ...]:
    """Return what was noticed of hosts, the newest first.

    :param site: the site whose hosts are meant; None: all.
    """
    noticed = select(site_drifts).order_by(site_drifts.c.id.desc())
    if since is not None:
        noticed = noticed.where(site_drifts.c.noticed_at >= since)
    if site is not None:
        hosts = connection.execute(select(sites.c.hosts).where(sites.c.name == site)).scalar() or []
        below = [site_drifts.c.host.endswith(host, autoescape=True) for host in hosts if host.startswith(".")]
        names = {host.lstrip(".") for host in hosts}
        owned = {site_of(f"https://{name}/") for name in names}  # what a site's evidence is kept under
        noticed = noticed.where(or_(site_drifts.c.host.in_(sorted(names | owned)), *below))
    return tuple(map(dict, connection.execute(noticed.limit(most)).mappings()))


robots = Table(  # asked for once a day
    "robots",
    metadata,
    Column("origin", Text, primary_key=True),
    Column("body", Text, nullable=False),  # empty: there is none
    Column("fetched_at", UtcTime, nullable=False),
)


def read_robots(connection: Connection, origin: str, since: datetime) -> str | None:
    """Return the text if it was read since then, ``""`` where there is none; else None."""
    row = robots.c.origin == origin, robots.c.fetched_at >= since
    text: str | None = connection.execute(select(robots.c.body).where(*row)).scalar()
    return text


def save_robots(connection: Connection, origin: str, body: str, now: datetime) -> None:
    upsert(connection, robots, [storable_row({"origin": origin, "body": body, "fetched_at": now})], "origin")
