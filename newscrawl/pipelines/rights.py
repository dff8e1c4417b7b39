"""Reservations of a host against mining, by its robots.txt and the files beside it, for each article."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

from newscrawl.items import Page
from newscrawl.middlewares.robots import (
    MAX_ROBOTS_BYTES,
    RIGHTS_FILES,
    DeclaredRights,
    RememberedRobotsTxtMiddleware,
    read_remembered,
    remember,
)
from newscrawl.signals import Component
from newscrawl.spiders.responses import origin_of
from newscrawl.store.crawl import storage_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.items import Reservation


class RightsPipeline(Component):
    """Add what the host says about mining, in robots.txt and (by setting) in files beside it, to ``reservations``.

    Setting ``NEWSCRAWL_RIGHTS_FILES``: requests these files once a day per host, by the rules of its robots.txt.
    Stat ``newscrawl/articles/reserved``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.asks = crawler.settings.getbool("NEWSCRAWL_RIGHTS_FILES")
        self.storage = storage_of(crawler)
        self._declared: dict[str, asyncio.Future[DeclaredRights]] = {}

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.article is None:
            return item
        return self._with_declared(item, item.article.url) if self.asks else self._noted(item, item.article.url)

    async def _with_declared(self, item: Page, url: str) -> Page:
        origin = origin_of(url)
        if origin not in self._declared:
            self._declared[origin] = asyncio.ensure_future(self._asked(origin))
        declared = await asyncio.shield(self._declared[origin])
        return self._noted(item, url, declared.of(url))

    def _noted(self, item: Page, url: str, declared: tuple[Reservation, ...] = ()) -> Page:
        robots = self.crawler.get_downloader_middleware(RememberedRobotsTxtMiddleware)
        host = robots.reserved.get(urlsplit(url).netloc) if robots is not None else None
        told = (*(host.of(url) if host is not None else ()), *declared)
        if told and item.article is not None:
            known = item.article.reservations
            added = (one for one in told if one.source not in {stated.source for stated in known})
            item.article = replace(item.article, reservations=(*known, *added))
        if item.article is not None and item.article.reservations:
            self.crawler.stats.inc_value("newscrawl/articles/reserved")
        return item

    async def _asked(self, origin: str) -> DeclaredRights:
        return DeclaredRights(*[await self._text_of(origin + path) for path in RIGHTS_FILES])

    async def _text_of(self, address: str) -> str:
        """Return a file's text, from the last day's answer or the host; ``""`` if there is none."""
        known = await read_remembered(self.storage, address)
        if known is not None:
            return known
        request = Request(address, callback=NO_CALLBACK, meta={"download_maxsize": MAX_ROBOTS_BYTES})
        try:
            response = await self.crawler.engine.download_async(request)
        except Exception:  # noqa: BLE001  (a host's errors never cost its articles)
            return ""
        return remember(self.storage, address, response)
