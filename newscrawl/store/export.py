"""Articles read for an export: in the order they came or changed, from a mark up to a mark, never all in memory.

Beside the fields of an article the database knows when it came, its revision and its duplicate.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 (read by fields_of)
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypedDict

from sqlalchemy import BigInteger, Column, Integer, Table, Text, and_, func, or_, select, update

from newscrawl.exceptions import StorageError
from newscrawl.items import ARTICLE, fields_of
from newscrawl.store.columns import UtcTime, insert_into
from newscrawl.store.engine import writing
from newscrawl.store.records import field_value
from newscrawl.store.resemble import changes, edit_kinds
from newscrawl.store.schema import article_revisions, articles, metadata, sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import ColumnElement, Connection, Engine, Select

_CHUNK: Final = 500


class KeptFacts(TypedDict):
    """What the database knows of an article beside its fields."""

    firstFetchedAt: Annotated[datetime, "When the article was first fetched."]
    revision: Annotated[int, "1 at first, one more with each changed text."]
    duplicateOf: Annotated[str | None, "Address of the article that this one repeats."]
    goneAt: Annotated[datetime | None, "When the page was first answered with 404 or 410, or read as no article."]
    story: Annotated[int | None, "One number for articles of several sites about one event, after `scrapy stories`."]


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
    changed: Annotated[
        list[str],
        "What the next text changed: `headline`, `numbers`, `names`, `word` (one came or went), `reworded`, `deleted`, "
        "`added`. Empty: spaces, marks, clocks and counters alone, or another reading (`-a mode=again`).",
    ]


#: Fields of an article that the database exports.
KEPT_ARTICLE: Final = MappingProxyType({**ARTICLE, **fields_of(KeptFacts)})
#: Fields of an earlier text of an article, with its difference to the next.
REVISION: Final = fields_of(Revision)

exports = Table(
    "exports",
    metadata,
    Column("name", Text, primary_key=True),
    Column("change_number", BigInteger, nullable=False),  # of articles: up to here everything was exported
    Column("exported_at", UtcTime, nullable=False),
    Column("n_articles", Integer, nullable=False),  # of the last export
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which articles are exported."""

    number: int | None = None  # that article alone, by its ``id``
    site: str | None = None
    since: datetime | None = None  # published at this moment or later; undated ones: first fetched
    duplicates: bool = False  # also articles that repeat another
    after: int = 0  # number of the last change exported before
    up_to: int | None = None

    def condition(self) -> ColumnElement[bool]:
        number = articles.c.change_number
        parts = [number > self.after]
        if self.number is not None:
            parts.append(articles.c.id == self.number)
        if self.up_to is not None:
            parts.append(number <= self.up_to)
        if self.site is not None:
            parts.append(articles.c.site == self.site)
        if not self.duplicates and self.number is None:
            parts.append(articles.c.duplicate_of.is_(None))
        if self.since is not None:
            undated = and_(articles.c.date_published_utc.is_(None), articles.c.first_fetched_at >= self.since)
            parts.append(or_(articles.c.date_published_utc >= self.since, undated))
        return and_(*parts)


def has_site(connection: Connection, name: str) -> bool:
    """Tell whether the site was ever harvested into the database."""
    harvested = select(sites.c.name).where(sites.c.name == name)
    stored = select(articles.c.id).where(articles.c.site == name)
    return any(connection.execute(query.limit(1)).first() is not None for query in (harvested, stored))


def read_articles(connection: Connection, selection: Selection) -> Iterator[dict[str, Any]]:
    """Yield articles by field name; times stay ``datetime``."""
    columns = [articles.c[field.column].label(name) for name, field in KEPT_ARTICLE.items()]
    query = select(*columns).where(selection.condition()).order_by(articles.c.change_number)
    for row in _streamed(connection, query):
        yield {name: field_value(field, row[name]) for name, field in KEPT_ARTICLE.items()}


def nth_change(connection: Connection, selection: Selection, n: int) -> int | None:
    """Return the change number of the ``n``-th article of a selection, or of the last where there are fewer."""
    number = articles.c.change_number
    first = select(number).where(selection.condition()).order_by(number).limit(n).subquery()
    return connection.execute(select(func.max(first.c.change_number))).scalar()


def read_revisions(connection: Connection, selection: Selection) -> Iterator[Revision]:
    """Yield every earlier text of the articles with the difference to the next one, an article after the other.

    With a mark: those of articles that changed since.
    """
    r, a = article_revisions, articles
    names = ("revision", "headline", "article_body", "date_published", "date_modified", "fetched_at")
    earlier = [r.c[name].label(f"old_{name}") for name in (*names, "is_reread")]
    newest = [a.c[name] for name in (*names, "url", "site", "id")]
    query = select(*earlier, *newest).join(a, a.c.id == r.c.article_id).where(selection.condition())
    before: Mapping[Any, Any] | None = None
    for row in _streamed(connection, query.order_by(a.c.change_number, a.c.id, r.c.revision)):
        if before is not None:
            same = before["id"] == row["id"]
            yield _revision(before, row, prefix="old_") if same else _revision(before, before, prefix="")
        before = row
    if before is not None:
        yield _revision(before, before, prefix="")


def _revision(row: Mapping[Any, Any], after: Mapping[Any, Any], *, prefix: str) -> Revision:
    """:param prefix: which of the two texts in ``after`` followed."""
    return {
        "url": row["url"],
        "site": row["site"],
        "revision": row["old_revision"],
        "headline": row["old_headline"],
        "articleBody": row["old_article_body"],
        "datePublished": row["old_date_published"],
        "dateModified": row["old_date_modified"],
        "fetchedAt": row["old_fetched_at"],
        "nextRevision": after[prefix + "revision"],
        "nextHeadline": after[prefix + "headline"],
        "nextFetchedAt": after[prefix + "fetched_at"],
        "diff": list(changes(row["old_article_body"], after[prefix + "article_body"])),
        "changed": []
        if row["old_is_reread"]
        else list(
            edit_kinds(
                row["old_article_body"],
                after[prefix + "article_body"],
                headlines=(row["old_headline"], after[prefix + "headline"]),
            )
        ),
    }


def _streamed(connection: Connection, query: Select[Any]) -> Iterator[Mapping[Any, Any]]:
    streaming = connection.execution_options(yield_per=_CHUNK)
    yield from streaming.execute(query).mappings()


# --- marks: what "since last" means ------------------------------------------------------------------------


def read_mark(connection: Connection, name: str) -> int | None:
    """Return the number of the last change that the named export has; None for a new one."""
    return connection.execute(select(exports.c.change_number).where(exports.c.name == name)).scalar()


def newest_change(engine: Engine) -> int:
    """Return the number of the newest change.

    Read as a writer does, one at a time: every smaller number is committed and seen, none can come later.
    """
    with writing(engine) as connection:
        return connection.execute(select(func.max(articles.c.change_number))).scalar() or 0


def set_mark(
    connection: Connection, name: str, *, before: int | None, after: int, n_articles: int, now: datetime
) -> None:
    """Move the mark of the named export.

    :raises StorageError: another export of that name has moved it meanwhile.
    """
    row = {"change_number": after, "n_articles": n_articles, "exported_at": now}
    if before is None:
        insert = insert_into(exports).values(name=name, **row)
        new = insert.on_conflict_do_nothing(index_elements=["name"])
        done = connection.execute(new.returning(exports.c.name)).first() is not None
    else:
        mine = (exports.c.name == name) & (exports.c.change_number == before)
        done = connection.execute(update(exports).where(mine).values(row)).rowcount == 1
    if not done:
        raise StorageError(f"export {name!r} was made by another process meanwhile; its mark stays as that one set it")
