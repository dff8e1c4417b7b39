"""Holds a crawl to one core of its own, where its threads pass on Python's lock sooner than across two."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, ClassVar, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.cores import OwnCore, seconds_waited

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: A core is looked at each time so many seconds have passed.
LOOK_SECONDS = 10.0
#: It is given up where the event loop waited for it for more than this share of them …
CROWDED = 0.4
#: … and asked for again after this time. Seconds.
PAUSE_SECONDS = 120.0


class OwnCoreExtension:
    """Setting ``NEWSCRAWL_OWN_CORE``.

    Only one of the event loop and the writer's thread can run Python at a time. On two cores each waits for the
    other to be woken, and a crawl takes half as long again. Crawls of one process share their core. Where other
    programs keep it busy, the process may run on all cores again. Rendering crawls are left alone: the browser
    would be held to the same core.
    """

    _running: ClassVar[int] = 0
    _core: ClassVar[OwnCore | None] = None
    _watch: ClassVar[asyncio.Task[None] | None] = None

    def __init__(self, crawler: Crawler) -> None:
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("NEWSCRAWL_OWN_CORE"):
            raise NotConfigured("NEWSCRAWL_OWN_CORE is off")
        if crawler.settings.getbool("NEWSCRAWL_RENDER_SCRIPTS"):
            raise NotConfigured("the browser needs the other cores")
        return cls(crawler)

    def opened(self) -> None:
        cls = type(self)
        cls._running += 1
        if cls._running == 1:
            cls._core = OwnCore.take()
            cls._watch = asyncio.get_running_loop().create_task(cls._watching())

    def closed(self) -> None:
        cls = type(self)
        cls._running -= 1
        if not cls._running and cls._watch is not None:
            cls._watch.cancel()
            cls._give_up()

    @classmethod
    def _give_up(cls) -> None:
        if cls._core is not None:
            cls._core.release()
            cls._core = None

    @classmethod
    async def _watching(cls) -> None:
        while True:
            if cls._core is None:
                await asyncio.sleep(PAUSE_SECONDS)
                cls._core = OwnCore.take()
                continue
            began, waited = time.monotonic(), seconds_waited()
            await asyncio.sleep(LOOK_SECONDS)
            share = (seconds_waited() - waited) / (time.monotonic() - began)
            logger.debug("Core %d was waited for %.0f %% of the time", cls._core.core, 100 * share)
            if share > CROWDED:
                cls._give_up()
