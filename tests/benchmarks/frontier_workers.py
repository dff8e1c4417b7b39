"""Pages/s of one worker against several on one PostgreSQL: a generated site of equal hosts, by replay.

``python -m tests.benchmarks.frontier_workers --hosts 24 --articles 60 --workers 2 --rounds 3``. The server has the
machine's cores too; its processor time stands beside the workers'. Time runs from the first start of a run in the
database to the last end, so that starting Python is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from newscrawl.store.engine import make_engine
from newscrawl.store.schema import articles, pages, runs
from tests import postgres
from tests.archives import write_warc
from tests.benchmarks.throughput import UNTHROTTLED
from tests.conftest import PROJECT
from tests.records import chinese

SITE = """
title = "Equal hosts"
hosts = [".equal.example"]
seeds = [{seeds}]
timezone = "Asia/Shanghai"
language = "zh"
article_patterns = ['/(?P<y>20\\d\\d)/(?P<m>\\d\\d)/a\\d+\\.html']
"""
PARAGRAPHS = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    workers: int
    pages: int
    articles: int
    seconds: float
    worker_cpu_seconds: tuple[float, ...]
    server_cpu_seconds: float

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds


def write_site(folder: Path, n_hosts: int, n_articles: int) -> tuple[Path, Path]:
    """Write the archive and the folder with the site's description; return both."""
    homes = [f"http://h{number:02d}.equal.example/" for number in range(n_hosts)]
    records = [record for number, home in enumerate(homes) for record in _host(number, home, n_articles)]
    sites = folder / "sites"
    sites.mkdir()
    (sites / "equal.toml").write_text(SITE.format(seeds=", ".join(f'"{home}"' for home in homes)), encoding="utf-8")
    return write_warc(folder / "equal.warc.gz", *records), sites


def _host(number: int, home: str, n_articles: int) -> list[dict[str, Any]]:
    addresses = [f"{home}2024/03/a{number * 1000 + n}.html" for n in range(n_articles)]
    items = "".join(
        f"<li><a href='{address}'>{chinese(number * 1000 + n, 18)}</a></li>" for n, address in enumerate(addresses)
    )
    hub = f"<html><head><title>{number}</title></head><body><ul>{items}</ul></body></html>"
    return [
        {"url": home, "body": hub.encode()},
        *({"url": address, "body": _article(number * 1000 + n)} for n, address in enumerate(addresses)),
    ]


def _article(seed: int) -> bytes:
    headline = chinese(seed * 10 + 9, 20)
    paragraphs = "".join(f"<p>{chinese(seed * 100 + i, 120)}。</p>" for i in range(PARAGRAPHS))
    menu = "".join(f"<li><a href='/menu/{i}.html' rel='nofollow'>{chinese(i, 4)}</a></li>" for i in range(40))
    return (
        f"<html><head><title>{headline}_等</title></head><body><ul class='nav'>{menu}</ul><h1>{headline}</h1>"
        "<div class='info'>2024年03月05日 10:20 来源：测试日报</div>"
        f"<div class='content'>{paragraphs}</div></body></html>"
    ).encode()


def crawl(n_workers: int, warc: Path, sites: Path) -> Result:
    """Run the workers on an empty database of their own."""
    with postgres.running("-c fsync=off -c full_page_writes=off") as server:
        settings = {
            **UNTHROTTLED,
            "NEWSCRAWL_DATABASE": server.url,
            "NEWSCRAWL_REPLAY": warc,
            "NEWSCRAWL_SITES_DIR": sites,
        }
        options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "equal", *options]
        workers = [subprocess.Popen(command, cwd=PROJECT) for _ in range(n_workers)]  # noqa: S603 (our own words)
        cpu = []
        for worker in workers:
            _, status, usage = os.wait4(worker.pid, 0)
            worker.returncode = os.waitstatus_to_exitcode(status)
            if worker.returncode:
                raise SystemExit(f"a worker ended with {worker.returncode}")
            cpu.append(usage.ru_utime + usage.ru_stime)
        of_server = server_cpu(server.data)
        engine = make_engine(server.url)
        with engine.connect() as connection:
            first, last = connection.execute(select(func.min(runs.c.started_at), func.max(runs.c.finished_at))).one()
            n_pages = connection.execute(select(func.count()).where(pages.c.status == 200)).scalar_one()
            n_articles = connection.execute(select(func.count()).select_from(articles)).scalar_one()
        engine.dispose()
    return Result(
        workers=n_workers,
        pages=n_pages,
        articles=n_articles,
        seconds=(last - first).total_seconds(),
        worker_cpu_seconds=tuple(cpu),
        server_cpu_seconds=of_server,
    )


def server_cpu(data: Path) -> float:
    """Return the seconds of the server's main process and of its children that have ended (Linux)."""
    pid = (data / "postmaster.pid").read_text().split()[0]
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def measure(n_hosts: int, n_articles: int, n_workers: int, rounds: int) -> dict[str, Any]:
    """Run one worker and several right after each other, so that the machine's drift hits both."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-workers-") as name:
        warc, sites = write_site(Path(name), n_hosts, n_articles)
        results = [(crawl(1, warc, sites), crawl(n_workers, warc, sites)) for _ in range(rounds)]
    ratios = [several.pages_per_second / one.pages_per_second for one, several in results]
    return {
        "hosts": n_hosts,
        "articles": n_articles * n_hosts,
        "speed_up": {"median": statistics.median(ratios), "each": ratios},
        "runs": [asdict(run) | {"pages_per_second": run.pages_per_second} for pair in results for run in pair],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=24)
    parser.add_argument("--articles", type=int, default=60, help="of each host")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    answer = measure(options.hosts, options.articles, options.workers, options.rounds)
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


if __name__ == "__main__":
    main()
