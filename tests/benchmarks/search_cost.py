"""What the full-text index costs, and how long a search takes, on articles made from a seed.

``.venv/bin/python -m tests.benchmarks.search_cost --articles 200000 --database postgres --json FILE``; without
``--database``, SQLite. Half the articles are Chinese, half English. Words come with Zipf's frequencies from two
vocabularies, most Chinese words of two characters; lengths are log-normal; days are those of ten years. Each is written
as a crawl writes it, in batches, once with the index and once without.

* *time*: processor time of the writer's process, and of the server's, per article; the pairs alternate in batches.
* *size*: of the index and ``indexed_articles`` beside the rest of the database.
* *search*: by the clock, and by the processor (of a server in steps of 10 ms), queries of all kinds with words of all
  frequencies, each kind counted apart.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

from newscrawl.serve.search.index import index_changes
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import search
from newscrawl.serve.search.tables import TABLE
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.storage import write_batch
from tests import postgres
from tests.benchmarks.made_articles import BATCH, SITES, Maker, fill, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine


def queries(maker: Maker, n: int) -> dict[str, list[str]]:
    """Return queries of each kind; words of all frequencies, each rank's decade alike."""

    def word(*, chinese: bool, most: int = 30_000) -> str:
        known = maker.chinese if chinese else maker.english
        return known[round(math.exp(maker.random.uniform(0, math.log(most))))]

    def made(make: Callable[[], str]) -> list[str]:
        return [make() for _ in range(n)]

    def phrase() -> str:
        return '"' + " ".join(word(chinese=False, most=300) for _ in range(2)) + '"'

    return {
        "one Chinese word": made(lambda: word(chinese=True)),
        "one character": made(lambda: word(chinese=True)[0]),
        "one English word": made(lambda: word(chinese=False)),
        "two words": made(lambda: f"{word(chinese=True)} {word(chinese=True)}"),
        "three English words": made(lambda: " ".join(word(chinese=False, most=2000) for _ in range(3))),
        "phrase": made(phrase),
        "a word and not another": made(lambda: f"{word(chinese=True)} -{word(chinese=True)}"),
        "word and site": made(lambda: f"{word(chinese=False)} site:{maker.random.choice(SITES)}"),
        "word and days": made(lambda: f"{word(chinese=True)} after:2016-03 before:2016-06-15"),
        "author": made(lambda: f"author:{word(chinese=True)}"),
        "low confidence": made(lambda: f"confidence:<{maker.random.choice([0.3, 0.5, 0.9])}"),
        "word and low confidence": made(lambda: f"{word(chinese=True)} confidence:<0.5"),
        "site alone": made(lambda: f"site:{maker.random.choice(SITES)}"),
        "nothing": [""] * n,
    }


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    if "://" in kind:
        yield kind
        return
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'search.sqlite'}"
        return
    with postgres.running(
        "-c shared_buffers=1GB -c max_wal_size=4GB -c synchronous_commit=off -c autovacuum=on"
    ) as server:
        yield server.url


class Processor:
    """Seconds of processor time of this process and of the connection's server process."""

    def __init__(self, connection: Connection) -> None:
        self.pid = None
        if connection.dialect.name == "postgresql":
            self.pid = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()

    def now(self) -> float:
        seconds = time.process_time()
        if self.pid is not None:
            fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return seconds


def writing_cost(engine: Engine, maker: Maker, start: int, rounds: int) -> dict[str, float]:
    """Return milliseconds of the processor that it takes to write an article, and to index it: means of batches."""
    spent: dict[str, list[float]] = {"plain_ms": [], "difference_ms": []}
    for number in range(rounds):
        first = start + number * BATCH
        records = [maker.record(one) for one in range(first, first + BATCH)]
        for name, work in (("plain_ms", partial(write_batch, records=records)), ("difference_ms", index_changes)):
            with writing(engine) as connection:
                processor = Processor(connection)
                before = processor.now()
                work(connection)
            spent[name].append(1000 * (processor.now() - before) / BATCH)
    means = {name: round(statistics.mean(some), 3) for name, some in spent.items()}
    return means | {"indexed_ms": round(sum(means.values()), 3)}


def sizes(engine: Engine) -> dict[str, float]:
    """Return bytes of the database, and of what the index adds."""
    if engine.name == "sqlite":
        whole = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        index = f"SELECT sum(length(block)) FROM {TABLE}_data"  # noqa: S608 (our name)
    else:
        whole = "SELECT pg_database_size(current_database())"
        index = f"SELECT pg_total_relation_size('{TABLE}')"
    octets = "BLOB" if engine.name == "sqlite" else "bytea"
    facts = f"SELECT sum(length(CAST(facts AS {octets}))) FROM indexed_articles"  # noqa: S608 (our names)
    with engine.connect() as connection:
        size, added, of_facts = (int(connection.execute(text(one)).scalar_one()) for one in (whole, index, facts))
    return {
        "bytes": size,
        "index_bytes": added,
        "facts_bytes": of_facts,
        "growth": round((added + of_facts) / (size - added - of_facts), 4),
    }


def time_queries(engine: Engine, kinds: dict[str, list[str]], sort: str) -> dict[str, dict[str, float]]:
    with engine.connect() as connection:
        for some in kinds.values():  # what a server has read once, it has in memory
            for query in some[:5]:
                search(connection, parse_query(query, sort=sort))
        answers: dict[str, list[tuple[float, float, int]]] = {}
        processor = Processor(connection)
        for kind, some in kinds.items():
            for query in some:
                before, began = time.perf_counter(), processor.now()
                found = search(connection, parse_query(query, sort=sort))
                answers.setdefault(kind, []).append(
                    (1000 * (time.perf_counter() - before), 1000 * (processor.now() - began), found.total)
                )
    answers["all"] = [pair for some in answers.values() for pair in some]
    return {
        kind: {
            "n": len(some),
            "p50_ms": round(statistics.median(ms for ms, _, _ in some), 2),
            "p95_ms": round(statistics.quantiles([ms for ms, _, _ in some], n=20)[-1], 2),
            "processor_p95_ms": round(statistics.quantiles([ms for _, ms, _ in some], n=20)[-1], 2),
            "max_ms": round(max(ms for ms, _, _ in some), 2),
            "found": round(statistics.mean(total > 0 for _, _, total in some), 3),
        }
        for kind, some in answers.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=20_000)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or a URL; filled if empty")
    parser.add_argument("--queries", type=int, default=40, help="of each kind")
    parser.add_argument("--rounds", type=int, default=10, help="pairs of batches whose cost is compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", action="store_true", help="fill it many at a time, of paragraphs of a pool")
    parser.add_argument("--only-fill", action="store_true")
    parser.add_argument("--json", type=Path, help="file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, database(options.database, Path(folder)) as url:
        engine = make_engine(url)
        migrate(engine)
        maker = Maker(options.seed)
        with engine.connect() as connection:
            is_filled = connection.execute(text("SELECT 1 FROM articles LIMIT 1")).first() is not None
        if not is_filled:
            (load if options.load else fill)(engine, maker, options.articles)
        if options.only_fill:
            return
        if engine.name == "postgresql":
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM ANALYZE"))
        size = sizes(engine)
        kinds = queries(maker, options.queries)
        by_date, by_rank = time_queries(engine, kinds, "date"), time_queries(engine, kinds, "rank")
        with engine.connect() as connection:
            n_there = connection.execute(text("SELECT count(*) FROM articles")).scalar_one()
        # of another seed: those of a database that was there are not to come again
        cost = writing_cost(engine, Maker(options.seed + n_there), n_there, options.rounds)
        with engine.connect() as connection:
            is_server = engine.name == "postgresql"
            asked = "SHOW server_version" if is_server else "SELECT sqlite_version()"
            version = connection.execute(text(asked)).scalar_one()
        engine.dispose()
    result = {
        "command": " ".join(["python -m tests.benchmarks.search_cost", *sys.argv[1:]]),
        "seed": options.seed, "articles": n_there, "load": os.getloadavg()[0], "database": engine.name,
        "version": version, "python": platform.python_version(), "size": size,
        "writing": cost, "newest_first": by_date, "by_rank": by_rank,
    }  # fmt: skip
    print(json.dumps(result, indent=1))  # noqa: T201
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
