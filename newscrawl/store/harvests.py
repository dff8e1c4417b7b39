"""Earlier harvests: when each scheduled one began last, whether its crawl is at work, what was read of a site.

A harvest runs as long as its crawl is heard of: a crawl that was killed is not, and its site is free soon after. Clocks
of the machines that share a database must agree to some seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Column, ForeignKey, Table, Text, or_, select, update

from newscrawl.console.wording import show_age
from newscrawl.outcomes import Outcome
from newscrawl.store.columns import UtcTime, storable_row
from newscrawl.store.coverage import site_lists
from newscrawl.store.engine import upsert
from newscrawl.store.runs import SILENCE, Figures, RunState, state_of
from newscrawl.store.schema import articles, metadata, pages, runs, sites

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from newscrawl.sites.schedule import Harvest

harvests = Table(
    "harvests",
    metadata,
    Column("name", Text, primary_key=True),  # of the schedule
    Column("site", Text, nullable=False),  # never harvested twice at a time
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("status", Text),  # RUNNING, or how it ended
    Column("run_id", ForeignKey("runs.id")),  # NULL: its crawl has not begun
)

RUNNING: Final = "running"
#: A crawl that has not begun after this time is dead.
MAX_START: Final = timedelta(seconds=180)


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestState:
    """A row of ``harvests``, with what is known of its run."""

    name: str
    site: str
    started_at: datetime | None
    status: str | None
    heard_at: datetime | None
    """When its crawl was last heard of; None: it has not begun."""
    run_finished_at: datetime | None

    def is_running(self, now: datetime) -> bool:
        """Tell whether its crawl lives. A time ahead of now is of a clock that was set back since."""
        if self.status != RUNNING or self.started_at is None or self.run_finished_at is not None:
            return False
        last, silence = (self.started_at, MAX_START) if self.heard_at is None else (self.heard_at, SILENCE)
        return abs(now - last) < silence


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestRun:
    """The run of a harvest."""

    id: int
    finish_reason: str | None  # None: it runs still, or was killed
    state: RunState


def read_states(connection: Connection) -> dict[str, HarvestState]:
    """Return every harvest that was ever claimed, by name."""
    names = ("name", "site", "started_at", "status")
    of_run = runs.c.heard_at, runs.c.finished_at.label("run_finished_at")
    query = select(*(harvests.c[name] for name in names), *of_run).outerjoin(runs, runs.c.id == harvests.c.run_id)
    return {row["name"]: HarvestState(**row) for row in connection.execute(query).mappings()}


def obstacle(harvest: Harvest, states: Mapping[str, HarvestState], now: datetime) -> str | None:
    """Return why the harvest does not start now: ``running`` (it, or, if due, another of its site) or ``not due``."""
    last = states.get(harvest.name)
    if last is not None and last.is_running(now):
        return "running"
    if not harvest.is_due(last.started_at if last else None, now):
        return "not due"
    is_busy = any(state.is_running(now) and state.site == harvest.site for state in states.values())
    return "running" if is_busy else None


def schedule_row(harvest: Harvest, states: Mapping[str, HarvestState], now: datetime) -> dict[str, Any]:
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


def claim(connection: Connection, harvest: Harvest, now: datetime) -> str | None:
    """Take the harvest if nothing stands against it; return what does, else None. In a writing transaction."""
    refusal = obstacle(harvest, read_states(connection), now)
    if refusal is None:
        row = {"name": harvest.name, "site": harvest.site, "started_at": now}
        row |= {"finished_at": None, "status": RUNNING, "run_id": None}
        upsert(connection, harvests, [storable_row(row)], "name")
    return refusal


def note_run(connection: Connection, name: str, run_id: int) -> None:
    """Name the run of a harvest's crawl, which has begun."""
    waiting = harvests.c.name == name, harvests.c.run_id.is_(None)
    connection.execute(update(harvests).where(*waiting).values(run_id=run_id))


def run_of(connection: Connection, name: str, started_at: datetime) -> HarvestRun | None:
    """Return the run of a harvest that began then; None if its crawl never got that far."""
    query = select(runs.c.id, runs.c.finish_reason, runs.c.stats).join(harvests, harvests.c.run_id == runs.c.id)
    row = connection.execute(query.where(*_began(name, started_at))).first()
    if row is None:
        return None
    state, _ = state_of(row.finish_reason, Figures.of(row.stats or {}))
    return HarvestRun(id=row.id, finish_reason=row.finish_reason, state=state)


def end_harvest(connection: Connection, name: str, started_at: datetime, *, status: str, now: datetime) -> None:
    """Record the end of a harvest that began then, unless it was begun again since."""
    ended = update(harvests).where(*_began(name, started_at))
    connection.execute(ended.values(finished_at=now, status=status))


def _began(name: str, started_at: datetime) -> tuple[ColumnElement[bool], ...]:
    return harvests.c.name == name, harvests.c.started_at == started_at


def urls_of_site(connection: Connection, name: str, covers: Callable[[str], bool]) -> list[str]:
    """Return the addresses of the articles stored under a site's name, or that of one of its hosts (``crawl site``).

    :param covers: tells whether an address is of the site.
    """
    of_site = articles.c.site.in_(_names(connection, name, covers))
    return list(connection.execute(select(articles.c.url).where(of_site)).scalars())


def _names(connection: Connection, name: str, covers: Callable[[str], bool]) -> set[str]:
    """Return a site's name, and those of its hosts under which articles may be stored."""
    dotted = sites.c.name.like("%.%"), ~sites.c.name.like("% %")
    hosts = connection.execute(select(sites.c.name).where(*dotted)).scalars()
    return {name, *(host for host in hosts if covers(f"https://{host}/"))}


#: Copies, articles, and empty pages of a site that a crawl takes in again when it begins.
MAX_READ_BEFORE: Final = 2_000


def read_before(connection: Connection, name: str, covers: Callable[[str], bool]) -> list[tuple[str, str, str]]:
    """Return addresses, headlines and hashes of texts of a site's articles: the newest, copies, and what they repeat.

    Which values in addresses change nothing is learnt from them, as it was when they were read.
    """
    columns = articles.c.url, articles.c.headline, articles.c.content_hash
    of_site = articles.c.site.in_(_names(connection, name, covers))
    copied = select(articles.c.duplicate_of).where(of_site, articles.c.duplicate_of.is_not(None))
    is_copy = or_(articles.c.duplicate_of.is_not(None), articles.c.url.in_(copied))
    twice = select(*columns).where(of_site, is_copy).order_by(articles.c.id).limit(MAX_READ_BEFORE)
    newest = select(*columns).where(of_site).order_by(articles.c.id.desc()).limit(MAX_READ_BEFORE)
    rows = {row.url: row for query in (newest, twice) for row in connection.execute(query)}
    return [(row.url, row.headline or "", row.content_hash) for row in rows.values()]


def read_empty(connection: Connection, name: str, covers: Callable[[str], bool]) -> list[str]:
    """Return addresses of a site's pages, the newest, that were no articles and listed no story."""
    lists = select(site_lists.c.url).where(site_lists.c.usual > 0)
    is_empty = pages.c.outcome == Outcome.NOT_ARTICLE, pages.c.url.not_in(lists)
    query = select(pages.c.url).where(pages.c.site.in_(_names(connection, name, covers)), *is_empty)
    return list(connection.execute(query.order_by(pages.c.id.desc()).limit(MAX_READ_BEFORE)).scalars())
