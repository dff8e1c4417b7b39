from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Engine, func, inspect, select, text

from newscrawl.exceptions import StorageError
from newscrawl.items import BodyImage
from newscrawl.store import migrations
from newscrawl.store.command import existing_database
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.export import Selection, read_articles
from newscrawl.store.focused import load_state, save_state
from newscrawl.store.migrations import OLDEST, SCHEMA_VERSION, current_version, migrate
from newscrawl.store.schema import metadata, pages, schema_version
from newscrawl.store.storage import write_batch
from tests.records import chinese, stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = make_engine(database)
    yield engine
    engine.dispose()


@pytest.fixture
def newer_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code whose tables are one version on."""
    monkeypatch.setattr(migrations, "SCHEMA_VERSION", SCHEMA_VERSION + 1)


def version(engine: Engine) -> int:
    with engine.connect() as connection:
        return current_version(connection)


def test_empty_database_gets_every_table(engine: Engine) -> None:
    assert migrate(engine) == 0
    assert set(inspect(engine).get_table_names()) == set(metadata.tables)
    assert version(engine) == SCHEMA_VERSION


def test_second_time_changes_nothing(engine: Engine) -> None:
    migrate(engine)
    assert migrate(engine) == SCHEMA_VERSION
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(schema_version)).scalar() == 1


@pytest.mark.usefixtures("newer_code")
def test_broken_step_changes_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(engine)
    set_back(engine, OLDEST, WITHOUT_IMAGES)
    monkeypatch.setattr(migrations, "CreateIndex", lambda *_, **__: text("SELECT * FROM no_such_table"))
    with pytest.raises(StorageError, match="no_such_table"):
        migrate(engine)
    assert version(engine) == OLDEST
    assert "images" not in shape(engine)["articles"]


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 7, OLDEST - 1, 1])
def test_newer_and_unreleased_databases_are_refused_in_one_line(engine: Engine, version: int) -> None:
    migrate(engine)
    set_back(engine, version)
    with pytest.raises(StorageError) as refusal:
        migrate(engine)
    known = f"has schema version {version}, this newscrawl knows {OLDEST} to {SCHEMA_VERSION}"
    assert known in str(refusal.value)
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


def test_a_file_of_another_program_is_not_made_a_database_by_what_reads(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/other.sqlite"
    engine = make_engine(database)
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE something (id INTEGER)"))
    with pytest.raises(StorageError, match="holds no harvest"), existing_database(database):
        pass
    assert inspect(engine).get_table_names() == ["something"]
    engine.dispose()


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


def set_back(engine: Engine, version: int, *statements: str) -> None:
    """Make a current database one of an older version."""
    with writing(engine) as connection:
        for statement in statements:
            connection.execute(text(statement))
        connection.execute(schema_version.update().values(version=version))


WITHOUT_IMAGES = "ALTER TABLE articles DROP COLUMN images"


@pytest.mark.usefixtures("newer_code")
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_an_older_database_is_led_to_the_same_tables_as_a_new_one(engine: Engine) -> None:
    migrate(engine)
    new, new_indexes = shape(engine), indexes(engine)
    with writing(engine) as connection:
        save_state(connection, "gold", 12, b"learnt")
    lost = "DROP TABLE robots", "DROP INDEX ix_articles_change_number", "ALTER TABLE articles DROP COLUMN change_number"
    told = "DROP TABLE story_marks", "DROP INDEX ix_articles_story", "ALTER TABLE articles DROP COLUMN story"
    set_back(engine, OLDEST, *lost, *told, WITHOUT_IMAGES, "ALTER TABLE frontier DROP COLUMN n_failures")
    assert migrate(engine) == OLDEST
    assert shape(engine) == new
    assert indexes(engine) == new_indexes
    with engine.connect() as connection:
        assert load_state(connection, "gold") == (12, b"learnt")


@pytest.mark.usefixtures("newer_code")
def test_articles_from_before_a_list_was_a_column_have_an_empty_one(engine: Engine) -> None:
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://e.org/1", chinese(1))])
    set_back(engine, OLDEST, WITHOUT_IMAGES)
    migrate(engine)
    with writing(engine) as connection:
        picture = BodyImage(url="https://e.org/a.jpg", caption="桥", position=2)
        write_batch(connection, [stored("https://e.org/2", chinese(2), images=(picture,))])
        old, new = read_articles(connection, Selection())
    assert old["images"] == []
    assert new["images"] == [asdict(picture)]


@pytest.mark.postgres
def test_the_queue_is_swept_early(postgres_database: str) -> None:
    engine = make_engine(postgres_database)
    migrate(engine)
    with engine.connect() as connection:
        query = text("SELECT reloptions FROM pg_class WHERE relname = 'frontier'")
        assert connection.execute(query).scalar_one() == ["autovacuum_vacuum_scale_factor=0.02"]
    engine.dispose()
