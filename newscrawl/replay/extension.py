"""Opens the archive of a replay before the crawl starts, so that a wrong file is refused in one line."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.replay.archive import WarcArchive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


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
            raise NotConfigured  # without a word: most crawls ask the network
        return cls(crawler, WarcArchive.from_setting(value))

    def _opened(self) -> None:
        self.stats.set_value("newscrawl/replay/records", len(self.archive))
        if self.archive.broken:
            self.stats.set_value("newscrawl/replay/broken", self.archive.broken)
        logger.info("Replaying %d archived URLs", len(self.archive))
