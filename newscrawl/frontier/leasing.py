"""Requests out of the frontier: a worker leases hosts, then requests of its hosts; in strict order, the best one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, TextClause, bindparam, exists, or_, select, text, update

from newscrawl.frontier.membership import census, has_open, has_queued, may_lease
from newscrawl.frontier.model import LeasedRow, Membership
from newscrawl.store.engine import now
from newscrawl.store.schema import frontier, frontier_hosts, frontier_workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from sqlalchemy import Connection

_TO_LEASE = text("has_work AND worker_id IS NULL")  # as the index has it
#: Rows looked at, in strict order, for one whose host no other worker leases.
STRICT_REACH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a worker wants and gives back, in one transaction."""

    member: Membership
    batch: int  # requests wanted
    per_host: Mapping[int, int] = field(default_factory=dict)
    """Host leased → requests of it that wait in the worker already."""
    max_hosts: int = 0  # hosts to lease at most, those of ``per_host`` included
    is_alone: bool = True  # no other worker is known: there is nobody to share hosts with
    released: Mapping[int, float] = field(default_factory=dict)
    """Host to give back → seconds in which it must not be asked."""
    returned: tuple[int, ...] = ()  # rows to give back
    is_strict: bool = False
    known: frozenset[int] = frozenset()  # rows that the worker has leased already
    dry: frozenset[int] = frozenset()
    """Hosts of ``per_host`` of which nothing more is queued, as far as the worker knows: they get no share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    rows: tuple[LeasedRow, ...] = ()
    hosts: Mapping[int, str] = field(default_factory=dict)  # newly leased: id → name
    kept: frozenset[int] = frozenset()
    """Hosts of ``released`` that another transaction was just writing to: still leased."""
    is_open: bool = True  # whether the crawl has more: queued, or leased by others
    dry: frozenset[int] = frozenset()  # hosts that had less than was asked for: nothing more is queued of them


class LeaseAttempt:
    """A lease that may be tried again. Each further try first queues what the tries before it leased.

    A connection that breaks during a commit leaves open whether the commit took place.
    """

    def __init__(self, order: Order) -> None:
        self.order = order
        self.n_calls = 0

    def __call__(self, connection: Connection) -> Supply:
        self.n_calls += 1
        if self.n_calls > 1:
            worker_id = self.order.member.worker_id
            mine = frontier.c.worker_id == worker_id, text("frontier.state = 'leased'")
            leased = connection.execute(select(frontier.c.id).where(*mine)).scalars()
            give_back(connection, worker_id, set(leased) - self.order.known)
        return lease(connection, self.order)


def lease(connection: Connection, order: Order) -> Supply:
    member = order.member
    if (is_at_work := may_lease(connection, member)) is None:
        return Supply(kept=frozenset(order.released))
    if order.returned:
        give_back(connection, member.worker_id, order.returned)
    released = release(connection, member.worker_id, order.released)
    moment = now(connection)
    dry: frozenset[int] = frozenset()
    hosts: dict[int, str] = {}
    found: list[LeasedRow] = []
    if is_at_work and order.is_strict:
        hosts, found = _strict(connection, order, moment)
    elif is_at_work:
        hosts = _take_hosts(connection, order, moment)
        found, dry = _of_hosts(connection, order, hosts)
    marked = _run(connection, _MARK, member.worker_id, [row.id for row in found])
    found = [row for row in found if row.id in marked]
    patience = member.patience_seconds
    is_open = bool(found) or has_open(connection, member.crawl_id, but=member.worker_id, patience_seconds=patience)
    return Supply(
        rows=tuple(found),
        hosts=hosts,
        kept=frozenset(order.released) - released,
        is_open=is_open,
        dry=dry,
    )


def release(connection: Connection, worker_id: int, hosts: Mapping[int, float]) -> frozenset[int]:
    """Give hosts back; return which ones. A host for which another transaction queues requests is kept.

    Whoever queues a request locks its host's row first. Under that lock, the next statement sees all that is queued,
    and a host that seems to have no work has none.
    """
    if not hosts:
        return frozenset()
    columns = frontier_hosts.c
    mine = select(columns.id).where(columns.id.in_(list(hosts)), columns.worker_id == worker_id)
    locked = connection.execute(mine.with_for_update(skip_locked=True)).scalars().all()
    if locked:
        queued = exists().where(frontier.c.host_id == columns.id, text("frontier.state = 'queued'"))
        change = update(frontier_hosts).where(columns.id == bindparam("b_id"))
        moment = now(connection)
        times = [{"b_id": host_id, "b_free_at": moment + timedelta(seconds=hosts[host_id])} for host_id in locked]
        connection.execute(change.values(worker_id=None, free_at=bindparam("b_free_at"), has_work=queued), times)
    return frozenset(hosts) - frozenset(connection.execute(mine).scalars())


def give_back(connection: Connection, worker_id: int, row_ids: Iterable[int]) -> None:
    """Queue rows again that the worker leased and did not ask for. It leaves other workers' rows alone."""
    _run(connection, _RETURN, worker_id, list(row_ids))


def _take_hosts(connection: Connection, order: Order, moment: datetime) -> dict[int, str]:
    """Lease free hosts, and return them. Workers share the hosts of a crawl equally."""
    member, most = order.member, order.max_hosts
    if not order.is_alone:
        n_workers, n_waiting, n_leased = census(connection, member.crawl_id)
        most = min(most, max(1, -(-(n_waiting + n_leased) // max(1, n_workers))))
    n_new = most - len(order.per_host)
    if n_new <= 0:
        return {}
    rows = connection.execute(_FREE_HOSTS, {"b_crawl": member.crawl_id, "b_moment": moment, "b_most": n_new})
    hosts = {row.id: row.host for row in rows}
    _run(connection, _OWN, member.worker_id, list(hosts))
    return hosts


# Statements are built once: that takes longer than to carry them out for a few rows.


_HOSTS: Final = frontier_hosts.c
_WORKERS: Final = frontier_workers.c
_FREE_HOSTS: Final = (
    select(_HOSTS.id, _HOSTS.host)
    .where(_HOSTS.crawl_id == bindparam("b_crawl"), _TO_LEASE)
    .where(or_(_HOSTS.free_at.is_(None), _HOSTS.free_at <= bindparam("b_moment")))
    .order_by(_HOSTS.free_at, _HOSTS.id)
    .limit(bindparam("b_most", type_=Integer))
    .with_for_update(skip_locked=True)
)


def _of_hosts(connection: Connection, order: Order, new_hosts: Iterable[int]) -> tuple[list[LeasedRow], frozenset[int]]:
    """Return the best requests of each host, as many as fill its share of the batch, and the hosts that had fewer."""
    waiting = dict.fromkeys(new_hosts, 0) | {host: n for host, n in order.per_host.items() if host not in order.dry}
    if not waiting:
        return [], frozenset()
    share = max(1, -(-order.batch // len(waiting)))
    wanted = {host_id: share - n for host_id, n in waiting.items() if n < share}
    # it may have been taken for dead without hearing of it
    still_own = _run(connection, _MINE, order.member.worker_id, list(wanted))
    wanted = {host_id: wanted[host_id] for host_id in still_own}
    if not wanted:
        return [], frozenset()
    rows: Iterable[Any]
    if connection.dialect.name == "postgresql":
        rows = connection.execute(_POSTGRES, {"hosts": list(wanted), "numbers": list(wanted.values())})
    else:
        driver: Any = connection.connection.driver_connection  # SQLAlchemy's part would be most of so small statements
        rows = (row for host_id, n in wanted.items() for row in driver.execute(_SQLITE, (host_id, n)))
    leased = list(map(LeasedRow._make, rows))
    got = Counter(row.host_id for row in leased)
    return leased, frozenset(host_id for host_id, n in wanted.items() if got[host_id] < n)


_COLUMNS = ", ".join(LeasedRow._fields)
_SQLITE = f"SELECT {_COLUMNS} FROM frontier WHERE host_id = ? AND state = 'queued' ORDER BY priority DESC, id LIMIT ?"  # noqa: S608 (constants) # nosec B608
_POSTGRES = text(
    "SELECT best.* FROM unnest(CAST(:hosts AS bigint[]), CAST(:numbers AS integer[])) AS wanted(host, n)"  # noqa: S608 (constants) # nosec B608
    f" CROSS JOIN LATERAL (SELECT {_COLUMNS} FROM frontier WHERE host_id = wanted.host AND state = 'queued'"
    " ORDER BY priority DESC, id LIMIT wanted.n FOR UPDATE SKIP LOCKED) AS best"
)


def _strict(connection: Connection, order: Order, moment: datetime) -> tuple[dict[int, str], list[LeasedRow]]:
    """Return the best requests of the whole crawl whose hosts are free or this worker's, and the hosts taken."""
    if order.batch <= 0:
        return {}, []
    rows = _best(connection, order, moment, reach=order.batch if order.is_alone else 2 * order.batch)
    if len(rows) < order.batch:  # the hosts of the first ones rest or other workers lease them, or that was all
        rows = _best(connection, order, moment, reach=order.batch + STRICT_REACH)
    me = order.member.worker_id
    free = {row.host_id: row.host for row in rows if row.host_worker is None}
    unleased = _HOSTS.id.in_(list(free)), _HOSTS.worker_id.is_(None)
    locking = select(_HOSTS.id).where(*unleased).order_by(_HOSTS.id).with_for_update(skip_locked=True)
    taken = {host_id: free[host_id] for host_id in connection.execute(locking).scalars()} if free else {}
    _run(connection, _OWN, me, list(taken))
    mine = [LeasedRow._make(row[:-2]) for row in rows if row.host_worker == me or row.host_id in taken]
    return taken, mine


def _best(connection: Connection, order: Order, moment: datetime, *, reach: int) -> list[Any]:
    """Return those of the ``reach`` best rows that this worker may lease, the best first."""
    columns = ", ".join(f"f.{name}" for name in LeasedRow._fields)
    query = text(
        f"SELECT {columns}, h.host, h.worker_id AS host_worker FROM (SELECT id FROM frontier WHERE crawl_id = :crawl"  # noqa: S608 (constants) # nosec B608
        " AND state = 'queued' ORDER BY priority DESC, id LIMIT :reach) AS best JOIN frontier f ON f.id = best.id"
        " JOIN frontier_hosts h ON h.id = f.host_id"
        " WHERE h.worker_id = :me OR (h.worker_id IS NULL AND (h.free_at IS NULL OR h.free_at <= :now))"
        " ORDER BY f.priority DESC, f.id LIMIT :n"
    ).bindparams(bindparam("now", type_=frontier_hosts.c.free_at.type))
    member = order.member
    values = {"crawl": member.crawl_id, "me": member.worker_id, "now": moment, "reach": reach, "n": order.batch}
    return list(connection.execute(query, values))


_MINE = "SELECT id FROM frontier_hosts WHERE id {in_ids} AND worker_id = :me ORDER BY id"
_OWN = "UPDATE frontier_hosts SET worker_id = :me WHERE id {in_ids}"
_RETURN = (
    "UPDATE frontier SET state = 'queued', worker_id = NULL WHERE id {in_ids} AND worker_id = :me AND state = 'leased'"
)
_MARK = "UPDATE frontier SET state = 'leased', worker_id = :me WHERE id {in_ids} AND state = 'queued' RETURNING id"
#: A list of numbers as one parameter: a statement of a hundred takes longer to write and read than to carry out.
_IN_IDS = {"postgresql": "= ANY (CAST(:ids AS bigint[]))", "sqlite": "IN (SELECT value FROM json_each(:ids))"}


def _run(connection: Connection, statement: str, worker_id: int, ids: list[int]) -> set[int]:
    """Execute one of these statements; return the ids that it gives, if it gives any."""
    if not ids:
        return set()
    dialect = connection.dialect.name
    given = ids if dialect == "postgresql" else json.dumps(ids)
    result = connection.execute(_by_ids(dialect, statement), {"me": worker_id, "ids": given})
    return set(result.scalars()) if result.returns_rows else set()


@cache
def _by_ids(dialect: str, statement: str) -> TextClause:
    return text(statement.format(in_ids=_IN_IDS[dialect]))


_FREE_HOST = (
    "SELECT 1 FROM frontier_hosts WHERE crawl_id = :crawl AND has_work AND worker_id IS NULL"
    " AND (free_at IS NULL OR free_at <= :now) LIMIT 1"
)
_OWN_HOST = (
    "SELECT 1 FROM frontier_hosts h JOIN frontier f ON f.host_id = h.id AND f.state = 'queued'"
    " WHERE h.worker_id = :me LIMIT 1"
)


def is_worth_asking(connection: Connection, member: Membership, *, is_strict: bool) -> tuple[bool, bool]:
    """Tell whether a lease may bring something, and whether the crawl is open; reads only."""
    crawl, patience = member.crawl_id, member.patience_seconds
    drains = select(_WORKERS.id).where(_WORKERS.id == member.worker_id, _WORKERS.drain_asked_at.is_not(None))
    if connection.execute(drains).first() is not None:
        found = False
    elif is_strict:
        found = has_queued(connection, crawl, patience_seconds=patience)
    else:
        values = {"crawl": crawl, "me": member.worker_id, "now": now(connection)}
        moment = bindparam("now", type_=frontier_hosts.c.free_at.type)
        queries = text(_FREE_HOST).bindparams(moment), text(_OWN_HOST)
        found = any(connection.execute(query, values).first() is not None for query in queries)
    return found, found or has_open(connection, crawl, but=member.worker_id, patience_seconds=patience)
