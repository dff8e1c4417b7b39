"""Scheduled harvests: when each began last, and who is at work on a site now.

A harvest is claimed with a lease that its crawl renews while it lives; a crawl that was killed stops doing so, and
its site is free when the lease ends. Clocks of the machines that share a database must agree to some seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, ForeignKey, Table, Text, select, update

from newscrawl.sites.ages import show_age
from newscrawl.store.columns import UtcTime, storable_row
from newscrawl.store.engine import upsert
from newscrawl.store.runs import Figures, RunState, state_of
from newscrawl.store.schema import metadata, runs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection

    from newscrawl.sites.schedule import Harvest

harvests = Table(
    "harvests",
    metadata,
    Column("name", Text, primary_key=True),  # of the schedule
    Column("site", Text, nullable=False),  # never harvested twice at a time
    Column("holder", Text),
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("status", Text),
    Column("lease_until", UtcTime),  # NULL: nobody is at work
    Column("run_id", ForeignKey("runs.id")),
)

#: A crawl that has not renewed for this time is dead. Longer than a crawl needs to begin.
LEASE = timedelta(seconds=180)
RENEW_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestState:
    """A row of ``harvests``."""

    name: str
    site: str
    started_at: datetime | None
    finished_at: datetime | None
    status: str | None
    lease_until: datetime | None

    def is_running(self, now: datetime) -> bool:
        """Whether its lease holds; one that reaches beyond two leases is of a clock that was set back since."""
        return self.lease_until is not None and now < self.lease_until <= now + 2 * LEASE


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestRun:
    """The run of a harvest."""

    id: int
    finish_reason: str | None  # None: it runs still, or was killed
    state: RunState


def read_states(connection: Connection) -> dict[str, HarvestState]:
    """Return every harvest that was ever claimed, by name."""
    names = ("name", "site", "started_at", "finished_at", "status", "lease_until")
    rows = connection.execute(select(*(harvests.c[name] for name in names))).mappings()
    return {row["name"]: HarvestState(**row) for row in rows}


def obstacle(harvest: Harvest, states: Mapping[str, HarvestState], now: datetime) -> str | None:
    """Return why the harvest does not start now: ``running`` (it, or, if due, another of its site) or ``not due``."""
    last = states.get(harvest.name)
    if last is not None and last.is_running(now):
        return "running"
    if not harvest.is_due(last.started_at if last else None, now):
        return "not due"
    is_busy = any(state.is_running(now) and state.site == harvest.site for state in states.values())
    return "running" if is_busy else None


def planned(harvest: Harvest, states: Mapping[str, HarvestState], now: datetime) -> dict[str, Any]:
    """Return a row of the schedule for people; ``next``: when its interval is over, None if that is so."""
    state = states.get(harvest.name)
    started = state.started_at if state else None
    is_waiting = started is not None and not harvest.is_due(started, now)
    return {
        "harvest": harvest.name,
        "site": harvest.site,
        "every": show_age(harvest.every),
        "last start": started.isoformat(timespec="seconds") if started else None,
        "last end": state.status if state else None,
        "next": (started + harvest.every).isoformat(timespec="seconds") if started and is_waiting else None,
        "now": obstacle(harvest, states, now) or "due",
    }


def claim(connection: Connection, harvest: Harvest, holder: str, now: datetime) -> str | None:
    """Take the harvest if nothing stands against it; return what does, else None. In a writing transaction."""
    refusal = obstacle(harvest, read_states(connection), now)
    if refusal is None:
        row = {"name": harvest.name, "site": harvest.site, "holder": holder, "started_at": now}
        row |= {"finished_at": None, "status": "running", "lease_until": now + LEASE, "run_id": None}
        upsert(connection, harvests, [storable_row(row)], "name")
    return refusal


def renew(connection: Connection, name: str, holder: str, now: datetime, *, run_id: int | None = None) -> bool:
    """Prolong the lease and name the crawl's run; False when the lease is another's by now."""
    mine = (harvests.c.name == name) & (harvests.c.holder == holder)
    done = connection.execute(update(harvests).where(mine).values(lease_until=now + LEASE, run_id=run_id))
    return done.rowcount == 1


def run_of(connection: Connection, name: str, holder: str) -> HarvestRun | None:
    """Return the holder's run; None if its crawl never got that far."""
    query = select(runs.c.id, runs.c.finish_reason, runs.c.stats).join(harvests, harvests.c.run_id == runs.c.id)
    row = connection.execute(query.where(harvests.c.name == name, harvests.c.holder == holder)).first()
    if row is None:
        return None
    state, _ = state_of(row.finish_reason, Figures.of(row.stats or {}))
    return HarvestRun(id=row.id, finish_reason=row.finish_reason, state=state)


def release(connection: Connection, name: str, holder: str, *, status: str, now: datetime) -> None:
    """Record the end of a harvest and free its site."""
    mine = (harvests.c.name == name) & (harvests.c.holder == holder)
    connection.execute(update(harvests).where(mine).values(lease_until=None, finished_at=now, status=status))
