"""What a page was read as is counted, and its links become requests: only here do requests go back to the engine."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import PageType
from newscrawl.read.model import Page
from newscrawl.signals import Component
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from newscrawl.read.model import Reading


class LinksPipeline(Component):
    """Count the page, and ask for what its links promise, in the order the spider gives; needs a ``NewsSpider``.

    Requests made here skip the spider middlewares, so that depth, ``DEPTH_LIMIT`` and referer are kept here. Stats
    ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, ``newscrawl/extract/script_data`` and
    ``script_only`` (pages that are empty until their scripts run), ``newscrawl/segment/blocks``,
    ``newscrawl/classify/<label>``, ``newscrawl/links/found``, ``newscrawl/links/followed``,
    ``newscrawl/links/followed/<position>``.
    """

    def process_item(self, item: Any) -> Any:
        if isinstance(item, Page):
            self._count(item.reading)
            spider = self.crawler.spider
            # while the crawl stops, too, where the frontier keeps the requests for the next run
            if isinstance(spider, NewsSpider) and (not spider.stopping or frontier_of(self.crawler) is not None):
                self._follow(item, spider)
        return item

    def _count(self, reading: Reading) -> None:
        count = self.crawler.stats.inc_value
        count(f"newscrawl/extract/{reading.page_type}")
        count("newscrawl/extract/links", len(reading.links))
        if reading.script_state:
            count(f"newscrawl/extract/{reading.script_state}")
        count("newscrawl/segment/blocks", len(reading.labels))
        for label, number in Counter(reading.labels).items():
            count(f"newscrawl/classify/{label}", number)

    def _follow(self, page: Page, spider: NewsSpider) -> None:
        stats = self.crawler.stats
        stats.inc_value("newscrawl/links/found", len(page.links))
        spider.learn_article(page)
        for link, decision in spider.follow(page):
            self.crawler.engine.crawl(spider.make_request(link.url, page=page, link=link, priority=decision.priority))
            stats.inc_value("newscrawl/links/followed")
            stats.inc_value(f"newscrawl/links/followed/{link.position}")
        is_article = page.page_type is PageType.ARTICLE
        spider.traps.n_revisits = stats.get_value("newscrawl/recrawl/woken", 0)
        spider.traps.note_text(page.url, page.reading.text if is_article else "")
        spider.traps.note(page.url, (link.url for link in page.links), is_article=is_article)
