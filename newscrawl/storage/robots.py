"""robots.txt of hosts, as last read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from newscrawl.storage.batch import upsert
from newscrawl.storage.columns import storable_row
from newscrawl.storage.schema_daily import robots

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


def read_robots(connection: Connection, origin: str, since: datetime) -> str | None:
    """Return the text if it was read since then, ``""`` where there is none; else None."""
    row = robots.c.origin == origin, robots.c.fetched_at >= since
    text: str | None = connection.execute(select(robots.c.body).where(*row)).scalar()
    return text


def save_robots(connection: Connection, origin: str, body: str, now: datetime) -> None:
    upsert(connection, robots, [storable_row({"origin": origin, "body": body, "fetched_at": now})], key="origin")
