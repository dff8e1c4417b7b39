"""What frontier and storage cost: pages/s and processor of a replayed crawl, database against memory and no storage.

``python -m tests.benchmarks.frontier_cost --warc FILE --url URL --pages 1500 --rounds 3``. Processor time is that of
the crawl, its reader processes and the database server.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import postgres
from tests.benchmarks.frontier_workers import server_cpu
from tests.benchmarks.throughput import DEMO, UNTHROTTLED, Run, crawl

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One crawl."""

    run: Run
    tree_cpu: float
    """Seconds of the processor, reader processes included."""
    server_cpu: float = 0.0

    @property
    def cpu_a_page(self) -> float:
        return (self.tree_cpu + self.server_cpu) / self.run.pages


def run(url: str, warc: Path, pages: int, **settings: object) -> Cost:
    limit = {"CLOSESPIDER_PAGECOUNT": pages} if pages else {}
    before = _children_cpu()
    found = crawl({"url": url, "settings": {**UNTHROTTLED, "NEWSCRAWL_REPLAY": str(warc), **limit, **settings}}, None)
    return Cost(run=found, tree_cpu=_children_cpu() - before)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(url: str, warc: Path, pages: int, rounds: int) -> dict[str, Any]:
    """Run the three kinds right after each other, so that the machine's drift hits all."""
    runs: dict[str, list[Cost]] = {"memory": [], "sqlite": [], "postgresql": []}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-cost-")))
        for number in range(rounds):
            runs["memory"].append(run(url, warc, pages, NEWSCRAWL_FRONTIER="memory", NEWSCRAWL_DATABASE=""))
            runs["sqlite"].append(run(url, warc, pages, NEWSCRAWL_DATABASE=f"sqlite:///{folder}/{number}.sqlite"))
            if postgres.missing() is None:
                runs["postgresql"].append(_on_postgres(url, warc, pages))
            sys.stderr.write(
                f"{ {kind: round(1000 * ones[-1].cpu_a_page, 2) for kind, ones in runs.items() if ones} }\n"
            )
    return {
        "warc": warc.name,
        "pages": pages,
        "runs": {
            kind: [asdict(one) | {"pages_per_second": one.run.pages_per_second} for one in ones]
            for kind, ones in runs.items()
        },
        "pages_per_second_lost": {
            kind: _paired(
                runs["memory"], ones, lambda floor, one: 1 - one.run.pages_per_second / floor.run.pages_per_second
            )
            for kind, ones in runs.items()
        },
        "cpu_a_page_more": {
            kind: _paired(runs["memory"], ones, lambda floor, one: one.cpu_a_page / floor.cpu_a_page - 1)
            for kind, ones in runs.items()
        },
    }


def _on_postgres(url: str, warc: Path, pages: int) -> Cost:
    with postgres.running("-c fsync=off -c synchronous_commit=off -c full_page_writes=off") as server:
        before = server_cpu(server.data)
        cost = run(url, warc, pages, NEWSCRAWL_DATABASE=server.url)
        return replace(cost, server_cpu=server_cpu(server.data) - before)


def _paired(memory: list[Cost], ones: list[Cost], value: Callable[[Cost, Cost], float]) -> float | None:
    """Return the median over pairs that ran right after each other."""
    pairs = [value(floor, one) for floor, one in zip(memory, ones, strict=False)]
    return statistics.median(pairs) if pairs else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warc", type=Path, default=DEMO)
    parser.add_argument("--url", default="", help="home page of the site in the archive (default: the sina spider)")
    parser.add_argument("--pages", type=int, default=0, help="stop after so many (default: all)")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    answer = measure(options.url, options.warc, options.pages, options.rounds)
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


if __name__ == "__main__":
    main()
