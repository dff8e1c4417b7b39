"""The links of a page become requests: the one module that hands requests back to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import PageType
from newscrawl.reading.page import Page
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class LinksPipeline:
    """Ask for what ``page.links`` promises, in the order the spider gives; needs a ``NewsSpider``.

    Requests made here skip the spider middlewares, so that depth, ``DEPTH_LIMIT`` and referer are kept here. Stats
    ``newscrawl/links/found``, ``newscrawl/links/followed``, ``newscrawl/links/followed/<position>``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        spider = self.crawler.spider
        if isinstance(item, Page) and isinstance(spider, NewsSpider) and (not spider.stopping or self._lasts()):
            stats = self.crawler.stats
            stats.inc_value("newscrawl/links/found", len(item.links))
            spider.learn_article(item)
            for link, decision in spider.follow(item):
                request = spider.make_request(link.url, page=item, link=link, priority=decision.priority)
                self.crawler.engine.crawl(request)
                stats.inc_value("newscrawl/links/followed")
                stats.inc_value(f"newscrawl/links/followed/{link.position}")
            is_article = item.page_type is PageType.ARTICLE
            spider.traps.n_revisits = stats.get_value("newscrawl/recrawl/woken", 0)
            spider.traps.note_text(item.url, item.reading.text if is_article else "")
            spider.traps.note(item.url, (link.url for link in item.links), is_article=is_article)
        return item

    def _lasts(self) -> bool:
        """Whether requests made now are there for the next run."""
        return frontier_of(self.crawler) is not None
