"""The row of a run: what was asked, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, update

from newscrawl.storage.batch import upsert
from newscrawl.storage.columns import storable_row
from newscrawl.storage.schema import runs, sites

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStart:
    spider: str
    site: str | None
    arguments: dict[str, str]
    started_at: datetime
    versions: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    finished_at: datetime
    finish_reason: str
    outcomes: dict[str, int]
    rejections: dict[str, int]
    stats: dict[str, Any]
    """JSON values only."""
    rate: dict[str, Any] = field(default_factory=dict)


def begin_run(connection: Connection, run: RunStart) -> int:
    """Insert the run and return its id."""
    names = ("spider", "site", "arguments", "started_at", "versions")
    row = storable_row({name: getattr(run, name) for name in names})
    found = connection.execute(insert(runs).values(row).returning(runs.c.id))
    return int(found.scalar_one())


def end_run(connection: Connection, run_id: int, run: RunEnd) -> None:
    """Fill in how the run ended."""
    names = ("finished_at", "finish_reason", "outcomes", "rejections", "stats", "rate")
    row = storable_row({name: getattr(run, name) for name in names})
    connection.execute(update(runs).where(runs.c.id == run_id).values(row))


def save_site(connection: Connection, row: dict[str, Any]) -> None:
    """Insert or replace a row of ``sites``."""
    upsert(connection, sites, [storable_row(row)], key="name")
