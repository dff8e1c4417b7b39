"""What ``scrapy frontier`` does: count, list, queue again, forget, name the workers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, or_, select, update

from newscrawl.exceptions import UserError
from newscrawl.store.columns import MAX_PRIORITY, State
from newscrawl.store.engine import now
from newscrawl.store.schema import (
    frontier,
    frontier_crawls,
    frontier_hosts,
    frontier_workers,
    in_state,
    pages,
    runs,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import ColumnElement, Connection

_SHOWN = ("url", "state", "reason", "priority", "kind", "pass_number", "n_returned", "queued_at", "ended_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressFilter:
    """Which requests; None: all."""

    crawl: str | None = None
    host: str | None = None
    state: State | None = None
    reason: str | None = None
    """The beginning of the reason, e.g. ``http_error``."""
    fingerprints: Collection[bytes] | None = None
    ended_before: datetime | None = None
    address: str | None = None
    """A form of address, in which ``*`` stands for anything."""

    def where(self) -> list[ColumnElement[bool]]:
        conditions: list[ColumnElement[bool]] = []
        if self.crawl is not None:
            named = select(frontier_crawls.c.id).where(frontier_crawls.c.name == self.crawl)
            conditions.append(frontier.c.crawl_id.in_(named))
        if self.host is not None:
            hosts = select(frontier_hosts.c.id).where(frontier_hosts.c.host == self.host)
            conditions.append(frontier.c.host_id.in_(hosts))
        if self.state is not None:
            conditions.append(in_state(self.state))
        if self.reason is not None:
            conditions.append(frontier.c.reason.startswith(self.reason, autoescape=True))
        if self.fingerprints is not None:
            # with the crawls, so that the index of both is used
            conditions.append(frontier.c.crawl_id.in_(select(frontier_crawls.c.id)))
            conditions.append(frontier.c.fingerprint.in_(list(self.fingerprints)))
        if self.address is not None:
            plain = self.address.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
            conditions.append(frontier.c.url.like(plain.replace("*", "%"), escape="\\"))
        if self.ended_before is not None:
            conditions.append(frontier.c.state.in_([State.DONE, State.FAILED]))
            conditions.append(frontier.c.ended_at < self.ended_before)
        return conditions


def crawl_names(connection: Connection) -> list[str]:
    return list(connection.execute(select(frontier_crawls.c.name).order_by(frontier_crawls.c.name)).scalars())


def workers(connection: Connection) -> list[dict[str, Any]]:
    """Return the workers of all crawls: machine and process, how long the lease still holds, what they hold.

    ``lease_seconds`` falls below 0 where a worker is silent for so long that others take its leases over.
    """
    w, hosts, moment = frontier_workers.c, frontier_hosts.c, now(connection)
    n_hosts = select(func.count()).where(hosts.worker_id == w.id).scalar_subquery()
    n_leased = select(func.count()).where(frontier.c.worker_id == w.id, in_state(State.LEASED)).scalar_subquery()
    held = n_hosts.label("hosts"), n_leased.label("requests")
    columns = (w.process, w.started_at, w.leased_until, w.drain_asked_at, w.n_ended, *held)
    crawls = select(frontier_crawls.c.name.label("crawl"), *columns).join(frontier_crawls)
    found = []
    for row in connection.execute(crawls.order_by(frontier_crawls.c.name, w.started_at)).mappings():
        machine, pid = row["process"].rsplit(" ", 2)[:2]
        values = {name: row[name] for name in ("crawl", "started_at", "hosts", "requests")}
        lease = round((row["leased_until"] - moment).total_seconds(), 1)
        values |= {"machine": machine, "process": pid, "lease_seconds": lease, "drains": bool(row["drain_asked_at"])}
        found.append(values | {"pages_a_minute": _a_minute(row["n_ended"] or 0, moment - row["started_at"])})
    return found


def _a_minute(n: int, time: timedelta) -> float:
    return round(n * 60 / max(1.0, time.total_seconds()), 1)


def set_drain(connection: Connection, process: str, machine: str = "", *, drains: bool) -> int:
    """Ask a worker to give back all it holds and wait, or to work again; return how many workers are so named.

    :param process: its number, as :func:`workers` tells it.
    :param machine: the beginning of its machine's name, where several have a process of that number.
    :raises UserError: workers of several machines are named.
    """
    w = frontier_workers.c
    named = [
        (row.id, row.process.rsplit(" ", 2)[0])
        for row in connection.execute(select(w.id, w.process))
        if row.process.rsplit(" ", 2)[1] == process and row.process.startswith(machine)
    ]
    if len({host for _, host in named}) > 1:
        raise UserError(f"process {process} is on several machines: {', '.join(sorted({host for _, host in named}))}")
    values = {"drain_asked_at": now(connection) if drains else None}
    connection.execute(update(frontier_workers).where(w.id.in_([number for number, _ in named])).values(values))
    return len(named)


def put_first(connection: Connection, selection: AddressFilter) -> int:
    """Put queued requests before all others of their crawl, in their own order; return how many.

    Their hosts, where nobody leases them and their delay is over, are the next to be leased.
    """
    queued = [in_state(State.QUEUED), *selection.where()]
    own = func.min(frontier.c.priority), func.max(frontier.c.priority)
    bounds = select(frontier.c.crawl_id, *own).where(*queued).group_by(frontier.c.crawl_id)
    n_raised = 0
    for crawl_id, lowest, most in connection.execute(bounds).all():
        highest = select(func.max(frontier.c.priority)).where(frontier.c.crawl_id == crawl_id, in_state(State.QUEUED))
        step = min((connection.execute(highest).scalar() or 0) - lowest + 1, MAX_PRIORITY - most)
        mine = update(frontier).where(frontier.c.crawl_id == crawl_id, *queued)
        n_raised += connection.execute(mine.values(priority=frontier.c.priority + step)).rowcount
    hosts = frontier_hosts.c
    rested = hosts.worker_id.is_(None), or_(hosts.free_at.is_(None), hosts.free_at <= now(connection))
    chosen = select(frontier.c.host_id).where(*queued)
    connection.execute(update(frontier_hosts).where(hosts.id.in_(chosen), *rested).values(free_at=_LONG_AGO))
    return n_raised


_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


def rates(connection: Connection) -> list[dict[str, Any]]:
    """Return the runs that were heard of in the last minutes, with the pages that each has ended a minute."""
    moment = now(connection)
    going = runs.c.finished_at.is_(None), runs.c.heard_at > moment - timedelta(seconds=SILENT_SECONDS)
    n_pages = select(func.count()).where(pages.c.run_id == runs.c.id).scalar_subquery()
    query = select(runs.c.id, runs.c.site, runs.c.started_at, n_pages.label("pages")).where(*going)
    rows = connection.execute(query.order_by(runs.c.id)).mappings()
    return [{**row, "pages_a_minute": _a_minute(row["pages"], moment - row["started_at"])} for row in rows]


SILENT_SECONDS: Final = 180
"""A run that was not heard of for so long does not go on."""


def counts(connection: Connection, selection: AddressFilter) -> list[dict[str, Any]]:
    """Return a row for each crawl: its pass, its workers, and its requests by state."""
    crawls = select(frontier_crawls).order_by(frontier_crawls.c.name)
    if selection.crawl is not None:
        crawls = crawls.where(frontier_crawls.c.name == selection.crawl)
    rows = {row["id"]: dict(row) for row in connection.execute(crawls).mappings()}
    for row in rows.values():
        row.update(dict.fromkeys(map(str, State), 0), workers=0)
    counted = _counted if selection == AddressFilter(crawl=selection.crawl) else _counted_by_row
    for crawl_id, state, n in counted(connection, selection):
        rows[crawl_id][state] = n
    workers = select(frontier_workers.c.crawl_id, func.count().label("n")).group_by(frontier_workers.c.crawl_id)
    for found in connection.execute(workers):
        if found.crawl_id in rows:
            rows[found.crawl_id]["workers"] = found.n
    for row in rows.values():
        del row["id"]
    return list(rows.values())


def _counted_by_row(connection: Connection, selection: AddressFilter) -> Iterator[tuple[int, str, int]]:
    grouped = select(frontier.c.crawl_id, frontier.c.state, func.count()).where(*selection.where())
    yield from (tuple(row) for row in connection.execute(grouped.group_by(frontier.c.crawl_id, frontier.c.state)))


def _counted(connection: Connection, selection: AddressFilter) -> Iterator[tuple[int, str, int]]:
    """Yield requests of whole crawls by state, from indexes alone: what is done is the rest."""
    crawl_id, n = frontier.c.crawl_id, func.count()
    found = connection.execute(select(crawl_id, n).where(*selection.where()).group_by(crawl_id))
    left = Counter({row.crawl_id: row[1] for row in found})
    for state in (State.QUEUED, State.LEASED, State.FAILED):
        # each grouped as its index is sorted, that SQLite takes it
        order = (frontier.c.worker_id, crawl_id) if state is State.LEASED else (crawl_id,)
        rows = connection.execute(select(crawl_id, n).where(in_state(state)).group_by(*order))
        of_state: Counter[int] = Counter()
        for row in rows:
            if row.crawl_id in left:
                of_state[row.crawl_id] += row[1]
        left.subtract(of_state)
        yield from ((key, state, of_state[key]) for key in of_state)
    yield from ((key, State.DONE, n_done) for key, n_done in left.items())


def list_requests(connection: Connection, selection: AddressFilter, limit: int) -> list[dict[str, Any]]:
    """Return requests in the order in which they leave."""
    columns = [frontier_crawls.c.name.label("crawl"), *(frontier.c[name] for name in _SHOWN)]
    query = select(*columns).join(frontier_crawls, frontier_crawls.c.id == frontier.c.crawl_id)
    query = query.where(*selection.where()).order_by(frontier.c.priority.desc(), frontier.c.id).limit(limit)
    return [dict(row) for row in connection.execute(query).mappings()]


def requeue(connection: Connection, selection: AddressFilter) -> int:
    """Queue requests that have ended; return how many. A finished crawl goes on with them."""
    ended = frontier.c.state.in_([State.DONE, State.FAILED])
    hosts = select(frontier.c.host_id).where(ended, *selection.where()).distinct()
    connection.execute(update(frontier_hosts).where(frontier_hosts.c.id.in_(hosts)).values(has_work=True))
    crawls = select(frontier.c.crawl_id).where(ended, *selection.where()).distinct()
    connection.execute(update(frontier_crawls).where(frontier_crawls.c.id.in_(crawls)).values(finished_at=None))
    values = {"state": State.QUEUED, "reason": None, "ended_at": None}
    return connection.execute(update(frontier).where(ended, *selection.where()).values(values)).rowcount


def forget(connection: Connection, selection: AddressFilter) -> int:
    """Delete requests; return how many. A crawl forgotten as a whole begins anew."""
    n_forgotten = connection.execute(delete(frontier).where(*selection.where())).rowcount
    if selection == AddressFilter(crawl=selection.crawl) and selection.crawl is not None:
        named = select(frontier_crawls.c.id).where(frontier_crawls.c.name == selection.crawl)
        for table in (frontier_hosts, frontier_workers):
            connection.execute(delete(table).where(table.c.crawl_id.in_(named)))
        connection.execute(delete(frontier_crawls).where(frontier_crawls.c.name == selection.crawl))
    else:
        _forget_hosts(connection)
    return n_forgotten


def _forget_hosts(connection: Connection) -> None:
    """Delete hosts without addresses, but for crawls with a worker: it may be about to queue some."""
    connection.execute(select(frontier_crawls.c.id).with_for_update())  # nobody joins meanwhile
    hosts = frontier_hosts.c
    # as a difference of sets: each table is read once, whichever database it is
    empty = select(hosts.id).except_(select(frontier.c.host_id))
    worked_on = select(frontier_workers.c.crawl_id)
    has_rested = or_(hosts.free_at.is_(None), hosts.free_at <= now(connection))
    connection.execute(delete(frontier_hosts).where(hosts.id.in_(empty), hosts.crawl_id.not_in(worked_on), has_rested))
