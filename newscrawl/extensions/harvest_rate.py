"""How well a focused crawl keeps to its topic: in the log, on the terminal, and as figures at its end."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text
from scrapy import signals

from newscrawl.console.files import check_writable, make_folder, write_text
from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.focus.growth import Suggestion
from newscrawl.focus.progress import Tally
from newscrawl.signals import Component, page_judged
from newscrawl.spiders.focused import need_focused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.status import Status
    from scrapy.crawler import Crawler

    from newscrawl.focus.crawl import FetchedPage
    from newscrawl.focus.judge import Relevance
    from newscrawl.items import Page
    from newscrawl.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

LOG_EVERY: Final = 50
"""Judged pages from one line of the log to the next."""
LATEST: Final = 100
"""Pages whose own harvest rate is shown beside that of all."""


class HarvestRateExtension(Component):
    """Shows the harvest rate of a focused crawl: relevant pages, by the crawler's own judgement, among those fetched.

    Settings ``NEWSCRAWL_FOCUSED_PROGRESS``, ``NEWSCRAWL_FOCUSED_REPORT``, ``NEWSCRAWL_FOCUSED_PAGES``; stat
    ``newscrawl/relevance/harvest_rate``.
    """

    def __init__(self, crawler: Crawler) -> None:
        """:raises UserError: a file the settings name cannot be written."""
        need_focused(crawler)
        super().__init__(crawler)
        report, self.pages = crawler.settings["NEWSCRAWL_FOCUSED_REPORT"], crawler.settings["NEWSCRAWL_FOCUSED_PAGES"]
        if report:
            make_folder(Path(report).parent)
        if self.pages:
            check_writable(Path(self.pages))
        self.tally = Tally()
        self._file: IO[str] | None = None
        self._status: Status | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)

    def opened(self, spider: FocusedSpider) -> None:
        self.spider = spider
        if self.pages:
            self._file = open(self.pages, "a", 1, encoding="utf-8")  # noqa: SIM115
        if self.crawler.settings.getbool("NEWSCRAWL_FOCUSED_PROGRESS") and sys.stderr.isatty():
            self._status = Console(stderr=True).status(spider.focus.topic.name)
            self._status.start()
        self.crawler.signals.connect(self.judged, page_judged)
        self.crawler.signals.connect(self.closed, signals.spider_closed)

    def judged(self, page: Page, fetched: FetchedPage, relevance: Relevance | None) -> None:
        tally, found = self.tally, page.found
        place, anchor = found.get("path", ""), found.get("anchor", "")
        tally.add(page.url, fetched.headline, relevance, hub=page.referer or "", place=place, anchor=anchor)
        stats = self.crawler.stats
        stats.set_value("newscrawl/relevance/harvest_rate", round(tally.harvest_rate, 4))
        n_requests = stats.get_value("downloader/request_count", 0)
        if self._file is not None:
            self._file.write(json.dumps(_line(page, fetched, relevance, n_requests), ensure_ascii=False) + "\n")
        if tally.n_pages % LOG_EVERY == 0:
            logger.info(
                "Harvest rate %.3f, latest %d pages %.3f: %d of %d pages are about %s, %d requests",
                tally.harvest_rate, min(LATEST, tally.n_pages), tally.latest_rate(LATEST), tally.n_relevant,
                tally.n_pages, self.spider.focus.topic.name, n_requests,
            )  # fmt: skip
        if self._status is not None:
            rates = f"harvest rate {tally.harvest_rate:.3f}, latest {tally.latest_rate(LATEST):.3f}"
            said = f"{quantity(tally.n_pages, 'page')}, {tally.n_relevant} about the topic, {rates}"
            self._status.update(Text(f"{self.spider.focus.topic.name}: {said}"))

    def closed(self) -> None:
        if self._status is not None:
            self._status.stop()
        if self._file is not None:
            self._file.close()
        path = self.crawler.settings["NEWSCRAWL_FOCUSED_REPORT"]
        if path and self.tally.n_pages:
            self._write(Path(path).with_suffix(".json"))

    def _write(self, path: Path) -> None:
        focus = self.spider.focus
        figures = focused_figures(
            self.tally,
            focus.model.suggestions(),
            topic=focus.topic.name,
            strategy=focus.strategy,
            site=self.spider.site.title,
            n_requests=self.crawler.stats.get_value("downloader/request_count", 0),
        )
        try:
            write_text(path, json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
        except UserError as error:
            logger.error("NEWSCRAWL_FOCUSED_REPORT: %s", error)
            return
        logger.info(
            "Figures of the focused crawl: %s; `%s report --focused FILE --html PAGE` draws them", path, program()
        )


def _line(page: Page, fetched: FetchedPage, relevance: Relevance | None, n_requests: int) -> dict[str, Any]:
    line: dict[str, Any] = {"url": page.url, "is_article": fetched.is_article, "n_requests": n_requests}
    if relevance is not None:
        line |= {"probability": round(relevance.probability, 4), "words": relevance.words}
    return line


def focused_figures(tally: Tally, suggestions: Sequence[Suggestion] = (), **about: Any) -> dict[str, Any]:
    """Return the figures of a focused crawl as JSON values; relevance is the crawler's own judgement.

    :param suggestions: what the crawl would add to the topic.
    :param about: ``topic``, ``strategy``, ``site`` and ``n_requests`` of the crawl.
    """
    payers = {
        name: [dict(zip(("name", "n_pages", "n_relevant"), counts, strict=True)) for counts in found.best()]
        for name, found in (("hubs", tally.hubs), ("places", tally.places), ("anchors", tally.anchors))
    }
    doubts = [
        {"url": url, "headline": headline, "probability": found.probability, "words": found.words}
        for _, url, headline, found in tally.doubts
    ]
    counts = {name: getattr(tally, name) for name in ("n_pages", "n_articles", "n_relevant", "harvest_rate")}
    proposed = [dict(zip(Suggestion._fields, one, strict=True)) for one in suggestions]
    return about | counts | payers | {"doubts": doubts, "suggestions": proposed, "curve": tally.points()}
