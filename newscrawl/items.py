"""``Page``, the answer that flows through the pipelines; ``Article``, the frozen result; and its table of fields.

Field names of ``Article``, ``Author`` and ``Image`` are those of zyte-common-items where it has one, so that
tools for that schema can read feeds. Database columns, exports, batches, CSV feeds and ``docs/fields.md``
follow from the table (``ARTICLE``), which is read off the class; ``python -m lab.reference_pages docs`` writes that
page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import MappingProxyType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.links.model import Link
    from newscrawl.read.model import RawPage, Reading

    Fields = Mapping[str, "Field"]


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
        str | None, "`reporter`, `editor`, `photographer`, `organization` …; absent for a plain author."
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    url: Annotated[str, "Absolute address."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyImage(Image):
    caption: Annotated[str | None, "Caption on the page (`figcaption`)."] = None
    credit: Annotated[str | None, "Owner of the picture, as the page states it."] = None
    alt: Annotated[str | None, "Alternative text of the picture."] = None
    position: Annotated[int, "Number of paragraphs of `articleBody` before it."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    source: Annotated[str, "`robots.txt`, `meta`, `x-robots-tag`, `tdmrep`, `ai.txt`, `content-signal` or `rsl`."]
    value: Annotated[str, "Content: names of crawlers, a directive, the address of a policy or licence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    text: Annotated[str, "Text of the entry."]
    headline: Annotated[str | None, "Headline of the entry."] = None
    datePublished: Annotated[str | None, "Time of the entry, ISO 8601 as the page states it."] = None
    url: Annotated[str | None, "Address of the entry."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    text: Annotated[str, "Text of the comment."]
    author: Annotated[str | None, "Name of its author."] = None
    datePublished: Annotated[str | None, "Time of the comment, ISO 8601."] = None


#: Marks a moment that keeps the page's offset from UTC: the local day is part of the news.
ZONED: Final = object()
#: Marks a field that goes with the text. For an article over several pages it holds the values of all of them.
OF_BODY: Final = object()


#: Characters of a headline that the log shows.
_HEADLINE_SHOWN: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Article:
    """Clean article, its facts, and where each fact came from.

    A field is declared here and nowhere else: ``newscrawl.items`` reads its name, its type and its sentence.
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
        datetime | None, ZONED, "First publication; in the site's zone if the page states none."
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
    updates: Annotated[tuple[Update, ...], "Entries of a live blog, in the order of the page."] = ()
    comments: Annotated[tuple[Comment, ...], "Readers' comments, if `NEWSCRAWL_COMMENTS` is on."] = ()
    isAccessibleForFree: Annotated[bool | None, "Whether the page states that it is free to read."] = None
    license: Annotated[str | None, "Address of the licence that the page states, else its name."] = None
    copyrightHolder: Annotated[str | None, "Holder of the copyright, as the page states it."] = None
    reservations: Annotated[
        tuple[Reservation, ...],
        "Reservations of page, headers and robots.txt against mining and the training of models; [what each means]"
        "(rights.md).",
    ] = ()
    pages: Annotated[
        tuple[str, ...], "Addresses joined into this article, in reading order; one for an article on one page."
    ] = ()
    fieldSources: Annotated[
        dict[str, str],
        "Field → origin of its value: `json-ld`, `opengraph`, `meta`, `visible`, `url` …; `datePublishedZone` is "
        "`assumed` if the page states no zone, `doubtful` if its times differ by whole hours. `archive`, "
        "`archiveOffset` and `archiveDigest` name file, record and body if the crawl was recorded or replayed.",
    ] = field(default_factory=dict)
    pageType: Annotated[
        PageType, "`article`; `other` for a page about the site, which is stored if `NEWSCRAWL_KEEP` asks for it."
    ] = PageType.ARTICLE
    method: Annotated[str, "Extraction method that gave `articleBody`."] = ""
    confidence: Annotated[float, "Confidence of the method in the text, 0..1."] = 0.0
    encoding: Annotated[str, "Charset of the page."] = "utf-8"
    contentHash: Annotated[
        str, "Hex digest of the body with white space and width folded; equal bodies have equal hashes."
    ] = ""
    site: Annotated[str | None, "Name of the harvested site."] = None
    fetchedAt: Annotated[datetime | None, "When the page was fetched."] = None

    def __repr__(self) -> str:
        """Return one line without the text, because Scrapy logs scraped, dropped and broken items."""
        headline = self.headline[:_HEADLINE_SHOWN] if self.headline else None
        length = len(self.articleBody)
        return f"<Article {self.url} {headline!r}, {length:,} characters by {self.method or 'no method'}>"


class ReadValues:
    """Values that a page carries beside its fields, for the pipelines only. No exporter writes them."""

    raw: RawPage | None = None
    """Input of a reader; None once the page is read."""
    reading: Reading
    """Result of the reader, set by ``ReadPipeline``."""
    links: tuple[Link, ...] = ()
    """Links of the reading, until they are followed."""


@dataclass(kw_only=True)
class Page(ReadValues):
    """An answer on its way through the pipelines, and how the crawl found it. Each pipeline adds to it in place.

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
    archived: dict[str, str] = field(default_factory=dict)
    """Where the answer is recorded: ``archive``, ``archiveOffset``, ``archiveDigest``."""
    page_type: PageType = PageType.OTHER
    """Kind of page, as the reader judges it."""
    article: Article | None = field(default=None, repr=False)
    """None if the page is no article. For an article over several pages, the whole article."""
    is_incomplete: bool = False
    """The article lacks a part."""
    met_at: str | None = None
    """Address of the later page that led to the article; None if its first page did."""
    relevance: float | None = None
    """Probability that the article is about the topic of a focused crawl."""

    @property
    def referer(self) -> str | None:
        """Address of the page that led here."""
        return self.found.get("parent")


class FieldKind(StrEnum):
    """What a field holds, as each output writes it."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    TRUTH = "yes or no"
    MOMENT = "moment (UTC)"
    ZONED_MOMENT = "moment with its zone"
    TEXTS = "list of texts"
    FACTS = "text by text"
    RECORD = "record"
    RECORDS = "list of records"


_KINDS: Final = MappingProxyType(
    {
        str: FieldKind.TEXT,
        float: FieldKind.NUMBER,
        bool: FieldKind.TRUTH,  # before int, of which it is a kind
        int: FieldKind.COUNT,
        datetime: FieldKind.MOMENT,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    name: str
    """Name of the field in feeds; that of zyte-common-items if it has one."""
    kind: FieldKind
    doc: str
    is_optional: bool = False
    """None where there is no value."""
    is_of_body: bool = False
    """It goes with the text, page by page."""
    parts: Mapping[str, Field] = field(default_factory=dict)
    """Fields of a record."""

    @property
    def column(self) -> str:
        """Name in SQL: ``articleBody`` is ``article_body``."""
        return _column(self.name)

    def plain(self, value: Any) -> Any:
        """Return the value as JSON holds it: text, number, list or mapping; a moment (UTC) stays a ``datetime``."""
        if value is None:
            return None
        if self.kind is FieldKind.ZONED_MOMENT:
            return value.isoformat()
        if self.kind is FieldKind.RECORD:
            return values_of(value, self.parts)
        if self.kind is FieldKind.RECORDS:
            return [values_of(record, self.parts) for record in value]
        if self.kind is FieldKind.TEXTS:
            return list(value)
        return value.value if isinstance(value, StrEnum) else value


@cache
def _column(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def values_of(item: object, fields: Fields) -> dict[str, Any]:
    """Return the plain values of an item's fields, by name."""
    return {name: one.plain(getattr(item, name)) for name, one in fields.items()}


def fields_of(declared: type) -> Fields:
    """Return the fields that a class declares with ``Annotated[type, "what it is"]``, by name, in its order."""
    hints = get_type_hints(declared, include_extras=True)
    return MappingProxyType({name: _field(name, hint) for name, hint in hints.items()})


def _field(name: str, hint: Any) -> Field:
    hint, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    is_optional = isinstance(hint, UnionType)
    if is_optional:
        hint = next(option for option in get_args(hint) if option is not type(None))
    doc = next((note for note in notes if isinstance(note, str)), "")
    kind = FieldKind.ZONED_MOMENT if ZONED in notes else _kind(hint)
    records = {FieldKind.RECORD: (hint,), FieldKind.RECORDS: get_args(hint)}.get(kind, ())
    return Field(
        name=name,
        kind=kind,
        doc=doc,
        is_optional=is_optional,
        is_of_body=OF_BODY in notes,
        parts=fields_of(records[0]) if records else {},
    )


def _kind(hint: Any) -> FieldKind:
    if get_origin(hint) is dict:
        return FieldKind.FACTS
    if get_origin(hint) in {tuple, list}:
        return FieldKind.RECORDS if is_dataclass(get_args(hint)[0]) else FieldKind.TEXTS
    if is_dataclass(hint):
        return FieldKind.RECORD
    return next(kind for known, kind in _KINDS.items() if issubclass(hint, known))


#: Fields of an article, wherever it goes.
ARTICLE: Final = fields_of(Article)


_SCHEMAS: Final[Mapping[FieldKind, Mapping[str, Any]]] = MappingProxyType(
    {
        FieldKind.TEXT: {"type": "string"},
        FieldKind.NUMBER: {"type": "number"},
        FieldKind.COUNT: {"type": "integer", "minimum": 0},
        FieldKind.TRUTH: {"type": "boolean"},
        FieldKind.MOMENT: {"type": "string", "format": "date-time"},
        FieldKind.ZONED_MOMENT: {"type": "string", "format": "date-time"},
        FieldKind.TEXTS: {"type": "array", "items": {"type": "string"}},
        FieldKind.FACTS: {"type": "object", "additionalProperties": {"type": "string"}},
    }
)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an article in JSON outputs."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Article", **record_schema(ARTICLE)}


def record_schema(fields: Fields) -> dict[str, Any]:
    """Return the JSON Schema of an object with these fields."""
    required = [name for name, one in fields.items() if not one.is_optional]
    return {"type": "object", "properties": {name: _schema(one) for name, one in fields.items()}, "required": required}


def _schema(one: Field) -> dict[str, Any]:
    if one.kind is FieldKind.RECORD:
        schema = record_schema(one.parts)
    elif one.kind is FieldKind.RECORDS:
        schema = {"type": "array", "items": record_schema(one.parts)}
    else:
        schema = dict(_SCHEMAS[one.kind])
    if one.is_optional:
        schema["type"] = [schema["type"], "null"]
    return {**schema, "description": one.doc} if one.doc else schema


def iso(value: object) -> str:
    """Return a value that JSON lacks as text: a moment in ISO 8601 and UTC."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)
