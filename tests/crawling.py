"""Run a real crawl in a process of its own, as a user would, and hand back its stats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent

#: Writes the stats of any crawl to the file named by the setting ``TEST_STATS``.
STATS_EXTENSION = "tests.crawling.StatsToFile"

FOLLOW_ALL = """
import scrapy


class FollowAll(scrapy.Spider):
    name = "follow_all"

    async def start(self):
        for url in self.urls.split():
            yield scrapy.Request(url)

    def parse(self, response):
        fetched_at = response.meta.get("newscrawl_fetched_at")
        yield {
            "url": response.url,
            "text": response.text,
            "encoding": response.encoding,
            "fetched_at": fetched_at and fetched_at.isoformat(),
        }
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)
"""


class StatsToFile:
    """Scrapy extension of the tests."""

    def __init__(self, crawler: Any) -> None:
        from scrapy import signals  # noqa: PLC0415 (tests that do not crawl need not load Scrapy)

        self.crawler = crawler
        crawler.signals.connect(self.write, signals.spider_closed)  # the only one if a crawl stops at its start
        crawler.signals.connect(self.write, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Any) -> StatsToFile:
        return cls(crawler)

    def write(self) -> None:
        stats = json.dumps(self.crawler.stats.get_stats(), default=str)
        Path(self.crawler.settings["TEST_STATS"]).write_text(stats, encoding="utf-8")


@dataclass(kw_only=True)
class Crawl:
    status: int
    log: str
    stats: dict[str, Any] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)
    folder: Path = PROJECT

    def counts(self, prefix: str) -> dict[str, Any]:
        """Stats below a prefix, without it."""
        return {name.removeprefix(prefix): n for name, n in self.stats.items() if name.startswith(prefix)}


def crawl(
    folder: Path, *command: str, settings: dict[str, object], env: dict[str, str] | None = None, seconds: int = 120
) -> Crawl:
    """``scrapy COMMAND… -s NAME=VALUE… -O items.jsonl`` in the project, files in ``folder``."""
    stats, items = folder / "stats.json", folder / "items.jsonl"
    for file in (stats, items):
        file.unlink(missing_ok=True)
    given: dict[str, object] = {"NEWSCRAWL_DATABASE": "", "LOG_LEVEL": "INFO"}
    # the project's database would remember earlier tests, and its crawls say little
    given |= {"EXTENSIONS": json.dumps({STATS_EXTENSION: 1000}), "TEST_STATS": stats, **settings}
    options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
    done = subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-m", "scrapy", *command, *options, "-O", str(items)],
        cwd=PROJECT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    return Crawl(
        folder=folder,
        status=done.returncode,
        log=done.stderr,
        stats=json.loads(stats.read_text(encoding="utf-8")) if stats.exists() else {},
        items=[json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()] if items.exists() else [],
    )


def crawl_all(folder: Path, *urls: str, env: dict[str, str] | None = None, **settings: object) -> Crawl:
    """Follow every link from ``urls``, one dict a page."""
    spider = folder / "follow_all.py"
    spider.write_text(FOLLOW_ALL, encoding="utf-8")
    return crawl(folder, "runspider", str(spider), "-a", f"urls={' '.join(urls)}", settings=settings, env=env)
