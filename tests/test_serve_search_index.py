from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, select, text

from newscrawl.outcomes import Outcome
from newscrawl.serve.search import index as search_index
from newscrawl.serve.search.facts import indexed_facts
from newscrawl.serve.search.index import catch_up, count_unindexed
from newscrawl.serve.search.query import parse_query
from newscrawl.serve.search.search import search
from newscrawl.serve.search.tables import MAKE_VECTOR, TABLE, article_places, indexed_articles, prepare
from newscrawl.store import PageRecord
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import SCHEMA_VERSION, current_version, migrate
from newscrawl.store.schema import articles
from newscrawl.store.storage import write_batch
from tests.records import NOW, chinese, stored


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_index, "_CHUNK", 2)


def store(engine: Engine, *records: PageRecord) -> None:
    with writing(engine) as connection:
        write_batch(connection, records)


def article(number: int, said: str = "") -> PageRecord:
    return stored(f"https://e.org/{number}", chinese(number) + said)


def total(engine: Engine, query: str) -> int:
    with engine.connect() as connection:
        return search(connection, parse_query(query)).total


def test_other_programs_count_and_read_every_table(engine: Engine) -> None:
    """Such as ``sqlite-utils tables --counts`` and datasette."""
    store(engine, *(article(i) for i in range(3)))
    assert list(catch_up(engine)) == [3]
    with engine.connect() as connection:
        for table in inspect(connection).get_table_names():
            n_rows = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608 (our names)
            rows = connection.execute(text(f"SELECT * FROM {table}")).all()  # noqa: S608
            assert len(rows) == n_rows
            assert table != TABLE or n_rows == 3 or engine.dialect.name == "postgresql"


@pytest.mark.usefixtures("small_steps")
def test_changes_are_indexed_a_few_at_a_time(engine: Engine) -> None:
    store(engine, *(article(i, "手机") for i in range(5)))
    with engine.connect() as connection:
        assert count_unindexed(connection) == 5  # there is no index yet
    steps = catch_up(engine)
    assert next(steps) == 2
    steps.close()  # or killed
    assert total(engine, "手机") == 2
    store(engine, article(0, "平板"), article(4, "电脑"))
    with engine.connect() as connection:
        assert count_unindexed(connection) == 4
    assert list(catch_up(engine)) == [2, 2]
    assert {query: total(engine, query) for query in ("手机", "平板", "电脑")} == {"手机": 3, "平板": 1, "电脑": 1}
    assert list(catch_up(engine)) == []


@pytest.mark.parametrize(
    "texts",
    [("手机", "平板"), ("手机", "平板", "电脑"), ("手机", "平板", "手机", "电脑"), ("手机", "平板", "手机")],
    ids=" ".join,
)
def test_only_the_last_text_is_found_whatever_was_stored_between_two_times(
    engine: Engine, texts: tuple[str, ...]
) -> None:
    store(engine, article(1, texts[0]), article(2))
    sum(catch_up(engine))
    for one in texts[1:]:
        store(engine, article(1, one))
    sum(catch_up(engine))
    assert {one: total(engine, one) for one in texts} == dict.fromkeys(texts, 0) | {texts[-1]: 1}
    if engine.name == "sqlite":
        with writing(engine) as connection:  # all terms that were ever put in, or taken out of it, are accounted for
            connection.exec_driver_sql(f"INSERT INTO {TABLE}({TABLE}) VALUES('optimize')")
            terms = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, article_terms, 'row')"
            connection.exec_driver_sql(terms)
            known = set(connection.execute(text("SELECT term FROM temp.terms")).scalars())
        assert known.isdisjoint(set(texts[:-1]) - {texts[-1]})


@pytest.mark.usefixtures("small_steps")
def test_two_that_index_at_once_take_in_each_change_once(engine: Engine) -> None:
    store(engine, *(article(i, "手机") for i in range(30)))
    prepare(engine)
    with ThreadPoolExecutor(3) as pool:
        counts = list(pool.map(lambda _: sum(catch_up(engine)), range(3)))
    assert sum(counts) == 30
    assert total(engine, "手机") == 30
    store(engine, *(article(i, "平板") for i in range(30)))
    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(lambda _: sum(catch_up(engine)), range(3))) == 30
    assert (total(engine, "手机"), total(engine, "平板")) == (0, 30)


def test_an_article_that_is_gone_or_seen_again_is_not_indexed_anew(engine: Engine) -> None:
    store(engine, article(1, "手机"))
    sum(catch_up(engine))
    place = f"SELECT ctid::text FROM {TABLE}" if engine.name == "postgresql" else f"SELECT count(*) FROM {TABLE}_data"  # noqa: S608 (our name)
    with engine.connect() as connection:
        before = connection.execute(text(place)).all()
    store(engine, article(1, "手机"))
    assert list(catch_up(engine)) == []
    store(engine, PageRecord(url="https://e.org/1", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=NOW))
    assert list(catch_up(engine)) == [1]
    with engine.connect() as connection:
        assert connection.execute(text(place)).all() == before
        assert connection.execute(select(indexed_articles.c.change_number)).scalar_one() == 2
    assert total(engine, "手机") == 1


def test_copies_are_told_from_what_they_repeat_as_both_change(engine: Engine) -> None:
    first, copy = (stored(f"https://{host}/1", chinese(1) * 3, headline="新") for host in ("e.org", "copy.org"))
    store(engine, first, copy)
    sum(catch_up(engine))
    gone = PageRecord(url="https://e.org/1", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=NOW)
    for records, kept in (((gone,), {1: True, 2: True}), ((first,), {1: True, 2: False})):
        store(engine, *records)
        sum(catch_up(engine))
        with engine.connect() as connection:
            found = connection.execute(select(article_places.c.article_id, article_places.c.is_kept)).all()
        assert {row.article_id: row.is_kept for row in found} == kept


# --- databases from before -----------------------------------------------------------------------------------

#: A database of schema version 20 as its code made it, with two articles in the index.
VERSION_20 = Path(__file__).parent / "golden" / "schema_20.sql"


def test_a_sqlite_database_of_version_20_goes_on_and_is_searchable(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path}/news.sqlite")
    with engine.connect() as connection:
        connection.connection.executescript(VERSION_20.read_text(encoding="utf-8"))
    assert migrate(engine) == 20
    goes_on_and_is_searchable(engine)
    engine.dispose()


def goes_on_and_is_searchable(engine: Engine) -> None:
    with engine.connect() as connection:
        assert current_version(connection) == SCHEMA_VERSION
    assert list(catch_up(engine)) == []  # what was indexed is not indexed again
    assert (total(engine, "桥"), total(engine, "harbour"), total(engine, "")) == (1, 1, 2)
    with engine.connect() as connection:
        urls = connection.execute(select(articles.c.url).order_by(articles.c.id)).scalars().all()
    store(engine, stored(urls[0], chinese(7) + "平板"), article(9, "手机"))
    assert sum(catch_up(engine)) == 2
    found = {query: total(engine, query) for query in ("桥", "harbour", "平板", "手机", "")}
    assert found == {"桥": 0, "harbour": 1, "平板": 1, "手机": 1, "": 3}


@pytest.mark.postgres
def test_a_postgresql_database_of_version_20_goes_on_and_is_searchable(postgres_database: str) -> None:
    engine = make_engine(postgres_database)
    migrate(engine)
    store(engine, stored("https://e.org/1", "一座新的桥。" * 9), stored("https://e.org/2", "A new harbour opens. " * 9))
    sum(catch_up(engine))
    with writing(engine) as connection:
        facts = [(row["id"], indexed_facts(row)) for row in connection.execute(select(articles)).mappings()]
        connection.execute(text("ALTER TABLE articles ADD search_facts text"))
        for number, one in facts:
            connection.execute(
                text("UPDATE articles SET search_facts = :facts WHERE id = :id"), {"id": number, "facts": one}
            )
        for statement in OF_VERSION_20:
            connection.exec_driver_sql(statement)
    assert migrate(engine) == 20
    goes_on_and_is_searchable(engine)
    with engine.connect() as connection:
        made = "SELECT tsvector_to_array(newscrawl_vector(2))"
        assert {"harbour", "d:20240305"} <= set(connection.execute(text(made)).scalar_one())
    engine.dispose()


#: What a database of version 20 had, and what it did not have.
OF_VERSION_20 = (
    "CREATE INDEX ix_articles_unindexed ON articles (id) WHERE search_facts IS NULL",
    MAKE_VECTOR.replace("JOIN indexed_articles i ON i.article_id = a.id", "").replace("i.facts", "a.search_facts"),
    "DROP TRIGGER keep_indexed_text ON articles",
    "DROP FUNCTION newscrawl_keep_text",
    "DROP TABLE indexed_articles",
    "UPDATE schema_version SET version = 20",
)


@pytest.mark.parametrize("indexed", [True, False])
def test_articles_of_version_20_that_were_in_no_index_are_found(tmp_path: Path, *, indexed: bool) -> None:
    engine = make_engine(f"sqlite:///{tmp_path}/news.sqlite")
    script = VERSION_20.read_text(encoding="utf-8")
    with engine.connect() as connection:
        connection.connection.executescript(script)
        if not indexed:
            connection.exec_driver_sql("UPDATE articles SET search_facts = NULL WHERE id = 2")
            connection.commit()
    migrate(engine)
    assert sum(catch_up(engine)) == (0 if indexed else 2)
    assert total(engine, "harbour") == 1
    engine.dispose()


def test_numbers_rise_in_the_order_of_transactions(engine: Engine) -> None:
    for i in range(3):
        store(engine, article(i))
    with engine.connect() as connection:
        numbers = connection.execute(select(articles.c.change_number).order_by(articles.c.id)).scalars().all()
    assert all(a < b for a, b in pairwise(numbers))
