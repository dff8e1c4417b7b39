"""What one long crawl holds, of memory, threads, files and log: ``python -m tests.benchmarks.leaks --pages 100000``.

A made site without end on loopback: each list names 30 new articles and the next list. What the crawl and its readers
hold is sampled from ``/proc``; after the first tenth it should stay where it is. ``--seconds`` ends it sooner.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.hostile import Answer, answer, serving
from tests.kill.site import HOSTS, article_of, hub_page, write_description
from tests.kill.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

PER_LIST: Final = 30
PROC: Final = Path("/proc")
SETTINGS: Final = {
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "NEWSCRAWL_READERS": 1,
}
_LIST: Final = re.compile(r"http://(\w+\.kill\.example)/(?:list/(\d+)\.html)?")
_ARTICLE: Final = re.compile(r"http://(\w+\.kill\.example)/2024/03/a(\d+)\.html")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    pages: int
    seconds: float
    crawl_mb: float
    """Memory that no other process shares, in MB; so are the readers'."""
    readers_mb: float
    threads: int
    files: int
    wal_mb: float
    database_mb: float


def page(url: str, _before: int) -> Answer:
    """Return any page of the site without end."""
    if url.endswith("/robots.txt"):
        return answer("User-agent: *\nAllow: /\n", content_type="text/plain")
    if found := _LIST.fullmatch(url):
        host, number = found[1], int(found[2] or 0)
        listed = [f"http://{host}/2024/03/a{number * PER_LIST + i}.html" for i in range(PER_LIST)]
        others = [f"http://{other}/" for other in HOSTS]
        return answer(hub_page(host, listed, [f"http://{host}/list/{number + 1}.html", *others]))
    if found := _ARTICLE.fullmatch(url):
        number = int(found[2])
        following = f"http://{found[1]}/2024/03/a{number + 1}.html"
        return answer(article_of(HOSTS.index(found[1]) + 10, number, 1, 1, url, following)["body"])
    return answer("not found", 404)


def descendants(pid: int) -> list[int]:
    children = PROC / str(pid) / "task" / str(pid) / "children"
    try:
        found = [int(child) for child in children.read_text(encoding="ascii").split()]
    except OSError:
        return []
    return [pid for child in found for pid in (child, *descendants(child))]


def held(pid: int) -> tuple[float, int, int]:
    """Return MB of memory of its own, threads and open files of a process; zeros if it has ended."""
    try:
        status = (PROC / str(pid) / "status").read_text(encoding="ascii")
        n_files = len(os.listdir(PROC / str(pid) / "fd"))
    except OSError:
        return 0.0, 0, 0
    numbers = {name: int(n) for name, n in re.findall(r"(RssAnon|Threads):\s+(\d+)", status)}
    return numbers.get("RssAnon", 0) / 1024, numbers.get("Threads", 0), n_files


def samples(n_pages: int, seconds: float, every: float) -> Iterator[Sample]:
    with tempfile.TemporaryDirectory(prefix="newscrawl-leaks-") as name, serving({"*": page}) as proxy:
        folder = Path(name)
        database = folder / "news.sqlite"
        workers = Workers(
            f"sqlite:///{database}",
            sites=write_description(folder),
            n=1,
            log=folder / "log",
            settings=SETTINGS,
            environment={"http_proxy": proxy.url},
        )
        began = time.monotonic()
        try:
            done = 0
            while done < n_pages and workers.n_running() and time.monotonic() - began < seconds:
                time.sleep(every)
                done = workers.n_ended()
                crawl = workers.processes[0].pid
                own, threads, files = held(crawl)
                readers = [held(reader) for reader in descendants(crawl)]
                yield Sample(
                    pages=done,
                    seconds=round(time.monotonic() - began, 1),
                    crawl_mb=round(own, 1),
                    readers_mb=round(sum(memory for memory, _, _ in readers), 1),
                    threads=threads + sum(n for _, n, _ in readers),
                    files=files + sum(n for _, _, n in readers),
                    wal_mb=_megabytes(database.with_name("news.sqlite-wal")),
                    database_mb=_megabytes(database),
                )
        finally:
            workers.close()


def _megabytes(path: Path) -> float:
    return round(path.stat().st_size / 2**20, 1) if path.exists() else 0.0


def summary(taken: list[Sample]) -> dict[str, Any]:
    """Return the figures at the first tenth of the pages and at the end, each a median of five samples."""
    tenth = next(n for n, sample in enumerate(taken) if sample.pages >= taken[-1].pages / 10)
    early, late = taken[tenth : tenth + 5], taken[-5:]
    names = ("crawl_mb", "readers_mb", "threads", "files", "wal_mb", "database_mb")
    answer: dict[str, Any] = {
        "pages": taken[-1].pages,
        "seconds": taken[-1].seconds,
        "python": platform.python_version(),
    }
    for name in names:
        first, last = (statistics.median(getattr(sample, name) for sample in part) for part in (early, late))
        answer[name] = {"first_tenth": first, "end": last, "most": max(getattr(sample, name) for sample in taken)}
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two samples")
    parser.add_argument("--samples", type=Path, help="write each sample there, a JSON line each")
    options = parser.parse_args()
    taken = []
    for sample in samples(options.pages, options.seconds, options.every):
        taken.append(sample)
        if options.samples:
            with options.samples.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(sample)) + "\n")
    if not taken or not taken[-1].pages:
        raise SystemExit("no page was crawled")
    sys.stdout.write(json.dumps(summary(taken), indent=2) + "\n")


if __name__ == "__main__":
    main()
