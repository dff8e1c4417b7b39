from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawling import crawl
from tests.logged_server import LoggedServer

if TYPE_CHECKING:
    from pathlib import Path

HOST = "127.0.0.2"
#: Pages without a single item.
SPIDER = """
import scrapy


class Silent(scrapy.Spider):
    name = "silent"

    async def start(self):
        for number in range(6):
            yield scrapy.Request(f"{self.home}{number}.html")

    def parse(self, response):
        pass
"""


def run(folder: Path, home: str, **settings: object) -> Any:
    spider = folder / "silent.py"
    spider.write_text(SPIDER, encoding="utf-8")
    given: dict[str, object] = {
        "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 1,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        "RETRY_ENABLED": False,
    }
    return crawl(folder, "runspider", str(spider), "-a", f"home={home}", settings=given | settings)


@pytest.mark.slow
def test_a_crawl_in_which_nothing_ends_is_ended(tmp_path: Path) -> None:
    gate = threading.Event()

    def page(_host: str, _path: str) -> str:
        gate.wait(30)
        return "late"

    with LoggedServer(page).running() as server:
        done = run(tmp_path, server.url(HOST), NEWSCRAWL_STALL_SECONDS=1, DOWNLOAD_TIMEOUT=3)
        gate.set()
    assert done.stats["finish_reason"] == "stalled"
    assert "no request has ended for 1 s (NEWSCRAWL_STALL_SECONDS)" in done.log


@pytest.mark.slow
def test_a_crawl_that_brings_nothing_new_goes_on(tmp_path: Path) -> None:
    """Scrapy's watchdog, which counts items, would have ended it."""
    with LoggedServer(lambda _host, _path: "old", seconds=0.5).running() as server:
        done = run(tmp_path, server.url(HOST), NEWSCRAWL_STALL_SECONDS=2)
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["elapsed_time_seconds"] > 2
    assert done.stats["response_received_count"] == 6
