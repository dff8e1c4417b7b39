"""A row in ``runs`` for every crawl: what was asked, when, how it ended, how fast it went."""

from __future__ import annotations

import json
import logging
import platform
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from scrapy import signals

from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import StorageError
from newscrawl.extensions.alerts import Alerts
from newscrawl.extensions.watch import is_quiet, queued_in_memory
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.signals import hears
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.crawl import StoringExtension
from newscrawl.store.harvests import note_run
from newscrawl.store.runs import (
    ASKED_REASONS,
    Figures,
    RunState,
    begin_run,
    earlier_figures,
    end_run,
    loose_ends,
    newest_article,
    save_site,
    shrinkage,
    state_of,
)

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

BUCKET_SECONDS = 5
#: Most buckets of a series: the row of a crawl of weeks has a few kilobytes.
MAX_BUCKETS = 1000
_PACKAGES = ("scrapy", "lxml", "sqlalchemy")


class Rate:
    """Counts events in buckets of equal width. The width doubles when there are too many buckets."""

    def __init__(self) -> None:
        self.seconds: float = BUCKET_SECONDS
        self.counts: list[int] = []

    def add(self, elapsed: float) -> None:
        """Count an event ``elapsed`` seconds after the start."""
        while (bucket := int(elapsed / self.seconds)) >= MAX_BUCKETS:
            self.seconds *= 2
            pairs = [*self.counts, 0] if len(self.counts) % 2 else self.counts
            self.counts = [a + b for a, b in zip(pairs[::2], pairs[1::2], strict=True)]
        self.counts.extend([0] * (bucket + 1 - len(self.counts)))
        self.counts[bucket] += 1


class RunsExtension(StoringExtension):
    """Writes the row of the crawl in ``runs`` and that of its site in ``sites``.

    Off where ``NEWSCRAWL_DATABASE`` is empty. ``finished_at`` stays NULL for a crawl that was killed. A run that
    failed, or brought much less than earlier ones, raises an alert (settings ``NEWSCRAWL_ALERT_…``). Stats
    ``newscrawl/run/pages_left`` (addresses that wait for the next run), ``newscrawl/store/gone``,
    ``newscrawl/store/copies``; ``newscrawl/run/asked``, ``…/fetched``, ``…/stored``, ``…/refused`` and
    ``…/refused/<reason>``: addresses, each once; ``…/earlier``: earlier runs that were asked the same, and stored
    articles, of the last ten.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.alerts = Alerts.from_settings(crawler.settings)
        self.shrunken = crawler.settings.getfloat("NEWSCRAWL_ALERT_SHRUNKEN")
        self.rate = Rate()
        self._started = 0.0
        self._newest = 0

    @hears(signals.spider_opened)
    async def opened(self, spider: Spider) -> None:
        self._started = time.monotonic()
        site = _site_row(spider)
        begin = partial(
            begin_run,
            spider=spider.name,
            site=site["name"] if site else None,
            arguments=_arguments(spider),
            started_at=datetime.now(UTC),
            versions={"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}},
        )
        with suppress(StorageError):  # said, and the crawl stopped, by the storage
            self._newest = await self.storage.read(newest_article)
            self.storage.run_id = await self.storage.call(begin)
            if harvest := self.crawler.settings["NEWSCRAWL_HARVEST"]:  # given by ``scrapy tick``
                await self.storage.call(partial(note_run, name=harvest, run_id=self.storage.run_id))
            if site:
                await self.storage.call(partial(save_site, row=site | {"last_run_id": self.storage.run_id}))

    @hears(signals.response_received)
    def answered(self) -> None:
        self.rate.add(time.monotonic() - self._started)

    @hears(signals.spider_closed)
    async def closed(self, reason: str) -> None:
        run_id = self.storage.run_id
        if run_id is None or self.storage.error is not None:
            return
        frontier = frontier_of(self.crawler)
        crawl_id = frontier.worker.member.crawl_id if frontier is not None else None
        with suppress(StorageError):  # said by the storage
            ends = partial(loose_ends, run_id=run_id, crawl_id=crawl_id, newest=self._newest)
            end = await self.storage.call(ends)
            stats = self.crawler.stats
            for name, count in end.counts(queued_in_memory(stats.get_stats())):
                stats.set_value(f"newscrawl/{name}", count)
            row = {
                "finished_at": datetime.now(UTC),
                "finish_reason": reason,
                "outcomes": end.outcomes,
                "rejections": end.refused,
                "stats": json.loads(json.dumps(stats.get_stats(), default=str)),
                "rate": {"seconds": self.rate.seconds, "counts": self.rate.counts},
            }
            await self.storage.call(partial(end_run, run_id=run_id, row=row))
            await self._alert(reason, run_id)

    async def _alert(self, reason: str, run_id: int) -> None:
        """Tell of a run that failed or shrank."""
        figures = Figures.of(self.crawler.stats.get_stats())
        state, why = state_of(reason, figures)
        if not is_quiet(self.crawler.settings):  # else said at the end of the crawl
            _say(run_id, state, why, figures)
        event = f"run_{state}"
        earlier = await self.storage.call(partial(earlier_figures, run_id=run_id))
        self.crawler.stats.set_value("newscrawl/run/earlier", sum(one.stored > 0 for one in earlier))
        if state is not RunState.FAILED:
            frontier = frontier_of(self.crawler)
            is_incremental = frontier is not None and frontier.mode in ("due", "new")
            shrunk = shrinkage(figures, earlier, self.shrunken, is_incremental=is_incremental)
            if shrunk is None or reason in ASKED_REASONS:
                return
            event, why = "run_shrunken", shrunk
        more = {"finish_reason": reason, "figures": figures.as_json()}
        await self.alerts.tell(self.crawler, run_id, event, why, **more)


def _say(run_id: int, state: RunState, why: str, figures: Figures) -> None:
    """End the log with what came of the run."""
    level = logging.WARNING if state is RunState.FAILED else logging.INFO
    new = quantity(figures.new, "new article")
    came = f"{new}, {figures.changed} changed, {figures.unchanged} unchanged, {figures.gone} gone"
    if figures.duplicates:
        came += f", {quantity(figures.duplicates, 'copy', 'copies')} set aside"
    logger.log(
        level, "Run %d: %s%s; %s; `%s report` says more", run_id, state, f" ({why})" if why else "", came, program()
    )


def _arguments(spider: Spider) -> dict[str, str]:
    """Return what was given as ``-a NAME=VALUE``: the spider's attributes of plain text."""
    arguments = spider.arguments if isinstance(spider, NewsSpider) else vars(spider)
    return {
        name: value
        for name, value in arguments.items()
        if isinstance(value, str) and name != "name" and not name.startswith("_")
    }


def _site_row(spider: Spider) -> dict[str, Any] | None:
    if not isinstance(spider, NewsSpider):
        return None
    site = spider.site
    row = {name: getattr(site, name) for name in ("name", "title", "language", "timezone")}
    return row | {"hosts": list(site.hosts), "seeds": list(site.seeds)}
