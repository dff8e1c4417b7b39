"""The links of a page become requests, in the spider's order. Only this module sends requests back to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DropItem

from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page, PageType
from newscrawl.links.model import RefusedLink
from newscrawl.links.rules import PlannedUrl
from newscrawl.outcomes import Rejection
from newscrawl.signals import Component, source_read
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

    from newscrawl.links.model import Link
    from newscrawl.links.rules import UrlDecision


class LinksPipeline(Component):
    """Request the links of a page; needs a ``NewsSpider``. A dry run plans them instead.

    Requests made here skip the spider middlewares, so this class handles depth, ``DEPTH_LIMIT`` and referer. Settings
    ``NEWSCRAWL_OBEY_META_ROBOTS``, ``NEWSCRAWL_OBEY_REL_NOFOLLOW``. Stats ``newscrawl/links/found``,
    ``newscrawl/links/followed``, ``newscrawl/links/followed/<position>``,
    ``newscrawl/discovery/referrer_parameters``: parameters left out of links as canonical addresses leave them out.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.obeys_page = crawler.settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS")
        self.obeys_rel = crawler.settings.getbool("NEWSCRAWL_OBEY_REL_NOFOLLOW")
        self.is_planning = crawler.settings.getbool("NEWSCRAWL_DRY_RUN")

    async def process_item(self, item: Any) -> Any:
        """Judge the links of the page, request wanted links and feeds, and learn from the page."""
        spider = self.crawler.spider
        if not isinstance(item, Page) or not isinstance(spider, NewsSpider):
            return item
        # also while the crawl stops: the frontier keeps the requests for the next run
        if not spider.stopping or frontier_of(self.crawler) is not None:
            self._learn(item, spider)
            for request in spider.feed_requests(item):
                self.crawler.engine.crawl(request)
            followed = self.follow(item, spider)
            if self.is_planning:
                await self._plan(item, spider, followed)
            else:
                for link, decision in followed:
                    request = spider.make_request(link.url, page=item, link=link, priority=decision.priority)
                    self.crawler.engine.crawl(request)
                    self.crawler.stats.inc_value("newscrawl/links/followed")
                    self.crawler.stats.inc_value(f"newscrawl/links/followed/{link.position}")
        if self.is_planning:
            raise DropItem(f"{item.url}: its links are planned", log_level="DEBUG")
        return item

    async def _plan(self, page: Page, spider: NewsSpider, followed: Iterator[tuple[Link, UrlDecision]]) -> None:
        """Send each address to the feeds as a planned item."""
        for link, decision in followed:
            url = spider.gate.site.clean_url(link.url)
            planned = PlannedUrl.from_decision(url, decision, source="link", found_on=page.url)
            await self.crawler.signals.send_catch_log_async(
                signals.item_scraped, item=planned, response=None, spider=spider
            )

    def follow(self, page: Page, spider: NewsSpider) -> Iterator[tuple[Link, UrlDecision]]:
        """Judge the links of a page; yield the wanted ones, count the others."""
        self.crawler.stats.inc_value("newscrawl/links/found", len(page.links))
        nofollow = self.obeys_page and "nofollow" in page.reading.robots
        refused: list[RefusedLink] = []
        for link in page.links:
            if nofollow or (link.nofollow and self.obeys_rel):
                if spider.gate.nofollow.add(link.url):
                    refused.append(RefusedLink(link.url, Rejection.NOFOLLOW, link.anchor, link.position))
                continue
            decision = spider.judge_link(link, page)
            if decision.rejection is None:
                yield link, decision
            else:
                refused.append(RefusedLink(link.url, decision.rejection, link.anchor, link.position))
        spider.reject(refused, page.url)

    def _learn(self, page: Page, spider: NewsSpider) -> None:
        """Learn from a page, before judging its links: which parameters of addresses change nothing, what its kind is
        worth.
        """
        gate, article = spider.gate, page.article
        n_new = gate.note_canonical(page.redirected_from, page.url, page.reading.canonical)
        if article is not None:
            n_new += gate.note_article(page.url, article.headline or "", article.contentHash or "")
        if n_new:
            self.crawler.stats.inc_value("newscrawl/discovery/referrer_parameters", n_new)
        if article is None:
            stories = [(gate.site.clean_url(link.url), None) for link in page.links]
            self.crawler.signals.send_catch_log(source_read, url=page.requested_url, door="hub", stories=stories)
        gate.note_page(
            page.url,
            page.reading.text,
            page.links,
            is_article=page.page_type is PageType.ARTICLE,
            n_revisits=self.crawler.stats.get_value("newscrawl/recrawl/woken", 0),
            called=page.found.get("anchor", ""),
        )
