"""Reading of a page in a reader process: segmented, classified, extracted; then corrected by site memory."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import DownloadCancelledError, DropItem

from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.frontier.model import AGAIN
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.items import Page, PageType
from newscrawl.outcomes import Outcome
from newscrawl.page.charset import decide_encoding
from newscrawl.pipelines.parts import Joining
from newscrawl.read.model import FIELDS, is_kept
from newscrawl.read.parts import body_fields, joined_fields
from newscrawl.read.pool import BACKLOG, UnreadableError
from newscrawl.read.readers import readers_for, wants_of
from newscrawl.signals import ENCODING, VALIDATORS, Component, end_url, hears
from newscrawl.sites.kinds import both_words
from newscrawl.sites.memory import Drift
from newscrawl.sites.rules import BROKEN_PAGES, NO_RULES, RuleWatch
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.responses import content_type, kind_of, raw_page
from newscrawl.urls.canonical import host_of
from newscrawl.warc.handler import ReplayExtension

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy import Request
    from scrapy.crawler import Crawler

    from newscrawl.items import Article
    from newscrawl.read.memory import Remembered
    from newscrawl.read.model import ArticleLines, RawPage, Reading, Wants
    from newscrawl.sites.kinds import PageKind
    from newscrawl.sites.rules import SiteRules

logger = logging.getLogger(__name__)


class ReadPipeline(Component):
    """Read the page: segment → classify → extract. Adds ``reading``, ``page_type``, ``article`` and ``links``.

    An article over several pages is read whole (``newscrawl.pipelines.parts``). A page that takes too long or too
    much memory, or kills its reader, ends as ``rejected``. Settings ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_CLASSIFIER``,
    ``NEWSCRAWL_BODY_FORMATS``, ``NEWSCRAWL_READERS``, ``NEWSCRAWL_READ_SECONDS``, ``NEWSCRAWL_READER_MEGABYTES``,
    ``NEWSCRAWL_SITE_MEMORY``. Stats
    ``newscrawl/read/pages``, ``newscrawl/segment/blocks``, ``newscrawl/classify/<label>``,
    ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, ``newscrawl/extract/script_data`` and
    ``script_only`` (pages that are empty until their scripts run), ``newscrawl/decode/undecodable``,
    ``newscrawl/<step>/failed`` and ``newscrawl/rejected/broken`` for steps that raised an exception,
    ``newscrawl/memory/refined``, ``newscrawl/rules/<field>/used`` and ``missed``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.wants = wants_of_crawl(crawler)
        self.readers = readers_for(crawler.settings, self.wants)
        known = crawler.get_extension(SiteMemoryExtension)
        self.kinds = known.kinds if known is not None and self.wants.kinds else None
        self.texts = known.texts if known is not None else None
        if self.texts is not None and self.wants.formats:
            self.texts.formatted = self._formatted
        self.watch = RuleWatch()
        self.joining = Joining(crawler, self.read)
        self.replay = crawler.get_extension(ReplayExtension) if self.readers.n else None
        self._foreseen: WeakSet[Request] = WeakSet()

    def open_spider(self) -> None:
        """Start the readers before the first page comes."""
        if isinstance(self.crawler.spider, NewsSpider):
            self.readers.start()

    @hears(signals.engine_stopped)
    async def _stopped(self) -> None:
        for (host, field), n_missed in self.watch.never_matched():
            logger.warning("%s: the rule for %s matched none of %d articles", host, field, n_missed)
        await self.readers.close()

    async def process_item(self, item: Any) -> Any:
        """Read the page and the further parts of its article; correct the text by site memory."""
        if isinstance(item, Page):
            if item.raw is not None:
                await self.read(item)
            if self.joining.is_on and isinstance(self.crawler.spider, NewsSpider):
                await self.joining.join(item, self.crawler.spider)
            if self.texts is not None and item.article is not None and item.reading.lines:
                item.reading = await self.texts.remember(replace(item.reading, article=item.article))
                item.article = item.reading.article
        return item

    async def read(self, page: Page) -> None:
        """Read a fetched page.

        :raises DropItem: it cannot be read; its outcome is reported.
        """
        raw = page.raw
        assert raw is not None  # noqa: S101 (a page is read once)
        try:
            reading = await self._reading(page, raw)
        except UnreadableError as error:
            end_url(
                self.crawler,
                page.url,
                Outcome.REJECTED,
                str(error.reason),
                status=page.status,
                detail=error.detail,
                validators=page.validators,
            )
            raise DropItem(f"{page.url}: {error.detail}", log_level="DEBUG") from error
        page.raw, page.reading = None, reading
        page.page_type, page.article, page.links = reading.page_type, reading.article, reading.links

    async def _reading(self, page: Page, raw: RawPage) -> Reading:
        """Read a page, and judge it by its site.

        :raises UnreadableError: for one that takes too long or too much memory, or kills its reader.
        """
        url = raw.url or ""
        if self.kinds is not None:
            is_expected = page.found.get("found") == AGAIN or await self.kinds.expects(url)
            raw = raw._replace(is_expected=is_expected)
        if self.replay is not None:
            await self._look_ahead(self.replay)
        reading = await self.readers.read(raw)
        if self.wants.formats:
            reading = replace(reading, lines=tuple(page._replace(raw=raw) for page in reading.lines))
        if self.kinds is not None:
            reading = by_site(reading, await self.kinds.judge(page, raw, reading), pages=self.wants.pages)
        if reading.absence is not None:
            self.crawler.stats.inc_value(f"newscrawl/rejected/{reading.absence}")
        self._count(reading)
        if raw.site.rules != NO_RULES and reading.article is not None:
            self._note_rules(url, raw.site.rules, reading.rules_missed)
        return reading

    async def _look_ahead(self, replay: ReplayExtension) -> None:
        """Let the readers begin the next pages of an archive, as these are asked for one at a time."""
        spider, frontier = self.crawler.spider, frontier_of(self.crawler)
        if frontier is None or not isinstance(spider, NewsSpider):
            return
        for request in frontier.coming(BACKLOG * self.readers.n):
            if request in self._foreseen or VALIDATORS in request.meta:
                continue
            self._foreseen.add(request)
            raw = page_ahead(replay, request, spider)
            if raw is None:
                continue
            if self.kinds is not None:
                raw = raw._replace(is_expected=await self.kinds.expects(request.url))
            self.readers.read_ahead(raw)

    async def _formatted(self, pages: Sequence[ArticleLines], found: Remembered) -> dict[str, Any]:
        """Read the pages of an article again, to fill the fields with its text in other formats."""
        parts: list[Article] = []
        for page, chosen in zip(pages, found.chosen, strict=True):
            if page.raw is not None:
                reading = await self.readers.read(page.raw._replace(chosen=chosen))
                parts += [reading.article] if reading.article is not None else []
        if len(parts) < len(pages):
            return {}
        fields = body_fields(parts[0]) if len(parts) == 1 else joined_fields(parts, found.text)
        return {name: fields[name] for name in map(FIELDS.__getitem__, self.wants.formats)}

    def _count(self, reading: Reading) -> None:
        count = self.crawler.stats.inc_value
        count("newscrawl/read/pages")
        for step, trace in reading.failures:
            logger.error("%s failed on %s; the page goes on without it\n%s", step, reading.url, trace)
            count("newscrawl/rejected/broken")
            count(f"newscrawl/{step}/failed")
        if reading.is_undecodable:
            count("newscrawl/decode/undecodable")
        count("newscrawl/segment/blocks", len(reading.labels))
        for label, number in Counter(reading.labels).items():
            count(f"newscrawl/classify/{label}", number)
        count(f"newscrawl/extract/{reading.page_type}")
        count("newscrawl/extract/links", len(reading.links))
        if reading.script_state:
            count(f"newscrawl/extract/{reading.script_state}")

    def _note_rules(self, url: str, rules: SiteRules, missed: Sequence[str]) -> None:
        """Count matches of the site's rules, and log a rule that matches no article any more."""
        for field in rules.fields:
            self.crawler.stats.inc_value(f"newscrawl/rules/{field}/{'missed' if field in missed else 'used'}")
        host = host_of(url)
        for field in self.watch.note(host, missed, rules.fields):
            old = rules.line(field)
            logger.warning("%s: the rule %s matched none of the last %d articles", host, old, BROKEN_PAGES)
            if self.texts is not None:
                self.texts.keep(Drift(host=host, reason="rule", old=old, new="matches nothing", n_pages=BROKEN_PAGES))


def page_ahead(replay: ReplayExtension, request: Request, spider: NewsSpider) -> RawPage | None:
    """Return the page with which an archive will answer a request; None where it has none."""
    try:
        response = replay.answer(request, is_early=True)
    except DownloadCancelledError:
        return None
    if response.status != 200 or "Content-Encoding" in response.headers or kind_of(response) != "html":
        return None
    request.meta[ENCODING] = decide_encoding(response.body, content_type(response) or None, response.url)
    return raw_page(response, spider.gate.site, hints=spider.gate.hints(request.url))


def by_site(reading: Reading, kind: PageKind | None, *, pages: bool = False) -> Reading:
    """Return the reading of a page with the kind that its site determines; other kinds lose their article.

    :param pages: whether pages about the site are kept as articles, too.
    """
    if kind is None:
        return reading if is_kept(reading.page_type, pages=pages) else replace(reading, article=None)
    is_wanted = kind.absence is None and is_kept(kind.page_type, pages=pages)
    article = reading.article if is_wanted else None
    if article is None and kind.page_type is PageType.ARTICLE:  # no article can be stored
        return reading
    lines = reading.lines if article is not None else ()
    confidence = reading.page_type_confidence if kind.page_type is reading.page_type else kind.confidence
    return replace(
        reading,
        page_type=kind.page_type,
        page_type_confidence=confidence,
        absence=kind.absence or reading.absence,
        site_says=both_words(reading.kind, kind) if reading.kind and kind.page_type is not reading.page_type else "",
        article=article,
        lines=lines,
    )


def wants_of_crawl(crawler: Crawler) -> Wants:
    """Return what the crawl's settings and spider want of a page."""
    settings, spider = crawler.settings, crawler.spider
    wants = replace(wants_of(settings), simhash=bool(settings["NEWSCRAWL_DATABASE"]))
    if not isinstance(spider, NewsSpider):
        return wants.of_site(None)
    kinds = settings.getbool("NEWSCRAWL_SITE_KINDS") and not spider.needs_contexts
    wants = replace(wants, kinds=kinds, contexts=spider.needs_contexts, listed=spider.wanted.since is not None)
    return wants.of_site(spider.site.name)
