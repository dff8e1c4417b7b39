"""What a page of ``scrapy serve`` costs, and how many readers it bears while a crawl writes.

``.venv/bin/python -m tests.benchmarks.serve_cost --articles 100000 --json FILE``. Articles are of ``search_cost``, made
from a seed. *pages*: processor time of the server's process for each request, one after the other. *readers*: parallel
clients for some seconds beside a process that adds articles: how many (and its processor time), alone and beside them.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newscrawl.storage.batch import write_batch
from newscrawl.storage.engine import make_engine, writing
from newscrawl.storage.migrations import migrate
from tests.benchmarks.made_articles import BATCH, SITES, Maker, fill
from tests.benchmarks.search_cost import queries
from tests.served import client

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CLIENTS = 50
SECONDS = 20.0


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
    """Return median and 95th percentile in milliseconds of processor time."""
    told = {}
    for name, addresses in kinds.items():
        times = []
        for address in addresses:
            began = time.process_time()
            answer = server.get(address)
            times.append(1000 * (time.process_time() - began))
            assert answer.status_code == 200, (address, answer.text)
        told[name] = {
            "median_ms": round(statistics.median(times), 1),
            "p95_ms": round(sorted(times)[int(0.95 * len(times))], 1),
        }
    return told


def writes(database: str, start: int) -> tuple[int, float]:
    """Write articles for ``SECONDS``, in a process of its own; return how many, and the processor time of it."""
    engine, maker, number = make_engine(database), Maker(start), start
    began, end = time.process_time(), time.monotonic() + SECONDS
    while time.monotonic() < end:
        with writing(engine) as connection:
            write_batch(connection, [maker.record(number + n) for n in range(BATCH)])
        number += BATCH
    engine.dispose()
    return number - start, round(time.process_time() - began, 2)


def parallel(server: TestClient, database: str, addresses: list[str], start: int) -> dict[str, Any]:
    """Return requests answered, those that failed, and what the writer wrote alone and beside the readers."""
    with ProcessPoolExecutor(1, get_context("spawn")) as writer, ThreadPoolExecutor(CLIENTS) as pool:
        alone = writer.submit(writes, database, start).result()
        beside = writer.submit(writes, database, start + alone[0])
        shared = iter(addresses * 1000)
        statuses: list[int] = []

        def read() -> None:
            while not beside.done():
                statuses.append(server.get(next(shared)).status_code)

        for _ in range(CLIENTS):
            pool.submit(read)
        done = beside.result()
    bad = sum(status != 200 for status in statuses)
    return {
        "requests": len(statuses),
        "failed": bad,
        "written_alone": alone,
        "written_beside": done,
        "seconds": SECONDS,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--json", type=Path)
    opts = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/news.sqlite"
        engine, maker = make_engine(database), Maker(1)
        migrate(engine)
        fill(engine, maker, opts.articles)
        with client(database, sites=Path(folder), labels=Path(folder)) as server:
            kinds = paths(maker, opts.articles, opts.requests)
            time_pages(server, {name: addresses[:1] for name, addresses in kinds.items()})
            told = {
                "articles": opts.articles,
                "seed": 1,
                "python": platform.python_version(),
                "pages": time_pages(server, kinds),
                "readers": parallel(server, database, [one for of in kinds.values() for one in of], opts.articles),
            }
        engine.dispose()
    text = json.dumps(told, ensure_ascii=False, indent=1)
    print(text)  # noqa: T201
    if opts.json:
        opts.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
