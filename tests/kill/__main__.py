"""Kill or suspend workers, or kill the database, while a crawl is replayed; say what was lost, stored twice, or stuck.

``make kill-test``; ``python -m tests.kill --rounds 5 --seed 1 --json``. Exit status 1 if anything was.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import uuid
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from sqlalchemy import create_engine, make_url

from tests import postgres
from tests.kill.check import Difference, Result, compare, result
from tests.kill.site import write_archive, write_description
from tests.kill.workers import LEASE_SECONDS, Workers

#: As the defaults are, but for the disk: the server is killed, not the machine.
POSTGRES_OPTIONS = "-c fsync=off -c full_page_writes=off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    database: str
    """``sqlite`` or ``postgresql``."""
    n_workers: int
    kills_server: bool = False
    suspends: bool = False
    """Workers are stopped for longer than their leases last, and woken, instead of killed."""
    memory: bool = False
    """Pages of the site repeat each other, and site memory changes their texts."""
    has_patterns: bool = True
    """The site's description says which addresses are articles'; else what the site has shown tells."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What the rounds of one case gave."""

    rounds: int = 0
    kills: int = 0
    killed_at: list[int] = field(default_factory=list)
    """Requests ended when something was killed."""
    lost: int = 0
    changed: int = 0
    wrong: int = 0
    twice: int = 0
    stuck: int = 0
    bad_exits: int = 0
    seconds: float = 0.0

    def add(self, difference: Difference) -> None:
        for name, value in asdict(difference).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def is_clean(self) -> bool:
        return not any((self.lost, self.changed, self.wrong, self.twice, self.stuck, self.bad_exits))


CASES = (
    Case(name="SQLite, 1 worker", database="sqlite", n_workers=1),
    Case(name="SQLite, 3 workers", database="sqlite", n_workers=3),
    Case(name="PostgreSQL, 1 worker", database="postgresql", n_workers=1),
    Case(name="PostgreSQL, 3 workers", database="postgresql", n_workers=3),
    Case(name="SQLite, 1 worker, no article_patterns", database="sqlite", n_workers=1, has_patterns=False),
    Case(name="SQLite, 3 workers, no article_patterns", database="sqlite", n_workers=3, has_patterns=False),
    Case(name="PostgreSQL, 3 workers, no article_patterns", database="postgresql", n_workers=3, has_patterns=False),
    Case(name="PostgreSQL killed, 1 worker", database="postgresql", n_workers=1, kills_server=True),
    Case(name="PostgreSQL killed, 3 workers", database="postgresql", n_workers=3, kills_server=True),
    Case(name="SQLite, memory, 1 worker", database="sqlite", n_workers=1, memory=True),
    Case(name="SQLite, memory, 3 workers", database="sqlite", n_workers=3, memory=True),
    Case(name="PostgreSQL, memory, 1 worker", database="postgresql", n_workers=1, memory=True),
    Case(name="PostgreSQL, memory, 3 workers", database="postgresql", n_workers=3, memory=True),
    Case(name="SQLite, 1 worker suspended", database="sqlite", n_workers=1, suspends=True),
    Case(name="SQLite, 3 workers suspended", database="sqlite", n_workers=3, suspends=True),
    Case(name="PostgreSQL, 1 worker suspended", database="postgresql", n_workers=1, suspends=True),
    Case(name="PostgreSQL, 3 workers suspended", database="postgresql", n_workers=3, suspends=True),
)


class Test:
    """The site, the crawl that ran through, and the server."""

    def __init__(self, folder: Path, server: postgres.Server | None, seed: int) -> None:
        self.folder = folder
        self.server = server
        self.random = random.Random(seed)
        self.warcs = {memory: write_archive(folder, memory=memory) for memory in (False, True)}
        described = write_description(folder)
        self.sites = {True: described, False: write_description(folder / "plain", has_patterns=False)}
        self.expected = self.run_through(has_patterns=True, memory=False)

    @cache  # noqa: B019 (there is one test)
    def run_through(self, *, has_patterns: bool, memory: bool) -> Result:
        """Return what the crawl gives that nothing kills."""
        database = f"sqlite:///{self.folder / f'expected-{has_patterns}-{memory}.sqlite'}"
        workers = self._workers(database, 1, has_patterns=has_patterns, memory=memory)
        workers.finish()
        workers.close()
        found = result(database)
        if workers.failures or len(found.bodies) < 300 or (memory and found.n_remembered < 300):
            raise SystemExit(f"the crawl without kills gave {len(found.bodies)} articles; see {self.folder}/log")
        return found

    def _workers(self, database: str, n: int, *, has_patterns: bool, memory: bool) -> Workers:
        settings = {"NEWSCRAWL_REPLAY": self.warcs[memory]}
        return Workers(database, sites=self.sites[has_patterns], n=n, log=self.folder / "log", settings=settings)

    def round(self, case: Case, tally: Tally) -> None:
        began = time.monotonic()
        database = self._database(case)
        expected = self.run_through(has_patterns=case.has_patterns, memory=case.memory)
        workers = self._workers(database, case.n_workers, has_patterns=case.has_patterns, memory=case.memory)
        try:
            for target in sorted(self.random.randrange(len(expected.outcomes)) for _ in range(2)):
                tally.killed_at.append(workers.wait_for(target))
                time.sleep(self.random.random() * 0.3)
                tally.kills += self._kill(case, workers)
            workers.finish()
        finally:
            workers.close()
        difference = compare(result(database), expected)
        tally.add(difference)
        tally.bad_exits += len(workers.failures)
        tally.rounds += 1
        tally.seconds += time.monotonic() - began
        is_clean = difference.is_none and not workers.failures
        said = "nothing" if is_clean else f"{difference}, bad exits {workers.failures}: {database}"
        sys.stderr.write(f"{case.name}: round {tally.rounds}, {tally.kills} kills so far: {said}\n")
        sys.stderr.flush()

    def _kill(self, case: Case, workers: Workers) -> int:
        if case.kills_server and self.server is not None:
            workers.wait_for_all()  # one that starts without a database says so and ends
            self.server.stop()
            is_long = self.random.random() < 0.5
            time.sleep((LEASE_SECONDS if is_long else 0) + self.random.random() * 2)
            self.server.start()
            return 1
        n = self.random.randint(1, case.n_workers)
        victims = self.random.sample(range(len(workers.processes)), min(n, len(workers.processes)))
        if case.suspends:
            return workers.suspend(victims, LEASE_SECONDS + self.random.random() * 3)
        return workers.kill(victims, unseen=self.random.random() < 0.5)

    def _database(self, case: Case) -> str:
        name = f"k{uuid.uuid4().hex}"
        if case.database == "sqlite":
            return f"sqlite:///{self.folder / name}.sqlite"
        assert self.server is not None
        engine = create_engine(self.server.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
        engine.dispose()
        return make_url(self.server.url).set(database=name).render_as_string(hide_password=False)


def run(cases: list[Case], rounds: int, seed: int, *, keep: Path | None = None) -> tuple[dict[str, Any], bool]:
    tallies: dict[str, Tally] = {}
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-kill-")))
        folder.mkdir(parents=True, exist_ok=True)
        needs_server = any(case.database == "postgresql" for case in cases)
        server = stack.enter_context(postgres.running(POSTGRES_OPTIONS)) if needs_server else None
        test = Test(folder, server, seed)
        for case in cases:
            tallies[case.name] = Tally()
            for _ in range(rounds):
                test.round(case, tallies[case.name])
        n_pages, n_articles = len(test.expected.outcomes), len(test.expected.bodies)
    answer = {
        "seed": seed,
        "pages": n_pages,
        "articles": n_articles,
        "cases": {name: asdict(tally) for name, tally in tallies.items()},
    }
    return answer, all(tally.is_clean for tally in tallies.values())


def show(answer: dict[str, Any]) -> None:
    table = Table(title=f"{answer['pages']} addresses, {answer['articles']} articles, seed {answer['seed']}")
    names = ("rounds", "kills", "lost", "changed", "wrong", "twice", "stuck", "bad_exits")
    table.add_column("")
    for name in (*names, "killed at", "s"):
        table.add_column(name.replace("_", " "), justify="right")
    for case, tally in answer["cases"].items():
        at = tally["killed_at"]
        span = f"{min(at)}–{max(at)}" if at else ""
        table.add_row(case, *(str(tally[name]) for name in names), span, f"{tally['seconds']:.0f}")
    Console(width=140).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="of each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", default="", help="only cases whose name contains this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder for databases and logs, kept")
    options = parser.parse_args()
    reason = postgres.missing()
    chosen = [case for case in CASES if options.case in case.name and not (reason and case.database == "postgresql")]
    if reason:
        sys.stderr.write(f"without PostgreSQL: {reason}\n")
    answer, is_clean = run(chosen, options.rounds, options.seed, keep=options.keep)
    if options.json:
        sys.stdout.write(json.dumps(answer, indent=2) + "\n")
    else:
        show(answer)
    raise SystemExit(0 if is_clean else 1)


if __name__ == "__main__":
    main()
