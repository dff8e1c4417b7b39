"""Keeps the lease of a scheduled harvest while its crawl lives, whatever becomes of the tick that started it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.storage.crawl import storage_of
from newscrawl.storage.harvests import RENEW_SECONDS, renew

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.storage import Storage

logger = logging.getLogger(__name__)

#: Finish reason of a crawl whose site another one took over.
FINISH_REASON = "lease_lost"


class HarvestLeaseExtension:
    """Settings ``NEWSCRAWL_HARVEST`` and ``NEWSCRAWL_HARVEST_HOLDER``, both given by ``scrapy tick``."""

    def __init__(self, crawler: Crawler, storage: Storage) -> None:
        self.crawler = crawler
        self.storage = storage
        self.name: str = crawler.settings["NEWSCRAWL_HARVEST"]
        self.holder: str = crawler.settings["NEWSCRAWL_HARVEST_HOLDER"]
        self._task: asyncio.Task[None] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings["NEWSCRAWL_HARVEST"]:
            raise NotConfigured  # without a word: most crawls are started by hand
        storage = storage_of(crawler)
        if storage is None:
            raise NotConfigured("NEWSCRAWL_DATABASE is empty, or the run is a dry one")
        return cls(crawler, storage)

    def opened(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._renew())

    async def closed(self) -> None:
        """Renew once more: so a short crawl, too, has named its run."""
        if self._task is not None:
            self._task.cancel()
        if self.storage.writer.error is None:
            with suppress(StorageError):
                await self._renewed()

    async def _renewed(self) -> bool:
        run_id = self.storage.run_id
        call = partial(renew, name=self.name, holder=self.holder, now=datetime.now(UTC), run_id=run_id)
        return await self.storage.call(call)

    async def _renew(self) -> None:
        while True:
            try:
                held = await self._renewed()
            except StorageError:
                return  # said, and the crawl stopped, by the storage
            if not held:
                logger.error("Stopping: the harvest %s was taken over by another process", self.name)
                self._task = None  # closing must not cancel what closes
                await self.crawler.engine.close_spider_async(reason=FINISH_REASON)
                return
            await asyncio.sleep(RENEW_SECONDS)
