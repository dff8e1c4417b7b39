from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, func, insert, inspect, select, text

from newscrawl.exceptions import StorageError
from newscrawl.items import BodyImage
from newscrawl.search.query import parse_query
from newscrawl.storage import migrations, search_index
from newscrawl.storage.batch import write_batch
from newscrawl.storage.engine import make_engine, writing
from newscrawl.storage.export import Selection, read_articles
from newscrawl.storage.focused import load_state, save_state
from newscrawl.storage.migrations import SCHEMA_VERSION, current_version, migrate
from newscrawl.storage.schema import metadata, pages, schema_version
from newscrawl.storage.search import search
from newscrawl.storage.search_index import TABLE, build, count_unindexed
from tests.records import chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = make_engine(database)
    yield engine
    engine.dispose()


def version(engine: Engine) -> int:
    with engine.connect() as connection:
        return current_version(connection)


def test_empty_database_gets_every_table(engine: Engine) -> None:
    assert migrate(engine) == 0
    names = set(inspect(engine).get_table_names())
    assert {name for name in names if not name.startswith(TABLE)} == set(metadata.tables)
    assert version(engine) == SCHEMA_VERSION


def test_second_time_changes_nothing(engine: Engine) -> None:
    migrate(engine)
    assert migrate(engine) == SCHEMA_VERSION
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(schema_version)).scalar() == 1


def test_broken_step_changes_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(engine)
    with writing(engine) as connection:
        for statement in (*UNSEARCHED[engine.name], *undone("images")):
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 9"))
    monkeypatch.setattr(migrations, "_BESIDES", ((10, "", "SELECT * FROM no_such_table"),))
    with pytest.raises(StorageError, match="no_such_table"):
        migrate(engine)
    assert version(engine) == 9
    assert "images" not in shape(engine)["articles"]


def test_newer_database_is_refused_in_one_line(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION + 7, applied_at=datetime.now(UTC)))
    with pytest.raises(StorageError) as refusal:
        migrate(engine)
    assert f"has schema version {SCHEMA_VERSION + 7}, this newscrawl knows up to {SCHEMA_VERSION}" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_foreign_tables_of_our_names_are_left_alone(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE pages (id INTEGER)"))
    with pytest.raises(StorageError, match="has other tables named pages"):
        migrate(engine)
    assert inspect(engine).get_table_names() == ["pages"]


def test_foreign_tables_of_other_names_do_not_matter(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE something (id INTEGER)"))
    assert migrate(engine) == 0
    with engine.connect() as connection:
        assert connection.execute(select(pages)).all() == []


def undone(*names: str) -> tuple[str, ...]:
    """Return what takes columns of articles away."""
    return tuple(f"ALTER TABLE articles DROP COLUMN {name}" for name in names)


#: What undoes the step to version 11.
UNSEARCHED = {
    "sqlite": (f"DROP TABLE {TABLE}", "DROP INDEX ix_articles_unindexed", *undone("search_facts")),
    "postgresql": (f"DROP TABLE {TABLE}", "DROP INDEX ix_articles_unindexed", *undone("search_facts")),
}
LATER_COLUMNS = undone("body_hash", "article_body_html", "article_body_markdown", "images")
#: What undoes the steps after version 2, and then that to version 2.
DROPPED = (
    "DROP TABLE focused_pages",
    "DROP TABLE focused_states",
    "DROP TABLE exports",
    "DROP TABLE harvests",
    "DROP TABLE sightings",
    "DROP TABLE site_lists",
    "DROP TABLE site_drifts",
    "DROP TABLE site_memories",
    "DROP TABLE robots",
    "DROP INDEX ix_articles_change_number",
    "ALTER TABLE articles DROP COLUMN change_number",
    "ALTER TABLE articles DROP COLUMN gone_at",
    *LATER_COLUMNS,
    "ALTER TABLE frontier DROP COLUMN n_failures",
)
FRONTIER = ("frontier", "frontier_hosts", "frontier_workers", "frontier_crawls")


def shape(engine: Engine) -> dict[str, dict[str, str]]:
    """Table → column → type."""
    found = inspect(engine)
    return {
        table: {column["name"]: str(column["type"]) for column in found.get_columns(table)}
        for table in found.get_table_names()
    }


def indexes(engine: Engine) -> set[tuple[str, str, str]]:
    """Table, name and columns of each index."""
    found = inspect(engine)
    return {
        (table, str(index["name"]), str(index.get("expressions") or index["column_names"]))
        for table in found.get_table_names()
        for index in found.get_indexes(table)
    }


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_version_1_is_led_to_the_same_tables_as_a_new_database(engine: Engine) -> None:
    migrate(engine)
    new, new_indexes = shape(engine), indexes(engine)
    with writing(engine) as connection:
        for statement in (*UNSEARCHED[engine.name], *DROPPED, *(f"DROP TABLE {name}" for name in FRONTIER)):
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 1"))
    assert migrate(engine) == 1
    assert shape(engine) == new
    assert indexes(engine) == new_indexes


def test_version_2_is_led_to_the_same_tables_as_a_new_database(engine: Engine) -> None:
    migrate(engine)
    new = shape(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://e.org/1", chinese(1)), stored("https://e.org/2", chinese(2))])
        for statement in (*UNSEARCHED[engine.name], *DROPPED, "UPDATE schema_version SET version = 2"):
            connection.execute(text(statement))
    assert migrate(engine) == 2
    assert shape(engine) == new
    with engine.connect() as connection:
        assert connection.execute(text("SELECT change_number FROM articles ORDER BY id")).scalars().all() == [1, 2]


def test_articles_from_before_version_10_have_no_pictures(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://e.org/1", chinese(1))])
        for statement in (*UNSEARCHED[engine.name], *undone("images")):
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 9"))
    assert migrate(engine) == 9
    with writing(engine) as connection:
        picture = BodyImage(url="https://e.org/a.jpg", caption="桥", position=2)
        write_batch(connection, [stored("https://e.org/2", chinese(2), images=(picture,))])
        old, new = read_articles(connection, Selection())
    assert old["images"] == []
    assert new["images"] == [{"url": "https://e.org/a.jpg", "caption": "桥", "alt": None, "position": 2}]


def test_tables_of_focused_crawls_from_before_version_6_stay(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        save_state(connection, "gold", 12, b"learnt")
        for statement in (*UNSEARCHED[engine.name], *LATER_COLUMNS):
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 5"))
    assert migrate(engine) == 5
    with engine.connect() as connection:
        assert load_state(connection, "gold") == (12, b"learnt")


@pytest.mark.postgres
def test_the_queue_is_swept_early_in_new_and_in_older_databases(postgres_database: str) -> None:
    engine = make_engine(postgres_database)
    query = text("SELECT reloptions FROM pg_class WHERE relname = 'frontier'")
    migrate(engine)
    with writing(engine) as connection:
        new = connection.execute(query).scalar_one()
        connection.execute(text("ALTER TABLE frontier RESET (autovacuum_vacuum_scale_factor)"))
        for statement in (*UNSEARCHED[engine.name], *LATER_COLUMNS):
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 6"))
    migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(query).scalar_one() == new == ["autovacuum_vacuum_scale_factor=0.02"]
    engine.dispose()


def test_articles_from_before_version_11_are_indexed_piece_by_piece(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "_CHUNK", 2)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored(f"https://e.org/{i}", chinese(i) + "手机") for i in range(5)])
        for statement in UNSEARCHED[engine.name]:
            connection.execute(text(statement))
        connection.execute(text("UPDATE schema_version SET version = 10"))
    assert migrate(engine) == 10
    with writing(engine) as connection:
        write_batch(connection, [stored("https://e.org/3", chinese(33) + "手机"), stored("https://e.org/9", "新手机")])
        assert count_unindexed(connection) == 4
        assert search(connection, parse_query("手机")).total == 2
    steps = build(engine)
    assert next(steps) == 2
    steps.close()
    assert list(build(engine)) == [2]
    with engine.connect() as connection:
        assert count_unindexed(connection) == 0
        assert search(connection, parse_query("手机")).total == 6
    assert list(build(engine)) == []


@pytest.mark.parametrize(
    ("version", "lost"), [(17, "DROP TABLE article_places"), (18, "UPDATE article_places SET is_kept = NULL")]
)
def test_articles_indexed_before_get_their_places(engine: Engine, version: int, lost: str) -> None:
    migrate(engine)
    with writing(engine) as connection:
        records = [stored(f"https://e.org/{i}", chinese(i) + "手机") for i in range(3)]
        write_batch(connection, records)
        before = connection.execute(text("SELECT * FROM article_places ORDER BY 1")).all()
        connection.execute(text(lost))
        connection.execute(text("UPDATE schema_version SET version = :version"), {"version": version})
    assert migrate(engine) == version
    with engine.connect() as connection:
        assert connection.execute(text("SELECT * FROM article_places ORDER BY 1")).all() == before
        assert search(connection, parse_query("手机")).total == len(before) == 3


@pytest.mark.postgres
def test_postgresql_articles_from_before_version_17_are_indexed_anew(postgres_database: str) -> None:
    """Their index was of the articles themselves."""
    engine = make_engine(postgres_database)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored(f"https://e.org/{i}", chinese(i) + "手机") for i in range(3)])
        connection.execute(text(f"DROP TABLE {TABLE}"))
        connection.execute(text("CREATE INDEX ix_articles_search ON articles (search_facts)"))
        connection.execute(text("UPDATE schema_version SET version = 16"))
    assert migrate(engine) == 16
    assert "ix_articles_search" not in {name for _, name, _ in indexes(engine)}
    assert list(build(engine)) == [3]
    with engine.connect() as connection:
        assert search(connection, parse_query("手机")).total == 3
    engine.dispose()


@pytest.mark.postgres
def test_that_a_visit_without_news_writes_nothing_into_the_index(postgres_database: str) -> None:
    engine = make_engine(postgres_database)
    migrate(engine)
    record = stored("https://e.org/1", chinese(1) + "手机")
    places = text(f"SELECT rowid, ctid::text FROM {TABLE}")  # noqa: S608 (our name)
    with writing(engine) as connection:
        write_batch(connection, [record])
        before = connection.execute(places).all()
        write_batch(connection, [record])
        assert connection.execute(places).all() == before == [(1, "(0,1)")]
        write_batch(connection, [stored("https://e.org/1", chinese(2) + "平板")])
        assert connection.execute(places).all() == [(1, "(0,2)")]
    engine.dispose()
