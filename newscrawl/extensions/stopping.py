"""Ends a crawl that its user asks to stop, from wherever the database is reached, or that hangs."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.storage.crawl import storage_of
from newscrawl.storage.runs import HEARD_SECONDS, note_alive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.storage import Storage

logger = logging.getLogger(__name__)

#: Finish reason of a crawl that was asked to stop.
ASKED_TO_STOP = "asked_to_stop"


class StoppingExtension:
    """Says every ``HEARD_SECONDS`` that the run goes on, and ends it in order if it is asked to: the queue stays.

    Off without ``NEWSCRAWL_DATABASE``.
    """

    def __init__(self, crawler: Crawler, storage: Storage) -> None:
        self.crawler = crawler
        self.storage = storage
        self._watch: asyncio.Task[None] | None = None
        self._stopping: asyncio.Future[None] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        storage = storage_of(crawler)
        if storage is None:
            raise NotConfigured
        return cls(crawler, storage)

    def opened(self) -> None:
        self._watch = asyncio.get_running_loop().create_task(self._watching())

    def closed(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    async def _watching(self) -> None:
        while True:
            if await self._is_asked() and self._stopping is None:
                logger.info("Stopping: its user asked for it")
                self._stopping = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=ASKED_TO_STOP))
            await asyncio.sleep(HEARD_SECONDS)

    async def _is_asked(self) -> bool:
        run_id = self.storage.run_id
        if run_id is None:  # its row is not there yet
            return False
        try:
            call = partial(note_alive, run_id=run_id, now=datetime.now(UTC))
            return await asyncio.wrap_future(self.storage.post(call))
        except StorageError:
            return False  # said, and the crawl stopped, by the storage


#: Finish reason of a crawl that hangs.
STALLED = "stalled"


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
        await self.crawler.engine.close_spider_async(reason=STALLED)

    def _waits_for_others(self) -> bool:
        frontier = frontier_of(self.crawler)
        return frontier is not None and not frontier.worker.is_alone and not frontier.ledger.n_out
