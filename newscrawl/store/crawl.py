"""The one storage of a crawler, shared by its pipeline, its run row and, later, its frontier."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.store.storage import Storage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.exceptions import StorageError

logger = logging.getLogger(__name__)

#: Finish reason of a crawl whose database went away.
FINISH_REASON = "storage_error"

_STORAGES: WeakKeyDictionary[Crawler, Storage] = WeakKeyDictionary()


def storage_of(crawler: Crawler) -> Storage | None:
    """Return the crawler's storage, opened at the first call.

    None where ``NEWSCRAWL_DATABASE`` is empty, and for a dry run.

    It is closed when the engine has stopped, after everything that spider_closed may still write.

    :raises UserError: for a value that is not accepted.
    :raises StorageError: for a database that cannot be used.
    """
    if crawler in _STORAGES:
        return _STORAGES[crawler]
    database = crawler.settings["NEWSCRAWL_DATABASE"]
    if not database or crawler.settings.getbool("NEWSCRAWL_DRY_RUN"):
        return None
    storage = Storage.open(database)
    _STORAGES[crawler] = storage
    _Guard(crawler, storage)
    return storage


def needed_storage(crawler: Crawler) -> Storage:
    """Return the crawler's storage, for a component that is of no use without one.

    :raises NotConfigured: there is none; without a word, as whoever empties ``NEWSCRAWL_DATABASE`` knows it.
    """
    storage = storage_of(crawler)
    if storage is None:
        raise NotConfigured
    return storage


class _Guard:
    """Ends the crawl in order when the database is gone, and closes the storage at the end."""

    def __init__(self, crawler: Crawler, storage: Storage) -> None:
        self.crawler = crawler
        self.storage = storage
        self.loop: asyncio.AbstractEventLoop | None = None
        self.stopping: asyncio.Task[None] | None = None
        storage.on_failure = self.failed
        # weak=False: nobody else holds this object
        crawler.signals.connect(self.opened, signals.engine_started, weak=False)
        crawler.signals.connect(self.stopped, signals.engine_stopped, weak=False)

    def opened(self) -> None:
        self.loop = asyncio.get_running_loop()

    def failed(self, error: StorageError) -> None:
        """Called in the writer's thread."""
        logger.error("Stopping: %s", error)
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        engine = self.crawler.engine
        if engine is not None and engine.spider is not None:
            self.stopping = asyncio.ensure_future(engine.close_spider_async(reason=FINISH_REASON))

    async def stopped(self) -> None:
        await asyncio.to_thread(self.storage.close)
        _STORAGES.pop(self.crawler, None)
