"""Ends a crawl that hangs: no request has come to an end for a long time."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.frontier.scheduler import frontier_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: Finish reason.
FINISH_REASON = "stalled"


class StallExtension:
    """Setting ``NEWSCRAWL_STALL_SECONDS``.

    Not Scrapy's ``CLOSESPIDER_TIMEOUT_NO_ITEM``: a site that is harvested again and has nothing new gives no item for
    hours. A worker that waits for the others of its crawl does not hang.
    """

    def __init__(self, crawler: Crawler, seconds: float) -> None:
        self.crawler = crawler
        self.seconds = seconds
        self._last = 0.0
        self._watch: asyncio.Task[None] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.moved, signals.request_left_downloader)
        crawler.signals.connect(self.moved, signals.item_scraped)
        crawler.signals.connect(self.closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        seconds = crawler.settings.getfloat("NEWSCRAWL_STALL_SECONDS")
        if not seconds:
            raise NotConfigured
        return cls(crawler, seconds)

    def opened(self) -> None:
        self.moved()
        self._watch = asyncio.get_running_loop().create_task(self._watching())

    def moved(self) -> None:
        self._last = time.monotonic()

    def closed(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    async def _watching(self) -> None:
        while (left := self._last + self.seconds - time.monotonic()) > 0:
            await asyncio.sleep(left)
            if self._waits_for_others():
                self.moved()
        logger.error("Stopping: no request has ended for %g s (NEWSCRAWL_STALL_SECONDS)", self.seconds)
        self._watch = None  # closing must not cancel what closes
        await self.crawler.engine.close_spider_async(reason=FINISH_REASON)

    def _waits_for_others(self) -> bool:
        frontier = frontier_of(self.crawler)
        return frontier is not None and not frontier.worker.is_alone and not frontier.ledger.n_out
