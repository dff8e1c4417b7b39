"""Ten million queued requests: time to lease a hundred, to show them, memory of a worker, disk for each address.

``python -m tests.benchmarks.frontier_size --rows 10000000 --database sqlite --json``; rows are made in SQL.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, text

from newscrawl.frontier.leasing import Order, lease
from newscrawl.frontier.manage import AddressFilter, counts
from newscrawl.frontier.membership import join, leave
from newscrawl.frontier.records import RequestEnd
from newscrawl.serve.browse import failures_by_reason, queue_by_host
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.schema import frontier, frontier_crawls
from tests import postgres
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

N_HOSTS = 1000
N_LEASES = 100
PAGES = 500
SITE = """
title = "Size"
hosts = [".size.example"]
seeds = ["http://www.size.example/"]
timezone = "UTC"
language = "en"
"""
#: What a link found on a page is kept as.
REQUEST = (
    '{"callback":"parse_page","headers":{"Referer":["http://h1.size.example/news/index.html"]},"meta":{"newscrawl":'
    '{"found":"link","parent":"http://h1.size.example/news/index.html","position":"adjacent","block":12,'
    '"anchor":"A headline of some forty characters"},"depth":3}}'
)
_HOSTS = (
    "INSERT INTO frontier_hosts (crawl_id, host, has_work) SELECT 1, 'h' || n || '.size.example', {true}"
    " FROM ({numbers}) AS numbers"
)
_ROWS = (
    "INSERT INTO frontier (crawl_id, host_id, fingerprint, url, state, priority, pass_number, request, n_returned,"
    " queued_at) SELECT 1, 1 + n % {hosts}, {fingerprint}, 'http://h' || (n % {hosts}) ||"
    " '.size.example/news/2024/03/05/story-' || n || '.html', 'queued', (n + n / {hosts} * 7919) % 1000, 1,"
    " '{request}', 0, {now}"
    " FROM ({numbers}) AS numbers"
)
_DIALECTS: dict[str, dict[str, str]] = {
    "sqlite": {
        "numbers": (
            "WITH RECURSIVE c(n) AS (VALUES ({first}) UNION ALL SELECT n + 1 FROM c WHERE n < {last}) SELECT n FROM c"
        ),
        "fingerprint": "CAST(printf('%016d', n) AS BLOB)",
        "now": "'2024-03-05T00:00:00.000+00:00'",
        "true": "1",
    },
    "postgresql": {
        "numbers": "SELECT CAST(generate_series({first}, {last}) AS bigint) AS n",
        "fingerprint": "decode(md5(CAST(n AS text)), 'hex')",
        "now": "now()",
        "true": "true",
    },
}
_PART = 500_000
#: As a server for a frontier of this size is set up; its files are not waited for.
POSTGRES_OPTIONS = "-c fsync=off -c shared_buffers=2GB -c max_wal_size=2GB -c wal_level=minimal -c max_wal_senders=0"


def fill(engine: Engine, n_rows: int) -> float:
    """Queue ``n_rows`` requests on ``N_HOSTS`` hosts, then build keys and indexes; return the seconds it took."""
    words = _DIALECTS[engine.dialect.name]
    began = time.monotonic()
    with writing(engine) as connection:
        values = {"id": 1, "name": "size", "pass_number": 1, "started_at": func.now()}
        if engine.dialect.name == "sqlite":
            values["started_at"] = text(words["now"])
        connection.execute(frontier_crawls.insert().values(values))
        numbers = words["numbers"].format(first=0, last=N_HOSTS - 1)
        connection.exec_driver_sql(_HOSTS.format(true=words["true"], numbers=numbers))
    indexes = sorted(frontier.indexes, key=lambda index: str(index.name))
    with writing(engine) as connection:  # one transaction, so that PostgreSQL need not log rows of a table made empty
        for index in indexes:
            index.drop(connection)
        restore = _without_constraints(connection) if _is_postgres(engine) else []
        for first in range(0, n_rows, _PART):
            numbers = words["numbers"].format(first=first, last=min(first + _PART, n_rows) - 1)
            kept = {name: words[name] for name in ("fingerprint", "now")}
            statement = _ROWS.format(hosts=N_HOSTS, request=REQUEST, numbers=numbers, **kept)
            connection.exec_driver_sql(statement.replace("%", "%%") if _is_postgres(engine) else statement)
        for statement in restore:
            connection.exec_driver_sql(statement)
        for index in indexes:
            index.create(connection)
    if _is_postgres(engine):
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    return time.monotonic() - began


def _without_constraints(connection: Connection) -> list[str]:
    """Empty the frontier and drop its keys; return what makes them again."""
    connection.exec_driver_sql("SET LOCAL maintenance_work_mem = '1GB'")
    connection.exec_driver_sql("TRUNCATE frontier")
    found = connection.exec_driver_sql(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'frontier'::regclass"
        " AND contype IN ('p', 'u', 'f')"
    )
    constraints = [tuple(row) for row in found]
    for name, _ in constraints:
        connection.exec_driver_sql(f'ALTER TABLE frontier DROP CONSTRAINT "{name}"')
    return [f'ALTER TABLE frontier ADD CONSTRAINT "{name}" {definition}' for name, definition in constraints]


def lease_times(engine: Engine, *, is_strict: bool) -> tuple[list[float], list[float]]:
    """Lease and acknowledge a hundred requests, many times; return milliseconds of each lease, commit included.

    First by the clock, then of processor time: of this thread and, for PostgreSQL, of its server process (Linux).
    """
    with writing(engine) as connection:
        member, _ = join(connection, "size", 3600)
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() if _is_postgres(engine) else None
    held: dict[int, int] = {}
    times, cpu_times = [], []
    for _ in range(N_LEASES):
        order = Order(member=member, batch=100, per_host=held, max_hosts=128, is_strict=is_strict)
        began, cpu = time.perf_counter(), cpu_ms(server)
        with writing(engine, alone=False) as connection:
            supply = lease(connection, order)
        times.append(1000 * (time.perf_counter() - began))
        cpu_times.append(cpu_ms(server) - cpu)
        held |= dict.fromkeys(supply.hosts, 0)
        with writing(engine) as connection:
            ends = [RequestEnd(row_id=row.id, worker_id=member.worker_id, reason="stored") for row in supply.rows]
            RequestEnd.write_all(connection, ends)
    with writing(engine) as connection:
        leave(connection, member, {}, is_finished=False)
    return times, cpu_times


def page_times(engine: Engine) -> list[float]:
    """Return milliseconds of the processor for what the browser's page of the frontier asks.

    Before, 3 of 100 requests are made to have failed, and 57 to be done.
    """
    some = "CASE WHEN id % 100 < 3 THEN 'failed' WHEN id % 100 < 60 THEN 'done' ELSE state END"
    reason = "CASE WHEN id % 100 < 3 THEN 'failed:timeout' WHEN id % 100 < 60 THEN 'stored' END"
    with writing(engine) as connection:
        connection.execute(text(f"UPDATE frontier SET state = {some}, reason = {reason}"))  # noqa: S608 (our own words)
    if _is_postgres(engine):  # as the server does by itself once a fiftieth of the rows has changed
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE frontier")
    times = []
    with engine.connect() as connection:
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one() if _is_postgres(engine) else None
        for _ in range(N_LEASES):
            began = cpu_ms(server)
            counts(connection, AddressFilter())
            queue_by_host(connection, None)
            failures_by_reason(connection)
            times.append(cpu_ms(server) - began)
    return times


def cpu_ms(server: int | None) -> float:
    elsewhere = int(Path(f"/proc/{server}/schedstat").read_text().split()[0]) / 1e6 if server else 0.0
    return 1000 * time.thread_time() + elsewhere


def _is_postgres(engine: Engine) -> bool:
    return engine.dialect.name == "postgresql"


def disk(engine: Engine) -> int:
    """Return the bytes of the frontier with its indexes."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if _is_postgres(engine):
            return int(connection.exec_driver_sql("SELECT pg_total_relation_size('frontier')").scalar_one())
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return os.path.getsize(engine.url.database or "")


def worker(database: str, folder: Path) -> dict[str, Any]:
    """Crawl some pages of the frontier (each answered by 404) and return the worker's peak memory."""
    (folder / "size.toml").write_text(SITE, encoding="utf-8")
    settings = {
        "NEWSCRAWL_DATABASE": database,
        "NEWSCRAWL_SITES_DIR": folder,
        "NEWSCRAWL_FRONTIER_CRAWL": "size",
        "NEWSCRAWL_REPLAY": PROJECT / "data" / "demo" / "demo.warc.gz",
        "CLOSESPIDER_PAGECOUNT": PAGES,
        "LOG_LEVEL": "INFO",
    }
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    words = ["/usr/bin/env", "python3", "-c", _MEASURED, sys.executable, "-m", "scrapy", "crawl", "size", *options]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True)  # noqa: S603 (our own words)
    return {"peak_mb": round(int(done.stdout.split()[-1]) / 1024), "pages": PAGES}


_MEASURED = (
    "import resource, subprocess, sys; assert subprocess.run(sys.argv[1:]).returncode in (0, 1);"  # 1: no article
    " print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def measure(database: str, n_rows: int, folder: Path) -> dict[str, Any]:
    engine = make_engine(database)
    migrate(engine)
    filled = fill(engine, n_rows)
    size = disk(engine)
    times = {"fair": lease_times(engine, is_strict=False), "strict": lease_times(engine, is_strict=True)}
    with engine.connect() as connection:
        queued = connection.execute(select(func.count()).select_from(frontier).where(frontier.c.state == "queued"))
        n_queued = queued.scalar_one()
    page = page_times(engine)
    engine.dispose()
    return {
        "rows": n_rows,
        "queued_at_end": n_queued,
        "fill_seconds": round(filled),
        "bytes_per_url": round(size / n_rows),
        "lease_ms": {order: _spread(ms) for order, (ms, _) in times.items()},
        "lease_cpu_ms": {order: _spread(ms) for order, (_, ms) in times.items()},
        "page_cpu_ms": _spread(page),
        "worker": worker(database, folder),
    }


def _spread(ms: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(ms), 2), "p95": round(sorted(ms)[94], 2), "max": round(max(ms), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--json", action="store_true", help="print JSON (the only form)")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-size-")))
        database = f"sqlite:///{folder / 'size.sqlite'}"
        if options.database == "postgresql":
            database = stack.enter_context(postgres.running(POSTGRES_OPTIONS)).url
        answer = measure(database, options.rows, folder)
    sys.stdout.write(json.dumps({options.database: answer}, indent=2) + "\n")


if __name__ == "__main__":
    main()
