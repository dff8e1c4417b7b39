"""How well a focused crawl keeps to its topic: in the log, on the terminal, and as figures at its end."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from rich.text import Text
from scrapy import signals

from newscrawl.console.files import check_writable, make_folder, write_text
from newscrawl.console.program import program
from newscrawl.console.terminal import TerminalConsole
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.focus.judge import Suggestion
from newscrawl.focus.progress import Estimate, Tally
from newscrawl.signals import Component, hears, page_judged
from newscrawl.spiders.focused import need_focused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.status import Status
    from scrapy.crawler import Crawler

    from newscrawl.focus.crawl import FetchedPage, Focus
    from newscrawl.focus.judge import Relevance
    from newscrawl.focus.topic import Topic
    from newscrawl.items import Page
    from newscrawl.spiders.focused import FocusedSpider

logger = logging.getLogger(__name__)

LOG_EVERY: Final = 50
"""Judged pages from one line of the log to the next."""
DOUBTED: Final = 50
"""Pages without a relevant one after which the crawl says so."""
FEW_WORDS: Final = 3
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

    @hears(signals.spider_opened)
    def opened(self, spider: FocusedSpider) -> None:
        self.spider = spider
        if self.pages:
            self._file = open(self.pages, "a", 1, encoding="utf-8")  # noqa: SIM115
        if self.crawler.settings.getbool("NEWSCRAWL_FOCUSED_PROGRESS") and sys.stderr.isatty():
            self._status = TerminalConsole(stderr=True).status(spider.focus.topic.name)
            self._status.start()
        if said := few_words(spider.focus.topic):
            logger.warning(said)
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
                "Harvest rate %.3f, latest %d pages %.3f: %d of %d pages are about %s, %d of them name it, %d requests",
                tally.harvest_rate, min(LATEST, tally.n_pages), tally.latest_rate(LATEST), tally.n_relevant,
                tally.n_pages, self.spider.focus.topic.name, tally.n_named, n_requests,
            )  # fmt: skip
        if tally.n_pages == DOUBTED and not tally.n_relevant:
            logger.warning(nothing_found(tally, self.spider.focus.topic))
        if self._status is not None:
            rates = f"harvest rate {tally.harvest_rate:.3f}, latest {tally.latest_rate(LATEST):.3f}"
            said = f"{quantity(tally.n_pages, 'page')}, {tally.n_relevant} about the topic, {rates}"
            self._status.update(Text(f"{self.spider.focus.topic.name}: {said}"))

    def closed(self) -> None:
        if self._status is not None:
            self._status.stop()
        if self._file is not None:
            self._file.close()
        if self.tally.n_pages:
            said = result_line(self.tally, self.spider.focus)
            self.crawler.stats.set_value("newscrawl/relevance/result", said)
            logger.info("Focused crawl: %s", said)
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
            estimate=estimate_of(self.tally, focus)._asdict(),
        )
        try:
            write_text(path, json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
        except UserError as error:
            logger.error("NEWSCRAWL_FOCUSED_REPORT: %s", error)
            return
        logger.info(
            "Figures of the focused crawl: %s; `%s report --focused FILE --html PAGE` draws them", path, program()
        )


def few_words(topic: Topic) -> str | None:
    """Return what is said of a topic of few words and no examples; None for others."""
    words = [word for keyword in topic.keywords for word in (keyword.term, *keyword.synonyms)]
    if len(words) >= FEW_WORDS or topic.examples or topic.example_pages:
        return None
    return (
        f"The topic {topic.name!r} has {quantity(len(words), 'word')} and no examples: many articles about it will not "
        f"be known. Add keywords, or example_pages = [addresses of articles about it]"
    )


def nothing_found(tally: Tally, topic: Topic) -> str:
    """Return what is said of a crawl that has found nothing."""
    return (
        f"None of the first {tally.n_pages} pages ({quantity(tally.n_articles, 'article')}) is about {topic.name!r}. "
        f"What helps: pages about it as seeds, example_pages in the topic, or keywords in the site's own words"
    )


def estimate_of(tally: Tally, focus: Focus) -> Estimate:
    """Return what a user's verdicts on the sample say of the articles called relevant."""
    return Estimate.from_verdicts([focus.verdicts[url] for url in tally.sample if url in focus.verdicts])


def result_line(tally: Tally, focus: Focus) -> str:
    """Return the crawl's result in one line: its own judgement, and what speaks for it."""
    said = (
        f"{tally.n_relevant} of {quantity(tally.n_pages, 'page')} are about {focus.topic.name} by the "
        f"crawl's own judgement; {tally.n_named} of them ({tally.named_share:.0%}) name it in headline or text"
    )
    found = estimate_of(tally, focus)
    asked = f"`{program()} topic judge --sample` asks about {quantity(len(tally.sample), 'article')}"
    return f"{said}. {f'By your verdicts {found}' if found.n else asked}"


def _line(page: Page, fetched: FetchedPage, relevance: Relevance | None, n_requests: int) -> dict[str, Any]:
    line: dict[str, Any] = {"url": page.url, "is_article": fetched.is_article, "n_requests": n_requests}
    if relevance is not None:
        line |= {"probability": round(relevance.probability, 4), "words": relevance.words}
    return line


def focused_figures(tally: Tally, suggestions: Sequence[Suggestion] = (), **about: Any) -> dict[str, Any]:
    """Return the figures of a focused crawl as JSON values; relevance is the crawler's own judgement.

    :param suggestions: what the crawl would add to the topic.
    :param about: ``topic``, ``strategy``, ``site``, ``n_requests`` and ``estimate`` of the crawl.
    """
    payers = {
        name: [dict(zip(("name", "n_pages", "n_relevant"), counts, strict=True)) for counts in found.best()]
        for name, found in (("hubs", tally.hubs), ("places", tally.places), ("anchors", tally.anchors))
    }
    doubts = [
        {"url": url, "headline": headline, "probability": found.probability, "words": found.words}
        for _, url, headline, found in tally.doubts
    ]
    counts = {name: getattr(tally, name) for name in ("n_pages", "n_articles", "n_relevant", "harvest_rate", "n_named")}
    sample = [{"url": url, "headline": headline} for url, headline in tally.sample.items()]
    proposed = [dict(zip(Suggestion._fields, one, strict=True)) for one in suggestions]
    return (
        about | counts | payers | {"sample": sample, "doubts": doubts, "suggestions": proposed, "curve": tally.points()}
    )
