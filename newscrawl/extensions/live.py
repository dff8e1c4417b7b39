"""What a crawl is doing, while it does it: a view that renews itself on a terminal, else a line now and then."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.live import Live
from rich.text import Text
from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.console.terminal import TerminalConsole
from newscrawl.console.wording import quantity
from newscrawl.extensions.stopping import Watch
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page
from newscrawl.spiders.focused import FocusedSpider
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.runs import Figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

SECONDS: Final = 0.5
"""From one picture of the view to the next."""
LINE_SECONDS: Final = 30.0
"""From one line to the next where there is no terminal."""
RATE_SECONDS: Final = 10.0
"""Pages a second are those of the latest seconds."""
HEADLINES: Final = 5


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
        engine = self.crawler.engine
        return Picture(
            articles=figures.stored,
            pages=figures.answered,
            rate=rate,
            waiting=self._waiting(stats),
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

    def _waiting(self, stats: dict[str, Any]) -> int:
        frontier = frontier_of(self.crawler)
        if frontier is None:
            return queued_in_memory(stats)
        frontier.count()
        return max(0, int(stats.get("newscrawl/frontier/queued", 0)) - int(stats.get("newscrawl/frontier/done", 0)))


def queued_in_memory(stats: Mapping[str, Any]) -> int:
    """Return how many requests wait in Scrapy's own queues."""
    return max(0, int(stats.get("scheduler/enqueued", 0)) - int(stats.get("scheduler/dequeued", 0)))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
