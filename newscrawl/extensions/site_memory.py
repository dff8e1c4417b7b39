"""What the crawl remembers of its hosts. All workers share it through the database."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.signals import Component
from newscrawl.sites.memory.site import SiteMemory, describe_drift
from newscrawl.store.crawl import storage_of
from newscrawl.store.site_memory import add_drift, load_memories, merge_memories
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.read.model import ArticleLines
    from newscrawl.sites.memory.site import Drift
    from newscrawl.store import Storage

logger = logging.getLogger(__name__)

#: Articles from one adding to the database's memory to the next, for hosts of which a tenth is new.
SAVE_EVERY: Final = 50


class SiteMemoryExtension(Component):
    """Keeps the crawl's site memory, by which ``ReadPipeline`` corrects each page.

    It is read from the database at the start, and the database's is added to every so many articles. Setting
    ``NEWSCRAWL_SITE_MEMORY``; without ``NEWSCRAWL_DATABASE`` it is forgotten with the run. Stat
    ``newscrawl/memory/drifts``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_SITE_MEMORY"):
            raise NotConfigured("NEWSCRAWL_SITE_MEMORY is False")
        super().__init__(crawler)
        self.storage: Storage | None = None
        self.memory = SiteMemory()
        self.n_observed = 0
        self._sharing: asyncio.Task[None] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    async def opened(self) -> None:
        self.storage = storage_of(self.crawler)
        if self.storage is None:
            return
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            for host, memory in reversed((await self.storage.read(load_memories)).items()):
                self.memory.put(host, memory)

    def observe(self, url: str, lines: ArticleLines) -> None:
        """Take note of an article and the lines taken for it."""
        host = host_of(url)
        drift = self.memory.observe(host, lines.keys, lines.chosen, lines.odds)
        self.n_observed += 1
        if drift is not None:
            logger.warning("%s", describe_drift(drift.host, drift.reason, drift.old, drift.new))
            self.keep(drift)
        if self.storage is not None and self.n_observed % SAVE_EVERY == 0:
            self._sharing = asyncio.get_running_loop().create_task(self._share(self.storage, ripe=True))

    def keep(self, drift: Drift) -> None:
        """Count a drift, and store it."""
        self.crawler.stats.inc_value("newscrawl/memory/drifts")
        if self.storage is not None:
            self.storage.post(partial(add_drift, drift=drift, run_id=self.storage.run_id))

    async def closed(self) -> None:
        if self._sharing is not None:
            await self._sharing
        if self.storage is not None:
            await self._share(self.storage)

    async def _share(self, storage: Storage, *, ripe: bool = False) -> None:
        """Add what was seen to what all workers know, and take over theirs.

        :param ripe: only for hosts with much new; else for all.
        """
        if storage.error is not None:
            return
        news, void = self.memory.take_news(ripe=ripe)
        if not news:
            return
        try:
            merged = await storage.call(partial(merge_memories, news=news, void=void))
        except StorageError as error:
            logger.warning("What was seen of %d hosts is not remembered: %s", len(news), error)
            return
        for host, memory in merged.items():
            self.memory.put(host, memory)
