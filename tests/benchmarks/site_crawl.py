"""A whole site by newscrawl, beside a plain Scrapy spider with trafilatura: pages/s, processor time a page, memory.

    make peers && .venv/bin/python -m tests.benchmarks.site_crawl --site opensourceway --rounds 3
    .venv/bin/python -m tests.benchmarks.site_crawl --site linuxcn --pages 3000 --json

The site is a WARC file of ``$NEWSCRAWL_SHARED/sites`` (else ``../shared/sites``), served as a proxy on loopback by
``serve_warc.py`` beside it. Both sides are run by their own command line, one after the other, by turns first:

* newscrawl: ``scrapy crawl site -a url=HOME`` with everything on: page types, text, facts, link positions, site
  memory, joining, near-duplicates, the frontier and the articles in SQLite, sitemaps and feeds.
* the peer: ``peer_spider.py`` in ``.venv-peers``: ``LinkExtractor`` for the links of the host, trafilatura for text and
  facts, ``JOBDIR`` for the queue, a JSON lines feed for the articles.

Delays are off for both, concurrency and robots.txt are the same. All figures are taken from outside, the same way: the
server's log says when the first request came and which pages were answered; the time ends with the process. Processor
time is that of the whole process tree, start and reader processes included; memory is the most that the tree held at
once, pages shared by processes divided among them (PSS). The server runs on the same cores and counts for neither.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import platform
import resource
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from rich.console import Console
from rich.table import Table
from warcio.archiveiterator import ArchiveIterator

from tests.benchmarks.throughput import PROJECT, free_port, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHARED: Final = Path(os.environ.get("NEWSCRAWL_SHARED", PROJECT.parent / "shared"))
HOMES: Final = {
    "opensourceway": "http://www.opensourceway.community/",
    "linuxcn": "http://linuxcn.undefined.today/",
    "deemable": "http://deemable.rayhollister.com/",
}
BOTH: Final = {
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "CONCURRENT_REQUESTS": "32",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "16",
    "COOKIES_ENABLED": "False",
    "ROBOTSTXT_OBEY": "True",
    "RETRY_ENABLED": "False",
    "TELNETCONSOLE_ENABLED": "False",
    "LOG_LEVEL": "ERROR",
}
OURS: Final = {"NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8", "NEWSCRAWL_CRAWL_DELAY_ENABLED": "False"}
PROBE: Final = "http://probe.invalid/"
"""Asked of the server to set its clock beside ours; no site has it."""
SAMPLE_SECONDS: Final = 0.25
PR_SET_CHILD_SUBREAPER: Final = 36
ROUND_SECONDS: Final = 900.0
SIDES: Final = ("newscrawl", "peer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """One crawl of one side."""

    pages: int
    """Different addresses that were answered by an HTML page."""
    requests: int
    articles: int
    """Rows of ``articles``; lines of the peer's feed."""
    start_seconds: float
    """From the start of the process to the first request."""
    seconds: float
    """From the first request to the end of the process."""
    cpu_seconds: float
    """User and system time of the process and of all it started."""
    peak_mb: float

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Processor time a page in milliseconds."""
        return 1000 * self.cpu_seconds / self.pages


class Server:
    """``serve_warc.py`` on loopback, and what its log says of the requests since :meth:`mark`."""

    def __init__(self, warc: Path, folder: Path) -> None:
        self.port = free_port()
        self.log = folder / "requests.jsonl"
        self.proxy = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, str(warc.parent / "serve_warc.py"), str(warc), "--port", str(self.port)]
        self.process = subprocess.Popen(  # noqa: S603 - the shared folder's own script
            [*command, "--log", str(self.log)], stdout=subprocess.DEVNULL
        )
        wait_for(self.port, 60)
        self._read = 0

    def mark(self) -> float:
        """Forget the requests until now; return the server's zero on our clock, in seconds since the epoch."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": self.proxy}))
        with contextlib.suppress(urllib.error.HTTPError):  # 404, as meant
            opener.open(PROBE, timeout=10)
        zero = time.time() - self.requests()[-1]["t"]
        return float(zero)

    def requests(self) -> list[dict[str, Any]]:
        """Return the log's new lines: ``t`` seconds since the server's zero, ``u`` address, ``s`` status."""
        with self.log.open("rb") as file:
            file.seek(self._read)
            lines = file.read().splitlines()
            self._read = file.tell()
        return [json.loads(line) for line in lines]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


def html_pages(warc: Path) -> frozenset[str]:
    """Return the addresses, without scheme, that the archive answers by an HTML page."""
    with warc.open("rb") as file:
        records = (record for record in ArchiveIterator(file) if record.rec_type == "response")
        return frozenset(
            _address(record.rec_headers.get_header("WARC-Target-URI"))
            for record in records
            if "html" in record.http_headers.get_header("Content-Type", "")
        )


def _address(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname}{unquote(parts.path)}" + (f"?{parts.query}" if parts.query else "")


def command(side: str, home: str, folder: Path, options: argparse.Namespace) -> list[str]:
    """Return the command line of a crawl that keeps all it writes in ``folder``."""
    settings = dict(BOTH)
    if options.pages:
        settings["CLOSESPIDER_PAGECOUNT"] = str(options.pages)
    if side == "newscrawl":
        settings |= OURS | {"NEWSCRAWL_DATABASE": f"sqlite:///{folder}/crawl.sqlite"}
        settings |= dict(pair.split("=", 1) for pair in options.set)
        program = [_scrapy(side, options), "crawl", "site", "-a", f"url={home}"]
    else:
        settings["JOBDIR"] = str(folder / "job")
        spider = str(Path(__file__).with_name("peer_spider.py"))
        feed = ["-O", str(folder / "articles.jsonl")]
        program = [_scrapy(side, options), "runspider", spider, "-a", f"url={home}", *feed]
    return [*program, *(part for name, value in settings.items() for part in ("-s", f"{name}={value}"))]


def _scrapy(side: str, options: argparse.Namespace) -> str:
    peers = options.peers.absolute()
    return str(Path(sys.executable).with_name("scrapy") if side == "newscrawl" else peers / "bin" / "scrapy")


def _home(side: str) -> Path:
    """Return where the side is run from: the peer knows nothing of our ``scrapy.cfg``."""
    return PROJECT if side == "newscrawl" else Path(tempfile.gettempdir())


def _environment() -> dict[str, str]:
    """Ours, but that byte code is kept as it is by default: else each start would compile all of newscrawl."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def crawl(side: str, home: str, server: Server, pages: frozenset[str], options: argparse.Namespace) -> Crawl:
    """Run one crawl to its end, watching its processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        zero, spent = server.mark(), _reaped_seconds()
        began = time.time()
        with (folder / "errors").open("wb") as errors:
            process = subprocess.Popen(  # noqa: S603 - the two command lines above
                command(side, home, folder, options),
                env=_environment() | {"http_proxy": server.proxy, "https_proxy": server.proxy},
                cwd=_home(side),
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
            peak = _watch(process, began + ROUND_SECONDS)
        ended = time.time()
        _reap_orphans(process.pid)
        if process.returncode:
            raise SystemExit(f"the crawl by {side} failed:\n{(folder / 'errors').read_text(errors='replace')}")
        asked = server.requests()
        first = zero + min(line["t"] for line in asked)
        return Crawl(
            pages=len({address for line in asked if line["s"] == 200 and (address := _address(line["u"])) in pages}),
            requests=len(asked),
            articles=_articles(folder),
            start_seconds=first - began,
            seconds=ended - first,
            cpu_seconds=_reaped_seconds() - spent,
            peak_mb=peak,
        )


def _watch(process: subprocess.Popen[bytes], until: float) -> float:
    """Wait for the process; return the most memory, in MB, that it and all below it held at a time."""
    peak = 0.0
    while process.poll() is None:
        if time.time() > until:
            os.killpg(process.pid, signal.SIGKILL)
            raise SystemExit(f"a crawl did not end within {ROUND_SECONDS:.0f} s")
        peak = max(peak, sum(_pss_mb(pid) for pid in _tree(process.pid)))
        time.sleep(SAMPLE_SECONDS)
    return peak


def _tree(root: int) -> Iterator[int]:
    children = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # ended meanwhile
            continue
        children[int(fields[1])].append(int(stat.parent.name))
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += children[pid]


def _pss_mb(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("Pss:")), 0.0)


def _adopt_orphans() -> None:
    """Have processes whose parent ended before them counted as ours: readers are children of a child. Linux."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _reap_orphans(group: int) -> None:
    """Wait for all that a crawl has left behind: they end by themselves."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


def _reaped_seconds() -> float:
    """User and system time of all children that have ended, and of theirs that they waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _articles(folder: Path) -> int:
    database = folder / "crawl.sqlite"
    if not database.exists():
        return len((folder / "articles.jsonl").read_bytes().splitlines())
    with sqlite3.connect(database) as connection:
        (count,) = connection.execute("SELECT count(*) FROM articles").fetchone()
    connection.close()
    return int(count)


def measure(site: str, options: argparse.Namespace) -> dict[str, Any]:
    """Crawl ``options.rounds`` times by each side; return all crawls, versions, and the medians' ratios.

    A round's ratio is of two crawls run right after each other, so that the machine's drift hits both.
    """
    warc = options.sites / f"{site}.warc.gz"
    pages = html_pages(warc)
    runs: dict[str, list[Crawl]] = {side: [] for side in SIDES}
    _adopt_orphans()
    for side in SIDES:  # byte code is compiled at the first start
        start = [_scrapy(side, options), "version"]
        subprocess.run(start, env=_environment(), cwd=_home(side), capture_output=True, check=True)  # noqa: S603
    with tempfile.TemporaryDirectory() as folder:
        server = Server(warc, Path(folder))
        try:
            for number in range(options.rounds):
                for side in SIDES if number % 2 == 0 else reversed(SIDES):
                    runs[side].append(crawl(side, HOMES[site], server, pages, options))
        finally:
            server.stop()
    pairs = list(zip(runs["newscrawl"], runs["peer"], strict=True))
    return {
        "site": site,
        "pages": options.pages,
        "settings": options.set,
        "rounds": options.rounds,
        "crawls": {side: [_figures(run) for run in runs[side]] for side in SIDES},
        "by_clock": statistics.median(ours.pages_per_second / theirs.pages_per_second for ours, theirs in pairs),
        "by_processor": statistics.median(theirs.cpu_ms / ours.cpu_ms for ours, theirs in pairs),
        "peak_mb": max(ours.peak_mb for ours, _ in pairs),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "versions": {"newscrawl": _versions(Path(sys.executable)), "peer": _versions(options.peers / "bin" / "python")},
    }


def _figures(run: Crawl) -> dict[str, Any]:
    return asdict(run) | {"pages_per_second": run.pages_per_second, "cpu_ms": run.cpu_ms}


def _versions(python: Path) -> dict[str, str]:
    """Return the versions of what matters to speed in that environment, those that are there."""
    code = (
        "import importlib.metadata as m, json\n"
        "found = {d.name: d.version for d in m.distributions()}\n"
        "print(json.dumps({n: found[n] for n in ('Scrapy', 'Twisted', 'lxml', 'trafilatura', 'numpy', 'SQLAlchemy')"
        " if n in found}))"
    )
    answer = subprocess.run([str(python), "-c", code], capture_output=True, check=True)  # noqa: S603 - as above
    versions: dict[str, str] = json.loads(answer.stdout)
    return versions


def show(result: dict[str, Any]) -> None:
    title = f"{result['site']}, median of {result['rounds']} rounds, {result['cores']} cores, load {result['load']:.1f}"
    table = Table(title=title)
    for column in ("", "pages", "requests", "articles", "pages/s", "CPU ms a page", "peak MB", "start, s"):
        table.add_column(column, justify="right" if column else "left")
    names = ("pages", "requests", "articles", "pages_per_second", "cpu_ms", "peak_mb", "start_seconds")
    for side, runs in result["crawls"].items():
        middle = {name: statistics.median(run[name] for run in runs) for name in names}
        counts = [f"{middle[name]:.0f}" for name in names[:3]]
        table.add_row(side, *counts, *(f"{middle[name]:.1f}" for name in names[3:]))
    console = Console()
    console.print(table)
    console.print(
        f"newscrawl over peer: {result['by_clock']:.2f} × by the clock, {result['by_processor']:.2f} × by processor "
        f"time a page; at most {result['peak_mb']:.0f} MB"
    )


def _lacking(options: argparse.Namespace, sites: Sequence[str]) -> str | None:
    """Return why the comparison cannot be run here, or ``None``."""
    files = [options.sites / "serve_warc.py", *(options.sites / f"{site}.warc.gz" for site in sites)]
    missing = next((file for file in files if not file.exists()), None)
    if missing is not None:
        return f"there is no {missing} (set NEWSCRAWL_SHARED)"
    if not (options.peers / "bin" / "scrapy").exists():
        return f"there is no Scrapy in {options.peers} (run `make peers`)"
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", choices=HOMES, default="opensourceway")
    parser.add_argument("--pages", type=int, default=0, help="both sides stop after so many answers (default: none)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of newscrawl")
    parser.add_argument("--sites", type=Path, default=SHARED / "sites", metavar="DIR")
    parser.add_argument("--peers", type=Path, default=PROJECT / ".venv-peers", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    options.peers, options.sites = options.peers.absolute(), options.sites.absolute()
    lacking = _lacking(options, [options.site])
    if lacking is not None:
        sys.stderr.write(f"not measured: {lacking}\n")
        return
    result = measure(options.site, options)
    if options.json:
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
    else:
        show(result)


if __name__ == "__main__":
    main()
