"""Refuses requests for a page that the crawl has asked for under another address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from newscrawl.middlewares.outcome import RefusedError
from newscrawl.outcomes import Rejection
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class KnownPageMiddleware:
    """Refuse an address if this run asked for it without the parameters that change nothing.

    The crawl learns which parameters these are after it has queued such requests.

    Stat ``newscrawl/rejected/duplicate``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, NewsSpider) or "?" not in request.url:
            return
        if request.meta.keys() & {"redirect_urls", "retry_times"}:
            return  # it is the one that was let through
        if request.meta.get("newscrawl", {}).get("found") not in {"link", "feed", "sitemap"}:
            return
        plain = spider.site.clean_url(request.url)
        if plain != request.url and not spider.recent.add(plain):
            raise RefusedError(Rejection.DUPLICATE, f"the same page as {plain}")
