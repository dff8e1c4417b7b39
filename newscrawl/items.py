"""What flows through the pipelines: the ``Page`` of an answer, and the frozen ``Article`` that a harvest gives.

Field names of ``Article``, ``Author`` and ``Image`` are those of zyte-common-items where it has one, so that
feeds can be read by tools that know that schema.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final, TypedDict

if TYPE_CHECKING:
    from newscrawl.links.model import Link
    from newscrawl.read.model import RawPage, Reading


class PageType(StrEnum):
    ARTICLE = "article"
    HUB = "hub"
    FORUM = "forum"
    PRODUCT = "product"
    LISTING = "listing"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    name: Annotated[str, "Name alone."]
    nameRaw: Annotated[str | None, "Name as printed, e.g. `记者 张三`."] = None
    role: Annotated[
        str | None, "`reporter`, `editor`, `photographer`, `organisation` …; absent for a plain author."
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    url: Annotated[str, "Absolute address."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyImage(Image):
    caption: Annotated[str | None, "Caption that the page shows with it (`figcaption`)."] = None
    alt: Annotated[str | None, "Text that stands for it where it cannot be seen."] = None
    position: Annotated[int, "Number of paragraphs of `articleBody` before it."] = 0


#: Marks a moment that keeps the offset from UTC which the page states: the local day of a news is part of the news.
ZONED: Final = object()
#: Marks a field that goes with the text: of an article over several pages, it has what all of them have.
OF_BODY: Final = object()


#: Characters of a headline that the log shows.
_HEADLINE_SHOWN: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Article:
    """Clean article, its facts, and where each fact came from.

    A field is declared here and nowhere else: ``newscrawl.fields`` reads its name, its type and its sentence.
    """

    url: Annotated[str, "Address of the page, after redirects."]
    canonicalUrl: Annotated[str | None, "Address that the page calls its own."] = None
    headline: Annotated[str | None, "Headline, without the name of the site."] = None
    articleBody: Annotated[str, "Main text; paragraphs are separated by one newline."] = ""
    articleBodyHtml: Annotated[
        str | None,
        OF_BODY,
        "Main text as clean HTML, safe to show; absent unless `NEWSCRAWL_BODY_FORMATS` asks for it.",
    ] = None
    articleBodyMarkdown: Annotated[
        str | None, OF_BODY, "Main text as Markdown; absent unless `NEWSCRAWL_BODY_FORMATS` asks for it."
    ] = None
    datePublished: Annotated[
        datetime | None, ZONED, "First publication; where the page states no zone, the zone is the site's."
    ] = None
    datePublishedRaw: Annotated[str | None, "Publication date as printed."] = None
    dateModified: Annotated[datetime | None, ZONED, "Last change that the page states."] = None
    dateModifiedRaw: Annotated[str | None, "Date of the last change as printed."] = None
    authors: Annotated[tuple[Author, ...], "People and organisations that the page names as its authors."] = ()
    inLanguage: Annotated[str | None, "ISO 639-1 code."] = None
    mainImage: Annotated[Image | None, "Picture that the page shows in previews."] = None
    images: Annotated[tuple[BodyImage, ...], OF_BODY, "Pictures of head and body, in reading order."] = ()
    description: Annotated[str | None, "Summary that the page states."] = None
    source: Annotated[str | None, "Press that first published the text, e.g. the name after `来源：`."] = None
    section: Annotated[str | None, "Part of the site."] = None
    keywords: Annotated[tuple[str, ...], "Keywords that the page states."] = ()
    pages: Annotated[
        tuple[str, ...], "Addresses joined into this article, in reading order; one for an article on one page."
    ] = ()
    fieldSources: Annotated[
        dict[str, str],
        "Field → where its value came from: `json-ld`, `opengraph`, `meta`, `visible`, `url` …; `datePublishedZone` is "
        "`assumed` where the page states no zone, `doubtful` where its times differ by whole hours.",
    ] = field(default_factory=dict)
    pageType: Annotated[PageType, "Always `article`."] = PageType.ARTICLE
    method: Annotated[str, "Extraction method that gave `articleBody`."] = ""
    confidence: Annotated[float, "How sure the method is, 0..1."] = 0.0
    encoding: Annotated[str, "Charset of the page."] = "utf-8"
    contentHash: Annotated[
        str, "Hex digest of the body with white space and width folded; equal bodies have equal hashes."
    ] = ""
    site: Annotated[str | None, "Name of the harvested site."] = None
    fetchedAt: Annotated[datetime | None, "When the page was fetched."] = None

    def __repr__(self) -> str:
        """One line without the text: Scrapy's log prints the items that are scraped, dropped or broken."""
        headline = self.headline[:_HEADLINE_SHOWN] if self.headline else None
        length = len(self.articleBody)
        return f"<Article {self.url} {headline!r}, {length:,} characters by {self.method or 'no method'}>"


class ReadValues:
    """What a page carries beside its fields, for the pipelines alone: no exporter can write it."""

    raw: RawPage | None = None
    """What a reader is given; None once the page is read."""
    reading: Reading
    """What the page was read as; set by ``ReadPipeline``."""
    links: tuple[Link, ...] = ()
    """Those of the reading, until they are followed."""


@dataclass(kw_only=True)
class Page(ReadValues):
    """An answer on its way through the pipelines, and how the crawl came by it. Each of them adds to it in place.

    ``ItemAdapter(page).asdict()`` gives the fields, at every order.
    """

    url: str
    """Address of the answer, after redirects."""
    requested_url: str
    """Address that was asked for first."""
    fetched_at: datetime
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    """Names in lower case."""
    body: bytes = field(default=b"", repr=False)
    body_hash: str | None = None
    """Hex digest of the answer's bytes."""
    redirected_from: str | None = None
    """Address that redirected to this one, the last of several."""
    found: dict[str, Any] = field(default_factory=dict, repr=False)
    """How the address was found: ``found``, ``parent``, ``anchor``, ``hints`` …"""
    site: str | None = None
    depth: int = 0
    validators: dict[str, str] = field(default_factory=dict, repr=False)
    """``etag`` and ``last_modified`` of the answer."""
    page_type: PageType = PageType.OTHER
    """What reading takes it for."""
    article: Article | None = field(default=None, repr=False)
    """None where the page is no article; of an article over several pages, the whole."""
    is_incomplete: bool = False
    """The article lacks a part."""
    met_at: str | None = None
    """Address of the later page by which the crawl came to the article; None where that was its first one."""
    relevance: float | None = None
    """Probability that the article is about the topic of a focused crawl."""

    @property
    def referer(self) -> str | None:
        """Address of the page that led here."""
        return self.found.get("parent")


class KeptFacts(TypedDict):
    """What the database knows of an article beside its fields."""

    firstFetchedAt: Annotated[datetime, "When the article was first fetched."]
    revision: Annotated[int, "1 at first, one more with each changed text."]
    duplicateOf: Annotated[str | None, "Address of the article that this one repeats."]
    goneAt: Annotated[datetime | None, "When the page was first answered with 404 or 410, or read as no article."]


class Revision(TypedDict):
    """An earlier text of an article, and what the next one made of it."""

    url: Annotated[str, "Address of the article."]
    site: Annotated[str | None, "Name of the harvested site."]
    revision: Annotated[int, "Number of this text, from 1."]
    headline: Annotated[str | None, "Headline of this text."]
    articleBody: Annotated[str, "This text."]
    datePublished: Annotated[str | None, "Publication as this text states it, ISO 8601."]
    dateModified: Annotated[str | None, "Last change as this text states it, ISO 8601."]
    fetchedAt: Annotated[datetime, "When this text was fetched."]
    nextRevision: Annotated[int, "Number of the next text."]
    nextHeadline: Annotated[str | None, "Headline of the next text."]
    nextFetchedAt: Annotated[datetime, "When the next text was fetched."]
    diff: Annotated[list[str], "Paragraphs taken away (`-`) and added (`+`)."]
