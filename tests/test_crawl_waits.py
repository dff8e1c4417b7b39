"""A host that asks to wait, in whatever way, keeps no crawl open, and nothing waits on after Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.archives import write_warc
from tests.crawling import PROJECT, crawl_all
from tests.hostile import answer, serving
from tests.test_net_crawl import LOOPBACK, PAGE

if TYPE_CHECKING:
    from pathlib import Path

MISSING = answer(status=404)
LONG = answer(status=429, Retry_After="86400")
WAITS: dict[str, tuple[dict[str, Any], str]] = {
    "robots.txt": ({"/robots.txt": LONG}, "/1"),
    "robots.txt, a date": ({"/robots.txt": answer(status=503, Retry_After="Fri, 01 Jan 2100 00:00:00 GMT")}, "/1"),
    "a page": ({"/robots.txt": MISSING, "/1": LONG}, "/1"),
    "a page, in absurd digits": ({"/robots.txt": MISSING, "/1": answer(status=503, Retry_After="9" * 300)}, "/1"),
    "a redirect's target": ({"/robots.txt": MISSING, "/1": answer(status=302, Location="/2"), "/2": LONG}, "/1"),
    "a page, at the second try": (
        {"/robots.txt": MISSING, "/1": lambda _path, before: LONG if before else answer(status=503)},
        "/1",
    ),
    "short waits without end": ({"/robots.txt": MISSING, "/1": answer(status=429, Retry_After="31")}, "/1"),
    "robots.txt behind a redirect": ({"/robots.txt": answer(status=301, Location="/r"), "/r": LONG}, "/1"),
    "all pages": ({"/robots.txt": MISSING, "*": LONG}, "/1"),
    "no time is said": ({"/robots.txt": answer(status=429)}, "/1"),
}


@pytest.mark.parametrize(
    "kind", [name if name == "robots.txt" else pytest.param(name, marks=pytest.mark.slow) for name in WAITS]
)
def test_a_wait_keeps_no_crawl_open(kind: str, tmp_path: Path) -> None:
    pages, path = WAITS[kind]
    database = f"sqlite:///{tmp_path / 'w.sqlite'}"
    settings = LOOPBACK | {"RETRY_TIMES": 2, "NEWSCRAWL_DATABASE": database, "NEWSCRAWL_FRONTIER_CRAWL": "w"}
    with serving({**pages, **({} if "*" in pages else {"*": PAGE})}) as site:
        began = time.monotonic()
        run = crawl_all(tmp_path, f"http://localhost:{site.port}{path}", f"{site.url.rstrip('/')}/fine", **settings)
        assert time.monotonic() - began < 100
    assert run.stats["finish_reason"] == "finished"
    assert "Traceback" not in run.log


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def dripping(begin: bytes, piece: bytes) -> Any:
    """An answer that goes on for two minutes, a piece a second."""

    async def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(begin)
        for _ in range(120):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(1)

    return lambda _path, _before: talk


HELD: dict[str, dict[str, Any]] = {
    "Crawl-delay: 1e308": {"/robots.txt": answer("User-agent: *\nCrawl-delay: 1e308", content_type="text/plain")},
    "Crawl-delay: 99999": {"/robots.txt": answer("User-agent: *\nCrawl-delay: 99999", content_type="text/plain")},
    "robots.txt asks for a minute": {"/robots.txt": answer(status=429, Retry_After="55")},
    "robots.txt drips": {"/robots.txt": dripping(HEAD + b"Content-Length: 900\r\n\r\n", b"#")},
    "pages drip": {"/robots.txt": MISSING, "*": dripping(HEAD + b"Content-Length: 9000\r\n\r\n", b"<p>a")},
    "pages in chunks": {
        "/robots.txt": MISSING,
        "*": dripping(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    },
    "heads drip": {"/robots.txt": MISSING, "*": dripping(HEAD, b"X: y\r\n")},
    "status lines drip": {"/robots.txt": MISSING, "*": dripping(b"", b"HTTP/1.1")},
    "nothing is answered": {"/robots.txt": MISSING, "*": dripping(b"", b"")},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HELD)
def test_ctrl_c_ends_a_crawl_that_waits(kind: str, tmp_path: Path) -> None:
    database = tmp_path / "w.sqlite"
    spider = tmp_path / "follow_all.py"
    crawl_all(tmp_path, NEWSCRAWL_DRY_RUN=1)  # writes the spider
    settings = LOOPBACK | {"NEWSCRAWL_DATABASE": f"sqlite:///{database}", "CONCURRENT_REQUESTS_PER_DOMAIN": 16}
    settings |= {"RETRY_TIMES": 2, "NEWSCRAWL_FRONTIER_CRAWL": "w"}
    with serving({**HELD[kind], **({} if "*" in HELD[kind] else {"*": PAGE})}) as site:
        urls = " ".join(f"{site.url.rstrip('/')}/{n}" for n in range(24))
        words = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-a", f"urls={urls}"]
        words += [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        with subprocess.Popen(words, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603
            try:
                until = time.monotonic() + 60
                while not site.asked["/robots.txt"] and time.monotonic() < until:
                    time.sleep(0.1)
                time.sleep(5)
                process.send_signal(signal.SIGINT)
                process.wait(10)
            finally:
                process.kill()
    with sqlite3.connect(database) as connection:
        states = dict(connection.execute("SELECT state, count(*) FROM frontier GROUP BY state").fetchall())
    assert states.get("queued", 0) + states.get("done", 0) == 24
    assert states["queued"] >= 20


@pytest.mark.slow
def test_pages_come_before_a_crowd_of_sitemaps_and_ctrl_c_before_their_end(tmp_path: Path) -> None:
    entries = "".join(f"<url><loc>http://www.maps.example/tag/{{0}}-{n}</loc></url>" for n in range(5_000))
    home = "http://www.maps.example/"
    story = "<html><head><title>A story of the town</title></head><body><h1>A story of the town</h1>" + "".join(
        f"<p>Report {n}: the council met on day {n} and spoke about the roads and schools.</p>" for n in range(9)
    )
    pages: list[dict[str, Any]] = [
        {"url": home + "robots.txt", "body": "".join(f"Sitemap: {home}{n}.xml\n" for n in range(100)).encode()},
        {"url": home, "body": f"<a href='{home}2026/11/10/story-1.html'>A story of the town today</a>".encode()},
        {"url": f"{home}2026/11/10/story-1.html", "body": f"{story}</body></html>".encode()},
    ]
    xml = [("Content-Type", "text/xml")]
    pages += [
        {"url": f"{home}{n}.xml", "body": f"<urlset>{entries.replace('{0}', str(n))}</urlset>".encode(), "headers": xml}
        for n in range(100)
    ]
    archive = write_warc(tmp_path / "maps.warc.gz", *pages)
    database = tmp_path / "maps.sqlite"
    words = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={home}", "-s", f"NEWSCRAWL_REPLAY={archive}"]
    words += ["-s", f"NEWSCRAWL_DATABASE=sqlite:///{database}"]
    with subprocess.Popen(words, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            until = time.monotonic() + 200
            while not _n_articles(database) and time.monotonic() < until:
                time.sleep(0.5)
            assert _n_articles(database) == 1
            process.send_signal(signal.SIGINT)
            process.wait(15)
        finally:
            process.kill()
    with sqlite3.connect(database) as connection:
        n_queued = connection.execute("SELECT count(*) FROM frontier WHERE state = 'queued' AND url LIKE '%.xml'")
        assert n_queued.fetchone()[0] >= 50  # two batches of leases came first


def _n_articles(database: Path) -> int:
    try:
        with sqlite3.connect(database) as connection:
            return int(connection.execute("SELECT count(*) FROM articles").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
