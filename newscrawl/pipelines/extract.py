"""Blocks → text, facts, page type, links; an ``Article`` where the page is one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.items import Page, PageType
from newscrawl.links.extract import extract_links
from newscrawl.methods.base import Needs
from newscrawl.outcomes import Rejection
from newscrawl.pipelines.extractor import crawl_extractor
from newscrawl.pipelines.guard import survive
from newscrawl.reading.formats import format_names
from newscrawl.reading.read import read_page
from newscrawl.reading.script_data import lacks_scripts
from newscrawl.reading.site_memory import with_memory

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from newscrawl.dom.document import Document
    from newscrawl.methods.base import Extraction, Extractor


class ExtractPipeline:
    """Judge the page and fill ``Page.page_type``, ``.links`` and, for an article, ``.article``.

    Methods that learn from a site's pages see each page once, after its own text is extracted; what the site memory
    changed is told in ``fieldSources["articleBody"]``. Settings ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_BODY_FORMATS``;
    stats ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, ``newscrawl/memory/refined``, and
    ``newscrawl/extract/script_data`` and ``script_only`` for pages that are empty until their scripts run. The
    spider's ``site`` (a ``NewsSite``), where it has one, gives time zone, names and address patterns.
    """

    def __init__(self, extractor: Extractor, crawler: Crawler, *, formats: tuple[str, ...] = ()) -> None:
        assert crawler.stats is not None  # noqa: S101 (set before components are built)
        self.extractor = extractor
        self.formats = formats
        self.learns = extractor.needs is not Needs.PAGE
        self.crawler = crawler
        self.stats: StatsCollector = crawler.stats
        self.site_memory = crawler.get_extension(SiteMemoryExtension)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        formats = format_names(crawler.settings["NEWSCRAWL_BODY_FORMATS"])
        return cls(crawl_extractor(crawler.settings), crawler, formats=formats)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.document is None:
            return item
        item.page_type = PageType.OTHER
        with survive(item.url, "links", self.stats):
            item.links = extract_links(item.document, item.blocks)
            self.stats.inc_value("newscrawl/extract/links", len(item.links))
        with survive(item.url, "extract", self.stats):
            self._read(item, item.document)
        self.stats.inc_value(f"newscrawl/extract/{item.page_type}")
        return item

    def _read(self, page: Page, document: Document) -> None:
        reading = read_page(
            document,
            lambda document: self._extract(page, document),
            url=page.url,
            fetched_at=page.fetched_at,
            site=getattr(self.crawler.spider, "site", None),
            hints=page.hints,
            extract_all=self.learns,
            formats=self.formats,
        )
        page.page_type, page.page_type_confidence = reading.judgement.page_type, reading.judgement.confidence
        page.article = None if reading.article is None else replace(reading.article, site=page.site)
        if reading.extraction is None:
            return
        if reading.needs_scripts:
            self._note_scripts(page, reading.extraction)
        if reading.article is not None and self.site_memory is not None and reading.extraction.chosen is not None:
            self.site_memory.observe(_host(page), document, reading.extraction)

    def _extract(self, page: Page, document: Document) -> Extraction:
        """Extract by the page alone, then ask what is known of its host."""
        extraction = self.extractor.extract(document)
        self.extractor.observe(document)  # what the page teaches is for those after it
        if self.site_memory is None:
            return extraction
        refined = with_memory(extraction, document, _host(page), self.site_memory.memory)
        if refined is not extraction:
            self.stats.inc_value("newscrawl/memory/refined")
        return refined

    def _note_scripts(self, page: Page, extraction: Extraction) -> None:
        """Count a page that is empty until its scripts run; one that stays so is told in ``pages.reason``."""
        if lacks_scripts(extraction):
            page.hints["reason"] = str(Rejection.SCRIPT_ONLY)
            self.stats.inc_value("newscrawl/extract/script_only")
        else:
            self.stats.inc_value("newscrawl/extract/script_data")


def _host(page: Page) -> str:
    return urlsplit(page.url).hostname or ""
