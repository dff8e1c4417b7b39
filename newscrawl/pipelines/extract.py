"""Blocks → text, facts, page type, links; an ``Article`` where the page is one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from newscrawl.blocks.page_type import judge
from newscrawl.extensions.site_memory import SiteMemoryExtension
from newscrawl.extractors.article import make_article
from newscrawl.extractors.base import Needs
from newscrawl.extractors.script_data import filled, lacks_scripts, shows_text
from newscrawl.extractors.site_memory import with_memory
from newscrawl.items import Page, PageType
from newscrawl.links.extract import extract_links
from newscrawl.metadata import extract_metadata
from newscrawl.outcomes import Rejection
from newscrawl.pipelines.extractor import crawl_extractor
from newscrawl.pipelines.guard import survive
from newscrawl.sites.memory import MEMORY_EVIDENCE
from newscrawl.sites.shape import url_shape

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from newscrawl.blocks.page_type import PageJudgement
    from newscrawl.dom.document import Document
    from newscrawl.extractors.base import Extraction, Extractor
    from newscrawl.items import Article
    from newscrawl.metadata import Metadata
    from newscrawl.sites.model import NewsSite


class ExtractPipeline:
    """Judge the page and fill ``Page.page_type``, ``.links`` and, for an article, ``.article``.

    Methods that learn from a site's pages see each page once, after its own text is extracted; what the site memory
    changed is told in ``fieldSources["articleBody"]``. Stat ``newscrawl/memory/refined``. Setting
    ``NEWSCRAWL_EXTRACTOR``; stats ``newscrawl/extract/<page type>``, ``newscrawl/extract/links``, and
    ``newscrawl/extract/script_data`` and ``script_only`` for pages that are empty until their scripts run. The
    spider's ``site`` (a ``NewsSite``), where it has one, gives time zone, names and address patterns.
    """

    def __init__(self, extractor: Extractor, crawler: Crawler) -> None:
        assert crawler.stats is not None  # noqa: S101 (set before components are built)
        self.extractor = extractor
        self.learns = extractor.needs is not Needs.PAGE
        self.crawler = crawler
        self.stats: StatsCollector = crawler.stats
        self.site_memory = crawler.get_extension(SiteMemoryExtension)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawl_extractor(crawler.settings), crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, Page) or item.document is None:
            return item
        item.page_type = PageType.OTHER
        with survive(item.url, "links", self.stats):
            item.links = extract_links(item.document, item.blocks)
            self.stats.inc_value("newscrawl/extract/links", len(item.links))
        with survive(item.url, "extract", self.stats):
            self._judge(item, item.document)
        self.stats.inc_value(f"newscrawl/extract/{item.page_type}")
        return item

    def _judge(self, page: Page, document: Document) -> None:
        """Judge the page and make its article. A page that is none by what it shows costs no more than that."""
        site: NewsSite | None = getattr(self.crawler.spider, "site", None)
        judgement = _judgement(page, document, site) if shows_text(document) else None
        if judgement is not None and judgement.page_type is not PageType.ARTICLE and not self.learns:
            page.page_type, page.page_type_confidence = judgement.page_type, judgement.confidence
            return
        extraction = self._extract(page, document)
        shown, extraction = extraction, filled(document, extraction)
        if extraction is not shown:
            self._note_scripts(page, extraction)
        if judgement is None:  # a page filled from its data is judged by what it shows then
            judgement = _judgement(page, extraction.document or document, site)
        page.page_type, page.page_type_confidence = judgement.page_type, judgement.confidence
        if judgement.page_type is PageType.ARTICLE and extraction.text:
            page.article = _article(page, extraction, _metadata(page, document, extraction, site))
            if self.site_memory is not None and extraction.chosen is not None:
                self.site_memory.observe(_host(page), document, extraction.chosen)

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


def _judgement(page: Page, document: Document, site: NewsSite | None) -> PageJudgement:
    judgement = judge(document, url_kind=site.url_kind(page.url) if site else url_shape(page.url))
    if site is not None and site.names_hub(page.url):
        return replace(judgement, page_type=PageType.HUB, confidence=1.0)
    return judgement


def _metadata(page: Page, document: Document, extraction: Extraction, site: NewsSite | None) -> Metadata:
    return extract_metadata(
        document,
        fetched_at=page.fetched_at,
        site_timezone=site.timezone if site else None,
        site_names=site.site_names if site else (),
        hints=page.hints,
        body_text=extraction.text,
    )


def _host(page: Page) -> str:
    return urlsplit(page.url).hostname or ""


def _article(page: Page, extraction: Extraction, metadata: Metadata) -> Article:
    refined = [why for why in extraction.evidence if why.startswith(MEMORY_EVIDENCE)]
    if refined:
        sources = {**metadata.fieldSources, "articleBody": "; ".join(refined)}
        metadata = replace(metadata, fieldSources=sources)
    return make_article(
        page.url, extraction, metadata, encoding=page.encoding, site=page.site, fetched_at=page.fetched_at
    )
