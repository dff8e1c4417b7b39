"""Pages/s of the full pipeline, by replay and over loopback HTTP, next to the same pages with an empty callback.

``make bench``; ``.venv/bin/python -m tests.benchmarks.throughput --warc FILE --url URL --rounds 3 --json``; with
``--corpus ../shared/corpus`` a sample of its pages is the site, each page a seed, no link followed (by replay only).
Every crawl is a process of its own. The floor asks for the very pages that the full crawl fetched, so that the two
differ only in what happens after the download: parsing, extraction, links, frontier, storage. It has the same
downloader, middlewares and settings, no pipelines, no database, and Scrapy's queue in memory. Start and end of the
process count in both. Beside pages a second stands the CPU time a page: other work on the machine changes it less.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lxml.etree
import scrapy
import sqlalchemy as sa
from aiohttp import web
from rich.console import Console
from rich.table import Table
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

from newscrawl.warc.archive import WarcArchive
from tests.benchmarks.corpus_crawl import CorpusSpider, write_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROJECT = Path(__file__).resolve().parents[2]
DEMO = PROJECT / "data" / "demo" / "demo.warc.gz"
UNTHROTTLED = {
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "NEWSCRAWL_CRAWL_DELAY_ENABLED": False,
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "ROBOTSTXT_OBEY": False,
    "RETRY_ENABLED": False,
    "LOG_LEVEL": "ERROR",
}
"""The same for both sides: only the machine sets the speed."""
WAYS = {"replay": "replay", "http": "loopback HTTP"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One crawl: what it fetched and what that cost."""

    pages: int
    """HTML answers with status 200."""
    seconds: float
    """From the first request to the end of the crawl, storage flushed."""
    cpu_seconds: float
    peak_mb: float

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def cpu_per_page(self) -> float:
        """CPU seconds a page, all threads of the process."""
        return self.cpu_seconds / self.pages if self.pages else 0.0


class FloorSpider(scrapy.Spider):
    """The floor: the pages are fetched and nothing is done with them."""

    name = "floor"
    urls: tuple[str, ...] = ()

    async def start(self) -> Any:
        for url in self.urls:
            yield scrapy.Request(url, dont_filter=True)

    def parse(self, response: Any) -> None:
        """Do nothing with the page."""


class PlainHttpHandler(HTTP11DownloadHandler):
    """Fetch https addresses by plain http, so that a proxy without certificates can answer them."""

    async def download_request(self, request: Any) -> Any:
        response = await super().download_request(request.replace(url=request.url.replace("https://", "http://", 1)))
        return response.replace(url=request.url)


def child(job: dict[str, Any]) -> None:
    """Run one crawl in this process and print its :class:`Run` as JSON."""
    settings = get_project_settings()
    for name, value in job["settings"].items():
        settings.set(name, value, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    if "urls" in job:
        crawler = process.create_crawler(FloorSpider)
        process.crawl(crawler, urls=job["urls"])
    elif "seeds" in job:
        crawler = process.create_crawler(CorpusSpider)
        process.crawl(crawler, urls=job["seeds"])
    else:
        crawler = process.create_crawler("site" if job["url"] else "sina")
        process.crawl(crawler, **({"url": job["url"]} if job["url"] else {}))
    began = time.perf_counter()
    process.start()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    run = Run(
        pages=crawler.stats.get_value("downloader/response_status_count/200", 0),
        seconds=time.perf_counter() - began,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / 1024,
    )
    sys.stdout.write(json.dumps(asdict(run)))


def crawl(job: dict[str, Any], proxy: str | None) -> Run:
    environment = dict(os.environ)
    if proxy:
        environment |= {"http_proxy": proxy, "https_proxy": proxy}
    answer = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.throughput", "--child"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        env=environment,
        cwd=PROJECT,
        check=False,
    )
    if answer.returncode:
        raise SystemExit(f"a crawl of the benchmark failed:\n{answer.stderr}")
    return Run(**json.loads(answer.stdout))


def serve(warc: str, port: int) -> None:
    """Answer every request for a URL of the archive as a forward proxy on loopback."""
    archive = WarcArchive([Path(warc)])

    async def answer(request: web.Request) -> web.Response:
        stored = archive.get(str(request.message.path))
        if stored is None:
            return web.Response(status=404)
        kept = {name: value for name, value in stored.headers if name.lower() in {"content-type", "content-encoding"}}
        return web.Response(status=stored.status, body=stored.body, headers=kept)

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    web.run_app(application, host="127.0.0.1", port=port, print=None, access_log=None)


def rounds(
    warc: Path, start: Mapping[str, str], count: int, *, over_http: bool, settings: Mapping[str, Any]
) -> Iterator[tuple[Run, Run]]:
    """Yield (full, floor) pairs, run right after each other, so that the machine's drift hits both.

    :param start: ``url`` of the home page, or ``seeds``: a file that lists what to fetch.
    """
    proxy, server = None, None
    if over_http:
        port = free_port()
        server = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "tests.benchmarks.throughput", "--serve", str(port), "--warc", str(warc)],
            cwd=PROJECT,
        )
        proxy = f"http://127.0.0.1:{port}"
        wait_for(port)
    handler = {"DOWNLOAD_HANDLERS": {"https": "tests.benchmarks.throughput.PlainHttpHandler"}}
    settings = {**UNTHROTTLED, **(handler if over_http else {"NEWSCRAWL_REPLAY": str(warc)}), **settings}
    try:
        for _ in range(count):
            with tempfile.TemporaryDirectory() as folder:
                database = f"sqlite:///{folder}/bench.sqlite"
                full_settings = settings | {"NEWSCRAWL_DATABASE": database}
                full = crawl({**start, "settings": full_settings}, proxy)
                urls = _fetched(database)
            floor_settings = settings | {"NEWSCRAWL_DATABASE": "", "ITEM_PIPELINES": {}}
            yield full, crawl({"urls": urls, "settings": floor_settings}, proxy)
    finally:
        if server is not None:
            server.terminate()
            server.wait()


def _fetched(database: str) -> list[str]:
    with sa.create_engine(database).connect() as connection:
        rows = connection.execute(sa.text("SELECT url FROM pages WHERE status = 200 ORDER BY fetched_at"))
        return [row.url for row in rows]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, seconds: float = 30) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"the benchmark's server did not answer on port {port} within {seconds:.0f} s")


def measure(
    warc: Path, start: Mapping[str, str], count: int, ways: Sequence[str], settings: Mapping[str, Any]
) -> dict[str, Any]:
    found = {}
    for way in ways:
        pairs = list(rounds(warc, start, count, over_http=way == "http", settings=settings))
        found[WAYS[way]] = {
            "full": [_figures(full) for full, _ in pairs],
            "floor": [_figures(floor) for _, floor in pairs],
            "ratio": statistics.median(full.pages_per_second / floor.pages_per_second for full, floor in pairs),
            "cpu_ratio": statistics.median(floor.cpu_per_page / full.cpu_per_page for full, floor in pairs),
        }
    return {
        "warc": warc.name,
        "url": start.get("url"),
        "settings": dict(settings),
        "rounds": count,
        "ways": found,
        "versions": {
            "python": platform.python_version(),
            "scrapy": scrapy.__version__,
            "lxml": ".".join(map(str, lxml.etree.LXML_VERSION)),
        },
    }


def _figures(run: Run) -> dict[str, Any]:
    return asdict(run) | {"pages_per_second": run.pages_per_second, "cpu_per_page": run.cpu_per_page}


def show(result: dict[str, Any]) -> None:
    table = Table(title=f"{result['warc']}, median of {result['rounds']} rounds")
    for column in ("", "pages", "full pages/s", "floor pages/s", "full / floor", "CPU ms/page", "by CPU", "peak MB"):
        table.add_column(column, justify="right" if column else "left")
    for way, runs in result["ways"].items():
        full = statistics.median(run["pages_per_second"] for run in runs["full"])
        floor = statistics.median(run["pages_per_second"] for run in runs["floor"])
        cpu = statistics.median(run["cpu_per_page"] for run in runs["full"]) * 1000
        peak = max(run["peak_mb"] for run in runs["full"])
        pages = str(runs["full"][0]["pages"])
        ratios = f"{runs['ratio']:.2f}", f"{cpu:.1f}", f"{runs['cpu_ratio']:.2f}"
        table.add_row(way, pages, f"{full:.1f}", f"{floor:.1f}", *ratios, f"{peak:.0f}")
    Console().print(table)


def _measured(options: argparse.Namespace) -> dict[str, Any]:
    settings = dict(pair.split("=", 1) for pair in options.set)
    ways = options.ways.split(",") if options.ways else list(WAYS)
    if options.corpus is None:
        return measure(options.warc, {"url": options.url}, options.rounds, ways, settings)
    with tempfile.TemporaryDirectory() as folder:
        warc, seeds = Path(folder) / f"{options.pages}-corpus-pages.warc.gz", Path(folder) / "seeds.json"
        seeds.write_text(json.dumps(write_archive(options.corpus, options.pages, warc)))
        return measure(warc, {"seeds": str(seeds)}, options.rounds, ["replay"], settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warc", type=Path, default=DEMO, help="archive to crawl (default: the demo site)")
    parser.add_argument("--url", default="", help="home page of the site in the archive (default: the sina spider)")
    parser.add_argument("--corpus", type=Path, help="folder of a corpus whose pages to crawl instead")
    parser.add_argument("--pages", type=int, default=600, help="of the corpus (600)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", default="", help=f"of {', '.join(WAYS)}, separated by commas; all by default")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of both crawls")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(json.load(sys.stdin))
    elif options.serve:
        serve(str(options.warc), options.serve)
    else:
        result = _measured(options)
        if options.json:
            sys.stdout.write(json.dumps(result, indent=2) + "\n")
        else:
            show(result)


if __name__ == "__main__":
    main()
