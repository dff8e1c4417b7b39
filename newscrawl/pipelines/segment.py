"""Pages → blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import NotConfigured

from newscrawl.blocks.classify import crawl_blocks
from newscrawl.items import Page
from newscrawl.pipelines.guard import survive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector


class SegmentPipeline:
    """Fill ``Page.blocks``. Setting ``NEWSCRAWL_SEGMENT_ENABLED``; stats ``newscrawl/segment/pages``, ``…/blocks``."""

    def __init__(self, stats: StatsCollector) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("NEWSCRAWL_SEGMENT_ENABLED"):
            raise NotConfigured("NEWSCRAWL_SEGMENT_ENABLED is False")
        assert crawler.stats is not None  # noqa: S101 (set before components are built)
        return cls(crawler.stats)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.document is None:
            return item
        with survive(item.url, "segment", self.stats):
            item.blocks = item.document.once(crawl_blocks)
            self.stats.inc_value("newscrawl/segment/pages")
            self.stats.inc_value("newscrawl/segment/blocks", len(item.blocks))
        return item
