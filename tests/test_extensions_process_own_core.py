"""A crawl on one core."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import pytest
from scrapy import Spider
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from newscrawl.extensions import process
from newscrawl.extensions.process import OwnCoreExtension
from tests.busy import busy

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="one core is all there is, or not Linux"
)


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[frozenset[int]]:
    """Let no crawl elsewhere on the machine take the cores of the test."""
    take = process.OwnCore.take
    monkeypatch.setattr(process.OwnCore, "take", lambda: take(f"newscrawl-test-{os.getpid()}"))
    before = frozenset(os.sched_getaffinity(0))
    yield before
    os.sched_setaffinity(0, before)


def extension(**settings: object) -> OwnCoreExtension:
    return OwnCoreExtension.from_crawler(get_crawler(Spider, {"NEWSCRAWL_OWN_CORE": True, **settings}))


def test_crawls_of_a_process_share_a_core_until_the_last_ends(allowed: frozenset[int]) -> None:
    async def crawls() -> None:
        first, second = extension(), extension()
        first.opened()
        held = os.sched_getaffinity(0)
        assert len(held) == 1
        second.opened()
        first.closed()
        assert os.sched_getaffinity(0) == held
        second.closed()
        assert os.sched_getaffinity(0) == allowed

    asyncio.run(crawls())


def test_a_core_that_others_keep_busy_is_left_and_asked_for_again(
    allowed: frozenset[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(process, "PAUSE_SECONDS", 0.05)

    async def work_until(n_cores: int) -> None:
        while len(os.sched_getaffinity(0)) != n_cores:
            sum(range(10_000))
            await asyncio.sleep(0)

    async def crawl() -> None:
        one = extension()
        one.opened()
        (core,) = os.sched_getaffinity(0)
        with busy(core, 3):
            await asyncio.wait_for(work_until(len(allowed)), 30)
        await asyncio.wait_for(work_until(1), 30)
        one.closed()
        assert os.sched_getaffinity(0) == allowed

    asyncio.run(crawl())


@pytest.mark.parametrize("settings", [{"NEWSCRAWL_OWN_CORE": False}, {"NEWSCRAWL_RENDER_SCRIPTS": True}], ids=str)
def test_it_is_off_where_asked_and_beside_a_browser(settings: dict[str, bool]) -> None:
    with pytest.raises(NotConfigured):
        extension(**settings)
