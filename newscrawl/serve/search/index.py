"""The full-text index follows the articles: it takes in what has a higher change number than all it holds.

Whoever stores an article numbers the change in the same transaction, and knows nothing of the index. A search indexes
before it answers. One transaction reads some changes and indexes them: a process that is killed, and
two that index at once, leave out nothing and take in nothing twice.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, select, text

from newscrawl.serve.search.facts import indexed_facts, place_of, text_terms
from newscrawl.serve.search.tables import GIVEN, TABLE, article_places, has_index, indexed_articles, prepare
from newscrawl.store.engine import reported, upsert, writing
from newscrawl.store.schema import articles

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Engine

#: Articles that are indexed in one transaction: others wait for it, some tenths of a second.
_CHUNK: Final = 200

_ADD: Final = MappingProxyType(
    {
        "sqlite": f"INSERT INTO {TABLE}(rowid, terms) VALUES (?, ?)",  # noqa: S608 (our name) # nosec B608
        "postgresql": f"INSERT INTO {TABLE}(rowid) SELECT %s FROM set_config('{GIVEN}', %s, true)",  # noqa: S608 (our names) # nosec B608
    }
)
_FORGET: Final = f"INSERT INTO {TABLE}({TABLE}, rowid, terms) VALUES ('delete', ?, ?)"  # noqa: S608 (our name) # nosec B608
_REMOVE: Final = text(f"DELETE FROM {TABLE} WHERE rowid = ANY(:ids)")  # noqa: S608 (our name) # nosec B608
_NEWEST: Final = select(func.max(articles.c.change_number))
_HELD: Final = select(func.max(indexed_articles.c.change_number))
_COLUMNS: Final = (
    "id", "url", "site", "source", "in_language", "authors", "date_published", "date_published_utc", "fetched_at",
    "first_fetched_at", "headline", "article_body", "confidence", "duplicate_of", "change_number",
)  # fmt: skip
_CHANGED: Final = (
    select(
        *(articles.c[name] for name in _COLUMNS),
        *(indexed_articles.c[name].label(f"held_{name}") for name in ("facts", "headline", "article_body")),
    )
    .outerjoin(indexed_articles, indexed_articles.c.article_id == articles.c.id)
    .where(articles.c.change_number > bindparam("held"))
    .order_by(articles.c.change_number)
    .limit(bindparam("most"))
)


def catch_up(engine: Engine) -> Generator[int]:
    """Index what changed; yield how many articles each transaction took in. Without changes nothing is written."""
    prepare(engine)
    while True:
        with reported(engine), engine.connect() as connection:
            if (connection.execute(_NEWEST).scalar() or 0) <= _held(connection):
                return
        with reported(engine), writing(engine) as connection:
            n = index_changes(connection)
        yield n


def count_unindexed(connection: Connection) -> int:
    """Return the number of articles that are not in the index as they are now."""
    held = _held(connection) if has_index(connection) else 0
    query = select(func.count()).select_from(articles).where(articles.c.change_number > held)
    return connection.execute(query).scalar_one()


def _held(connection: Connection) -> int:
    """Return the number of the last change that the index holds."""
    return connection.execute(_HELD).scalar() or 0


def index_changes(connection: Connection) -> int:
    """Take in the next changes of articles, ``_CHUNK`` at most, and return how many they were."""
    held = _held(connection)
    rows = [
        dict(row) | {"facts": indexed_facts(row)}
        for row in connection.execute(_CHANGED, {"held": held, "most": _CHUNK}).mappings()
    ]
    other = [row for row in rows if row["facts"] != row["held_facts"] or row["held_article_body"] is not None]
    _remove(connection, [row for row in other if row["held_facts"] is not None])
    documents = ((row["id"], document(row["facts"], row["headline"], row["article_body"])) for row in other)
    add_documents(connection, documents)
    upsert(connection, article_places, [place_row(row) for row in rows], "article_id")
    upsert(connection, indexed_articles, [holding_row(row) for row in rows], "article_id")
    return len(rows)


def document(facts: str, headline: str | None, body: str) -> str:
    """Return the terms of an article between spaces."""
    return f"{facts} {text_terms(headline, body)}"


def add_documents(connection: Connection, documents: Iterable[tuple[int, str]]) -> None:
    """Put the terms of articles into the index, by the articles' numbers."""
    values = sorted(documents)  # an index of neighbours is smaller
    dialect = connection.dialect.name
    if dialect == "postgresql":
        values = [(number, f"{number} {terms}") for number, terms in values]
    if values:
        connection.exec_driver_sql(_ADD[dialect], values)


def _remove(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Take articles out of the index: SQLite's must be told what it holds."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_FORGET, [(row["id"], _held_document(row)) for row in rows])
    else:
        connection.execute(_REMOVE, {"ids": [row["id"] for row in rows]})


def _held_document(row: Mapping[str, Any]) -> str:
    prefix = "" if row["held_article_body"] is None else "held_"
    return document(row["held_facts"], row[f"{prefix}headline"], row[f"{prefix}article_body"])


def place_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of ``article_places`` for an article's columns and its facts."""
    return {
        "article_id": row["id"],
        "place": place_of(row["facts"], row["date_published_utc"] or row["first_fetched_at"]),
        "confidence": row["confidence"],
        "is_kept": row["duplicate_of"] is None,
    }


def holding_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of ``indexed_articles`` for an article that is indexed as it is."""
    held = {"article_id": row["id"], "change_number": row["change_number"], "facts": row["facts"]}
    return held | {"headline": None, "article_body": None}
