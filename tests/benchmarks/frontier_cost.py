"""What frontier and storage cost: pages/s and CPU of a replayed crawl, database against memory and no storage.

``python -m tests.benchmarks.frontier_cost --warc FILE --url URL --pages 1500 --rounds 3 --json``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import postgres
from tests.benchmarks.throughput import DEMO, UNTHROTTLED, Run, crawl

if TYPE_CHECKING:
    from collections.abc import Callable


def run(url: str, warc: Path, pages: int, **settings: object) -> Run:
    limit = {"CLOSESPIDER_PAGECOUNT": pages} if pages else {}
    return crawl({"url": url, "settings": {**UNTHROTTLED, "NEWSCRAWL_REPLAY": str(warc), **limit, **settings}}, None)


def measure(url: str, warc: Path, pages: int, rounds: int) -> dict[str, Any]:
    """Run the three kinds right after each other, so that the machine's drift hits all."""
    runs: dict[str, list[Run]] = {"memory": [], "sqlite": [], "postgresql": []}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-cost-")))
        for number in range(rounds):
            memory = run(url, warc, pages, NEWSCRAWL_FRONTIER="memory", NEWSCRAWL_DATABASE="")
            runs["memory"].append(memory)
            runs["sqlite"].append(run(url, warc, pages, NEWSCRAWL_DATABASE=f"sqlite:///{folder}/{number}.sqlite"))
            if postgres.missing() is None:
                with postgres.server() as database:
                    runs["postgresql"].append(run(url, warc, pages, NEWSCRAWL_DATABASE=database))
    return {
        "warc": warc.name,
        "pages": pages,
        "runs": {
            kind: [asdict(one) | {"pages_per_second": one.pages_per_second} for one in ones]
            for kind, ones in runs.items()
        },
        "pages_per_second_lost": {kind: _lost(runs["memory"], ones, "pages_per_second") for kind, ones in runs.items()},
        "cpu_a_page_more": {
            kind: _median(ones, lambda one: one.cpu_seconds / one.pages)
            / _median(runs["memory"], lambda one: one.cpu_seconds / one.pages)
            - 1
            for kind, ones in runs.items()
            if ones
        },
    }


def _lost(memory: list[Run], ones: list[Run], name: str) -> float | None:
    """Return the share of the memory run's speed that is lost, median over pairs."""
    pairs = [1 - getattr(one, name) / getattr(floor, name) for floor, one in zip(memory, ones, strict=False)]
    return statistics.median(pairs) if pairs else None


def _median(ones: list[Run], value: Callable[[Run], float]) -> float:
    return statistics.median(map(value, ones))


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
