"""A full frontier on PostgreSQL while a crawl goes on: leases of a hundred, alone, beside a snapshot, beside a dump.

``python -m tests.benchmarks.frontier_strain --rows 50000000 --workers 4 --seconds 60 --snapshot-seconds 600``; with
``--database URL`` one that ``frontier_size`` has filled. Each worker leases a hundred requests, ends them as stored
articles with their next visit planned, and goes on at its pace.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import make_url, text

from newscrawl.frontier.leasing import Order, lease
from newscrawl.frontier.manage import AddressFilter, counts
from newscrawl.frontier.membership import has_open, join, leave
from newscrawl.frontier.records import RequestEnd
from newscrawl.frontier.revisits import RevisitRecord, next_due, wake
from newscrawl.items import PageType
from newscrawl.outcomes import Outcome
from newscrawl.serve.browse import failures_by_reason, queue_by_host
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.records import PageRecord
from newscrawl.store.storage import write_batch
from tests import postgres
from tests.benchmarks.frontier_size import POSTGRES_OPTIONS, cpu_ms, disk, fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.queues import Queue

    from sqlalchemy import Connection, Engine

#: Hosts that a worker holds with the default of 16 requests at a time.
MAX_HOSTS: Final = 64
BATCH: Final = 100
#: What each visit gives, but for its address.
READ: Final = PageRecord(
    url="", outcome=Outcome.NOT_ARTICLE, page_type=PageType.ARTICLE, status=200, fetched_at=datetime.now(UTC)
)
TABLES: Final = ("frontier", "frontier_hosts", "frontier_workers")


def work(database: str, seconds: float, pace: float, is_strict: bool, told: Queue[dict[str, list[float]]]) -> None:
    """Lease and end until the time is over; put the milliseconds of each step, by the clock and by processor.

    :param pace: requests a second.
    """
    engine = make_engine(database)
    with writing(engine) as connection:
        member, _ = join(connection, "size", 3600)
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    taken: dict[str, list[float]] = {"lease": [], "lease_cpu": [], "end": [], "end_cpu": []}
    held: dict[int, int] = {}
    began = time.monotonic()
    while (now := time.monotonic()) < began + seconds:
        order = Order(
            member=member, batch=BATCH, per_host=held, max_hosts=MAX_HOSTS, is_strict=is_strict, is_alone=False
        )
        with _timed(taken, "lease", server), writing(engine, alone=False) as connection:
            supply = lease(connection, order)
        held |= dict.fromkeys(supply.hosts, 0)
        ends: list[Any] = []
        for row in supply.rows:
            ends.append(RequestEnd(row_id=row.id, worker_id=member.worker_id, reason="stored"))
            ends.append(RevisitRecord(row_id=row.id, page=replace(READ, url=row.url)))
        with _timed(taken, "end", server), writing(engine, alone=False) as connection:
            write_batch(connection, ends)
        time.sleep(max(0.0, now + len(supply.rows) / pace - time.monotonic()))
    with writing(engine) as connection:
        leave(connection, member, {}, is_finished=False)
    engine.dispose()
    told.put(taken)


@contextmanager
def _timed(taken: dict[str, list[float]], name: str, server: int) -> Iterator[None]:
    began, cpu = time.perf_counter(), cpu_ms(server)
    yield
    taken[name].append(1000 * (time.perf_counter() - began))
    taken[f"{name}_cpu"].append(cpu_ms(server) - cpu)


def phase(database: str, n_workers: int, seconds: float, pace: float, *, is_strict: bool = False) -> dict[str, Any]:
    """Run the workers side by side; return what their leases and ends took, and what stays dead in the tables."""
    context = get_context("spawn")
    told = context.Queue()
    workers = [context.Process(target=work, args=(database, seconds, pace, is_strict, told)) for _ in range(n_workers)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    taken = [told.get() for _ in workers]
    for worker in workers:
        worker.join()
    elapsed = time.monotonic() - began
    merged = {name: [ms for one in taken for ms in one[name]] for name in taken[0]}
    late = {
        f"{name}_last_tenth": [ms for one in taken for ms in one[name][-(len(one[name]) // 10 + 1) :]]
        for name in taken[0]
    }
    engine = make_engine(database)
    with engine.connect() as connection:
        dead = _dead(connection)
    engine.dispose()
    return {
        "workers": n_workers,
        "order": "strict" if is_strict else "fair",
        "seconds": round(elapsed),
        "requests_a_second": round(BATCH * len(merged["lease"]) / seconds),
        "dead_rows": dead,
        "load": os.getloadavg()[0],
        **{name: spread(ms) for name, ms in (merged | late).items()},
    }


def spread(ms: list[float]) -> dict[str, float]:
    ordered = sorted(ms)
    at = {"median": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    return {"n": len(ms)} | {
        name: round(ordered[min(len(ms) - 1, int(len(ms) * part))], 1) for name, part in at.items()
    }


def _dead(connection: Connection) -> dict[str, int]:
    connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
    query = text("SELECT relname, n_dead_tup FROM pg_stat_user_tables WHERE relname = ANY (:names)")
    return {name: int(n) for name, n in connection.execute(query, {"names": list(TABLES)})}


@contextmanager
def snapshot(engine: Engine) -> Iterator[None]:
    """Hold a snapshot, as a forgotten session or a long report does: nothing that dies after it can be removed."""
    with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        connection.exec_driver_sql("SELECT count(*) FROM frontier_crawls")
        yield


@contextmanager
def dump(database: str) -> Iterator[None]:
    """Run ``pg_dump`` beside what is inside; it is ended with it."""
    url = make_url(database)
    program = shutil.which("pg_dump") or f"{postgres.find_binaries()}/pg_dump"
    words = [program, "-U", url.username or "", "-h", str(url.query["host"]), str(url.database)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:  # noqa: S603 (our own words)
        try:
            yield
        finally:
            process.terminate()


def questions(engine: Engine) -> dict[str, float]:
    """Return the seconds of what is asked of the whole frontier, once: reading it from disk counts."""
    with writing(engine) as connection:
        member, _ = join(connection, "size", 3600)
    asked: dict[str, Callable[[Connection], Any]] = {
        "counts": lambda connection: counts(connection, AddressFilter()),
        "queue by host": lambda connection: queue_by_host(connection, None),
        "failures by reason": failures_by_reason,
        "is open": lambda connection: has_open(connection, member.crawl_id),
        "next due": lambda connection: next_due(connection, member),
    }
    taken = {name: _seconds(engine, action) for name, action in asked.items()}
    for mode in ("due", "new"):
        taken[f"wake, {mode}"] = _seconds(engine, partial(wake, member=member, mode=mode))
    with writing(engine) as connection:
        leave(connection, member, {}, is_finished=False)
    return taken


def _seconds(engine: Engine, action: Callable[[Connection], Any]) -> float:
    began = time.perf_counter()
    with writing(engine) as connection:
        action(connection)
    return round(time.perf_counter() - began, 3)


def measure(database: str, options: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    engine = make_engine(database)
    n, seconds, pace = options.workers, options.seconds, options.pace
    yield "one worker", phase(database, 1, seconds, 10 * pace)
    yield "one worker, strict order", phase(database, 1, seconds, 10 * pace, is_strict=True)
    yield "workers", phase(database, n, seconds, pace)
    yield "questions", questions(engine)
    with dump(database):
        yield "beside pg_dump", phase(database, n, seconds, pace)
    if options.snapshot_seconds:
        with snapshot(engine):
            yield "beside a snapshot", phase(database, n, options.snapshot_seconds, pace)
            yield "then strict order", phase(database, 1, seconds, pace, is_strict=True)
    yield "after it", phase(database, n, seconds, pace)
    engine.dispose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--database", help="URL of a filled one; without it one is made, and removed")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=100, help="requests a second of each worker")
    parser.add_argument("--snapshot-seconds", type=float, default=600)
    options = parser.parse_args()
    with ExitStack() as stack:
        database = options.database
        if not database:
            database = stack.enter_context(postgres.running(POSTGRES_OPTIONS)).url
            engine = make_engine(database)
            migrate(engine)
            filled = fill(engine, options.rows)
            _say("filled", {"rows": options.rows, "seconds": round(filled), "bytes_a_row": disk(engine) / options.rows})
            engine.dispose()
        for name, figures in measure(database, options):
            _say(name, figures)


def _say(name: str, figures: Any) -> None:
    sys.stdout.write(json.dumps({name: figures}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
