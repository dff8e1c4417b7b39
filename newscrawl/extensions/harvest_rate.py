"""How well a focused crawl keeps to its topic, while it runs."""

from __future__ import annotations

import json
import logging
from typing import IO, TYPE_CHECKING, Any, Self

from scrapy import signals

from newscrawl.signals import page_judged
from newscrawl.spiders.focused import FocusedSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from newscrawl.items import Page
    from newscrawl.links.score_focus import FetchedPage
    from newscrawl.topics.relevance import Relevance

logger = logging.getLogger(__name__)


class HarvestRateExtension:
    """Logs the harvest rate of a focused crawl: relevant pages, by the crawler's own judgement, among those fetched.

    Settings ``NEWSCRAWL_FOCUSED_LOG_EVERY``, ``NEWSCRAWL_FOCUSED_PAGES``. Stat ``newscrawl/relevance/harvest_rate``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.every = crawler.settings.getint("NEWSCRAWL_FOCUSED_LOG_EVERY")
        self.n_pages = self.n_relevant = 0
        self._topic = ""
        self._file: IO[str] | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def opened(self, spider: Spider) -> None:
        if not isinstance(spider, FocusedSpider):
            return
        self._topic = spider.focus.topic.name
        path = self.crawler.settings["NEWSCRAWL_FOCUSED_PAGES"]
        if path:
            self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115 (closed with the spider)
        self.crawler.signals.connect(self.judged, page_judged)
        self.crawler.signals.connect(self.closed, signals.spider_closed)

    def judged(self, page: Page, fetched: FetchedPage, relevance: Relevance | None) -> None:
        self.n_pages += 1
        self.n_relevant += relevance is not None and relevance.is_relevant
        self.crawler.stats.set_value("newscrawl/relevance/harvest_rate", round(self.n_relevant / self.n_pages, 4))
        if self._file is not None:
            n_requests = self.crawler.stats.get_value("downloader/request_count", 0)
            line = _line(page, fetched, relevance) | {"n_requests": n_requests}
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        if self.every and self.n_pages % self.every == 0:
            logger.info(
                "Harvest rate %.3f: %d of %d pages are about %s",
                self.n_relevant / self.n_pages,
                self.n_relevant,
                self.n_pages,
                self._topic,
            )

    def closed(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _line(page: Page, fetched: FetchedPage, relevance: Relevance | None) -> dict[str, Any]:
    line: dict[str, Any] = {"url": page.url, "is_article": fetched.is_article}
    if relevance is not None:
        line |= {"probability": round(relevance.probability, 4), "words": relevance.words}
    return line
