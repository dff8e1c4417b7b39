"""What a page was read as is counted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from newscrawl.reading.page import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class HostPipeline:
    """Count the page.

    Stats ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, ``newscrawl/extract/script_data`` and
    ``script_only`` (pages that are empty until their scripts run), ``newscrawl/segment/blocks``,
    ``newscrawl/classify/<label>``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page):
            return item
        reading, count = item.reading, self.stats.inc_value
        count(f"newscrawl/extract/{reading.page_type}")
        count("newscrawl/extract/links", len(reading.links))
        if reading.script_state:
            count(f"newscrawl/extract/{reading.script_state}")
        count("newscrawl/segment/blocks", len(reading.labels))
        for label, number in Counter(reading.labels).items():
            count(f"newscrawl/classify/{label}", number)
        return item
