"""The tables of the full-text index, and how a database gets them: FTS5 in SQLite, a GIN index in PostgreSQL.

They are the index's own. The store knows none of them: the index follows the change numbers of articles, and a trigger
keeps the text that the index holds of an article whose text changes.

The index says which article has a term, not where: with places it would be as large as the texts. Phrases, and words of
three characters and more of scripts without spaces, are looked for in the texts of the articles found. PostgreSQL's
index is of a table of article numbers alone, as a function of the number: nothing but the index takes room.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, MetaData, Table, Text, inspect, text

from newscrawl.languages.characters import MAX_MARKS, MAX_NORMALIZED, UNCHECKED, nonstarters
from newscrawl.serve.search.facts import HEADLINE
from newscrawl.serve.search.terms import ACCENTS, INDEXED_CHARS, SEPARATORS, SPACELESS, WORD_CHARS
from newscrawl.store.engine import reported, writing
from newscrawl.store.schema import RowId, metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_tables = MetaData(naming_convention=metadata.naming_convention)

article_places = Table(  # of articles in the index: what orders and sifts them, without a look at their rows
    "article_places",
    _tables,
    Column("article_id", RowId, primary_key=True, autoincrement=False),
    Column("place", BigInteger, nullable=False),  # newscrawl.serve.search.facts.place_of: the newest is highest
    Column("confidence", Float),
    Column("is_kept", Boolean),  # it repeats no other article
    Index("ix_article_places_place", "place", "is_kept", "confidence", "article_id"),
    Index(None, "confidence"),
)

indexed_articles = Table(  # what the index holds of each article: SQLite's must be told when it is to forget it
    "indexed_articles",
    _tables,
    Column("article_id", RowId, primary_key=True, autoincrement=False),
    Column("change_number", BigInteger, nullable=False),  # the article's when it was indexed
    Column("facts", Text, nullable=False),  # newscrawl.serve.search.facts.indexed_facts
    Column("headline", Text),  # as indexed, with the text
    Column("article_body", Text),  # as indexed; NULL: the article's text is still that
    Index(None, "change_number"),
)

#: Name of SQLite's index, and of PostgreSQL's table of the articles indexed; their numbers are its ``rowid``.
TABLE: Final = "article_terms"
#: Setting of PostgreSQL: number and terms of the article that is put into the index. Its function takes them over, as
#: Python makes them for a fraction of the time; by itself, it would make the same ones.
GIVEN: Final = "newscrawl.terms"
#: Pairs of characters are not marked as the headline's, as in :func:`newscrawl.serve.search.facts.text_terms`.
#: "Immutable" holds as ``indexed_articles`` keeps what was indexed.
MAKE_VECTOR: Final = f"""
CREATE OR REPLACE FUNCTION newscrawl_vector(number bigint) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 5000
SET search_path FROM CURRENT AS $$
DECLARE given text := current_setting('{GIVEN}', true); known text; titled text[]; body text[];
BEGIN
    IF starts_with(given, number || ' ') THEN
        RETURN array_to_tsvector(array_remove((string_to_array(given, ' '))[2:], ''));
    END IF;
    SELECT i.facts, newscrawl_terms(CASE WHEN i.article_body IS NULL THEN a.headline ELSE i.headline END),
            newscrawl_terms(coalesce(i.article_body, a.article_body)) INTO known, titled, body
        FROM articles a JOIN indexed_articles i ON i.article_id = a.id WHERE a.id = number;
    RETURN array_to_tsvector(string_to_array(known, ' ') || titled
        || array(SELECT '{HEADLINE}' || one FROM unnest(titled) AS one WHERE one !~ '^[{SPACELESS}]{{2}}') || body);
END
$$"""  # noqa: S608 (our names) # nosec B608


#: The function that :func:`newscrawl.serve.search.terms.terms` is in Python. A server without ICU folds letters beyond
#: ASCII only where the database's locale does.
_MAKE_TERMS: Final = f"""
CREATE OR REPLACE FUNCTION newscrawl_terms(given text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE line text := given; words text; letters text[];
BEGIN
    IF octet_length(line) > length(line) THEN
        line := regexp_replace(normalize({{bounded}}, NFKD), '[{ACCENTS}]+', '', 'g');
        line := normalize({{bounded}}, NFKC);
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
$$"""  # noqa: S608 (our names) # nosec B608
#: Sizes of rows are kept (``columnsize``), as no other program could count or page through the table without.
_MAKE_FTS5: Final = (
    f"CREATE VIRTUAL TABLE {TABLE} USING fts5(terms, content='', detail=none, tokenize=\"ascii tokenchars ':._-'\")"
)
#: What a new index is made of, beside the tables.
_MADE: Final = MappingProxyType(
    {
        "sqlite": (_MAKE_FTS5,),
        "postgresql": (
            _MAKE_TERMS,
            MAKE_VECTOR,
            f"CREATE TABLE {TABLE} (rowid bigint PRIMARY KEY)",
            f"CREATE INDEX ix_{TABLE} ON {TABLE} USING gin (newscrawl_vector(rowid))",
            # statistics of terms would be made of 30,000 articles each time, and say nothing that the planner needs
            f"ALTER INDEX ix_{TABLE} ALTER COLUMN 1 SET STATISTICS 0",
        ),
    }
)
_KEEP_TEXT: Final = """
UPDATE indexed_articles SET headline = old.headline, article_body = old.article_body
WHERE article_id = old.id AND article_body IS NULL;"""
#: What keeps the text that the index holds.
_KEPT: Final = MappingProxyType(
    {
        "sqlite": (
            f"""
CREATE TRIGGER keep_indexed_text BEFORE UPDATE OF headline, article_body ON articles
WHEN old.headline IS NOT new.headline OR old.article_body IS NOT new.article_body BEGIN {_KEEP_TEXT} END""",
        ),
        "postgresql": (
            f"""
CREATE FUNCTION newscrawl_keep_text() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN {_KEEP_TEXT} RETURN new; END $$""",
            """
CREATE TRIGGER keep_indexed_text BEFORE UPDATE OF headline, article_body ON articles FOR EACH ROW
WHEN (old.headline IS DISTINCT FROM new.headline OR old.article_body IS DISTINCT FROM new.article_body)
EXECUTE FUNCTION newscrawl_keep_text()""",
        ),
    }
)
#: What PostgreSQL's index holds of an article: the words of a query must be the same.
VECTOR: Final = f"newscrawl_vector({TABLE}.rowid)"


def has_index(connection: Connection) -> bool:
    """Tell whether the database has the tables of the index."""
    return inspect(connection).has_table(indexed_articles.name)


def prepare(engine: Engine) -> None:
    """Give the database the tables of the index, if it lacks them; take over an index of schema version 20."""
    with reported(engine), engine.connect() as connection:
        if has_index(connection):
            return
    with reported(engine), writing(engine) as connection:
        if has_index(connection):
            return
        if inspect(connection).has_table(article_places.name):
            _take_over(connection)
        else:
            _tables.create_all(connection)
            _execute(connection, *_MADE[connection.dialect.name])
        _execute(connection, *_KEPT[connection.dialect.name])


def _execute(connection: Connection, *statements: str) -> None:
    icu = connection.dialect.name == "postgresql" and connection.execute(_HAS_ICU).scalar()
    collation = 'COLLATE "und-x-icu"' if icu else ""
    for statement in statements:
        said = statement.replace("{collation}", collation)
        if "{bounded}" in said:  # what newscrawl.languages.characters.normalize makes of a long ``line`` first
            marks = nonstarters()
            cut = f"regexp_replace(left(line, {MAX_NORMALIZED}), '([{marks}]{{{MAX_MARKS}}})[{marks}]+', '\\1', 'g')"
            said = said.replace("{bounded}", f"CASE WHEN length(line) > {UNCHECKED} THEN {cut} ELSE line END")
        connection.exec_driver_sql(said)


_HAS_ICU: Final = text("SELECT EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu')")
#: Articles of which the index said nothing are found by having a higher number than all it holds.
_TAKE_OVER: Final = """
INSERT INTO indexed_articles (article_id, change_number, facts)
SELECT id, CASE WHEN EXISTS (SELECT 1 FROM articles WHERE search_facts IS NULL) THEN 0 ELSE change_number END,
    search_facts
FROM articles WHERE search_facts IS NOT NULL"""


def _take_over(connection: Connection) -> None:
    """Keep the index of a database whose articles had its facts beside them, in the column ``search_facts``."""
    indexed_articles.create(connection)
    _execute(connection, _TAKE_OVER, "DROP INDEX ix_articles_unindexed")
    if connection.dialect.name == "postgresql":  # in SQLite to drop it is to write all articles anew
        _execute(connection, MAKE_VECTOR, "ALTER TABLE articles DROP COLUMN search_facts")
