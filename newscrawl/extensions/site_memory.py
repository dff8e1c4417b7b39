"""What a crawl knows of its sites: what their pages are, and what the texts of a host have in common."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, NotConfigured

from newscrawl.exceptions import StorageError
from newscrawl.extensions.site_kinds import SiteKinds
from newscrawl.extract.simhash import content_hash
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import wake_engine
from newscrawl.read.memory import pack_lines, remember_text, unpack_lines, unpack_sightings, with_remembered
from newscrawl.signals import Component, hears
from newscrawl.sites.memory import SiteMemory, describe_drift, refine_lines
from newscrawl.store.articles import CorrectedText, correct_texts, settle_copies
from newscrawl.store.crawl import storage_of
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

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection, Row

    from newscrawl.read.memory import Remembered
    from newscrawl.read.model import ArticleLines, Reading
    from newscrawl.sites.memory import Drift, HostMemory
    from newscrawl.store import Storage

    Formatting = Callable[[Sequence[ArticleLines], Remembered], Awaitable[dict[str, str | None]]]

logger = logging.getLogger(__name__)


class SiteMemoryExtension(Component):
    """Keeps what a crawl knows of its sites: their ``kinds`` of pages, and the ``texts`` of their hosts.

    It is learnt from each page as it comes, stored with the page, and read again by the next run, also after a kill.
    When the crawl is idle, all pages are judged by all that has come, then all texts. When it has ended, one row of
    each site and host is kept.

    Settings ``NEWSCRAWL_SITE_KINDS`` for the first, ``NEWSCRAWL_SITE_MEMORY`` for the second.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.kinds = SiteKinds(crawler) if settings.getbool("NEWSCRAWL_SITE_KINDS") else None
        self.texts = SiteTexts(crawler) if settings.getbool("NEWSCRAWL_SITE_MEMORY") else None
        self.parts = [part for part in (self.kinds, self.texts) if part is not None]
        if not self.parts:
            raise NotConfigured  # off by its user: Scrapy would warn of a reason
        super().__init__(crawler)
        self._settling: asyncio.Task[None] | None = None

    @hears(signals.spider_opened)
    async def opened(self) -> None:
        storage = storage_of(self.crawler)
        for part in self.parts:
            part.storage = storage
        if self.texts is not None and storage is not None:
            with suppress(StorageError):  # said, and the crawl stopped, by the storage
                self.texts.memory.hosts.update(reversed((await storage.read(load_memories)).items()))

    @hears(signals.spider_idle)
    def idle(self) -> None:
        """Settle the kinds of pages, then the texts, before the crawl ends.

        :raises DontCloseSpider: while they are settled.
        """
        if self._settling is None or self._settling.done():
            part = next((part for part in self.parts if part.is_due), None)
            if part is None:
                return
            self._settling = asyncio.ensure_future(self._settle(part))
        raise DontCloseSpider

    async def _settle(self, part: SiteKinds | SiteTexts) -> None:
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            await part.settle()
        wake_engine(self.crawler)

    @hears(signals.spider_closed)
    async def closed(self, reason: str) -> None:
        """Keep what is known of the sites when the crawl has ended."""
        storage = storage_of(self.crawler)
        if storage is not None and reason == "finished":
            with suppress(StorageError):
                for part in self.parts:
                    await part.close(storage)


class SiteTexts(Component):
    """The texts of hosts: ``ReadPipeline`` corrects each article as it comes by what they have in common.

    With each article its lines are stored. In the end the memory of each host is made of all of them, and texts that
    it has otherwise are corrected. Then neither the order in which articles came decides their texts, nor who fetched
    them, nor a kill.

    Without ``NEWSCRAWL_DATABASE`` it is forgotten with the run, and texts stay as they were when they came. Stats
    ``newscrawl/memory/drifts``, ``newscrawl/memory/refined`` (articles whose text was corrected when they came),
    ``newscrawl/memory/corrected`` (when the crawl was done).
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.storage: Storage | None = None
        """Set when the spider is open."""
        self.memory = SiteMemory()
        self.formatted: Formatting | None = None
        """Where the text is wanted in other formats, too."""
        self._n_noted = 0
        self._n_settled = -1

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

    @property
    def is_due(self) -> bool:
        """Whether articles came, in this run or another, whose texts have not been settled."""
        return self.storage is not None and self._n_noted > self._n_settled

    async def settle(self) -> None:
        """Give each article of the crawl the text that its host's memory has for it now that all have come."""
        storage, crawl_id = self.storage, self._crawl_id()
        self._n_settled = self._n_noted
        if storage is None:
            return
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
        if hosts:
            self._n_settled = -1  # another worker may have brought more meanwhile

    async def close(self, storage: Storage) -> None:
        """Keep what is known of the hosts, when the last worker has ended."""
        await self.settle()
        await storage.call(partial(close_memory, crawl_id=self._crawl_id(), seen=unpack_sightings))

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
