"""What crosses between components: the mutable ``Page`` on its way through the pipelines, the frozen ``Article``.

Field names of ``Article``, ``Author`` and ``Image`` are those of zyte-common-items where it has one, so that
feeds can be read by tools that know that schema.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from newscrawl.blocks.model import Block
from newscrawl.links.model import Link

if TYPE_CHECKING:
    from newscrawl.dom.document import Document


class PageType(StrEnum):
    ARTICLE = "article"
    HUB = "hub"
    FORUM = "forum"
    PRODUCT = "product"
    LISTING = "listing"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    name: str
    nameRaw: str | None = None
    """As printed, e.g. ``"记者 张三"``."""
    role: str | None = None
    """``"reporter"``, ``"editor"``, ``"photographer"``, ``"organisation"`` …; None for a plain author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """Clean article, its facts, and where each fact came from."""

    url: str
    canonicalUrl: str | None = None
    headline: str | None = None
    articleBody: str = ""
    """Plain text; paragraphs are separated by one newline."""
    articleBodyHtml: str | None = None
    """The text as clean HTML, safe to show; None unless ``NEWSCRAWL_BODY_FORMATS`` asks for it."""
    articleBodyMarkdown: str | None = None
    datePublished: datetime | None = None
    """Aware; the zone is the page's own, else the site's."""
    datePublishedRaw: str | None = None
    dateModified: datetime | None = None
    dateModifiedRaw: str | None = None
    authors: tuple[Author, ...] = ()
    inLanguage: str | None = None
    """ISO 639-1 code."""
    mainImage: Image | None = None
    description: str | None = None
    source: str | None = None
    """The press that first published the text, e.g. the name after ``来源：``."""
    section: str | None = None
    keywords: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """URLs joined into this article, in reading order; one URL for a single-page article."""
    fieldSources: dict[str, str] = field(default_factory=dict)
    """Field name → where its value came from: ``json-ld``, ``opengraph``, ``meta``, ``visible``, ``url`` …"""
    pageType: PageType = PageType.ARTICLE
    method: str = ""
    """Name of the extractor that gave ``articleBody``."""
    confidence: float = 0.0
    """How sure the extractor is, 0..1."""
    encoding: str = "utf-8"
    contentHash: str = ""
    """Hex digest of the body with white space and width folded; equal bodies have equal hashes."""
    site: str | None = None
    fetchedAt: datetime | None = None


@dataclass(kw_only=True)
class Page:
    """A fetched page on its way through the pipelines.

    The parsed tree is *not* a field: it hangs on ``document`` until the links are done and is then dropped, so
    that exporters and storage never see it. ``dataclasses.replace`` would lose it: pages are changed in place.
    """

    url: str
    """Address of the answer, after redirects."""
    requested_url: str
    status: int = 200
    fetched_at: datetime
    """When the answer came (aware, UTC); in a replay, the record's WARC-Date."""
    encoding: str = "utf-8"
    encoding_source: str = ""
    site: str | None = None
    depth: int = 0
    referer: str | None = None
    page_type: PageType | None = None
    page_type_confidence: float = 0.0
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    article: Article | None = None
    hints: dict[str, str] = field(default_factory=dict)
    """What feeds and sitemaps said about the URL: ``title``, ``date`` (ISO 8601), ``from`` (their URL) …"""

    def __post_init__(self) -> None:
        self._document: Document | None = None

    @property
    def document(self) -> Document | None:
        return self._document

    @document.setter
    def document(self, document: Document | None) -> None:
        if self._document is not None and document is not self._document:
            self._document.forget()
        self._document = document
