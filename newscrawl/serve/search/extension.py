"""A crawl's last step: what it stored goes into the search index."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

from scrapy import signals

from newscrawl.console.wording import quantity
from newscrawl.exceptions import StorageError
from newscrawl.store.crawl import StoringExtension

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: Seconds from one line of the log about a long indexing to the next.
_SAY_SECONDS: Final = 10.0


class SearchIndexExtension(StoringExtension):
    """Indexes at the end of a crawl what changed since the index was last brought up to date.

    Off where ``NEWSCRAWL_DATABASE`` is empty. A search takes in what a crawl that was killed has left. Stat
    ``newscrawl/search/indexed``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        crawler.signals.connect(self.closed, signals.spider_closed)

    async def closed(self) -> None:
        if self.storage.error is not None:
            return
        try:
            await self._index()
        except StorageError as error:
            logger.warning("The search index is not up to date, the next search brings it there: %s", error)

    async def _index(self) -> None:
        from newscrawl.serve.search.index import catch_up  # noqa: PLC0415 (a crawl needs it at its end only)

        await self.storage.flush()
        steps, n_done, said = catch_up(self.storage.engine), 0, time.monotonic()
        while n := await asyncio.to_thread(next, steps, 0):  # a step at a time: a second Ctrl-C ends between two
            n_done += n
            if time.monotonic() - said > _SAY_SECONDS:
                said = time.monotonic()
                logger.info("%s indexed for search so far", quantity(n_done, "article"))
        self.crawler.stats.set_value("newscrawl/search/indexed", n_done)
