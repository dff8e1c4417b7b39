"""The full-text index of articles: FTS5 in SQLite, a GIN index of ``tsvector`` in PostgreSQL; terms alike in both.

It says which article has a term, not where: with places it would be as large as the texts. Phrases, and words of three
characters and more of scripts without spaces, are looked for in the texts of the articles found. Both are handed the
terms. PostgreSQL's index is of a table of article numbers alone, as a function of the number, which can make the terms
itself. So nothing but the index takes room, places in so small a table are told in few bytes, and a visit that finds an
article unchanged writes nothing into the index. ``articles.search_facts`` is NULL for an article that is not in the
index yet.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, or_, select, text, update

from newscrawl.serve.search.facts import HEADLINE, facts_of, place_of, text_terms
from newscrawl.serve.search.terms import ACCENTS, INDEXED_CHARS, SEPARATORS, SPACELESS, WORD_CHARS
from newscrawl.store.engine import execute_many, reported, upsert, writing
from newscrawl.store.schema import article_places, articles

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from sqlalchemy import Connection, Engine

    from newscrawl.serve.search.facts import IndexEntry

#: Name of SQLite's index, and of PostgreSQL's table of the articles indexed; their numbers are its ``rowid``.
TABLE: Final = "article_terms"
#: Articles of a database from before that are indexed in one transaction.
_CHUNK: Final = 200

_SQLITE: Final = (
    f"CREATE VIRTUAL TABLE {TABLE} USING fts5(terms, content='', columnsize=0, detail=none, "
    "tokenize=\"ascii tokenchars ':._-'\")"
)
#: Setting of PostgreSQL: number and terms of the article that is put into the index. Its function takes them over, as
#: readers make them for a fraction of the time; by itself, it would make the same ones.
GIVEN: Final = "newscrawl.terms"
#: Pairs of characters are not marked as the headline's, as in :func:`newscrawl.serve.search.facts.text_terms`.
#: "Immutable" holds as long as whoever changes an article takes it out of the table before, and puts it in after.
MAKE_VECTOR: Final = f"""
CREATE OR REPLACE FUNCTION newscrawl_vector(number bigint) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 5000
SET search_path FROM CURRENT AS $$
DECLARE given text := current_setting('{GIVEN}', true); facts text; titled text[]; body text[];
BEGIN
    IF starts_with(given, number || ' ') THEN
        RETURN array_to_tsvector(array_remove((string_to_array(given, ' '))[2:], ''));
    END IF;
    SELECT search_facts, newscrawl_terms(headline), newscrawl_terms(article_body) INTO facts, titled, body
        FROM articles WHERE id = number;
    RETURN array_to_tsvector(string_to_array(facts, ' ') || titled
        || array(SELECT '{HEADLINE}' || one FROM unnest(titled) AS one WHERE one !~ '^[{SPACELESS}]{{2}}') || body);
END
$$"""  # noqa: S608 (our names) # nosec B608
#: First the function that :func:`newscrawl.serve.search.terms.terms` is in Python. A server without ICU folds letters
#: beyond ASCII only where the database's locale does.
_POSTGRES: Final = (
    f"""
CREATE OR REPLACE FUNCTION newscrawl_terms(given text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE line text := given; words text; letters text[];
BEGIN
    IF octet_length(line) > length(line) THEN
        line := normalize(regexp_replace(normalize(line, NFKD), '[{ACCENTS}]+', '', 'g'), NFKC);
    END IF;
    line := left(replace(replace(lower(line {{collation}}), 'ς', 'σ'), 'ß', 'ss'), {INDEXED_CHARS});
    words := regexp_replace(line, '[{SPACELESS}{SEPARATORS}]+', ' ', 'g');
    IF words ~ '[^ ]{{{WORD_CHARS + 1}}}' THEN
        words := regexp_replace(words, '([^ ]{{{WORD_CHARS}}})[^ ]+', '\\1', 'g');
    END IF;
    IF line ~ '[{SPACELESS}]' THEN
        letters := string_to_array(regexp_replace(line, '[^{SPACELESS}]+', ' ', 'g'), NULL);
        letters := array_remove(letters, ' ') || array(
            SELECT one || next FROM unnest(letters, letters[2:]) AS pair(one, next) WHERE one <> ' ' AND next <> ' ');
    END IF;
    RETURN coalesce(array_remove(string_to_array(words, ' '), ''), '{{}}') || letters;
END
$$""",  # noqa: S608 (our names) # nosec B608
    MAKE_VECTOR,
    f"CREATE TABLE {TABLE} (rowid bigint PRIMARY KEY)",
    f"CREATE INDEX ix_{TABLE} ON {TABLE} USING gin (newscrawl_vector(rowid))",
    # statistics of terms would be made of 30,000 articles each time, and say nothing that the planner needs
    f"ALTER INDEX ix_{TABLE} ALTER COLUMN 1 SET STATISTICS 0",
)
#: What PostgreSQL's index holds of an article: the words of a query must be the same.
VECTOR: Final = f"newscrawl_vector({TABLE}.rowid)"

NO_ENTRIES: Final[Mapping[str, IndexEntry]] = MappingProxyType({})

_ADD: Final = MappingProxyType(
    {
        "sqlite": f"INSERT INTO {TABLE}(rowid, terms) VALUES (?, ?)",  # noqa: S608 (our name) # nosec B608
        "postgresql": f"INSERT INTO {TABLE}(rowid) SELECT %s FROM set_config('{GIVEN}', %s, true)",  # noqa: S608 (our names) # nosec B608
    }
)
_REMOVE: Final = text(f"DELETE FROM {TABLE} WHERE rowid = ANY(:ids)")  # noqa: S608 (our name) # nosec B608

_of_row: Final = articles.c.id == article_places.c.article_id
_SIFT: Final = update(article_places).values(
    is_kept=select(articles.c.duplicate_of.is_(None)).where(_of_row).scalar_subquery()
)

_COLUMNS: Final = (
    "id", "url", "site", "source", "in_language", "authors", "date_published", "date_published_utc", "fetched_at",
    "first_fetched_at", "headline", "article_body", "confidence", "duplicate_of",
)  # fmt: skip


def create_index(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_SQLITE)
        return
    icu = connection.execute(text("SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu'")).first()
    collation = 'COLLATE "und-x-icu"' if icu else ""
    for statement in _POSTGRES:
        connection.exec_driver_sql(statement.replace("{collation}", collation))


def document(row: Mapping[Any, Any], entry: IndexEntry | None = None) -> str:
    """Return the terms of an article between spaces.

    :param row: columns ``search_facts``, ``headline`` and ``article_body``.
    :param entry: made of the page; of the row, or of a text that was corrected since.
    """
    headline, body = row["headline"], row["article_body"]
    is_made = entry is not None and entry.is_of(headline, body)
    return f"{row['search_facts']} {entry.terms if entry and is_made else text_terms(headline, body)}"


def describe(rows: Sequence[dict[str, Any]]) -> None:
    """Fill in ``search_facts`` of rows that are to be written."""
    for row in rows:
        row["search_facts"] = facts_of(row)


def add_to_index(
    connection: Connection, rows: Sequence[Mapping[Any, Any]], entries: Mapping[str, IndexEntry] = NO_ENTRIES
) -> None:
    """Index rows with ``id``, those of the columns that changed among them, as they are now.

    :param entries: URL → what was made of the page where it was read.
    """
    if not rows:
        return
    _place(connection, rows)
    dialect = connection.dialect.name
    # in the order of the numbers: an index of neighbours is smaller
    values = sorted((row["id"], document(row, entries.get(row["url"]))) for row in rows)
    if dialect == "postgresql":
        values = [(number, f"{number} {terms}") for number, terms in values]
    connection.exec_driver_sql(_ADD[dialect], values)


def _place(connection: Connection, rows: Sequence[Mapping[Any, Any]]) -> None:
    places = [
        {
            "article_id": row["id"],
            "place": place_of(row["search_facts"], row["date_published_utc"] or row["first_fetched_at"]),
            "confidence": row["confidence"],
            "is_kept": row["duplicate_of"] is None,
        }
        for row in rows
    ]
    upsert(connection, article_places, places, "article_id")


def sift_anew(connection: Connection, urls: Sequence[str]) -> None:
    """Note whether these articles, and those that repeat them, repeat others."""
    changed = select(articles.c.id).where(or_(articles.c.url.in_(urls), articles.c.duplicate_of.in_(urls)))
    connection.execute(_SIFT.where(article_places.c.article_id.in_(changed)))


def remove_from_index(connection: Connection, ids: Sequence[int]) -> None:
    """Take articles out of the index, before they change or go: SQLite's must be told what it holds."""
    if not ids:
        return
    if connection.dialect.name != "sqlite":
        connection.execute(_REMOVE, {"ids": list(ids)})
        return
    names = ("id", "search_facts", "headline", "article_body")
    held = select(*(articles.c[name] for name in names)).where(articles.c.id.in_(ids))
    rows = connection.execute(held.where(articles.c.search_facts.is_not(None))).mappings()
    values = [(row["id"], document(row)) for row in rows]
    if values:
        statement = f"INSERT INTO {TABLE}({TABLE}, rowid, terms) VALUES ('delete', ?, ?)"  # noqa: S608 (our name) # nosec B608
        connection.exec_driver_sql(statement, values)


# --- databases from before ---------------------------------------------------------------------------------

_DESCRIBE: Final = (
    update(articles).where(articles.c.id == bindparam("b_id")).values(search_facts=bindparam("search_facts"))
)


def count_unindexed(connection: Connection) -> int:
    """Return the number of articles that are not in the index."""
    query = select(func.count()).select_from(articles).where(articles.c.search_facts.is_(None))
    return connection.execute(query).scalar_one()


def build(engine: Engine) -> Generator[int, None, None]:
    """Index the articles that are not; yield how many each transaction added.

    Those fetched last come first. One that is ended goes on where it was.
    """
    missing = select(*(articles.c[name] for name in _COLUMNS)).where(articles.c.search_facts.is_(None))
    while True:
        with reported(engine), writing(engine) as connection:
            newest = missing.order_by(articles.c.id.desc()).limit(_CHUNK)
            rows = [dict(row) for row in connection.execute(newest).mappings()]
            describe(rows)
            pairs = [{"b_id": row["id"], "search_facts": row["search_facts"]} for row in rows]
            execute_many(connection, _DESCRIBE, pairs)
            add_to_index(connection, rows)
        if not rows:
            return
        yield len(rows)
