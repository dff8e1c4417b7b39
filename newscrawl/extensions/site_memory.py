"""What is remembered of a site: its hosts' memory, by which texts are settled at the end, and what its lists show."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.extensions.site_kinds import SiteKindsExtension
from newscrawl.extract.simhash import content_hash
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import wake_engine
from newscrawl.outcomes import Outcome
from newscrawl.read.memory import pack_lines, remember_text, unpack_lines, unpack_sightings, with_remembered
from newscrawl.signals import Component, hears, source_read, url_outcome
from newscrawl.sites.drift import describe_drift
from newscrawl.sites.memory import SiteMemory, refine_lines
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.articles import CorrectedText, correct_texts, settle_copies
from newscrawl.store.coverage import DAYS, DOORS, ListMemory, forget_sightings, note_sightings, read_lists, save_list
from newscrawl.store.crawl import StoringExtension, storage_of
from newscrawl.store.site_memory import (
    LinesRecord,
    add_drift,
    close_memory,
    host_memory,
    lines_after,
    load_memories,
    note_settled,
    unsettled_hosts,
)
from newscrawl.urls.canonical import host_of
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection, Row

    from newscrawl.read.memory import Remembered
    from newscrawl.read.model import ArticleLines, Reading
    from newscrawl.sites.drift import Drift
    from newscrawl.sites.memory import HostMemory
    from newscrawl.store import Storage

    Counted = frozenset[int | None]
    Formatting = Callable[[Sequence[ArticleLines], Remembered], Awaitable[dict[str, str | None]]]
    from collections.abc import Sequence

logger = logging.getLogger(__name__)


class SiteMemoryExtension(Component):
    """Keeps the crawl's site memory, by which ``ReadPipeline`` corrects each article as it comes.

    With each article its lines are stored. When the crawl is done, the memory of each host is made of all of them, and
    texts that it has otherwise are corrected. Then neither the order in which articles came decides their texts, nor
    who fetched them, nor a kill.

    Setting ``NEWSCRAWL_SITE_MEMORY``; without ``NEWSCRAWL_DATABASE`` it is forgotten with the run, and texts stay as
    they were when they came. Stats ``newscrawl/memory/drifts``, ``newscrawl/memory/refined`` (articles whose text was
    corrected when they came), ``newscrawl/memory/corrected`` (when the crawl was done).
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_SITE_MEMORY"):
            raise NotConfigured("NEWSCRAWL_SITE_MEMORY is False")
        super().__init__(crawler)
        self.storage: Storage | None = None
        self.memory = SiteMemory()
        self.formatted: Formatting | None = None
        """Where the text is wanted in other formats, too."""
        self._n_noted = 0
        self._n_settled = -1
        self._settling: asyncio.Task[bool] | None = None

    @hears(signals.spider_opened)
    async def opened(self) -> None:
        self.storage = storage_of(self.crawler)
        if self.storage is None:
            return
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            self.memory.hosts.update(reversed((await self.storage.read(load_memories)).items()))

    # --- as articles come --------------------------------------------------------------------------------

    async def remember(self, reading: Reading) -> Reading:
        """Return the reading of an article with its text by what is known of its host, and take note of it."""
        host, headline = host_of(reading.url or ""), reading.article.headline if reading.article else None
        found = remember_text(reading.lines, headline, partial(self.memory.refine, host))
        for page in reading.lines:
            drift = self.memory.see(host, page.seen)
            if drift is not None:
                logger.warning("%s", describe_drift(drift.host, drift.reason, drift.old, drift.new))
                self.keep(drift)
        if not found.evidence:
            return reading
        self.crawler.stats.inc_value("newscrawl/memory/refined")
        return with_remembered(reading, found, await self._in_formats(reading.lines, found))

    def record(self, url: str, pages: Sequence[ArticleLines]) -> LinesRecord:
        """Return what is to be stored with an article."""
        self._n_noted += 1
        return LinesRecord(crawl_id=self._crawl_id(), host=host_of(url), url=url, packed=pack_lines(pages))

    def keep(self, drift: Drift) -> None:
        """Count a drift, and store it."""
        self.crawler.stats.inc_value("newscrawl/memory/drifts")
        if self.storage is not None:
            self.storage.post(partial(add_drift, drift=drift, run_id=self.storage.run_id))

    def _crawl_id(self) -> int:
        frontier = frontier_of(self.crawler)
        return 0 if frontier is None else frontier.worker.member.crawl_id

    # --- when all have come ------------------------------------------------------------------------------

    @hears(signals.spider_idle)
    def idle(self) -> None:
        """Settle the texts before the crawl ends; the kinds of pages come first.

        :raises DontCloseSpider: while they are settled.
        """
        kinds = self.crawler.get_extension(SiteKindsExtension)
        if self.storage is None or (kinds is not None and kinds.is_settling):
            return
        if self._settling is not None and not self._settling.done():
            raise DontCloseSpider
        if self._settling is None or self._settling.result() or self._n_noted > self._n_settled:
            self._n_settled = self._n_noted
            self._settling = asyncio.ensure_future(self._settle(self.storage))
            raise DontCloseSpider

    @hears(signals.spider_closed)
    async def closed(self, reason: str) -> None:
        """Keep what is known of the hosts, when the last worker has ended."""
        storage = self.storage
        if storage is None or reason != "finished":
            return
        await self._settle(storage)
        with suppress(StorageError):
            await storage.call(partial(close_memory, crawl_id=self._crawl_id(), seen=unpack_sightings))

    async def _settle(self, storage: Storage) -> bool:
        """Give each article of the crawl the text that its host's memory has for it now that all have come.

        Return whether there was anything to be done.
        """
        crawl_id, hosts = self._crawl_id(), list[str]()
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            await storage.flush()
            hosts = await storage.read(partial(unsettled_hosts, crawl_id=crawl_id))
            for host in hosts:
                known = await storage.read(partial(host_memory, crawl_id=crawl_id, host=host, seen=unpack_sightings))
                key = -1
                while rows := await storage.read(partial(lines_after, crawl_id=crawl_id, host=host, key=key)):
                    found = [text for row in rows if (text := await self._corrected(row, *known)) is not None]
                    self.crawler.stats.inc_value("newscrawl/memory/corrected", len(found))
                    await storage.call(partial(_write, texts=found, rows=rows))
                    key = rows[-1].key
        wake_engine(self.crawler)
        return bool(hosts)

    async def _corrected(
        self, row: Row[Any], memory: HostMemory, counted: frozenset[int | None]
    ) -> CorrectedText | None:
        """Return the text of an article where it is another than what is stored."""
        pages = unpack_lines(row.packed)
        found = remember_text(
            pages,
            row.headline,
            lambda keys, *judged: refine_lines(memory, keys, *judged, is_known=keys.address in counted),
        )
        source = found.source(row.field_sources.get("articleBody"))
        if content_hash(found.text) == row.content_hash and source == row.field_sources.get("articleBody", ""):
            return None
        return CorrectedText(
            url=row.url,
            before=row.content_hash,
            body=found.text,
            source=source,
            positions=found.positions,
            formats=await self._in_formats(pages, found),
        )

    async def _in_formats(self, pages: Sequence[ArticleLines], found: Remembered) -> dict[str, str | None]:
        return {} if self.formatted is None else await self.formatted(pages, found)


def _write(connection: Connection, texts: Sequence[CorrectedText], rows: Sequence[Row[Any]]) -> None:
    """Correct texts; of which articles the copies among these are copies is told once more, now that all have come."""
    correct_texts(connection, texts)
    settle_copies(connection, [row.url for row in rows if row.duplicate_of is not None])
    note_settled(connection, [row.id for row in rows])


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
