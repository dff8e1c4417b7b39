"""What the doors of a site show: which list which stories, and how many each gives."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.outcomes import Outcome
from newscrawl.signals import hears, source_read, url_outcome
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.coverage import DAYS, DOORS, ListMemory, forget_sightings, note_sightings, read_lists, save_list
from newscrawl.store.crawl import StoringExtension
from newscrawl.store.site_memory import add_drift
from newscrawl.urls.canonical import host_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: Stories of one source that are noted; a sitemap may list all that a site ever published.
MAX_STORIES: Final = 2_000
#: Addresses whose kind and doors a run remembers.
MAX_KNOWN: Final = 250_000


class CoverageExtension(StoringExtension):
    """Notes which doors show which stories, and how many each list gives; says when one runs dry.

    Off without a database, in dry runs, with ``NEWSCRAWL_SITE_MEMORY`` False, and for spiders without a site. Stat
    ``newscrawl/memory/lists_dry``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_SITE_MEMORY"):
            raise NotConfigured
        super().__init__(crawler)
        self.lists: dict[str, ListMemory] = {}
        self._site: Any = None
        self._doors: dict[int, int] = {}
        self._is_story: dict[int, bool] = {}

    @hears(signals.spider_opened)
    async def opened(self) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, NewsSpider):
            return
        self._site = spider.site
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            self.lists = await self.storage.read(partial(read_lists, site=self._site.name))

    @hears(source_read)
    def read(self, url: str, door: str, stories: Sequence[tuple[str, date | None]]) -> None:
        """Take note of a feed, sitemap or list."""
        if door == "hub":
            stories = [story for story in stories if self._promises_story(story[0])]
        self._visit(url, door, len({address for address, _ in stories}))
        oldest = datetime.now(UTC).date() - timedelta(days=DAYS)
        bit = DOORS[door]
        news: dict[str, int] = {}
        for address, moment in stories[:MAX_STORIES]:
            if moment is not None and (moment.date() if isinstance(moment, datetime) else moment) < oldest:
                continue
            key = hash(address)
            doors = self._doors.get(key, 0)
            if not doors & bit and len(self._doors) < MAX_KNOWN:
                self._doors[key] = doors | bit
                news[address] = bit
        if news:
            noting = partial(note_sightings, site=self._site.name, doors=news, now=datetime.now(UTC))
            self.storage.post(noting)

    @hears(url_outcome)
    def ended(self, url: str, outcome: Outcome) -> None:
        """A list whose address is gone gives nothing."""
        if outcome is Outcome.HTTP_ERROR and url in self.lists:
            self._visit(url, "hub", 0)

    def _promises_story(self, url: str) -> bool:
        key = hash(url)
        known = self._is_story.get(key)
        if known is None:
            known = self._site.covers(url) and self._site.url_kind(url) is UrlKind.ARTICLE
            if len(self._is_story) < MAX_KNOWN:
                self._is_story[key] = known
        return known

    def _visit(self, url: str, door: str, n_stories: int) -> None:
        memory = self.lists.get(url)
        if memory is None:
            if not n_stories:
                return  # no list, as far as is known
            memory = self.lists[url] = ListMemory()
        drift = memory.visit(url, host_of(url), n_stories)
        values = {name: getattr(memory, name) for name in ("usual", "n_visits", "n_dry")}
        row = {"site": self._site.name, "url": url, "door": door, "n_last": n_stories, **values}
        self.storage.post(partial(save_list, row=row | {"visited_at": datetime.now(UTC)}))
        if drift is not None:
            logger.warning("%s ran dry: was %s, is %s", url, drift.old, drift.new)
            self.crawler.stats.inc_value("newscrawl/memory/lists_dry")
            self.storage.post(partial(add_drift, drift=drift, run_id=self.storage.run_id))

    @hears(signals.spider_closed)
    async def closed(self) -> None:
        if self._site is None or self.storage.error is not None:
            return
        with suppress(StorageError):  # said by the storage
            await self.storage.call(partial(forget_sightings, site=self._site.name, now=datetime.now(UTC)))
