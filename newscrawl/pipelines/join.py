"""Parts of multi-page articles → one article: the last part to come goes on as the whole."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem, NotConfigured

from newscrawl.extract.simhash import with_text
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Article, Page, PageType
from newscrawl.outcomes import Outcome
from newscrawl.read.assemble import PartAssembler, Step
from newscrawl.signals import Component, lease_lost, url_outcome

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


#: How often the articles that have waited for too long are looked for. Seconds.
EXPIRE_SECONDS = 10.0
#: A part is asked for before anything else: an article waits for it.
PART_PRIORITY = 5_000


class JoinPipeline(Component):
    """Join the pages of an article; each page but the one that goes on ends as ``part``.

    No page is held while the next is fetched: a part's item is dropped, and its article waits in the assembler. When
    the last part comes, or is lost, the joined article goes on as the page of its first part. Runs after the links
    (450), so that the links of every part are followed. What still waits at the end of the crawl is sent through the
    pipelines as it is. In the frontier, a page that waits stays leased until its article is stored.

    Settings ``NEWSCRAWL_JOIN_ENABLED``, ``NEWSCRAWL_JOIN_MAX_PARTS``. Stats
    ``newscrawl/join/asked``, ``newscrawl/join/articles``, ``newscrawl/join/parts``, ``newscrawl/join/incomplete``,
    ``newscrawl/join/repeated``, ``newscrawl/join/beyond`` (of an article that has more parts than are joined).
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCRAWL_JOIN_ENABLED"):
            raise NotConfigured("NEWSCRAWL_JOIN_ENABLED is False")
        super().__init__(crawler)
        self.stats = crawler.stats
        self.assembler = PartAssembler(max_parts=settings.getint("NEWSCRAWL_JOIN_MAX_PARTS"))
        self._waiting: dict[str, Page] = {}
        self._sent_on: set[str] = set()
        self._lost: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()
        self._expiring: asyncio.Task[None] | None = None
        crawler.signals.connect(self.url_ended, url_outcome)
        crawler.signals.connect(self.forget, lease_lost)

    def open_spider(self) -> None:
        self._expiring = asyncio.ensure_future(self._expire())

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.url in self._sent_on:
            self._sent_on.discard(getattr(item, "url", ""))
            return item
        if self._is_lost(item.requested_url):
            raise DropItem(f"{item.url} is fetched again", log_level="DEBUG")
        article = item.article
        if article is None and self.assembler.is_expected(item.requested_url):  # too short to be judged one: its text
            bare = Article(url=item.url, pages=(item.url,), site=item.site, fetchedAt=item.fetched_at)
            article = with_text(bare, item.reading.text)
        if article is None:
            return item
        step = self.assembler.add(
            article, item.reading.continuation, requested_url=item.requested_url, now=time.monotonic()
        )
        self._ask(step, item)
        return self._hand_on(step, item, article)

    def url_ended(self, url: str, outcome: Outcome) -> None:
        """A part that was never answered is not waited for."""
        if outcome not in {Outcome.PART, Outcome.STORED, Outcome.REDIRECTED}:
            step = self.assembler.lost(url)
            self._ask(step, None)
            self._send_on(step)

    def forget(self, url: str) -> None:
        """Forget a page that waits, and what it waits with: all of it is fetched again; so is what is under way."""
        self._lost.add(url)
        if self._waiting.pop(url, None) is not None:
            self.assembler.forget(url)

    async def close_spider(self) -> None:
        """Send on what still waits: an article without its last part is worth more than none.

        Not where the crawl goes on later: what waits goes back to the frontier with its lease, and comes whole then.
        """
        if self._expiring is not None:
            self._expiring.cancel()
        frontier = frontier_of(self.crawler)
        if frontier is None or not frontier.has_pending_requests():
            articles = self.assembler.flush()
            self._send_on(Step(joined=articles, incomplete=articles))
        if self._tasks:
            await asyncio.gather(*self._tasks)

    async def _expire(self) -> None:
        """Let no article wait for ever, though no other page comes: its part may be with a worker that waits for it."""
        while True:
            await asyncio.sleep(EXPIRE_SECONDS)
            self._send_on(self.assembler.expire(time.monotonic()))

    def _is_lost(self, url: str) -> bool:
        """Tell whether the page was asked for under a lease that another worker has by now: it would wait in vain."""
        if url not in self._lost:
            return False
        self._lost.discard(url)
        frontier = frontier_of(self.crawler)
        return frontier is not None and not frontier.leases(url)

    def _ask(self, step: Step, page: Page | None) -> None:
        spider: Any = self.crawler.spider
        for url in step.fetch:
            self.stats.inc_value("newscrawl/join/asked")
            # the next page is no deeper in the site: it has the depth of the article's own
            parent = replace(page, depth=max(0, page.depth - 1)) if page is not None else None
            self.crawler.engine.crawl(spider.make_request(url, page=parent, priority=PART_PRIORITY, found="part"))

    def _hand_on(self, step: Step, page: Page, article: Article) -> Page:
        """Return the page of the article that is ready with this part, or drop the item and wait."""
        own = next((joined for joined in step.joined if page.url in joined.pages), None)
        others = tuple(joined for joined in step.joined if joined is not own)
        self._send_on(replace(step, joined=others))
        if own is article:
            return page
        if own is not None:
            self._waiting[page.url] = page
            return self._whole(own, is_incomplete=own in step.incomplete)
        if step.is_repeated and page.url not in self._waiting:  # one that waits ends with its article, not before
            self.stats.inc_value("newscrawl/join/repeated")
            self._end_part(page, "joined before")
        elif step.is_beyond:
            self.stats.inc_value("newscrawl/join/beyond")
            self._end_part(page, f"an article has at most {self.assembler.max_parts} parts (NEWSCRAWL_JOIN_MAX_PARTS)")
        else:
            page.article = article
            self._waiting[page.url] = page
            frontier = frontier_of(self.crawler)
            if frontier is not None:
                frontier.hold(page.url, PART_PRIORITY + 1)
        raise DropItem(f"{page.url} is a part of an article", log_level="DEBUG")

    def _whole(self, article: Article, *, is_incomplete: bool) -> Page:
        """Return the page that stands for the joined article; the others end as parts."""
        pages = [page for url in article.pages if (page := self._waiting.pop(url, None)) is not None]
        first, *parts = pages
        for part in parts:
            self._end_part(part, f"joined into {first.url}", joined_into=first.url)
        if len(article.pages) > 1:
            self.stats.inc_value("newscrawl/join/articles")
            self.stats.inc_value("newscrawl/join/parts", len(article.pages))
        if is_incomplete:
            self.stats.inc_value("newscrawl/join/incomplete")
            first.is_incomplete = True
            first.validators, first.body_hash = {}, None  # it comes whole the next time, and its parts with it
        first.article = article
        first.page_type = PageType.ARTICLE
        return first

    def _end_part(self, page: Page, why: str, *, joined_into: str | None = None) -> None:
        self.crawler.signals.send_catch_log(
            url_outcome,
            url=page.url,
            outcome=Outcome.PART,
            reason=None,
            status=page.status,
            detail=why,
            joined_into=joined_into,
        )

    def _send_on(self, step: Step) -> None:
        """Send articles that are ready, but not the current item, through the rest of the pipelines."""
        for article in step.joined:
            if not any(url in self._waiting for url in article.pages):
                continue
            page = self._whole(article, is_incomplete=article in step.incomplete)
            page.links = ()  # followed when the page came
            self._sent_on.add(page.url)
            scraper = self.crawler.engine.scraper
            task = asyncio.ensure_future(scraper.start_itemproc_async(page, response=None))
            self._tasks.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Future[None]) -> None:
        """Let a closing spider go on: Scrapy looks whether it is idle only after the items of a response."""
        self._tasks.discard(task)
        scraper = self.crawler.engine.scraper
        if scraper.slot is not None and scraper.slot.closing and not scraper.slot.closing.called:
            scraper._check_if_closing()
