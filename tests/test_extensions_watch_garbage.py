"""The collector's thresholds while crawls run."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from scrapy import Spider, signals
from scrapy.utils.test import get_crawler

from newscrawl.extensions.watch import GC_THRESHOLD, GarbageExtension

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[tuple[int, int, int]]:
    before = gc.get_threshold()
    yield before
    gc.unfreeze()
    gc.set_threshold(*before)


def test_the_first_crawl_sets_it_and_the_last_sets_it_back(thresholds: tuple[int, int, int]) -> None:
    crawlers = [get_crawler(Spider) for _ in range(2)]
    extensions = [GarbageExtension.from_crawler(crawler) for crawler in crawlers]
    for crawler in crawlers:
        crawler.signals.send_catch_log(signals.spider_opened)
        assert gc.get_threshold() == (GC_THRESHOLD, *thresholds[1:])
        assert gc.get_freeze_count() > 0
    for crawler, left in zip(crawlers, (True, False), strict=True):
        crawler.signals.send_catch_log(signals.spider_closed)
        assert (gc.get_threshold() != thresholds) is left
        assert (gc.get_freeze_count() > 0) is left
    assert len(extensions) == 2  # alive until here: signals hold no strong reference
