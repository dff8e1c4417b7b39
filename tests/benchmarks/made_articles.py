"""Articles made from a seed, for what is measured at the size of a large harvest.

Half of them are Chinese, half English. Words come with Zipf's frequencies from two vocabularies, most Chinese words of
two characters; lengths are log-normal; days are those of ten years. :func:`fill` writes them as a crawl does, in
batches. :func:`load` writes many at a time, without looking for duplicates, and puts three paragraphs of a pool
together for each text: only so a million come in minutes. Small databases' sizes are measured with the former.
"""

from __future__ import annotations

import math
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sqlalchemy import insert, text

from newscrawl.items import Article, Author
from newscrawl.outcomes import Outcome
from newscrawl.serve.search.facts import indexed_facts, text_terms
from newscrawl.serve.search.index import add_documents, catch_up, holding_row, place_row
from newscrawl.serve.search.tables import MAKE_VECTOR, TABLE, article_places, indexed_articles, prepare
from newscrawl.serve.search.terms import term_text
from newscrawl.store import PageRecord, RecordEnd
from newscrawl.store.engine import execute_many, writing
from newscrawl.store.kept import to_signed
from newscrawl.store.records import article_row, page_row
from newscrawl.store.schema import articles, pages
from newscrawl.store.storage import write_batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Engine, Table

BATCH = 200
#: Articles that are loaded in one transaction.
CHUNK = 10_000
#: Paragraphs of each language that loaded articles are put together of.
POOL = 30_000
#: Days of the articles; each has as many.
FIRST_DAY, N_DAYS = datetime(2014, 1, 1, tzinfo=UTC), 3650
FETCHED_AT = FIRST_DAY + timedelta(days=N_DAYS + 1)
#: Median characters of a Chinese text and words of an English one, and the width of both distributions.
CHINESE_CHARS, ENGLISH_WORDS, SPREAD = 700, 420, 0.7
N_CHINESE_WORDS, N_ENGLISH_WORDS = 60_000, 80_000
SITES = [f"site{i}" for i in range(40)]
_ZIPF = 2.7
_FACTS = dict.fromkeys(("headline", "datePublished", "authors", "description"), "json-ld")


class Paragraph(NamedTuple):
    text: str
    terms: str


class Maker:
    """Makes articles; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        characters = [chr(0x4E00 + i) for i in self.random.sample(range(20_000), 4000)]
        shares = list(accumulate(1 / (rank + 8) for rank in range(len(characters))))
        lengths = self.random.choices([1, 2, 3, 4], [4, 68, 18, 10], k=N_CHINESE_WORDS)
        self.chinese = ["".join(self.random.choices(characters, cum_weights=shares, k=n)) for n in lengths]
        letters, often = "etaoinshrdlcumwfgypbvkjxqz", list(accumulate(1 / (i + 3) for i in range(26)))
        sizes = [
            min(14, 1 + int(self.random.gammavariate(4, 0.6) + math.log(i + 2) / 2)) for i in range(N_ENGLISH_WORDS)
        ]
        self.english = ["".join(self.random.choices(letters, cum_weights=often, k=n)) for n in sizes]
        self._known = {True: np.array(self.chinese, dtype=object), False: np.array(self.english, dtype=object)}

    def words(self, n: int, *, chinese: bool) -> list[str]:
        """Return words of which that of rank r is as frequent as 1 / (r + 2.7), by the inverse of its integral."""
        known = self._known[chinese]
        ranks = _ZIPF * ((len(known) + _ZIPF) / _ZIPF) ** self.numbers.random(n) - _ZIPF
        found: list[str] = known[ranks.astype(np.int64)].tolist()
        return found

    def text(self, n: int, *, chinese: bool) -> str:
        words = self.words(n, chinese=chinese)
        space, stop, pause = ("", "。\n", "，") if chinese else (" ", ".\n", ", ")
        pieces = [space] * (2 * n)
        pieces[::2] = words
        ends = np.cumsum(self.numbers.integers(4, 15, size=n // 4 + 1))
        for end, is_stop in zip(ends[ends < n].tolist(), (self.numbers.random(len(ends)) < 0.3).tolist(), strict=False):
            pieces[2 * end - 1] = stop if is_stop else pause
        pieces[-1] = stop
        return "".join(pieces)

    def length(self, *, chinese: bool) -> int:
        """Return the number of words of a text."""
        median = CHINESE_CHARS / 2.3 if chinese else ENGLISH_WORDS
        return max(20, min(8000, round(self.random.lognormvariate(math.log(median), SPREAD))))

    def paragraph(self, *, chinese: bool) -> Paragraph:
        made = self.text(max(7, self.length(chinese=chinese) // 3), chinese=chinese)
        # each term once and in order: the index takes them in half the time
        return Paragraph(made, " ".join(sorted(set(term_text(made).split()))))

    def record(self, number: int, body: str | None = None) -> PageRecord:
        """Return the record of a page; ``body``: of its article, where it is made already."""
        chinese = number % 2 == 0
        site = self.random.choice(SITES)
        published = FIRST_DAY + timedelta(seconds=self.random.random() * N_DAYS * 86400)
        url = f"https://www.{site}.example.org/{published:%Y/%m/%d}/{number:08d}-{self.random.getrandbits(40):x}.html"
        some = self.words(15, chinese=chinese)
        article = Article(
            url=url,
            canonicalUrl=url,
            headline=("" if chinese else " ").join(some[:9]),
            articleBody=self.text(self.length(chinese=chinese), chinese=chinese) if body is None else body,
            datePublished=published,
            datePublishedRaw=f"{published:%Y-%m-%d %H:%M}",
            authors=(Author(name=some[9] if chinese else " ".join(some[9:11]).title()),),
            inLanguage="zh" if chinese else "en",
            description=self.text(20, chinese=chinese) if body is None else body[:80],
            source="".join(some[9:11]) if chinese else None,
            keywords=tuple(some[11:15]),
            pages=(url,),
            fieldSources=_FACTS,
            method="news",
            confidence=0.99 - 0.7 * (number * 0.618034 % 1) ** 6,  # 6 % below 0.5, 0.4 % below 0.3
            site=site,
            fetchedAt=FETCHED_AT,
        )
        return PageRecord(
            url=url, outcome=Outcome.STORED, fetched_at=FETCHED_AT, status=200, depth=2,
            referer=f"https://www.{site}.example.org/", encoding="utf-8", n_blocks=80, n_links=120, site=site,
            article=article,
        )  # fmt: skip


def fill(engine: Engine, maker: Maker, n: int) -> None:
    """Write articles as a crawl does."""
    began = time.monotonic()
    for start in range(0, n, BATCH):
        records = [maker.record(number) for number in range(start, min(n, start + BATCH))]
        with writing(engine) as connection:
            write_batch(connection, records)
        for _ in catch_up(engine):
            pass
        if start % 20_000 == 0:
            _say(start, began)


def load(engine: Engine, maker: Maker, n: int) -> None:
    """Write articles of which none repeats another, with SimHashes at random. The database is empty."""
    began = time.monotonic()
    pool = {chinese: [maker.paragraph(chinese=chinese) for _ in range(POOL)] for chinese in (True, False)}
    like = {chinese: _like(maker.record(1 - chinese)) for chinese in (True, False)}
    prepare(engine)
    _hurry(engine)
    for start in range(0, n, CHUNK):
        made = [_made(maker, pool, like, number) for number in range(start, min(n, start + CHUNK))]
        described = [article | {"facts": indexed_facts(article)} for _, article, _ in made]
        documents = [(row["id"], f"{row['facts']} {terms}") for row, (_, _, terms) in zip(described, made, strict=True)]
        with writing(engine) as connection:
            _put(connection, pages, [page for page, _, _ in made])
            _put(connection, articles, [article for _, article, _ in made])
            _put(connection, article_places, [place_row(row) for row in described])
            _put(connection, indexed_articles, [holding_row(row) for row in described])
            add_documents(connection, documents)
            if engine.name == "postgresql":
                _put_terms(connection, documents)
        _say(start, began)
    with writing(engine) as connection:
        connection.exec_driver_sql(_BANDS)
        if connection.dialect.name == "postgresql":
            _build_index(connection)
            connection.execute(text("SELECT setval(pg_get_serial_sequence('articles', 'id'), :n)"), {"n": n})
        else:
            connection.exec_driver_sql(f"INSERT INTO {TABLE}({TABLE}, rank) VALUES ('hashsize', {2**20})")  # noqa: S608
    _say(n, began)


#: Eight keys an article, as :func:`newscrawl.dedupe.band_keys` has, in the order of the table.
_BANDS = """
INSERT INTO simhash_bands(key, article_id, simhash)
WITH RECURSIVE tables(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM tables WHERE t < 7)
SELECT t * 65536 + ((simhash >> (8 * t)) & 65535), id, simhash FROM articles, tables ORDER BY 1, 2"""


def _like(record: PageRecord) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return rows of ``pages`` and ``articles`` that others differ from in a few columns: to make each takes longer."""
    assert record.article is not None
    decided = {"revision": 1, "duplicate_of": None, "duplicate_kind": None, "gone_at": None}
    return page_row(record, RecordEnd(outcome=record.outcome)), article_row(record.article, record) | decided


def _made(
    maker: Maker,
    pool: dict[bool, list[Paragraph]],
    like: dict[bool, tuple[dict[str, Any], dict[str, Any]]],
    number: int,
) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return rows of ``pages`` and ``articles``, and the terms of the article's text."""
    chinese = number % 2 == 0
    page, row = like[chinese]
    parts = maker.random.choices(pool[chinese], k=3)
    article = maker.record(number, "".join(part.text for part in parts)).article
    assert article is not None
    mixed = f"{(number + 1) * 0x9E3779B97F4A7C15 % 2**64:016x}"
    own = {"url": article.url, "site": article.site, "content_hash": mixed + mixed[::-1]}
    row = (
        row
        | own
        | {
            "id": number + 1,
            "change_number": number + 1,
            "canonical_url": article.url,
            "url_key": article.url.partition("://www.")[2],
            "cluster_id": mixed,
            "simhash": to_signed(maker.random.getrandbits(64)),
            "headline": article.headline,
            "article_body": article.articleBody,
            "date_published": article.datePublished.isoformat() if article.datePublished else None,
            "date_published_utc": article.datePublished,
            "date_published_raw": article.datePublishedRaw,
            "authors": [{"name": author.name, "nameRaw": None, "role": None} for author in article.authors],
            "description": article.description,
            "source": article.source,
            "keywords": list(article.keywords),
            "pages": [article.url],
            "confidence": article.confidence,
        }
    )
    made = " ".join([text_terms(article.headline, ""), *(part.terms for part in parts)])
    return page | own, row, made


def _hurry(engine: Engine) -> None:
    """Give SQLite memory while it loads, as a full hash of terms is a segment of the index, and fewer are merged so.

    PostgreSQL's index is built of all articles at once, in minutes; article by article it takes hours.
    """
    if engine.name == "postgresql":
        with writing(engine) as connection:
            connection.exec_driver_sql(f"DROP INDEX ix_{TABLE}")
            connection.exec_driver_sql("CREATE UNLOGGED TABLE made_terms (id bigint PRIMARY KEY, terms text)")
    if engine.name == "sqlite":
        with writing(engine) as connection:
            connection.exec_driver_sql(f"INSERT INTO {TABLE}({TABLE}, rank) VALUES ('hashsize', {2**25})")  # noqa: S608
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA cache_size=-1000000")


def _put_terms(connection: Connection, documents: Iterable[tuple[int, str]]) -> None:
    """Keep the terms of articles until the index is built."""
    cursor: Any = connection.connection.cursor()  # psycopg's
    with cursor, cursor.copy("COPY made_terms (id, terms) FROM STDIN") as copy:
        for pair in documents:
            copy.write_row(pair)


#: Stands in for :data:`~newscrawl.serve.search.tables.MAKE_VECTOR` while the index is built: the same vectors.
_TAKE_VECTOR = """
CREATE OR REPLACE FUNCTION newscrawl_vector(number bigint) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
SELECT array_to_tsvector(array_remove(string_to_array(terms, ' '), '')) FROM made_terms WHERE id = number $$"""


def _build_index(connection: Connection) -> None:
    connection.exec_driver_sql("SET maintenance_work_mem = '2GB'")
    make = f"CREATE INDEX ix_{TABLE} ON {TABLE} USING gin (newscrawl_vector(rowid))"
    still = f"ALTER INDEX ix_{TABLE} ALTER COLUMN 1 SET STATISTICS 0"
    for statement in (_TAKE_VECTOR, make, still, MAKE_VECTOR, "DROP TABLE made_terms"):
        connection.exec_driver_sql(statement)


def _put(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if connection.dialect.name != "postgresql":
        execute_many(connection, insert(table), rows)
        return
    names = [name for name in rows[0] if name in table.c]
    dialect = connection.dialect
    processors = [table.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in names]
    columns = ", ".join(f'"{name}"' for name in names)
    cursor: Any = connection.connection.cursor()  # psycopg's
    with cursor, cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
        for values in _values(rows, names):
            copy.write_row([process(v) if process else v for process, v in zip(processors, values, strict=True)])


def _values(rows: Iterable[dict[str, Any]], names: Sequence[str]) -> Iterable[list[Any]]:
    return ([row[name] for name in names] for row in rows)


def _say(n: int, began: float) -> None:
    print(f"{n} {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)  # noqa: T201
