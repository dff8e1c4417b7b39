"""A batch of records in the caller's transaction: page outcomes, articles, blocks, links.

The transaction is the caller's, so that the frontier can acknowledge the same URLs in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, delete, insert
from sqlalchemy.dialects import postgresql, sqlite

from newscrawl.storage.articles import write_articles
from newscrawl.storage.records import LinkRecord, PageRecord, Verdict, stored_url
from newscrawl.storage.rows import block_rows, link_row, page_row
from newscrawl.storage.schema import blocks, links, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

Record = PageRecord | LinkRecord


def write_batch(connection: Connection, records: Sequence[Record]) -> list[Verdict | None]:
    """Write the records in their order; return a verdict for each page record, None for each link.

    A URL that comes twice ends as its later record says.
    """
    page_records = [record for record in records if isinstance(record, PageRecord)]
    verdicts = iter([verdict for part in _parts(page_records) for verdict in _write_pages(connection, part)])
    _write_links(connection, [record for record in records if isinstance(record, LinkRecord)])
    return [next(verdicts) if isinstance(record, PageRecord) else None for record in records]


def upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], key: str = "url") -> None:
    """Insert the rows, replacing those with the same key."""
    if not rows:
        return
    new: Any = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
    columns = {name: new.excluded[name] for name in rows[0] if name != key}
    connection.execute(new.on_conflict_do_update(index_elements=[key], set_=columns), rows)


def _parts(records: list[PageRecord]) -> Iterator[list[PageRecord]]:
    """Cut the records where a URL comes again."""
    part: list[PageRecord] = []
    seen: set[str] = set()
    for record in records:
        urls = {record.url, record.article.url if record.article else record.url}
        if seen & urls:
            yield part
            part, seen = [], set()
        part.append(record)
        seen |= urls
    if part:
        yield part


def _write_pages(connection: Connection, records: list[PageRecord]) -> list[Verdict]:
    judged = write_articles(connection, records)
    verdicts = [judged.get(record.url) or Verdict(outcome=record.outcome) for record in records]
    upsert(connection, pages, [page_row(*pair) for pair in zip(records, verdicts, strict=True)])
    with_blocks = [record for record in records if record.blocks]
    if with_blocks:
        urls = [stored_url(record.url) for record in with_blocks]
        connection.execute(delete(blocks).where(blocks.c.page_url.in_(urls)))
        connection.execute(insert(blocks), [row for record in with_blocks for row in block_rows(record)])
    return verdicts


def _write_links(connection: Connection, records: list[LinkRecord]) -> None:
    last = {row["url"]: row for row in map(link_row, records)}
    upsert(connection, links, list(last.values()))
