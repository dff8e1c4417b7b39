"""A Scrapy extension of the tests: each answer takes a second."""

from __future__ import annotations

import time
from typing import Any


class Slow:
    @classmethod
    def from_crawler(cls, crawler: Any) -> Slow:
        from scrapy import signals  # noqa: PLC0415 (only the crawl has to load Scrapy)

        slow = cls()
        crawler.signals.connect(slow.answered, signals.response_received)
        return slow

    def answered(self) -> None:
        time.sleep(1)
