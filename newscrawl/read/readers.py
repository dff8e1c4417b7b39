"""The readers of a crawler, as its settings ask for them, and what the crawl remembers of its hosts."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy import signals

from newscrawl.console.place import sites_folder
from newscrawl.exceptions import UserError
from newscrawl.read.memory import with_memory
from newscrawl.read.model import Wants, format_names
from newscrawl.read.pool import KNOWN, Readers, n_readers, prepare
from newscrawl.sites.memory.site import Drift, SiteMemory
from newscrawl.sites.rules import BROKEN_PAGES, NO_RULES, RuleWatch
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from newscrawl.read.model import Lines, RawPage, Reading
    from newscrawl.sites.rules import SiteRules

logger = logging.getLogger(__name__)

_READERS: WeakKeyDictionary[Crawler, CrawlReaders] = WeakKeyDictionary()


def wants_of(settings: BaseSettings) -> Wants:
    """Return what a crawl with these settings wants of a page.

    ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_CLASSIFIER`` (named by project or command line, it comes before sites' own
    models), ``NEWSCRAWL_BODY_FORMATS``, ``NEWSCRAWL_STORE_BLOCKS``, ``NEWSCRAWL_SITE_MEMORY``.
    """
    is_named = (settings.getpriority("NEWSCRAWL_CLASSIFIER") or 0) > 0
    return Wants(
        method=settings["NEWSCRAWL_EXTRACTOR"],
        classifier=settings["NEWSCRAWL_CLASSIFIER"],
        models=None if is_named else sites_folder(settings),
        formats=format_names(settings["NEWSCRAWL_BODY_FORMATS"]),
        blocks=settings.getbool("NEWSCRAWL_STORE_BLOCKS"),
        lines=settings.getbool("NEWSCRAWL_SITE_MEMORY"),
    )


class CrawlReaders:
    """Reads the pages of one crawler and corrects each by what is known of its host.

    Settings ``NEWSCRAWL_READERS``, ``NEWSCRAWL_READ_SECONDS``, ``NEWSCRAWL_READER_MEGABYTES``, those of
    :func:`wants_of`, ``NEWSCRAWL_SITE_MEMORY``. Stats ``newscrawl/read/pages``, ``newscrawl/decode/undecodable``,
    ``newscrawl/<step>/failed`` and ``newscrawl/rejected/broken`` for steps that raised an exception,
    ``newscrawl/memory/refined``, ``newscrawl/rules/<field>/used`` and ``missed``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        site = getattr(crawler.spider, "site", None)
        wanted = getattr(getattr(crawler.spider, "options", None), "wanted", None)
        self.wants = replace(
            wants_of(settings).of_site(getattr(site, "name", None)),
            contexts=getattr(crawler.spider, "needs_contexts", False),
            listed=getattr(wanted, "since", None) is not None,
            entry=bool(settings["NEWSCRAWL_DATABASE"]),
        )
        self.memory = SiteMemory() if self.wants.lines else None
        self.observe: Callable[[str, Lines], object] = lambda _url, _lines: None
        """Told of each article and the lines taken for it, before the next page is corrected."""
        self.watch = RuleWatch()
        self.drifted: Callable[[Drift], object] = lambda _drift: None
        """Told of a rule that has stopped to match."""
        self.readers = Readers(
            self.wants,
            n=_n_readers(settings),
            seconds=_positive(settings, "NEWSCRAWL_READ_SECONDS"),
            megabytes=round(_positive(settings, "NEWSCRAWL_READER_MEGABYTES")),
        )
        crawler.signals.connect(self._stopped, signals.engine_stopped, weak=False)

    def start(self) -> None:
        """Start the readers, so that they are there when the first page comes."""
        self.readers.start()

    async def read(self, page: RawPage) -> Reading:
        """Read a page.

        :raises UnreadableError: for one that takes too long or too much memory, or kills its reader.
        """
        if self.memory is not None:
            page = page._replace(places=self.memory.places_to_ask(host_of(page.url or "")))
        reading = await self.readers.read(page)
        stats = self.crawler.stats
        stats.inc_value("newscrawl/read/pages")
        for step, trace in reading.failures:
            logger.error("%s failed on %s; the page goes on without it\n%s", step, page.url, trace)
            stats.inc_value("newscrawl/rejected/broken")
            stats.inc_value(f"newscrawl/{step}/failed")
        if reading.is_undecodable:
            stats.inc_value("newscrawl/decode/undecodable")
        if page.url is not None and page.site.rules != NO_RULES and reading.article is not None:
            self._note_rules(page.url, page.site.rules, reading.rules_missed)
        if self.memory is None or reading.lines is None:
            return reading
        refined = with_memory(reading, host_of(page.url or ""), self.memory)
        if page.url is not None and refined.article is not None and refined.lines is not None:
            self.observe(page.url, refined.lines)
        if refined is reading or refined.lines is None or refined.article is None:
            return reading
        stats.inc_value("newscrawl/memory/refined")
        if not self.wants.formats:
            return refined
        again = await self.readers.read(page._replace(chosen=refined.lines.chosen))
        if again.article is None:
            return refined
        return replace(refined, article=replace(again.article, fieldSources=refined.article.fieldSources))

    def _note_rules(self, url: str, rules: SiteRules, missed: Sequence[str]) -> None:
        """Count what the rules found; tell of one that matches no article any more."""
        for field in rules.fields:
            self.crawler.stats.inc_value(f"newscrawl/rules/{field}/{'missed' if field in missed else 'used'}")
        host = host_of(url)
        for field in self.watch.note(host, missed, rules.fields):
            old = rules.line(field)
            drift = Drift(host=host, reason="rule", old=old, new="matches nothing", n_pages=BROKEN_PAGES)
            logger.warning("%s: the rule %s matched none of the last %d articles", host, old, BROKEN_PAGES)
            self.drifted(drift)

    async def _stopped(self) -> None:
        for (host, field), n_missed in self.watch.never_matched():
            logger.warning("%s: the rule for %s matched none of %d articles", host, field, n_missed)
        await self.readers.close()


def readers_of(crawler: Crawler) -> CrawlReaders:
    """Return the crawler's readers, made at the first call.

    :raises UserError: for a setting that is not accepted.
    """
    if crawler not in _READERS:
        _READERS[crawler] = CrawlReaders(crawler)
    return _READERS[crawler]


def prepare_readers(settings: BaseSettings) -> None:
    """Begin to load what the readers of a crawl need, before the crawl itself does anything."""
    if _n_readers(settings):
        prepare()


def check_reading(settings: BaseSettings) -> None:
    """Refuse what :class:`CrawlReaders` would refuse; models are loaded only where the user names one.

    :raises UserError: for a setting that is not accepted.
    """
    wants = wants_of(settings)
    _n_readers(settings)
    for name in ("NEWSCRAWL_READ_SECONDS", "NEWSCRAWL_READER_MEGABYTES"):
        _positive(settings, name)
    if (wants.method, wants.classifier) != KNOWN:
        from newscrawl.read.read import reader_for  # noqa: PLC0415 (half a second: readers load it, not the crawl)

        reader_for(wants)


def _positive(settings: BaseSettings, name: str) -> float:
    value = settings.getfloat(name)
    if not value > 0:
        raise UserError(f"{name} is {settings[name]!r}; accepted: a number above 0")
    return value


def _n_readers(settings: BaseSettings) -> int:
    """Return how many readers a crawl may start: none for the one page that ``CLOSESPIDER_PAGECOUNT`` may allow."""
    n = n_readers(str(settings["NEWSCRAWL_READERS"]))
    return 0 if settings.getint("CLOSESPIDER_PAGECOUNT") == 1 else n
