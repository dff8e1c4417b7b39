"""What is handed to the storage, what it answers, the rows that records become, and what they change of an article."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from math import isclose
from typing import TYPE_CHECKING, Any, ClassVar, Final

from newscrawl.extract.simhash import content_hash, url_key
from newscrawl.items import ARTICLE, FieldKind, PageType
from newscrawl.outcomes import ABSENCES, Outcome
from newscrawl.store.columns import storable_row, stored_url
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from sqlalchemy import Connection, Row

    from newscrawl.items import Article, Field
    from newscrawl.page.segment import Block


class SideRecord:
    """What is written in one transaction with pages and links, and is not of the storage: the frontier's rows."""

    __slots__ = ()
    rank: ClassVar[int] = 0  # kinds of a lower rank are written first

    def judged(self, record: PageRecord, verdict: RecordEnd) -> Self:
        """Return the side record as it is to be written, now that the record it goes with is judged."""
        return self

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[Any]:
        """Write all records of this class in a batch; return an answer for each."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """The outcome of one URL, with what its page gave.

    ``STORED`` with an article is a proposal: the storage may answer ``DUPLICATE``.
    """

    url: str
    outcome: Outcome
    fetched_at: datetime
    reason: str | None = None
    detail: str | None = None
    requested_url: str | None = None
    status: int | None = None
    page_type: PageType | None = None
    page_type_confidence: float = 0.0
    encoding: str | None = None
    encoding_source: str | None = None
    depth: int | None = None
    referer: str | None = None
    site: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    article: Article | None = None
    is_incomplete: bool = False  # the article lacks a part: it takes the place of none that has more pages
    simhash: int | None = None  # of the article's text; made by the storage where it is not there
    n_blocks: int | None = None
    n_links: int | None = None
    body_hash: str | None = None  # of the answer's bytes
    blocks: tuple[Block, ...] = ()  # empty where blocks are not stored
    run_id: int | None = None
    also: tuple[SideRecord, ...] = ()
    """What must be written with the page, or not at all: the end of its request."""
    parts: tuple[PageRecord, ...] = ()  # records of pages joined into this one: written with it, or not at all
    anew: bool = False  # what is read now replaces what is stored, facts too, though the page be the same

    @property
    def is_unchanged(self) -> bool:
        """Answered 304: the page is as it was at the last visit."""
        return self.status == 304 and self.article is None

    @property
    def is_gone(self) -> bool:
        """The article, if there was one, is none any more: the page vanished, is a part, or of another type."""
        is_of_other_type = self.page_type not in (None, PageType.ARTICLE) and self.reason in {self.page_type, *ABSENCES}
        return self.status in (404, 410) or self.outcome is Outcome.PART or (self.anew and is_of_other_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """A link's target and where it was found; ``reason`` None if it was not refused."""

    url: str
    reason: str | None = None
    found_on: str | None = None
    anchor: str | None = None
    position: str | None = None
    run_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEnd:
    """How a record ended in the database."""

    outcome: Outcome
    duplicate_of: str | None = None  # URL of the article kept
    duplicate_kind: str | None = None  # ``content``, ``canonical_url`` or ``near``
    revision: int | None = None  # of the stored article: 1 when new, one more with each changed text
    change: str | None = field(default=None, compare=False)
    """What became of the stored article: ``new``, ``changed`` or ``unchanged``."""


_PAGE_COLUMNS = (
    "reason", "detail", "status", "page_type_confidence", "fetched_at", "encoding", "encoding_source", "depth",
    "site", "etag", "last_modified", "n_blocks", "n_links", "run_id",
)  # fmt: skip


def page_row(record: PageRecord, verdict: RecordEnd) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _PAGE_COLUMNS}
    row |= {
        "url": stored_url(record.url),
        "requested_url": stored_url(record.requested_url) if record.requested_url else None,
        "referer": stored_url(record.referer) if record.referer else None,
        "outcome": verdict.outcome.value,
        "page_type": record.page_type.value if record.page_type else None,
        "content_hash": (record.article.contentHash or None) if record.article else None,
    }
    if verdict.duplicate_of:
        row |= {"reason": verdict.duplicate_kind, "detail": f"duplicate of {verdict.duplicate_of}"}
    return storable_row(row)


def article_row(article: Article, record: PageRecord) -> dict[str, Any]:
    """Return the row of ``articles``, without what the database decides: revision, duplicate, cluster, SimHash."""
    row: dict[str, Any] = {}
    for known in ARTICLE.values():
        value = getattr(article, known.name)
        plain = known.plain(value)
        row[known.column] = plain and plain["url"] if known.kind is FieldKind.RECORD else plain
        if known.kind is FieldKind.ZONED_MOMENT:
            row[f"{known.column}_utc"] = value
    # by its own address copies on the site are told; what a page claims of other sites does not count
    stated = article.canonicalUrl
    own_address = stated if stated and same_site(stated, article.url) else article.url
    fetched_at = article.fetchedAt or record.fetched_at
    return storable_row(
        row
        | {
            "url": stored_url(article.url),
            "body_hash": record.body_hash,
            "content_hash": article.contentHash or content_hash(article.articleBody),
            "site": article.site or record.site,
            "fetched_at": fetched_at,
            "first_fetched_at": fetched_at,
            "url_key": stored_url(url_key(own_address)),
            "run_id": record.run_id,
        }
    )


def field_value(field: Field, cell: Any) -> Any:
    """Return the plain value of a field from its column: :func:`article_row` backwards."""
    return {"url": cell} if field.kind is FieldKind.RECORD and cell is not None else cell


#: Columns of ``blocks`` that are fields of a :class:`Block`.
BLOCK_COLUMNS = ("index", "tag", "xpath", "text", "n_chars", "n_link_chars", "n_links", "confidence")


def block_rows(record: PageRecord) -> list[dict[str, Any]]:
    page_url = stored_url(record.url)
    return [
        storable_row({name: getattr(block, name) for name in BLOCK_COLUMNS})
        | {"page_url": page_url, "label": block.label.value if block.label else None}
        for block in record.blocks
    ]


def link_row(record: LinkRecord) -> dict[str, Any]:
    return storable_row(
        {
            "url": stored_url(record.url),
            "reason": record.reason,
            "found_on": stored_url(record.found_on) if record.found_on else None,
            "anchor": record.anchor,
            "position": record.position,
            "run_id": record.run_id,
        }
    )


#: Columns that tell of a visit, not of the article.
OF_VISIT: Final = frozenset({"fetched_at", "first_fetched_at", "run_id", "body_hash"})
_TICK: Final = timedelta(milliseconds=1)
#: Confidence depends on the pages that a model judges together, by so much.
_NOISE: Final = 1e-6


class Change(Enum):
    """What is written of an article."""

    NEW = auto()
    REVISED = auto()  # its text or headline is another: the one before is kept as a revision
    CORRECTED = auto()  # its facts are others: they are replaced
    UNCHANGED = auto()


def judge_change(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> Change:
    """Tell whether the article is new, or its text or headline another.

    Another reading of the same bytes by the same method tells of a newer model, not of the site.
    """
    if before is None:
        return Change.NEW
    if _is_shortened(record, row, before):
        return Change.UNCHANGED
    is_same_body = row["body_hash"] is not None and row["body_hash"] == before.body_hash
    if is_same_body and row["method"] == before.method:
        return Change.UNCHANGED
    return Change.REVISED if has_other_text(row, before) else Change.UNCHANGED


def _is_shortened(record: PageRecord, row: dict[str, Any], before: Row[Any]) -> bool:
    """Tell whether the article has fewer pages than before only because a part is missing: what is stored stays."""
    return record.is_incomplete and len(row["pages"]) < len(before.pages)


def has_other_text(row: dict[str, Any], before: Row[Any]) -> bool:
    has_other_headline = row["headline"] is not None and row["headline"] != before.headline
    return row["content_hash"] != before.content_hash or has_other_headline


def is_read_anew(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> bool:
    """Tell whether what is read now replaces what is stored, though the page be the same.

    A crawl of an address or a topic goes by the name of a host, which no named site has: the site takes its articles
    over as it reads them.
    """
    if before is None or _is_shortened(record, row, before):
        return False
    return record.anew or ("." in (before.site or "") and "." not in (row["site"] or "."))


def is_same_fact(value: Any, stored: Any) -> bool:
    """Compare a value with what came back from its column: SQLite keeps milliseconds."""
    if isinstance(value, datetime) and isinstance(stored, datetime):
        return abs(value - stored) <= _TICK
    if isinstance(value, float) and isinstance(stored, float):
        return isclose(value, stored, abs_tol=_NOISE)
    return bool(value == stored)
