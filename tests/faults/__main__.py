"""Crawl a made site while servers and machines fail in every way known here; say what was lost, changed, or stuck.

``make fault-test``; ``python -m tests.faults --only bomb --json``; ``--rounds 20 --seed 1``. Each round hits other
pages, and four rounds have SQLite and PostgreSQL under one worker and under three. What is stored must be what a crawl
without faults stores, but for pages that are counted as failed. Exit status 1 if anything else is, or a crawl does
not end.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from rich.console import Console
from rich.table import Table

from tests import postgres
from tests.conftest import new_database
from tests.faults.kinds import FAULTS, MAZE, TIMEOUT_SECONDS, Fault, Good
from tests.faults.machine import MACHINE_FAULTS, Machine, MachineFault, built_shim
from tests.hostile import Answer, Handler, serving
from tests.kill.check import Result, result
from tests.kill.site import records_of_site, write_description
from tests.kill.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ARTICLES_PER_HOST: Final = 15
EVERY: Final[tuple[Fault | MachineFault, ...]] = (*FAULTS, *MACHINE_FAULTS)
SETTINGS: Final = {
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": TIMEOUT_SECONDS,
    "AUTOTHROTTLE_ENABLED": False,
}
#: How a page may end that a fault has hit; what else it ends as says that nothing was wrong.
TOLD: Final = frozenset({"failed", "rejected", "refused", "http_error", "redirected", "not_article", "robots"})


class Round(NamedTuple):
    """What differs from one crawl with a fault to the next."""

    seed: int
    database: str = "sqlite"
    n_workers: int = 1

    @classmethod
    def of(cls, seed: int, number: int, *, postgresql: bool) -> Self:
        return cls(seed + number, "postgresql" if postgresql and number % 2 else "sqlite", 3 if number & 2 else 1)


@dataclass(slots=True, kw_only=True)
class Row:
    """What the crawls with one kind of fault gave, in all."""

    name: str
    rounds: int = 1
    articles: int = 0
    hits: int = 0
    """Answers that were broken."""
    failed: dict[str, int] = field(default_factory=dict)
    """Articles that a fault hit and that are not stored, by how their pages ended."""
    lost: int = 0
    changed: int = 0
    twice: int = 0
    stuck: int = 0
    bad_exits: int = 0
    seconds: float = 0.0

    def with_round(self, row: Row) -> Row:
        """Return the sums of both."""
        mine, other = asdict(self), asdict(row)
        failed = dict(Counter(self.failed) + Counter(row.failed))
        numbers = {name: mine[name] + other[name] for name in mine if name not in {"name", "failed"}}
        return Row(name=self.name, failed=failed, **numbers)

    @property
    def is_clean(self) -> bool:
        return not any((self.lost, self.changed, self.twice, self.stuck, self.bad_exits))


class Site:
    """The made site behind a proxy, with one fault."""

    def __init__(self) -> None:
        records = records_of_site(ARTICLES_PER_HOST)
        self.pages = {record["url"]: _good(record) for record in records}

    def handler(self, fault: Fault | None, seed: int, hit: Counter[str]) -> Handler:
        def handle(url: str, before: int) -> Answer:
            good = self.pages.get(url, Good(url, 404, (("Content-Type", "text/html"),), b"not found"))
            goes_on = MAZE in url or "?loop=" in url
            if fault is None or not (goes_on or (url in self.pages and fault.is_hit(url, seed))):
                return good.sent()
            if before and not fault.lasts:
                return good.sent()
            hit[url] += 1
            return fault.breaks(good)

        return handle


def _good(record: Mapping[str, Any]) -> Good:
    headers = tuple(record.get("headers", [("Content-Type", "text/html; charset=utf-8")]))
    return Good(record["url"], record.get("status", 200), headers, record.get("body", b""))


class Test:
    """The site, what a crawl without faults stores, and the server."""

    def __init__(self, folder: Path, server: postgres.Server | None, lock_seconds: float) -> None:
        self.folder, self.server, self.lock_seconds = folder, server, lock_seconds
        self.site = Site()
        self.sites = write_description(folder)
        self.shim = built_shim(folder)
        self.n_runs = 0
        row = Row(name="none")
        self.expected = self._crawl(None, Round(0), row, Counter())
        if row.bad_exits or len(self.expected.bodies) < ARTICLES_PER_HOST * 6:
            raise SystemExit(f"the crawl without faults gave {len(self.expected.bodies)} articles; see {folder}/log")

    def missing(self, fault: Fault | MachineFault) -> str:
        """Why a fault cannot be tried here; empty where it can."""
        if isinstance(fault, Fault):
            return f"{fault.needs} is not installed" if fault.needs and find_spec(fault.needs) is None else ""
        if fault.needs_shim and self.shim is None:
            return "no C compiler"
        return "no PostgreSQL" if fault.database == "postgresql" and self.server is None else ""

    def row(self, fault: Fault | MachineFault, planned: Round) -> Row:
        row, hit = Row(name=fault.name), Counter[str]()
        began = time.monotonic()
        found = self._crawl(fault, planned, row, hit)
        row.seconds = round(time.monotonic() - began, 1)
        self._compare(row, found, hit, fault)
        return row

    def _crawl(self, fault: Fault | MachineFault | None, planned: Round, row: Row, hit: Counter[str]) -> Result:
        machine = fault if isinstance(fault, MachineFault) else None
        n_workers = planned.n_workers
        if machine:
            n_workers = machine.n_workers if machine.database else max(n_workers, machine.n_workers)
        database = self._database((machine and machine.database) or planned.database)
        handler = self.site.handler(fault if isinstance(fault, Fault) else None, planned.seed, hit)
        with serving({"*": handler}) as proxy:
            workers = Workers(
                database,
                sites=self.sites,
                n=n_workers,
                log=self.folder / "log",
                settings=SETTINGS,
                environment={"http_proxy": proxy.url, **self._environment(machine)},
            )
            try:
                if machine:
                    workers.wait_for(len(self.expected.outcomes) // 4)
                    machine.strikes(self._machine(workers))
                workers.finish()
            finally:
                workers.close()
        row.bad_exits = len(workers.failures)
        if machine and machine.ends_badly:
            row.bad_exits = abs(row.bad_exits - n_workers)
        return result(database)

    def _machine(self, workers: Workers) -> Machine:
        return Machine(folder=self.folder, workers=workers, server=self.server, lock_seconds=self.lock_seconds)

    def _environment(self, fault: MachineFault | None) -> dict[str, str]:
        if fault is None or not fault.needs_shim:
            return {}
        return {"LD_PRELOAD": str(self.shim), "FAULT_JUMPS": fault.jumps, "FAULT_FULL": str(self.folder / "full")}

    def _database(self, kind: str) -> str:
        if kind == "postgresql" and self.server:
            return new_database(self.server.url)
        self.n_runs += 1
        return f"sqlite:///{self.folder / f'{self.n_runs}.sqlite'}"

    def _compare(self, row: Row, found: Result, hit: Counter[str], fault: Fault | MachineFault) -> None:
        row.articles, row.hits, row.twice, row.stuck = len(found.bodies), hit.total(), found.n_twice, found.n_stuck
        lasting = hit.keys() if isinstance(fault, Fault) and fault.lasts else frozenset()
        closed = {url.partition("/robots.txt")[0] for url in lasting if url.endswith("/robots.txt")}
        may_change = isinstance(fault, Fault) and fault.may_change
        failed: Counter[str] = Counter()
        for url, body in self.expected.bodies.items():
            is_hit = url in lasting or url.partition("/2024/")[0] in closed
            if url in found.bodies:
                row.changed += found.bodies[url] != body and not (is_hit and may_change)
            elif is_hit and (outcome := found.outcomes.get(url, "")) in TOLD:
                failed[outcome] += 1
            else:
                row.lost += 1
        row.failed = dict(failed)


def run(
    chosen: Sequence[Fault | MachineFault], lock_seconds: float, keep: Path | None, *, rounds: int = 1, seed: int = 0
) -> Iterator[Row | str]:
    """Yield a row a fault and round, or why there is none."""
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-faults-")))
        folder.mkdir(parents=True, exist_ok=True)
        needs_server = rounds > 1 or any(
            isinstance(fault, MachineFault) and fault.database == "postgresql" for fault in chosen
        )
        options = "-c fsync=off -c full_page_writes=off"
        server = stack.enter_context(postgres.running(options)) if needs_server and not postgres.missing() else None
        test = Test(folder, server, lock_seconds)
        yield Row(name="none", articles=len(test.expected.bodies))
        tried = [fault for fault in chosen if not test.missing(fault)]
        yield from (f"without {fault.name!r}: {test.missing(fault)}" for fault in chosen if fault not in tried)
        for number in range(rounds):
            planned = Round.of(seed, number, postgresql=server is not None)
            yield from (test.row(fault, planned) for fault in tried)


def show(rows: Sequence[Row]) -> None:
    table = Table()
    table.add_column("fault")
    for name in ("rounds", "hits", "articles", "failed", "lost", "changed", "twice", "stuck", "bad exits", "s"):
        table.add_column(name, justify="right")
    for row in rows:
        failed = ", ".join(f"{n} {outcome}" for outcome, n in sorted(row.failed.items()))
        numbers = (row.lost, row.changed, row.twice, row.stuck, row.bad_exits)
        table.add_row(
            row.name,
            str(row.rounds),
            str(row.hits),
            str(row.articles),
            failed,
            *map(str, numbers),
            f"{row.seconds:.0f}",
        )
    Console(width=140).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="only faults whose name contains this")
    parser.add_argument("--lock-seconds", type=float, default=60.0, help="the database is locked for so long")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the pages that are hit")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, help="folder for databases and the log, kept")
    options = parser.parse_args()
    chosen = [fault for fault in EVERY if not options.only or any(word in fault.name for word in options.only)]
    sums: dict[str, Row] = {}
    for row in run(chosen, options.lock_seconds, options.keep, rounds=options.rounds, seed=options.seed):
        if isinstance(row, str):
            sys.stderr.write(row + "\n")
            continue
        sys.stderr.write(f"{row}\n")
        sums[row.name] = sums[row.name].with_round(row) if row.name in sums else row
    rows = list(sums.values())
    if options.json:
        sys.stdout.write(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    else:
        show(rows)
    raise SystemExit(0 if all(row.is_clean for row in rows) else 1)


if __name__ == "__main__":
    main()
