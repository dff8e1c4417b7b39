"""Keeps the Crawl-delay of robots.txt as the least delay of the host; Scrapy reads it but does not keep it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)


class CrawlDelayExtension:
    """Settings ``NEWSCRAWL_CRAWL_DELAY_ENABLED``, ``NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS``.

    AutoThrottle may slow down further, not below. Stats ``newscrawl/crawl_delay/hosts``, ``…/max_seconds``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCRAWL_CRAWL_DELAY_ENABLED") or not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self.crawler = crawler
        self.longest = settings.getfloat("NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS")
        self.agent = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        self.floors: dict[str, float] = {}
        crawler.signals.connect(self._read, signals.robots_parsed)
        # AutoThrottle listens to the same signal and, being older, is called first.
        crawler.signals.connect(self._keep, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _read(self, robotparser: RobotParser, request: Request) -> None:
        asked = robotparser.crawl_delay(self.agent)
        if not asked or asked <= 0:
            return
        key = self.crawler.engine.downloader.get_slot_key(request)
        self.floors[key] = min(float(asked), self.longest)
        stats = self.crawler.stats
        stats.set_value("newscrawl/crawl_delay/hosts", len(self.floors))
        stats.max_value("newscrawl/crawl_delay/max_seconds", self.floors[key])
        logger.info("%s asks for a crawl delay of %s s; kept: %s s", key, asked, self.floors[key])
        self._slow_down(key)

    def _keep(self, request: Request) -> None:
        self._slow_down(request.meta.get("download_slot", ""))

    def _slow_down(self, key: str) -> None:
        floor = self.floors.get(key)
        slot: Slot | None = self.crawler.engine.downloader.slots.get(key)
        if floor is not None and slot is not None:
            slot.delay = max(slot.delay, floor)
            slot.jitter = 0.0  # it would shorten the delay as often as not
