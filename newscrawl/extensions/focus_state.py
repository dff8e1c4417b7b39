"""A focused crawl's judgements and what it has learnt, in the database with its frontier."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy import signals

from newscrawl.exceptions import StorageError
from newscrawl.focus.crawl import pack_state, unpack_state
from newscrawl.focus.judge import PageText
from newscrawl.focus.topic import Decisions
from newscrawl.signals import hears, page_judged
from newscrawl.spiders.focused import need_focused
from newscrawl.store.crawl import StoringExtension
from newscrawl.store.focused import FocusedPageRecord, known_decisions, load_state, page_texts, save_state

if TYPE_CHECKING:
    from typing import Any

    from scrapy.crawler import Crawler

    from newscrawl.focus.judge import Relevance
    from newscrawl.items import Page
    from newscrawl.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

#: Judged pages from one look at a user's verdicts to the next.
ASK_EVERY: Final = 5
#: Judged pages from one writing of what was learnt to the next.
SAVE_EVERY: Final = 20


class FocusStateExtension(StoringExtension):
    """Writes how each page was judged and, every ``SAVE_EVERY`` pages, all that was learnt.

    A crawl that was begun before goes on with it. What a user says by ``scrapy topic`` is taken up every ``ASK_EVERY``.

    Off without ``NEWSCRAWL_DATABASE``.
    """

    def __init__(self, crawler: Crawler) -> None:
        need_focused(crawler)
        super().__init__(crawler)
        self.n_pages = 0
        self._asking: asyncio.Future[None] | None = None

    @hears(signals.spider_opened)
    async def opened(self, spider: FocusedSpider) -> None:
        self.spider = spider
        try:
            saved = await self.storage.call(partial(load_state, crawl=spider.crawl_name))
        except StorageError:
            return  # said, and the crawl stopped, by the storage
        state = unpack_state(saved[1]) if saved else None
        if saved and state is not None:
            self.n_pages = saved[0]
            spider.focus.restore(state)
            logger.info("Going on after %d pages about %s", self.n_pages, spider.focus.topic.name)
        await self._take_up()
        self.crawler.signals.connect(self.judged, page_judged)
        self.crawler.signals.connect(self.closed, signals.spider_closed)

    def judged(self, page: Page, relevance: Relevance | None) -> None:
        self.n_pages += 1
        score = page.found.get("score")
        record = FocusedPageRecord(
            url=page.url,
            topic=self.spider.focus.topic.name,
            number=self.n_pages,
            is_article=page.article is not None,
            probability=relevance.probability if relevance else None,
            threshold=relevance.threshold if relevance else None,
            words=relevance.words if relevance else (),
            score=float(score) if score else None,
            found_on=page.referer,
            anchor=page.found.get("anchor") or None,
            run_id=self.storage.run_id,
        )
        self.storage.post(record)
        if self.n_pages % SAVE_EVERY == 0:
            self.storage.post(self._saving())
        if self.n_pages % ASK_EVERY == 0 and (self._asking is None or self._asking.done()):
            self._asking = asyncio.ensure_future(self._take_up())

    async def _take_up(self) -> None:
        """Learn from what a user has said by ``scrapy topic`` meanwhile."""
        focus = self.spider.focus
        try:
            words, pages = await self.storage.read(partial(known_decisions, crawl=self.spider.crawl_name))
            new = [url for url, belongs in pages.items() if focus.verdicts.get(url) != belongs]
            texts = await self.storage.read(partial(page_texts, urls=new)) if new else {}
        except StorageError:
            return  # said, and the crawl stopped, by the storage
        focus.decide(
            Decisions.from_words(words), {url: (PageText(**texts[url]), pages[url]) for url in new if url in texts}
        )

    async def closed(self) -> None:
        if self._asking is not None:
            await self._asking
        if self.storage.error is None:
            with suppress(StorageError):
                await self.storage.call(self._saving())

    def _saving(self) -> Any:
        """Return what writes the present state. The writer's thread packs it."""
        crawl, n_pages, state = self.spider.crawl_name, self.n_pages, self.spider.focus.state()
        return lambda connection: save_state(connection, crawl, n_pages, pack_state(state))
