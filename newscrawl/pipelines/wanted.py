"""What is kept of articles by what the user asked for and the page allows, and what their hosts reserve."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import DropItem
from scrapy.http.request import NO_CALLBACK

from newscrawl.items import Article, Page
from newscrawl.links.rules import outside_dates
from newscrawl.middlewares.robots import (
    MAX_ROBOTS_BYTES,
    RIGHTS_FILES,
    DeclaredRights,
    RememberedRobotsTxtMiddleware,
    read_remembered,
    remember,
)
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.signals import Component, end_url, hears
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.responses import origin_of
from newscrawl.store.crawl import storage_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.items import Reservation


class WantedPipeline(Component):
    """Drop articles that say noindex, lie outside ``since``/``until``, are in another language, are too short, or
    exceed ``limit``; stop at the limit.

    Their outcome is *rejected*, sent by ``url_outcome``. Settings ``NEWSCRAWL_OBEY_META_ROBOTS``,
    ``NEWSCRAWL_MIN_BODY``; stats ``newscrawl/rejected/<reason>``. Pages that are not articles pass.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.obey_meta_robots = crawler.settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS")
        self.min_body = crawler.settings.getint("NEWSCRAWL_MIN_BODY")
        self._passed: set[str] = set()

    def process_item(self, item: Any) -> Any:
        """Drop a page and report its outcome if the user did not ask for its article."""
        spider = self.crawler.spider
        if not isinstance(item, Page) or item.article is None or not isinstance(spider, NewsSpider):
            return item
        refusal = self._refusal(item, item.article, spider)
        if refusal is not None:
            reason, why = refusal
            end_url(self.crawler, item.url, Outcome.REJECTED, str(reason), status=item.status, detail=why)
            raise DropItem(f"{item.url}: {why}", log_level="DEBUG")
        self._passed.add(item.url)
        return item

    def _refusal(self, page: Page, article: Article, spider: NewsSpider) -> tuple[Rejection, str] | None:
        if self.obey_meta_robots and "noindex" in page.reading.robots:
            return Rejection.NOINDEX, "the page says noindex"
        outside = outside_dates(article.datePublished, spider.options.wanted, spider.site.timezone)
        if outside is not None:
            return outside
        languages = spider.options.languages
        if languages and article.inLanguage not in languages:
            return Rejection.LANGUAGE, f"in {article.inLanguage or 'no known language'}, wanted: {', '.join(languages)}"
        n_letters = sum(map(str.isalpha, article.articleBody)) if self.min_body else 0
        if n_letters < self.min_body:
            return Rejection.SHORT, f"{n_letters} letters, NEWSCRAWL_MIN_BODY is {self.min_body}"
        limit = spider.options.limit
        if limit is not None and spider.n_stored + len(self._passed) >= limit:
            return Rejection.LIMIT, f"limit of {limit} articles"
        return None

    @hears(signals.item_scraped)
    def _scraped(self, item: Any) -> None:
        """Close the spider once the last wanted article is stored."""
        if not isinstance(item, Article | Page) or item.url not in self._passed:
            return
        self._passed.discard(item.url)
        spider = self.crawler.spider
        if isinstance(spider, NewsSpider):
            spider.n_stored += 1
            if spider.n_stored == spider.options.limit:
                spider.stop("limit")

    @hears(signals.item_dropped, signals.item_error)
    def _lost(self, item: Any) -> None:
        """Count back an article that was let through and then not stored: another one may come in its place."""
        self._passed.discard(getattr(item, "url", ""))


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

    async def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.article is None:
            return item
        url, known = item.article.url, item.article.reservations
        robots = self.crawler.get_downloader_middleware(RememberedRobotsTxtMiddleware)
        host = robots.reserved.get(urlsplit(url).netloc) if robots is not None else None
        told = (*(host.of(url) if host is not None else ()), *(await self._declared_of(url) if self.asks else ()))
        if told:
            added = (one for one in told if one.source not in {stated.source for stated in known})
            item.article = replace(item.article, reservations=(*known, *added))
        if item.article.reservations:
            self.crawler.stats.inc_value("newscrawl/articles/reserved")
        return item

    async def _declared_of(self, url: str) -> tuple[Reservation, ...]:
        origin = origin_of(url)
        if origin not in self._declared:
            self._declared[origin] = asyncio.ensure_future(self._asked(origin))
        return (await asyncio.shield(self._declared[origin])).of(url)

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
