"""A crawl over pages that hang and kill their readers, and a dry run beside the crawl that it announces."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from tests.archives import write_warc
from tests.commands_run import REPLAY
from tests.crawling import PROJECT, crawl
from tests.newspages import SUBJECTS, article

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

pytestmark = pytest.mark.slow

HOME = "http://news.example/"
N_PAGES = 40
#: Page → what it does to its reader.
BAD = {
    12: ("LOOPS", "too_slow"),
    17: ("DIES", "reader_died"),
    23: ("BACKTRACKS", "too_slow"),
    29: ("DIES", "reader_died"),
}


class ScheduledToFile:
    """Extension of the test: writes each scheduled request and what it was found by to ``TEST_SCHEDULED``."""

    def __init__(self, crawler: Crawler) -> None:
        from scrapy import signals  # noqa: PLC0415 (loaded by the crawl's process only)

        self.rows: list[dict[str, Any]] = []
        self.path = Path(crawler.settings["TEST_SCHEDULED"])
        crawler.signals.connect(self.scheduled, signals.request_scheduled)
        crawler.signals.connect(self.write, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def scheduled(self, request: Request) -> None:
        info = request.meta.get("newscrawl", {})
        if not info.get("discovery"):
            found_on = info.get("parent") or info.get("hints", {}).get("from")
            self.rows.append({"url": request.url, "found": info.get("found"), "found_on": found_on})

    def write(self) -> None:
        self.path.write_text(json.dumps(self.rows), encoding="utf-8")


def story(number: int) -> bytes:
    word = BAD.get(number, "")
    return (article(number % len(SUBJECTS)) + f"<p>Number {number} of all. {word}</p>").encode()


def test_pages_that_ruin_readers_cost_themselves_alone(tmp_path: Path) -> None:
    urls = [f"{HOME}2024/0301/{number}.html" for number in range(N_PAGES)]
    links = "".join(f"<li><a href={url}>A headline of the story {n}</a>" for n, url in enumerate(urls))
    pages = [{"url": url, "body": story(number)} for number, url in enumerate(urls)]
    archive = write_warc(tmp_path / "a.warc.gz", {"url": HOME, "body": f"<ul>{links}</ul>".encode()}, *pages)
    settings = {
        "NEWSCRAWL_REPLAY": archive,
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'news.sqlite'}",
        "NEWSCRAWL_EXTRACTOR": "tests.stuck:Stuck",
        "NEWSCRAWL_READERS": 1,
        "NEWSCRAWL_READ_SECONDS": 3,
        "NEWSCRAWL_SITE_MEMORY": False,
        "LOG_LEVEL": "WARNING",
    }
    run = crawl(tmp_path, "crawl", "site", "-a", f"url={HOME}", settings=settings, seconds=240)
    assert run.status == 0, run.log
    assert run.stats["finish_reason"] == "finished"
    judged = run.counts("newscrawl/outcome/")
    assert judged["stored"] + judged.get("duplicate", 0) == N_PAGES - len(BAD)
    rejected = {reason: run.stats.get(f"newscrawl/rejected/{reason}", 0) for reason in ("too_slow", "reader_died")}
    assert sum(rejected.values()) == len(BAD)  # the end of a reader may be heard of as its silence
    assert rejected["too_slow"] >= 2


@pytest.mark.parametrize("seconds", [1.5, 2.5, 3.5])
def test_a_crawl_whose_processes_are_all_told_to_end_ends(tmp_path: Path, seconds: float) -> None:
    """As who stops a service tells them."""
    words = [sys.executable, "-m", "scrapy", "crawl", "sina", "-s", "NEWSCRAWL_REPLAY=data/demo/demo.warc.gz"]
    words += ["-s", f"NEWSCRAWL_DATABASE=sqlite:///{tmp_path / 'news.sqlite'}"]
    with subprocess.Popen(words, cwd=PROJECT, stderr=subprocess.DEVNULL, start_new_session=True) as process:  # noqa: S603
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGTERM)
        try:
            assert process.wait(60) in {0, -signal.SIGTERM}  # the latter while it loads
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def test_an_archive_gives_the_same_articles_each_time(tmp_path: Path) -> None:
    found = set()
    for number, n_readers in enumerate(("0", "2")):
        feed, database = tmp_path / f"{number}.jsonl", tmp_path / f"{number}.sqlite"
        words = [sys.executable, "-m", "scrapy", "crawl", "sina", "-a", "limit=60", "-O", str(feed), *REPLAY]
        words += ["-s", f"NEWSCRAWL_DATABASE=sqlite:///{database}", "-s", f"NEWSCRAWL_READERS={n_readers}"]
        environment = os.environ | {"PYTHONHASHSEED": str(number)}
        subprocess.run(words, cwd=PROJECT, env=environment, capture_output=True, timeout=300, check=True)  # noqa: S603
        found.add(feed.read_bytes())
    (articles,) = found
    assert articles.count(b"\n") >= 60


@pytest.mark.shared
@pytest.mark.parametrize("site", ["opensourceway", "deemable", "linuxcn"])
def test_a_dry_run_lists_what_the_first_pages_ask_for(site: str, tmp_path: Path, shared: Path) -> None:
    facts = json.loads((shared / "sites" / "topics.json").read_text(encoding="utf-8"))["sites"][site]
    settings = {
        "NEWSCRAWL_REPLAY": shared / "sites" / facts["file"],
        "NEWSCRAWL_READERS": 0,
        "LOG_LEVEL": "ERROR",
        "CONCURRENT_REQUESTS": 1,
    }
    arguments = ("crawl", "site", "-a", f"url={facts['home']}")
    dry = crawl(tmp_path, *arguments, "-a", "dry_run=1", settings=settings, seconds=240)
    assert dry.status == 0, dry.log
    planned = {item["url"] for item in dry.items}
    scheduled = tmp_path / "scheduled.json"
    extensions = {"EXTENSIONS": json.dumps({"tests.test_crawl_readers.ScheduledToFile": 1000})}
    first_pages = {"CLOSESPIDER_PAGECOUNT": 10, "TEST_SCHEDULED": scheduled}
    wet = crawl(tmp_path, *arguments, settings=settings | extensions | first_pages, seconds=240)
    assert wet.status == 0, wet.log
    first = {item["found_on"] for item in dry.items}
    rows = json.loads(scheduled.read_text(encoding="utf-8"))
    asked = {row["url"] for row in rows if row["found"] in {"link", "feed", "sitemap"} and row["found_on"] in first}
    assert asked <= planned
    assert planned <= {row["url"] for row in rows}  # another page may have asked for one before the sitemap came
    assert len(asked) > 0.9 * len(planned)
