"""The one storage of a crawl, shared by its components and its frontier."""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.signals import Component, hears
from newscrawl.store.storage import Storage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from newscrawl.exceptions import StorageError

logger = logging.getLogger(__name__)

#: Finish reason of a crawl whose database went away.
FINISH_REASON = "storage_error"


def has_storage(settings: BaseSettings) -> bool:
    """Tell whether a crawl stores anything: not where ``NEWSCRAWL_DATABASE`` is empty, nor in a dry run."""
    return bool(settings["NEWSCRAWL_DATABASE"]) and not settings.getbool("NEWSCRAWL_DRY_RUN")


class StorageExtension(Component):
    """Opens the crawl's storage, ends the crawl in order when the database is gone, and closes the storage at the end.

    It is closed when the engine has stopped, after everything that ``spider_closed`` may still write.

    :raises UserError: for a value of ``NEWSCRAWL_DATABASE`` that is not accepted.
    :raises StorageError: for a database that cannot be used.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not has_storage(crawler.settings):
            raise NotConfigured  # without a word, as whoever empties ``NEWSCRAWL_DATABASE`` knows it
        super().__init__(crawler)
        self.storage = Storage.open(crawler.settings["NEWSCRAWL_DATABASE"])
        self.storage.on_failure = self.failed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Task[None] | None = None

    @hears(signals.engine_started)
    def opened(self) -> None:
        self._loop = asyncio.get_running_loop()

    def failed(self, error: StorageError) -> None:
        """Called in the writer's thread."""
        logger.error("Stopping: %s", error)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        engine = self.crawler.engine
        if engine is not None and engine.spider is not None:
            self._stopping = asyncio.ensure_future(engine.close_spider_async(reason=FINISH_REASON))

    @hears(signals.engine_stopped)
    async def stopped(self) -> None:
        await asyncio.to_thread(self.storage.close)


def storage_of(crawler: Crawler) -> Storage | None:
    """Return the crawl's storage, None where it stores nothing. Extensions are told once all of them are built."""
    extension = crawler.get_extension(StorageExtension)
    return None if extension is None else extension.storage


class StoringExtension(Component):
    """An extension that is of no use where nothing is stored.

    :raises NotConfigured: nothing is; without a word.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not has_storage(crawler.settings):
            raise NotConfigured
        super().__init__(crawler)

    @cached_property
    def storage(self) -> Storage:
        """The crawl's storage, from ``spider_opened`` on."""
        storage = storage_of(self.crawler)
        assert storage is not None  # noqa: S101 (has_storage)
        return storage
