"""What a page was read as is counted, and its links become requests: only here do requests go back to the engine."""

from __future__ import annotations

from collections import Counter
from typing import Any

from newscrawl.components import Component
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import PageType
from newscrawl.reading.model import Page
from newscrawl.spiders.news import NewsSpider


class LinksPipeline(Component):
    """Ask for what ``page.links`` promises, in the order the spider gives; needs a ``NewsSpider``.

    Requests made here skip the spider middlewares, so that depth, ``DEPTH_LIMIT`` and referer are kept here. Stats
    ``newscrawl/links/found``, ``newscrawl/links/followed``, ``newscrawl/links/followed/<position>``.
    """

    def process_item(self, item: Any) -> Any:
        spider = self.crawler.spider
        if not isinstance(item, Page) or not isinstance(spider, NewsSpider):
            return item
        # while the crawl stops, too, where the frontier keeps the requests for the next run
        if not spider.stopping or frontier_of(self.crawler) is not None:
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


class HostPipeline(Component):
    """Count the page.

    Stats ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, ``newscrawl/extract/script_data`` and
    ``script_only`` (pages that are empty until their scripts run), ``newscrawl/segment/blocks``,
    ``newscrawl/classify/<label>``.
    """

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page):
            return item
        reading, count = item.reading, self.crawler.stats.inc_value
        count(f"newscrawl/extract/{reading.page_type}")
        count("newscrawl/extract/links", len(reading.links))
        if reading.script_state:
            count(f"newscrawl/extract/{reading.script_state}")
        count("newscrawl/segment/blocks", len(reading.labels))
        for label, number in Counter(reading.labels).items():
            count(f"newscrawl/classify/{label}", number)
        return item
