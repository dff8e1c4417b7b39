"""Workers of a crawl: they join, say that they live, and leave. The leases of those that die are returned.

Other workers on the machine see by the name of a worker's process at once that it has died.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, delete, exists, insert, not_, or_, select, text, update

from newscrawl.frontier.model import PATIENCE_SECONDS, Membership
from newscrawl.store.columns import State, insert_into
from newscrawl.store.engine import now
from newscrawl.store.schema import frontier, frontier_crawls, frontier_hosts, frontier_workers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Connection, Exists

#: A rest, a lease or a pass that ends later than this from now counts as over: a clock that ran ahead noted it.
FAR: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """What a worker learns each time it says that it lives."""

    was_buried: bool  # others took the worker for dead, as it was silent for too long, and took over its leases
    hosts: frozenset[int]  # hosts it still leases
    n_workers: int
    n_hosts: int  # hosts of the crawl that are leased or have work
    n_waiting: int  # of those, the hosts that nobody leases
    n_returned: int  # requests returned from workers that died
    is_to_drain: bool = False  # somebody asked it to give back all it holds, and to wait


def join(
    connection: Connection, name: str, lease_seconds: float, *, grace_seconds: float = 0.0, late_seconds: float = 0.0
) -> tuple[Membership, int]:
    """Make this process a worker of the crawl; a finished crawl begins a new pass.

    Return its membership, and how many requests were returned from workers that died.

    :param late_seconds: how long ago the worker was started. If others finished the pass since, it begins no new one.
    """
    moment = now(connection)
    crawl, is_first = _crawl(connection, name)
    n_recovered = bury_dead(connection, grace_seconds=grace_seconds)
    ahead = frontier_hosts.c.crawl_id == crawl.id, frontier_hosts.c.free_at > moment + FAR
    connection.execute(update(frontier_hosts).where(*ahead).values(free_at=None))
    late = moment - timedelta(seconds=late_seconds)
    is_new = crawl.finished_at is not None and not late < crawl.finished_at <= moment + FAR
    if is_new:
        values = {"pass_number": crawl.pass_number + 1, "started_at": moment, "finished_at": None}
        connection.execute(update(frontier_crawls).where(frontier_crawls.c.id == crawl.id).values(values))
    worker_id = secrets.randbits(62)  # SQLite's own next number is that of the last worker, who may only be silent
    _enlist(connection, crawl.id, worker_id, moment, lease_seconds)
    member = Membership(
        crawl_id=crawl.id,
        worker_id=worker_id,
        pass_number=crawl.pass_number + is_new,
        is_new_pass=is_new or is_first,
        patience_seconds=PATIENCE_SECONDS + grace_seconds,
    )
    return member, n_recovered


def _crawl(connection: Connection, name: str) -> tuple[Any, bool]:
    """Return the crawl's row, locked, and whether it has just been made."""
    columns = frontier_crawls.c
    query = select(columns.id, columns.pass_number, columns.finished_at).where(columns.name == name).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is not None:
        return row, False
    values = {"name": name, "pass_number": 1, "started_at": now(connection)}  # (a number) # nosec B105
    new = insert_into(frontier_crawls).values(values)
    connection.execute(new.on_conflict_do_nothing(index_elements=["name"]))
    return connection.execute(query).one(), True


def _enlist(connection: Connection, crawl_id: int, worker_id: int, moment: datetime, lease_seconds: float) -> None:
    row = {
        "id": worker_id,
        "crawl_id": crawl_id,
        "process": this_process(),
        "started_at": moment,
        "leased_until": moment + timedelta(seconds=lease_seconds),
    }
    connection.execute(insert(frontier_workers).values(row))


def bury_dead(connection: Connection, *, grace_seconds: float = 0.0, but: int | None = None) -> int:
    """Return the leases of workers that are silent or known to be dead; return how many requests.

    :param grace_seconds: how long their hosts are left alone: a dead worker may have asked them just before.
    :param but: a worker that is known to live.
    """
    moment = now(connection)
    columns = frontier_workers.c
    query = select(columns.id, columns.process, columns.leased_until).where(columns.id != (but or 0))
    workers = connection.execute(query.with_for_update(skip_locked=True)).all()
    dead = [
        worker.id for worker in workers if not moment <= worker.leased_until <= moment + FAR or is_dead(worker.process)
    ]
    if not dead:
        return 0
    free_at = moment + timedelta(seconds=grace_seconds)
    hosts = {"worker_id": None, "has_work": True, "free_at": free_at}
    connection.execute(update(frontier_hosts).where(frontier_hosts.c.worker_id.in_(dead)).values(hosts))
    rows = update(frontier).where(frontier.c.worker_id.in_(dead), frontier.c.state == State.LEASED)
    returned = {"state": State.QUEUED, "worker_id": None, "n_returned": frontier.c.n_returned + 1}
    n_returned = connection.execute(rows.values(returned)).rowcount
    connection.execute(delete(frontier_workers).where(columns.id.in_(dead)))
    return n_returned


def may_lease(connection: Connection, member: Membership) -> bool | None:
    """Tell whether the worker may lease: not while it drains; None where it is not on the list.

    It stays there until the transaction ends. A server may commit what a killed worker asked for last when the others
    already know of its death.
    """
    query = select(frontier_workers.c.drain_asked_at).where(frontier_workers.c.id == member.worker_id)
    row = connection.execute(query.with_for_update(read=True, key_share=True)).first()
    return None if row is None else row.drain_asked_at is None


def beat(
    connection: Connection,
    member: Membership,
    lease_seconds: float,
    *,
    grace_seconds: float = 0.0,
    n_ended: int | None = None,
) -> Pulse:
    """Say that the worker lives, for the next ``lease_seconds``; learn how the others are.

    :param n_ended: requests that it has ended.
    """
    moment = now(connection)
    until = moment + timedelta(seconds=lease_seconds)
    me = frontier_workers.c.id == member.worker_id
    mine = update(frontier_workers).where(me).values(leased_until=until, n_ended=n_ended)
    drains = connection.execute(mine.returning(frontier_workers.c.drain_asked_at)).first()
    if was_buried := drains is None:
        _enlist(connection, member.crawl_id, member.worker_id, moment, lease_seconds)
        _return_all(connection, member.worker_id)  # what was leased in between: the worker forgets all it had
    n_returned = bury_dead(connection, grace_seconds=grace_seconds, but=member.worker_id)
    own = select(frontier_hosts.c.id).where(frontier_hosts.c.worker_id == member.worker_id)
    hosts = frozenset(connection.execute(own).scalars())
    n_workers, n_waiting, n_leased = census(connection, member.crawl_id)
    return Pulse(
        was_buried=was_buried,
        hosts=hosts,
        n_workers=n_workers,
        n_hosts=n_waiting + n_leased,
        n_waiting=n_waiting,
        n_returned=n_returned,
        is_to_drain=drains is not None and drains.drain_asked_at is not None,
    )


def census(connection: Connection, crawl_id: int) -> tuple[int, int, int]:
    """Return the numbers of workers that do not drain, of hosts with work that nobody leases, and of leased hosts."""
    n_workers, n_waiting, n_leased = connection.execute(_CENSUS, {"crawl": crawl_id}).one()
    return n_workers, n_waiting, n_leased


_CENSUS: Final = text(
    "SELECT (SELECT count(*) FROM frontier_workers WHERE crawl_id = :crawl AND drain_asked_at IS NULL),"
    " (SELECT count(*) FROM frontier_hosts WHERE crawl_id = :crawl AND has_work AND worker_id IS NULL),"
    " (SELECT count(*) FROM frontier_hosts WHERE crawl_id = :crawl AND worker_id IS NOT NULL)"
)


def leave(connection: Connection, member: Membership, rests: Mapping[int, float], *, is_finished: bool) -> int:
    """Return all leases of the worker at once and take it off the list; return how many requests.

    :param rests: host id → seconds in which it must not be asked.
    :param is_finished: whether the crawl ended by itself; if nothing is left to fetch, its pass is finished.
    """
    if rests:
        moment = now(connection)
        hosts = frontier_hosts.c
        times = [{"b_id": host, "b_free_at": moment + timedelta(seconds=rest)} for host, rest in sorted(rests.items())]
        change = update(frontier_hosts).where(hosts.worker_id == member.worker_id, hosts.id == bindparam("b_id"))
        connection.execute(change.values(free_at=bindparam("b_free_at")), times)
    n_returned = _return_all(connection, member.worker_id)
    connection.execute(delete(frontier_workers).where(frontier_workers.c.id == member.worker_id))
    if is_finished and not has_open(connection, member.crawl_id):
        crawl = frontier_crawls.c.id == member.crawl_id
        connection.execute(update(frontier_crawls).where(crawl).values(finished_at=now(connection)))
    return n_returned


def _return_all(connection: Connection, worker_id: int) -> int:
    """Queue all requests that the worker leases, and free its hosts; return how many requests."""
    rows = update(frontier).where(frontier.c.worker_id == worker_id, frontier.c.state == State.LEASED)
    n_returned = connection.execute(rows.values(state=State.QUEUED, worker_id=None)).rowcount
    mine = update(frontier_hosts).where(frontier_hosts.c.worker_id == worker_id)
    connection.execute(mine.values(worker_id=None, has_work=True))
    return n_returned


def has_open(
    connection: Connection, crawl_id: int, *, but: int | None = None, patience_seconds: float | None = None
) -> bool:
    """Tell whether anything of the crawl is queued, or leased by a worker other than ``but``.

    One statement asks for both: between two, the leases of a dead worker may be returned, and neither would see them.

    :param patience_seconds: what is queued of hosts that rest for longer does not count; None: all counts.
    """
    others = select(frontier_workers.c.id).where(
        frontier_workers.c.crawl_id == crawl_id, frontier_workers.c.id != (but or 0)
    )
    leased = exists().where(frontier.c.worker_id.in_(others), text("state = 'leased'"))
    is_open = or_(_queued(connection, crawl_id, patience_seconds), leased)
    return bool(connection.execute(select(is_open)).scalar_one())


def has_queued(connection: Connection, crawl_id: int, *, patience_seconds: float | None) -> bool:
    """Tell whether anything of the crawl is queued; parameters as of :func:`has_open`."""
    return bool(connection.execute(select(_queued(connection, crawl_id, patience_seconds))).scalar_one())


def _queued(connection: Connection, crawl_id: int, patience_seconds: float | None) -> Exists:
    is_queued = text("frontier.state = 'queued'")
    if patience_seconds is None:
        return exists().where(frontier.c.crawl_id == crawl_id, is_queued)
    # host by host: if all rest, one query of the requests would read the whole queue
    hosts, moment = frontier_hosts.c, now(connection)
    late = moment + timedelta(seconds=patience_seconds)
    rests = and_(hosts.worker_id.is_(None), hosts.free_at > late, hosts.free_at <= moment + FAR)
    of_host = exists().where(frontier.c.host_id == hosts.id, is_queued)
    is_awake = or_(hosts.free_at.is_(None), not_(rests))
    return exists().where(hosts.crawl_id == crawl_id, hosts.has_work, is_awake, of_host)


def this_process() -> str:
    """Return ``machine pid start``; ``start`` is empty where the system does not tell."""
    pid = os.getpid()
    return f"{_machine()} {pid} {_start(pid)}"


def is_dead(process: str) -> bool:
    """Tell whether the process ran on this machine and has ended; False where that cannot be known."""
    machine, pid, start = process.rsplit(" ", 2)
    if machine != _machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return bool(start) and _start(int(pid)) not in ("", start)


#: Crawls that this process has taken part in.
_JOINED: set[str] = set()
#: A process that has run for longer was not started to work on a crawl.
_STARTING_SECONDS: Final = 120.0


def seconds_late(crawl: str) -> float:
    """Return how long ago this process was started to work on the crawl.

    It is 0.0 for a process that has run for longer, or has taken part before, and where the system does not tell.
    """
    start, is_first = _start(os.getpid()), crawl not in _JOINED
    _JOINED.add(crawl)
    if not (is_first and start.isdigit()):
        return 0.0
    seconds = time.clock_gettime(time.CLOCK_BOOTTIME) - int(start) / os.sysconf("SC_CLK_TCK")
    return seconds if 0.0 < seconds < _STARTING_SECONDS else 0.0


def _machine() -> str:
    """Return the host's name, a mark of this boot, and one of this container's process numbers."""
    try:
        namespace = str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        namespace = ""
    return f"{socket.gethostname()}/{_read('/proc/sys/kernel/random/boot_id')[:8]}/{namespace}"


def _start(pid: int) -> str:
    """Return the clock ticks from boot to the process's start. Process numbers come again; the two together do not."""
    after_name = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(after_name) < 20 or after_name[0] == "Z":
        return "ended" if after_name else ""
    return after_name[19]


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
