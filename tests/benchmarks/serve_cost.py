"""What a page of ``scrapy serve`` costs, and how many readers it bears while a crawl writes.

``.venv/bin/python -m tests.benchmarks.serve_cost --articles 100000 --json FILE``. Articles are of ``search_cost``, made
from a seed; ``--database URL`` takes a database that ``search_cost --only-fill`` has filled. *pages*: time by the
clock, and processor time of the server's process, for each request, one after the other. *readers*: a process that
adds articles for some seconds, alone and beside parallel clients of a server started as a user starts it, in turns: how
many, and its processor time for each.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import text

from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.storage import write_batch
from tests.benchmarks.made_articles import BATCH, SITES, Maker, load
from tests.benchmarks.search_cost import queries
from tests.served import client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

CLIENTS = 50
SECONDS = 15.0


def paths(maker: Maker, n_articles: int, n: int) -> dict[str, list[str]]:
    """Return addresses of each kind of page."""
    kinds = queries(maker, n)
    numbers = [maker.random.randint(1, n_articles) for _ in range(n)]
    return {
        "home": ["/"] * n,
        "search, one Chinese word": [f"/?q={query}" for query in kinds["one Chinese word"]],
        "search, one English word": [f"/?q={query}" for query in kinds["one English word"]],
        "search, two words": [f"/?q={query}" for query in kinds["two words"]],
        "search, word and site": [f"/?q={query}" for query in kinds["word and site"]],
        "article": [f"/articles/{number}" for number in numbers],
        "explain": [f"/explain?url=https://www.{SITES[0]}.example.org/{number}.html" for number in numbers],
        "sites": ["/sites"] * n,
        "runs": ["/runs"] * n,
        "frontier": ["/frontier"] * n,
        "changes, 50": [f"/api/v1/changes?after={number}" for number in numbers],
    }


def time_pages(server: TestClient, kinds: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Return median and 95th percentile in milliseconds, by the clock and of processor time."""
    told = {}
    for name, addresses in kinds.items():
        times = []
        for address in addresses:
            clock, processor = time.perf_counter(), time.process_time()
            answer = server.get(address)
            times.append((1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - processor)))
            assert answer.status_code == 200, (address, answer.text)
        told[name] = {
            f"{figure}{by}": round(sorted(column)[int(share * len(column))], 1)
            for by, column in zip(("_ms", "_processor_ms"), zip(*times, strict=True), strict=True)
            for figure, share in (("median", 0.5), ("p95", 0.95))
        }
    return told


def writes(database: str, start: int, seconds: float) -> tuple[int, float]:
    """Write articles, in a process of its own; return how many, and the processor time of it."""
    engine, maker, number = make_engine(database), Maker(start), start
    began, end = time.process_time(), time.monotonic() + seconds
    while time.monotonic() < end:
        with writing(engine) as connection:
            write_batch(connection, [maker.record(number + n) for n in range(BATCH)])
        number += BATCH
    engine.dispose()
    return number - start, time.process_time() - began


def reads(port: int, addresses: list[str], seconds: float) -> list[int]:
    """Ask as ``CLIENTS`` do, in a process of its own; return the statuses, 0 where no answer came.

    The clients give way to all else: they are other machines.
    """
    os.nice(19)
    end, shared, statuses = time.monotonic() + seconds, iter(addresses * 1000), []

    def client_asks() -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        while time.monotonic() < end:
            try:
                connection.request("GET", quote(next(shared), safe="/?=&:"))
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)
            except (OSError, HTTPException):
                connection.close()
                statuses.append(0)

    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(CLIENTS):
            pool.submit(client_asks)
    return statuses


@contextmanager
def served(database: str, folder: Path) -> Iterator[int]:
    """Run the server as a user starts it, and give its port."""
    command = [sys.executable, "-m", "scrapy", "serve", "--port", "0", "--database", database]
    command += ["--labels", str(folder), "-s", f"NEWSCRAWL_SITES_DIR={folder}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 (our words)
        assert server.stdout is not None
        yield int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])
        server.send_signal(signal.SIGINT)


def parallel(database: str, folder: Path, addresses: list[str], start: int, rounds: int) -> dict[str, Any]:
    """Return what a writer wrote alone and beside the clients, in turns, and how their requests ended."""
    alone: list[tuple[int, float]] = []
    beside: list[tuple[int, float]] = []
    statuses: list[int] = []
    with served(database, folder) as port, ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for _ in range(rounds):
            for turn in (alone, beside):
                asking = pool.submit(reads, port, addresses, SECONDS) if turn is beside else None
                turn.append(pool.submit(writes, database, start, SECONDS).result())
                start += turn[-1][0]
                statuses += asking.result() if asking else []
    told = {
        name: {
            "articles": sum(n for n, _ in turn),
            "processor_ms": round(1000 * sum(spent for _, spent in turn) / sum(n for n, _ in turn), 3),
        }
        for name, turn in (("alone", alone), ("beside", beside))
    }
    bad = sum(status != 200 for status in statuses)
    return {
        "requests": len(statuses),
        "failed": bad,
        "rounds": rounds,
        "seconds": SECONDS,
        "load": os.getloadavg()[0],
    } | told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--database", help="URL; filled if empty")
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3, help="of a writer alone and beside clients, in turns")
    parser.add_argument("--json", type=Path)
    opts = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = opts.database or f"sqlite:///{folder}/news.sqlite"
        engine, maker = make_engine(database), Maker(1)
        migrate(engine)
        with engine.connect() as connection:
            n_articles = connection.execute(text("SELECT count(*) FROM articles")).scalar_one()
        if not n_articles:
            load(engine, maker, opts.articles)
            n_articles = opts.articles
        with client(database, sites=Path(folder), labels=Path(folder)) as server:
            kinds = paths(maker, n_articles, opts.requests)
            time_pages(server, {name: addresses[:1] for name, addresses in kinds.items()})
            told = {
                "articles": n_articles,
                "database": engine.name,
                "seed": 1,
                "python": platform.python_version(),
                "pages": time_pages(server, kinds),
            }
        engine.dispose()
        addresses = [one for of in kinds.values() for one in of]
        told["readers"] = parallel(database, Path(folder), addresses, n_articles, opts.rounds)
    lines = json.dumps(told, ensure_ascii=False, indent=1)
    print(lines)  # noqa: T201
    if opts.json:
        opts.json.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
