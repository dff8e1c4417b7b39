"""Crawls by the frontier, in processes of their own, against a server that notes who asked when."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from newscrawl.frontier.manage import set_drain
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.schema import frontier, frontier_crawls, frontier_hosts, frontier_workers
from tests.conftest import PROJECT
from tests.crawling import crawl
from tests.frontiers import Crawl
from tests.logged_server import LoggedServer, Visit

pytestmark = pytest.mark.slow

HOSTS = [f"127.0.0.{n}" for n in range(2, 8)]

SPIDER = """
import scrapy


class Graph(scrapy.Spider):
    name = "graph"

    async def start(self):
        for url in self.urls.split():
            yield scrapy.Request(url)

    def parse(self, response):
        for link in response.css("a"):
            yield response.follow(link, priority=int(link.attrib.get("data-priority", 0)))
"""

SETTINGS: dict[str, Any] = {
    "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": False,
    "NEWSCRAWL_LEASE_SECONDS": 3,
    "LOG_LEVEL": "INFO",
}


def spider_file(folder: Path) -> Path:
    file = folder / "graph.py"
    file.write_text(SPIDER, encoding="utf-8")
    return file


def command(folder: Path, database: str, *urls: str, **settings: object) -> list[str]:
    given = {**SETTINGS, "NEWSCRAWL_DATABASE": database, **settings}
    options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
    spider = str(spider_file(folder))
    return [sys.executable, "-m", "scrapy", "runspider", spider, "-a", f"urls={' '.join(urls)}", *options]


class Worker:
    """``scrapy runspider`` in a process of its own, its log in a file."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        handle, name = tempfile.mkstemp(dir=folder, suffix=".log")
        self.file = Path(name)
        self.process = subprocess.Popen(words, cwd=PROJECT, stderr=handle)  # noqa: S603 (our own words)
        os.close(handle)

    def end(self, *, seconds: float = 90) -> str:
        """Wait for a good end; return the log."""
        status = self.process.wait(seconds)
        log = self.file.read_text(encoding="utf-8")
        assert status == 0, log
        return log


def start(folder: Path, database: str, *urls: str, **settings: object) -> Worker:
    return Worker(folder, command(folder, database, *urls, **settings))


def states(database: str) -> dict[str, int]:
    engine = make_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(select(frontier.c.state, func.count()).group_by(frontier.c.state)).all()
        leased = select(func.count()).select_from(frontier_hosts).where(frontier_hosts.c.worker_id.is_not(None))
        workers = select(func.count()).select_from(frontier_workers)
        found = {str(state): int(n) for state, n in rows}
        found |= {"hosts": connection.execute(leased).scalar_one(), "workers": connection.execute(workers).scalar_one()}
    engine.dispose()
    return found


# --- order -----------------------------------------------------------------------------------------------


class Graph:
    """A random web of pages on six hosts; each link has a priority. Links lead to pages with higher numbers."""

    def __init__(self, n: int, seed: int) -> None:
        chance = random.Random(seed)
        self.links: dict[int, list[tuple[int, int]]] = {}
        for page in range(n):
            targets = [page + 1, *(chance.randrange(page, n) for _ in range(4))]
            self.links[page] = [(target, chance.randrange(50)) for target in targets if page < target < n]
        self.port = 0

    def url(self, page: int) -> str:
        return f"http://{HOSTS[page % len(HOSTS)]}:{self.port}/{page}"

    def html(self, _host: str, path: str) -> str | None:
        if not path[1:].isdigit():
            return None
        links = self.links[int(path[1:])]
        return "".join(f"<a href='{self.url(page)}' data-priority='{priority}'>{page}</a>" for page, priority in links)

    def expected(self) -> list[str]:
        """The order of one global queue: highest priority, then first found, at each step."""
        queue, found, order = [(0, 0, 0)], {0}, []
        while queue:
            queue.sort()
            _, _, page = queue.pop(0)
            order.append(f"/{page}")
            for target, priority in self.links[page]:
                if target not in found:
                    queue.append((-priority, len(found), target))
                    found.add(target)
        return order


STRICT = {"NEWSCRAWL_FRONTIER_ORDER": "strict", "CONCURRENT_REQUESTS": 1}


def test_strict_order_holds_across_stops_and_kills(tmp_path: Path, database: str) -> None:
    """Stopped in order after 15 pages, killed some pages later, and gone on with: one global order."""
    graph = Graph(60, seed=3)
    with LoggedServer(graph.html).running() as server:
        graph.port = server.port
        seed = graph.url(0)
        first = start(tmp_path, database, seed, CLOSESPIDER_PAGECOUNT=15, **STRICT)
        first.end()
        assert states(database)["workers"] == states(database)["hosts"] == 0
        n_stopped = len(server.asked())
        second = start(tmp_path, database, seed, **STRICT)
        until = time.monotonic() + 60
        while len(server.asked()) < n_stopped + 15 and time.monotonic() < until:
            time.sleep(0.005)
        second.process.kill()
        second.process.wait()
        n_killed = len(server.asked())
        third = start(tmp_path, database, seed, **STRICT)
        third.end()
    expected = graph.expected()
    asked = server.asked()
    assert 15 <= n_stopped < n_killed < len(expected)
    assert asked[:n_killed] == expected[:n_killed]
    again = [page for page in asked[n_killed:] if page in asked[:n_killed]]
    # the page under way when the process was killed is asked for again; after its links, if queued and better
    assert again in ([], expected[n_killed - 1 : n_killed])
    assert [page for page in asked[n_killed:] if page not in again] == expected[n_killed:]
    assert states(database) == {"done": 60, "hosts": 0, "workers": 0}


# --- several workers -------------------------------------------------------------------------------------


def many_pages(n: int, gate: threading.Event | None = None) -> Any:
    """Hosts of ``n`` pages, linked from the first one, which waits until the gate is open."""

    def html(_host: str, path: str) -> str | None:
        if path == "/":
            if gate is not None:
                gate.wait(100)
            return "".join(f"<a href='/{i}'>{i}</a>" for i in range(1, n))
        return "<p>text</p>" if path[1:].isdigit() else None

    return html


def assert_polite(visits: list[Visit], *, delay: float, concurrency: int) -> None:
    """From the server's log: requests of a host are far enough apart, and not too many at once."""
    for host in {visit.host for visit in visits}:
        own = sorted((visit for visit in visits if visit.host == host), key=lambda visit: visit.began)
        gaps = [later.began - earlier.began for earlier, later in pairwise(own)]
        assert min(gaps) >= delay - 0.2, (host, min(gaps))  # as the server saw it, on a busy machine
        at_once = [sum(other.began <= visit.began < other.ended for other in own) for visit in own]
        assert max(at_once) <= concurrency


@pytest.mark.postgres
def test_delay_and_concurrency_of_a_host_hold_across_three_workers(tmp_path: Path, postgres_database: str) -> None:
    """Nothing is answered until all three are there; one of them is stopped half way."""
    polite = {"DOWNLOAD_DELAY": 0.6, "DOWNLOAD_DELAY_JITTER": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    gate = threading.Event()
    with LoggedServer(many_pages(16, gate), seconds=0.05).running() as server:
        seeds = [server.url(host) for host in HOSTS]
        settings = {**polite, "DOWNLOAD_TIMEOUT": 120, "NEWSCRAWL_LEASE_SECONDS": 30}
        workers = [start(tmp_path, postgres_database, *seeds, **settings) for _ in range(3)]
        until = time.monotonic() + 100
        while not server.asked() or states(postgres_database)["workers"] < 3:
            assert time.monotonic() < until
            time.sleep(0.1)
        gate.set()
        while len(server.asked()) < 40 and time.monotonic() < until:
            time.sleep(0.02)
        workers[0].process.send_signal(signal.SIGTERM)
        for worker in workers:
            worker.end()
    assert sorted(server.asked()) == sorted(path for _ in HOSTS for path in ["/", *(f"/{i}" for i in range(1, 16))])
    assert_polite(server.visits, delay=0.6, concurrency=1)
    assert states(postgres_database) == {"done": 96, "hosts": 0, "workers": 0}


def test_an_idle_worker_learns_of_new_work_within_half_a_second(tmp_path: Path, database: str) -> None:
    with LoggedServer(many_pages(1)).running() as server:
        crawl = Crawl(database, "graph")
        crawl.queue(server.url("127.0.0.2", "/held"))
        assert len(crawl.lease().rows) == 1  # as long as this is open, an idle worker waits for more
        worker = start(tmp_path, database, server.url("127.0.0.3"))
        until = time.monotonic() + 60
        while not server.asked() and time.monotonic() < until:
            time.sleep(0.02)
        waits = []
        for n in range(5):
            time.sleep(0.7)
            queued = time.monotonic()
            crawl.queue(server.url(f"127.0.0.{10 + n}", f"/{n}"), request='{"callback":"parse"}')
            while len(server.asked()) < n + 2 and time.monotonic() < queued + 5:
                time.sleep(0.005)
            waits.append(server.visits[-1].began - queued)
        worker.process.send_signal(signal.SIGTERM)
        worker.end()
        crawl.close()
    assert max(waits) < 0.5 * (4 if os.environ.get("CI") == "true" else 1), waits


@pytest.mark.slow
def test_a_worker_that_drains_gives_all_back_and_goes_on_when_resumed(tmp_path: Path, database: str) -> None:
    with LoggedServer(many_pages(40), seconds=0.05).running() as server:
        worker = start(tmp_path, database, server.url("127.0.0.2"))
        until = time.monotonic() + 60
        while len(server.asked()) < 5 and time.monotonic() < until:
            time.sleep(0.02)
        crawl = Crawl(database, "other")
        with writing(crawl.engine) as connection:
            assert set_drain(connection, str(worker.process.pid), drains=True) == 1
        time.sleep(3)
        n_asked = len(server.asked())
        held = states(database)
        time.sleep(1)
        assert (len(server.asked()), held["hosts"], held.get("leased", 0)) == (n_asked, 0, 0)
        assert n_asked < 40
        with writing(crawl.engine) as connection:
            set_drain(connection, str(worker.process.pid), drains=False)
        crawl.close()
        worker.end()
    assert len(server.asked()) == 40


# --- what ends how ---------------------------------------------------------------------------------------


def test_a_stop_returns_leases_at_once_and_the_next_run_goes_on(tmp_path: Path, database: str) -> None:
    with LoggedServer(many_pages(30), seconds=0.02).running() as server:
        seed = server.url("127.0.0.2")
        first = start(tmp_path, database, seed, CLOSESPIDER_PAGECOUNT=10)
        first.end()
        after = states(database)
        assert after["queued"] + after["done"] == 30
        assert after["hosts"] == after["workers"] == after.get("leased", 0) == 0
        second = start(tmp_path, database, seed)
        log = second.end()
    assert "pass 1 goes on" in log
    assert sorted(server.asked()) == sorted(["/", *(f"/{i}" for i in range(1, 30))])
    assert states(database) == {"done": 30, "hosts": 0, "workers": 0}


def test_what_cannot_be_written_down_stays_in_memory(tmp_path: Path) -> None:
    spider = tmp_path / "odd.py"
    spider.write_text(
        "import scrapy\n"
        "class Odd(scrapy.Spider):\n"
        "    name = 'odd'\n"
        "    async def start(self):\n"
        "        yield scrapy.Request(self.url, callback=lambda response: None, meta={'keep': 1})\n"
        "        yield scrapy.Request(self.url + 'b', meta={'odd': object()})\n"
        "    def parse(self, response):\n"
        "        yield {'odd': type(response.meta['odd']).__name__}\n",
        encoding="utf-8",
    )
    with LoggedServer(many_pages(1)).running() as server:
        settings = {**SETTINGS, "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'f.sqlite'}", "HTTPERROR_ALLOW_ALL": True}
        done = crawl(tmp_path, "runspider", str(spider), "-a", f"url={server.url('127.0.0.2')}", settings=settings)
    assert done.items == [{"odd": "object"}]
    assert done.stats["newscrawl/frontier/memory"] == 2


def test_a_retry_keeps_its_lease_and_the_last_failure_is_recorded(tmp_path: Path) -> None:
    with LoggedServer(many_pages(1)).running() as server:
        port = server.port
    database = f"sqlite:///{tmp_path / 'f.sqlite'}"  # nobody listens any more
    worker = start(tmp_path, database, f"http://127.0.0.2:{port}/", RETRY_TIMES=2)
    log = worker.end()
    engine = make_engine(database)
    with engine.connect() as connection:
        assert connection.execute(select(frontier.c.state, frontier.c.reason)).all() == [
            ("failed", "failed:connection_refused")
        ]
        assert connection.execute(select(frontier_crawls.c.finished_at)).scalar_one() is not None
    engine.dispose()
    assert "'retry/count': 2" in log


def test_settings_are_refused_in_one_line(tmp_path: Path) -> None:
    for name, value in (
        ("NEWSCRAWL_FRONTIER_ORDER", "best"),
        ("NEWSCRAWL_LEASE_SECONDS", "0"),
        ("NEWSCRAWL_FRONTIER", "redis"),
    ):
        settings = {"NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'f.sqlite'}", name: value}
        options = [word for key, given in settings.items() for word in ("-s", f"{key}={given}")]
        words = [sys.executable, "-m", "scrapy", "crawl", "sina", *options]
        done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 (our own words)
        assert done.returncode != 0
        assert name in done.stderr
        assert "accepted" in done.stderr
        assert "Traceback" not in done.stderr, json.dumps(done.stderr)


def test_a_worker_taken_for_dead_goes_on_without_what_it_lost(tmp_path: Path, database: str) -> None:
    """Suspended for longer than its lease: the others took its requests; nothing is asked for a third time."""
    with LoggedServer(many_pages(40), seconds=0.05).running() as server:
        seed = server.url("127.0.0.2")
        worker = start(tmp_path, database, seed, NEWSCRAWL_LEASE_SECONDS=2, CONCURRENT_REQUESTS_PER_DOMAIN=2)
        until = time.monotonic() + 60
        while len(server.asked()) < 8 and time.monotonic() < until:
            time.sleep(0.02)
        worker.process.send_signal(signal.SIGSTOP)
        engine = make_engine(database)
        with writing(engine) as connection:
            connection.execute(frontier_workers.update().values(process="elsewhere 1 1"))
        engine.dispose()
        time.sleep(2.1)
        n_asked = len(server.asked())
        other = start(tmp_path, database, seed, NEWSCRAWL_LEASE_SECONDS=2, CONCURRENT_REQUESTS_PER_DOMAIN=2)
        while len(server.asked()) < n_asked + 3 and time.monotonic() < until:
            time.sleep(0.02)
        worker.process.send_signal(signal.SIGCONT)
        worker.end()
        other.end()
    assert set(server.asked()) == {"/", *(f"/{i}" for i in range(1, 40))}
    assert states(database) == {"done": 40, "hosts": 0, "workers": 0}
