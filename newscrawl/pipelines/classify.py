"""Blocks → main text, related links, other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import NotConfigured

from newscrawl.items import Page
from newscrawl.network.classifiers import get_classifier
from newscrawl.pipelines.guard import survive

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from newscrawl.blocks.classify import BlockClassifier


class ClassifyPipeline:
    """Label ``Page.blocks``.

    Settings ``NEWSCRAWL_CLASSIFY_ENABLED`` and ``NEWSCRAWL_CLASSIFIER``; stats ``newscrawl/classify/<label>``.
    """

    def __init__(self, classifier: BlockClassifier, stats: StatsCollector) -> None:
        self.classifier = classifier
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("NEWSCRAWL_CLASSIFY_ENABLED"):
            raise NotConfigured("NEWSCRAWL_CLASSIFY_ENABLED is False")
        assert crawler.stats is not None  # noqa: S101 (set before components are built)
        return cls(get_classifier(crawler.settings["NEWSCRAWL_CLASSIFIER"]), crawler.stats)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.document is None:
            return item
        with survive(item.url, "classify", self.stats):
            item.blocks = self.classifier.classify(item.blocks, item.document)
            for label, count in Counter(block.label for block in item.blocks).items():
                self.stats.inc_value(f"newscrawl/classify/{label}", count)
        return item
