"""robots.txt of hosts, as last read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Column, Table, Text, select

from newscrawl.storage.batch import upsert
from newscrawl.storage.columns import UtcTime, storable_row
from newscrawl.storage.schema import metadata

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


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
