"""Gives each article the hash by which the storage knows an equal text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from newscrawl.dedupe import content_hash
from newscrawl.reading.page import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector


class DedupePipeline:
    """Fill ``Article.contentHash``. Stat ``newscrawl/dedupe/empty``: articles without text.

    SimHash and the comparison with the articles kept run in the storage's thread, for new texts only.
    """

    def __init__(self, stats: StatsCollector) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.stats)

    def process_item(self, item: object) -> object:
        if isinstance(item, Page) and item.article is not None:
            digest = content_hash(item.article.articleBody)
            if not digest:
                self.stats.inc_value("newscrawl/dedupe/empty")
            item.article = replace(item.article, contentHash=digest)
        return item
