"""A batch of records in the caller's transaction: page outcomes, articles, blocks, links, and what goes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, insert, update

from newscrawl.store.articles import mark_gone, touch_articles, write_articles
from newscrawl.store.engine import execute_many, upsert
from newscrawl.store.records import (
    LinkRecord,
    PageRecord,
    RecordEnd,
    SideRecord,
    block_rows,
    link_row,
    page_row,
    stored_url,
)
from newscrawl.store.schema import blocks, links, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

#: Links come with those of their page.
Record = PageRecord | SideRecord | tuple[LinkRecord, ...]


def write_batch(connection: Connection, records: Sequence[Record]) -> list[Any]:
    """Write the records in their order; return a verdict for each page record, None for links.

    Side records come last: first those that go ``also`` with pages, then those of their own, each kind at once; their
    answers are those of ``write_all``. A URL that comes twice ends as its later record says.
    """
    page_records = [part for record in records if isinstance(record, PageRecord) for part in (*record.parts, record)]
    verdicts = [verdict for part in _parts(page_records) for verdict in _write_pages(connection, part)]
    upsert(connection, links, [link_row(link) for record in records if isinstance(record, tuple) for link in record])
    pairs = zip(page_records, verdicts, strict=True)
    _write_sides(connection, [side.judged(verdict) for record, verdict in pairs for side in record.also])
    answers = _write_sides(connection, [record for record in records if isinstance(record, SideRecord)])
    waiting = {id(record): answer for record, answer in zip(page_records, verdicts, strict=True)} | answers
    return [waiting.get(id(record)) for record in records]


def _write_sides(connection: Connection, sides: Sequence[SideRecord]) -> dict[int, Any]:
    """Write side records kind by kind; return id of the record → its answer."""
    kinds: dict[type[SideRecord], list[SideRecord]] = {}
    for side in sides:
        kinds.setdefault(type(side), []).append(side)
    return {
        id(side): answer
        for kind, members in sorted(kinds.items(), key=lambda pair: pair[0].rank)
        for side, answer in zip(members, kind.write_all(connection, members), strict=True)
    }


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


_VISITED: Final = (
    update(pages)
    .where(pages.c.url == bindparam("b_url"))
    .values(fetched_at=bindparam("fetched_at"), run_id=bindparam("run_id"))
)


def _write_pages(connection: Connection, records: list[PageRecord]) -> list[RecordEnd]:
    judged = write_articles(connection, records)
    verdicts = [judged.get(record.url) or RecordEnd(outcome=record.outcome) for record in records]
    ended = [pair for pair in zip(records, verdicts, strict=True) if not pair[0].is_unchanged]
    upsert(connection, pages, [page_row(*pair) for pair in ended])
    # a page that is as it was keeps its row, with what its last body gave: only the time is new
    unchanged = [record for record in records if record.is_unchanged]
    if unchanged:
        rows = [{"b_url": stored_url(r.url), "fetched_at": r.fetched_at, "run_id": r.run_id} for r in unchanged]
        execute_many(connection, _VISITED, rows)
        touch_articles(connection, unchanged)
    mark_gone(connection, [record for record in records if record.is_gone])
    with_blocks = [record for record in records if record.blocks]
    if with_blocks:
        urls = [stored_url(record.url) for record in with_blocks]
        connection.execute(delete(blocks).where(blocks.c.page_url.in_(urls)))
        connection.execute(insert(blocks), [row for record in with_blocks for row in block_rows(record)])
    return verdicts
