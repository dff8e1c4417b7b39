"""The links of a page become requests: the one module that hands requests back to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page, PageType
from newscrawl.links.seen import RecentUrls
from newscrawl.outcomes import Rejection
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newscrawl.links.model import Link


class LinksPipeline:
    """Ask for what ``page.links`` promises, in the order the spider gives; needs a ``NewsSpider``.

    Requests made here skip the spider middlewares, so that depth, ``DEPTH_LIMIT`` and referer are kept here. Settings
    ``NEWSCRAWL_OBEY_META_ROBOTS`` and ``NEWSCRAWL_OBEY_REL_NOFOLLOW``. Stats ``newscrawl/links/found``,
    ``newscrawl/links/followed``, ``newscrawl/links/followed/<position>`` and ``newscrawl/rejected/<reason>``.
    """

    def __init__(self, crawler: Crawler, *, obey_meta_robots: bool, obey_rel_nofollow: bool) -> None:
        self.crawler = crawler
        self.obey_meta_robots = obey_meta_robots
        self.obey_rel_nofollow = obey_rel_nofollow
        self._nofollow = RecentUrls()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(
            crawler,
            obey_meta_robots=crawler.settings.getbool("NEWSCRAWL_OBEY_META_ROBOTS"),
            obey_rel_nofollow=crawler.settings.getbool("NEWSCRAWL_OBEY_REL_NOFOLLOW"),
        )

    def process_item(self, item: Any) -> Any:
        spider = self.crawler.spider
        if isinstance(item, Page) and isinstance(spider, NewsSpider) and (not spider.stopping or self._lasts()):
            self.crawler.stats.inc_value("newscrawl/links/found", len(item.links))
            nofollow = self.obey_meta_robots and "nofollow" in item.hints.get("robots", "").split(",")
            spider.learn_article(item)
            for link in item.links:
                if nofollow or (link.nofollow and self.obey_rel_nofollow):
                    if not self._nofollow.add(link.url):
                        continue  # told once; another page may still lead there
                    why = "the page says nofollow" if nofollow else "rel=nofollow"
                    spider.reject(link.url, Rejection.NOFOLLOW, why, page=item, link=link)
                else:
                    self._follow(spider, link, item)
            is_article = item.page_type is PageType.ARTICLE
            spider.traps.note(item.url, (link.url for link in item.links), is_article=is_article)
        return item

    def _lasts(self) -> bool:
        """Whether requests made now are there for the next run."""
        return frontier_of(self.crawler) is not None

    def _follow(self, spider: NewsSpider, link: Link, page: Page) -> None:
        decision = spider.judge_link(link, page)
        if decision.rejection is not None:
            spider.reject(link.url, decision.rejection, decision.why, page=page, link=link)
            return
        self.crawler.engine.crawl(spider.make_request(link.url, page=page, link=link, priority=decision.priority))
        self.crawler.stats.inc_value("newscrawl/links/followed")
        self.crawler.stats.inc_value(f"newscrawl/links/followed/{link.position}")
