"""Ends a crawl that its user asks to stop, from wherever the database is reached, or that hangs."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import empty_slots, is_stopping
from newscrawl.signals import Component
from newscrawl.store.crawl import StoringExtension
from newscrawl.store.runs import HEARD_SECONDS, note_alive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: How often a crawl is looked at for whether it stops. Seconds.
LOOK_SECONDS: Final = 0.5

# Finish reasons.
ASKED_TO_STOP: Final = "asked_to_stop"
STALLED: Final = "stalled"


class Watch(Component):
    """Something that goes on beside a crawl: :meth:`watch` runs until the spider is closed."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._watching: asyncio.Task[None] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    def opened(self) -> None:
        self._watching = asyncio.get_running_loop().create_task(self.watch())

    async def closed(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def watch(self) -> None:
        raise NotImplementedError

    async def stop(self, reason: str) -> None:
        self._watching = None  # closing must not cancel what closes
        await self.crawler.engine.close_spider_async(reason=reason)


class StoppingExtension(Watch, StoringExtension):
    """Says every ``HEARD_SECONDS`` that the run goes on, and ends it in order if it is asked to: the queue stays.

    Off without ``NEWSCRAWL_DATABASE``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._stopping: asyncio.Future[None] | None = None

    async def watch(self) -> None:
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


class SlotsExtension(Watch):
    """Empties the downloader's slots when the crawl stops, however long what waits there would wait.

    Off where Scrapy keeps the requests in its own queues (``JOBDIR``), which would lose them.
    """

    def __init__(self, crawler: Crawler) -> None:
        if crawler.settings["JOBDIR"]:
            raise NotConfigured
        super().__init__(crawler)

    async def watch(self) -> None:
        while True:
            if is_stopping(self.crawler):
                empty_slots(self.crawler)
            await asyncio.sleep(LOOK_SECONDS)


class StallExtension(Watch):
    """Setting ``NEWSCRAWL_STALL_SECONDS``.

    Not Scrapy's ``CLOSESPIDER_TIMEOUT_NO_ITEM``: a site that is harvested again and has nothing new gives no item for
    hours. A worker that waits for the others of its crawl does not hang.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.seconds = crawler.settings.getfloat("NEWSCRAWL_STALL_SECONDS")
        if not self.seconds:
            raise NotConfigured
        super().__init__(crawler)
        self._last = 0.0
        crawler.signals.connect(self.moved, signals.request_left_downloader)
        crawler.signals.connect(self.moved, signals.item_scraped)

    def moved(self) -> None:
        self._last = time.monotonic()

    async def watch(self) -> None:
        self.moved()
        while (left := self._last + self.seconds - time.monotonic()) > 0:
            await asyncio.sleep(left)
            if self._waits_for_others():
                self.moved()
        logger.error("Stopping: no request has ended for %g s (NEWSCRAWL_STALL_SECONDS)", self.seconds)
        await self.stop(STALLED)

    def _waits_for_others(self) -> bool:
        frontier = frontier_of(self.crawler)
        return frontier is not None and not frontier.worker.is_alone and not frontier.ledger.out
