"""What goes on beside a crawl: a view of it, its end where its user asks for it or it hangs, Python's look for cycles.

The view renews itself on a terminal; elsewhere it is a line now and then.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.console import Group
from rich.live import Live
from rich.text import Text
from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.console.program import leave_quickly
from newscrawl.console.terminal import TerminalConsole
from newscrawl.console.wording import quantity
from newscrawl.exceptions import StorageError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import ANSWER_SECONDS, Downloads, empty_slots, is_stopping
from newscrawl.items import Page
from newscrawl.signals import Component, hears
from newscrawl.spiders.focused import FocusedSpider
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.crawl import StoringExtension
from newscrawl.store.runs import HEARD_SECONDS, Figures, note_alive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

#: How often a crawl is looked at for whether it stops. Seconds.
LOOK_SECONDS: Final = 0.5

# Finish reasons.
ASKED_TO_STOP: Final = "asked_to_stop"
STALLED: Final = "stalled"
SECONDS: Final = 0.5
"""From one picture of the view to the next."""
LINE_SECONDS: Final = 30.0
"""From one line to the next where there is no terminal."""
RATE_SECONDS: Final = 10.0
"""Pages a second are those of the latest seconds."""
HEADLINES: Final = 5


class Watch(Component):
    """Something that goes on beside a crawl: :meth:`watch` runs until the spider is closed."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._watching: asyncio.Task[None] | None = None

    @hears(signals.spider_opened)
    def opened(self) -> None:
        self._watching = asyncio.get_running_loop().create_task(self.watch())

    @hears(signals.spider_closed)
    async def closed(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def watch(self) -> None:
        raise NotImplementedError

    async def stop(self, reason: str) -> None:
        self._watching = None  # closing must not cancel what closes
        await self.crawler.engine.close_spider_async(reason=reason)


class StoppingExtension(Watch, StoringExtension):
    """Says every ``HEARD_SECONDS`` that the run goes on, and ends it in order if it is asked to: the queue stays.

    Off without ``NEWSCRAWL_DATABASE``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._stopping: asyncio.Future[None] | None = None

    async def watch(self) -> None:
        while True:
            is_asked, run_id = False, self.storage.run_id
            if run_id is not None:  # else its row is not there yet
                call = partial(note_alive, run_id=run_id, now=datetime.now(UTC))
                with suppress(StorageError):  # said, and the crawl stopped, by the storage
                    is_asked = await asyncio.wrap_future(self.storage.post(call))
            if is_asked and self._stopping is None:
                logger.info("Stopping: its user asked for it")
                self._stopping = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=ASKED_TO_STOP))
            await asyncio.sleep(HEARD_SECONDS)


class SlotsExtension(Watch):
    """Empties the downloader's slots when the crawl stops, and soon ends what servers have not answered by then.

    Off where Scrapy keeps the requests in its own queues (``JOBDIR``), which would lose them.
    """

    def __init__(self, crawler: Crawler) -> None:
        if crawler.settings["JOBDIR"]:
            raise NotConfigured
        super().__init__(crawler)

    async def watch(self) -> None:
        downloads, stops_at = Downloads(self.crawler), None
        while True:
            if is_stopping(self.crawler):
                empty_slots(self.crawler)
                stops_at = stops_at or time.monotonic()
                if time.monotonic() - stops_at > ANSWER_SECONDS and (n_left := downloads.break_off()):
                    logger.info("Stopping: %s under way left for the next run", quantity(n_left, "request"))
            await asyncio.sleep(LOOK_SECONDS)


class StallExtension(Watch):
    """Setting ``NEWSCRAWL_STALL_SECONDS``.

    Not Scrapy's ``CLOSESPIDER_TIMEOUT_NO_ITEM``: a site that is harvested again and has nothing new gives no item for
    hours. A worker that waits for the others of its crawl does not hang.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.seconds = crawler.settings.getfloat("NEWSCRAWL_STALL_SECONDS")
        if not self.seconds:
            raise NotConfigured
        super().__init__(crawler)
        self._last = 0.0

    @hears(signals.request_left_downloader, signals.item_scraped)
    def moved(self) -> None:
        self._last = time.monotonic()

    async def watch(self) -> None:
        self.moved()
        while (left := self._last + self.seconds - time.monotonic()) > 0:
            await asyncio.sleep(left)
            if self._waits_for_others():
                self.moved()
        logger.error("Stopping: no request has ended for %g s (NEWSCRAWL_STALL_SECONDS)", self.seconds)
        await self.stop(STALLED)

    def _waits_for_others(self) -> bool:
        frontier = frontier_of(self.crawler)
        return frontier is not None and not frontier.worker.is_alone and not frontier.ledger.out


def is_quiet(settings: BaseSettings) -> bool:
    """Tell whether the crawl is shown by this view, and not by Scrapy's log."""
    level = settings["LOG_LEVEL"]
    number = level if isinstance(level, int) else logging.getLevelNamesMapping().get(str(level), logging.DEBUG)
    return settings.getbool("NEWSCRAWL_LIVE") and number > logging.INFO


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The state of a crawl at one moment."""

    articles: int
    pages: int
    rate: float
    """Pages a second."""
    waiting: int
    """Addresses asked for that are not done, of this process."""
    hosts: int
    """Asked within the last minute or so: Scrapy forgets the others."""
    errors: int
    seconds: float
    left: float | None = None
    """Seconds to the number of articles asked for; None where there is none, or no rate."""

    def line(self) -> str:
        """Return the state in one line.

        >>> Picture(articles=12, pages=340, rate=5.21, waiting=210, hosts=1, errors=0, seconds=65, left=8).line()
        '1:05  12 articles, 340 pages (5.2 a second), 210 waiting, 1 host, 0 errors, about 0:08 left'
        """
        pages = f"{quantity(self.pages, 'page')} ({self.rate:.1f} a second)"
        rest = f"{self.waiting:,} waiting, {quantity(self.hosts, 'host')}, {quantity(self.errors, 'error')}"
        said = f"{_clock(self.seconds)}  {quantity(self.articles, 'article')}, {pages}, {rest}"
        return said if self.left is None else f"{said}, about {_clock(self.left)} left"


class LiveExtension(Watch):
    """Shows a crawl on standard error. Setting ``NEWSCRAWL_LIVE``; off where Scrapy's log says what happens.

    A focused crawl has a view of its own.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not is_quiet(crawler.settings) or crawler.settings.getbool("NEWSCRAWL_DRY_RUN"):
            raise NotConfigured  # without a word: Scrapy's log is what was asked for
        super().__init__(crawler)
        self.headlines: deque[str] = deque(maxlen=HEADLINES)
        self._seen: deque[tuple[float, int]] = deque()
        self._started = time.monotonic()
        self._live: Live | None = None

    def opened(self) -> None:
        if isinstance(self.crawler.spider, FocusedSpider):
            return
        self._started = time.monotonic()
        self.crawler.signals.connect(self.scraped, signals.item_scraped)
        if sys.stderr.isatty():
            self._live = Live(console=TerminalConsole(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        super().opened()

    def scraped(self, item: Any) -> None:
        """Remember what came last."""
        article = item.article if isinstance(item, Page) else item
        if headline := getattr(article, "headline", None):
            self.headlines.append("".join(filter(str.isprintable, headline)))  # nothing that steers the terminal

    async def closed(self) -> None:
        await super().closed()
        if self._live is not None:
            self._live.stop()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(LINE_SECONDS if self._live is None else SECONDS)
            picture = self.picture(time.monotonic())
            if self._live is None:
                sys.stderr.write(picture.line() + "\n")
            else:
                self._live.update(self.view(picture), refresh=True)

    def view(self, picture: Picture) -> Group:
        """Return what a terminal shows: all of the state, however narrow it is, and the beginnings of the headlines."""
        latest = (Text(f"  {headline}", overflow="ellipsis", no_wrap=True) for headline in self.headlines)
        return Group(Text(picture.line()), *latest)

    def picture(self, now: float) -> Picture:
        """Return the state of the crawl.

        :param now: seconds of the monotonic clock.
        """
        stats = self.crawler.stats.get_stats()
        figures = Figures.of(stats)
        rate = self._rate(now, figures.answered)
        spider = self.crawler.spider
        limit = spider.options.limit if isinstance(spider, NewsSpider) else None
        pace = figures.stored / max(now - self._started, 1.0)
        engine, frontier = self.crawler.engine, frontier_of(self.crawler)
        waiting = queued_in_memory(stats)
        if frontier is not None:
            frontier.count()
            waiting = int(stats.get("newscrawl/frontier/queued", 0)) - int(stats.get("newscrawl/frontier/done", 0))
        return Picture(
            articles=figures.stored,
            pages=figures.answered,
            rate=rate,
            waiting=max(0, waiting),
            hosts=len(engine.downloader.slots) if engine is not None else 0,
            errors=figures.failed + figures.http_errors,
            seconds=now - self._started,
            left=(limit - figures.stored) / pace if limit and pace else None,
        )

    def _rate(self, now: float, answered: int) -> float:
        self._seen.append((now, answered))
        while len(self._seen) > 1 and now - self._seen[1][0] > RATE_SECONDS:
            self._seen.popleft()
        since, before = self._seen[0]
        if now == since:
            since, before = self._started, 0
        return (answered - before) / max(now - since, 1.0)


def queued_in_memory(stats: Mapping[str, Any]) -> int:
    """Return how many requests wait in Scrapy's own queues."""
    return max(0, int(stats.get("scheduler/enqueued", 0)) - int(stats.get("scheduler/dequeued", 0)))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


#: New objects after which Python looks for cycles while a crawl runs; Python's own number is far lower.
GC_THRESHOLD: Final = 50_000


class GarbageExtension(Component):
    """Lets Python look for reference cycles less often: in a crawl that costs a tenth of the time and finds little.

    Modules, models and the index of a replay stay until the end; each full collection would go through them. The
    pages' trees hang on no cycle.
    """

    _running: ClassVar[int] = 0
    _before: ClassVar[tuple[int, int, int]] = (0, 0, 0)

    @hears(signals.spider_opened)
    def opened(self) -> None:
        cls = type(self)
        cls._running += 1
        if cls._running == 1:
            leave_quickly()
            cls._before = gc.get_threshold()
            gc.freeze()
            gc.set_threshold(GC_THRESHOLD, *cls._before[1:])

    @hears(signals.spider_closed)
    def closed(self) -> None:
        cls = type(self)
        cls._running -= 1
        if not cls._running:
            gc.set_threshold(*cls._before)
            gc.unfreeze()
