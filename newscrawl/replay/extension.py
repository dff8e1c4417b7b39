"""Opens the archive of a replay before the crawl starts, so that a wrong file is refused in one line."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.replay.archive import WarcArchive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

#: Stronger than a project's or a spider's settings, weaker than the command line.
REPLAY_PRIORITY = 35
#: A replay has no latency to measure and no server to be gentle with.
REPLAY_SETTINGS = {
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_SLOTS": {},
    "NEWSCRAWL_CRAWL_DELAY_ENABLED": False,
    "NEWSCRAWL_RETRY_AFTER_ENABLED": False,
    # every answer is final
    "RETRY_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "HTTPPROXY_ENABLED": False,
}


class ReplayExtension:
    """Setting ``NEWSCRAWL_REPLAY``: WARC files. Stats ``newscrawl/replay/records``, ``newscrawl/replay/broken``."""

    def __init__(self, crawler: Crawler, archive: WarcArchive) -> None:
        self.archive = archive
        self.stats = crawler.stats
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self.archive.close, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        value = crawler.settings["NEWSCRAWL_REPLAY"]
        if not value:
            raise NotConfigured("NEWSCRAWL_REPLAY is empty")
        return cls(crawler, WarcArchive.from_setting(value))

    def _opened(self) -> None:
        self.stats.set_value("newscrawl/replay/records", len(self.archive))
        if self.archive.broken:
            self.stats.set_value("newscrawl/replay/broken", self.archive.broken)
        logger.info("Replaying %d archived URLs", len(self.archive))


def configure_replay(settings: BaseSettings) -> None:
    """Called by the add-on: answers come from the archive, without delays."""
    if not settings["NEWSCRAWL_REPLAY"]:
        return
    handler = "newscrawl.replay.handler.ReplayDownloadHandler"
    handlers = {"http": handler, "https": handler, "file": None, "data": None, "ftp": None, "s3": None}
    settings.set("DOWNLOAD_HANDLERS", handlers, priority=REPLAY_PRIORITY)
    for name, value in REPLAY_SETTINGS.items():
        settings.set(name, value, priority=REPLAY_PRIORITY)
    settings.setdefault_in_component_priority_dict("EXTENSIONS", ReplayExtension, 0)
