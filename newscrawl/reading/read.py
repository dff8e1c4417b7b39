"""A page as a harvest reads it: what it is, its text and its facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from newscrawl.items import PageType
from newscrawl.metadata import extract_metadata
from newscrawl.metadata.article import make_article
from newscrawl.page_type.judge import judge
from newscrawl.reading.formats import with_formats
from newscrawl.reading.script_data import filled, shows_text
from newscrawl.sites.memory.site import MEMORY_EVIDENCE
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from newscrawl.dom.document import Document
    from newscrawl.items import Article
    from newscrawl.methods.base import Extraction
    from newscrawl.page_type.judge import PageJudgement
    from newscrawl.sites.model import NewsSite


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a page was read as."""

    judgement: PageJudgement
    extraction: Extraction | None = None
    """None for a page that was no article at first sight: its text is not looked for."""
    needs_scripts: bool = False
    """The page is empty until its scripts run; the extraction has the body in its data, or says that there is none."""
    article: Article | None = None
    """None where the page is no article, or has no text."""


def read_page(
    document: Document,
    extract: Callable[[Document], Extraction],
    *,
    url: str,
    fetched_at: datetime,
    site: NewsSite | None = None,
    hints: Mapping[str, str] | None = None,
    extract_all: bool = False,
    formats: Collection[str] = (),
) -> Reading:
    """Judge a page and, if it is an article, read it. One that is none by what it shows costs no more than that.

    :param hints: what the feed or sitemap said: ``title``, ``date``.
    :param extract_all: extract from every page, for methods that learn from each.
    :param formats: in which the article has its text beside plain text.
    """
    judgement = judge_page(document, url, site) if shows_text(document) else None
    if judgement is not None and judgement.page_type is not PageType.ARTICLE and not extract_all:
        return Reading(judgement=judgement)
    shown = extract(document)
    extraction = filled(document, shown)
    if judgement is None:  # a page filled from its data is judged by what it shows then
        judgement = judge_page(extraction.document or document, url, site)
    article = None
    if judgement.page_type is PageType.ARTICLE and extraction.text:
        article = article_of(document, extraction, url=url, fetched_at=fetched_at, site=site, hints=hints)
        article = with_formats(article, extraction, document, formats)
    return Reading(judgement=judgement, extraction=extraction, needs_scripts=extraction is not shown, article=article)


def judge_page(document: Document, url: str, site: NewsSite | None) -> PageJudgement:
    """Tell what a page is. An address that its site names as a hub's is one, whatever it shows."""
    judgement = judge(document, url_kind=site.url_kind(url) if site else url_shape(url))
    if site is not None and site.names_hub(url):
        return replace(judgement, page_type=PageType.HUB, confidence=1.0)
    return judgement


def article_of(
    document: Document,
    extraction: Extraction,
    *,
    url: str | None,
    fetched_at: datetime,
    site: NewsSite | None = None,
    hints: Mapping[str, str] | None = None,
) -> Article:
    """Return the page's text with its facts, whatever its page type; what the site memory changed is in its sources."""
    metadata = extract_metadata(
        document,
        fetched_at=fetched_at,
        site_timezone=site.timezone if site and site.timezone_known else None,
        site_names=site.site_names if site else (),
        hints=hints,
        body_text=extraction.text,
    )
    refined = [why for why in extraction.evidence if why.startswith(MEMORY_EVIDENCE)]
    if refined:
        metadata = replace(metadata, fieldSources={**metadata.fieldSources, "articleBody": "; ".join(refined)})
    return make_article(
        url,
        extraction,
        metadata,
        encoding=document.encoding,
        site=site.name if site else None,
        fetched_at=fetched_at,
    )
