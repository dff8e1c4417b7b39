"""Records to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newscrawl.dedupe import content_hash, url_key
from newscrawl.fields import ARTICLE, Kind
from newscrawl.storage.columns import storable, storable_row
from newscrawl.storage.records import stored_url
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.fields import Field
    from newscrawl.items import Article
    from newscrawl.storage.records import LinkRecord, PageRecord, Verdict

_PAGE_COLUMNS = (
    "reason", "detail", "status", "page_type_confidence", "fetched_at", "encoding", "encoding_source", "depth",
    "site", "etag", "last_modified", "n_blocks", "n_links", "run_id",
)  # fmt: skip


def page_row(record: PageRecord, verdict: Verdict) -> dict[str, Any]:
    """Return the row of ``pages``."""
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
    row = {column: cell for field in ARTICLE.values() for column, cell in _cells(field, getattr(article, field.name))}
    fetched_at = article.fetchedAt or record.fetched_at
    return storable_row(
        row
        | {
            "url": stored_url(article.url),
            "body_hash": record.body_hash if len(article.pages) <= 1 else None,
            "content_hash": article.contentHash or content_hash(article.articleBody),
            "site": article.site or record.site,
            "fetched_at": fetched_at,
            "first_fetched_at": fetched_at,
            "url_key": stored_url(url_key(_own_address(article))),
            "run_id": record.run_id,
        }
    )


def _own_address(article: Article) -> str:
    """Return the address by which copies on the site are told; what a page claims of other sites does not count."""
    stated = article.canonicalUrl
    return stated if stated and same_site(stated, article.url) else article.url


def _cells(field: Field, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a field with what stands in them."""
    plain = field.plain(value)
    yield field.column, plain and plain["url"] if field.kind is Kind.RECORD else plain
    if field.kind is Kind.ZONED_MOMENT:
        yield f"{field.column}_utc", value


def field_value(field: Field, cell: Any) -> Any:
    """Return the plain value of a field from its column: :func:`article_row` backwards."""
    return {"url": cell} if field.kind is Kind.RECORD and cell is not None else cell


def block_rows(record: PageRecord) -> list[dict[str, Any]]:
    """Return the rows of ``blocks``."""
    names = ("index", "tag", "xpath", "text", "n_chars", "n_link_chars", "n_links", "confidence")
    page_url = stored_url(record.url)
    return [
        storable_row({name: getattr(block, name) for name in names})
        | {"page_url": page_url, "label": block.label.value if block.label else None}
        for block in record.blocks
    ]


def link_row(record: LinkRecord) -> dict[str, Any]:
    """Return the row of ``links``."""
    return {
        "url": storable(stored_url(record.url)),
        "reason": record.reason,
        "found_on": storable(stored_url(record.found_on)) if record.found_on else None,
        "anchor": storable(record.anchor) if record.anchor else record.anchor,
        "position": record.position,
        "run_id": record.run_id,
    }
