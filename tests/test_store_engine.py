from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, MetaData, Table, Text, bindparam, select, update

from newscrawl.exceptions import StorageError, UserError
from newscrawl.store import Storage, storage
from newscrawl.store.columns import Json, State, UtcTime
from newscrawl.store.engine import execute_many, make_engine, parse_url, shown_url, upsert, writing
from tests import postgres
from tests.crawling import crawl

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("database", "driver"),
    [
        ("sqlite:///news.sqlite", "sqlite"),
        ("sqlite:////data/news.sqlite", "sqlite"),
        ("postgresql+psycopg://me@host/news", "postgresql+psycopg"),
        ("postgresql://me@host/news", "postgresql+psycopg"),
    ],
)
def test_accepted(database: str, driver: str) -> None:
    assert parse_url(database).drivername == driver


@pytest.mark.parametrize(
    "database", ["news.sqlite", "sqlite://", "sqlite:///:memory:", "mysql://me@host/news", "postgresql://host", "a b"]
)
def test_refused_in_one_line_that_says_what_is_accepted(database: str) -> None:
    with pytest.raises(UserError) as refusal:
        make_engine(database)
    assert "sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_password_is_not_shown() -> None:
    assert "secret" not in shown_url(parse_url("postgresql://me:secret@host/news"))
    with pytest.raises(UserError) as refusal:
        parse_url("mysql://me:secret@host/news")
    assert "secret" not in str(refusal.value)


def test_database_out_of_reach_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^database sqlite:///.*unable to open") as refusal:
        Storage.open(f"sqlite:///{tmp_path / 'no' / 'folder' / 'news.sqlite'}")
    assert "\n" not in str(refusal.value)


def test_a_database_locked_by_another_is_waited_for_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    database = f"sqlite:///{tmp_path / 'news.sqlite'}"
    Storage.open(database).close()
    monkeypatch.setattr("newscrawl.store.engine.BUSY_SECONDS", 0.2)
    with writing(make_engine(database)):
        Storage.open(database).close()
    assert [record.getMessage() for record in caplog.records] == [f"Waiting: database {database}: database is locked"]


def test_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "news.sqlite"
    file.write_text("not a database " * 100)
    with pytest.raises(StorageError, match="not a database"):
        Storage.open(f"sqlite:///{file}")


@pytest.mark.postgres
def test_server_out_of_reach_is_one_line(postgres: str) -> None:
    with pytest.raises(StorageError, match="no_such_database") as refusal:
        Storage.open(postgres.replace("/postgres?", "/no_such_database?"))
    assert "\n" not in str(refusal.value)


@pytest.mark.postgres
def test_statements_are_not_compiled(postgres_database: str) -> None:
    """A lease from ten million rows reads a hundred, and was compiled for 0.3 s each time."""
    engine = make_engine(postgres_database)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW jit").scalar_one() == "off"
    engine.dispose()


def test_a_server_that_is_not_there_is_waited_for_and_then_given_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setattr(storage, "START_PATIENCE_SECONDS", 1.2)
    began = time.monotonic()
    with pytest.raises(StorageError, match="nobody") as refusal:
        Storage.open(f"postgresql+psycopg://nobody@/news?host={tmp_path}")
    assert time.monotonic() - began >= 1.2
    assert "\n" not in str(refusal.value)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["Waiting up to 1.2 s"]


@pytest.mark.postgres
def test_a_server_that_starts_after_the_crawl_is_used(postgres_database: str) -> None:
    """``postgres_database`` only says whether there is a server to start."""
    server = postgres.Server("-c fsync=off")
    starting = threading.Timer(1.5, server.start)
    starting.start()
    try:
        Storage.open(server.url).close()
    finally:
        starting.join()
        server.stop()
        server.remove()


@pytest.mark.slow
def test_a_crawl_without_its_server_ends_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    url = f"postgresql+psycopg://nobody@/news?host={tmp_path}"
    done = crawl(tmp_path, "crawl", "sina", settings={"NEWSCRAWL_DATABASE": url}, env={"PGCONNECT_TIMEOUT": "2"})
    assert done.status != 0
    assert "Traceback" not in done.log
    assert done.log.splitlines()[-1].startswith("scrapy crawl: database postgresql+psycopg://nobody@")


def test_values_of_each_type_go_in_together(database: str) -> None:
    """PostgreSQL gets a column as one array."""
    columns: dict[str, Any] = {
        "i": Integer,
        "x": Float,
        "b": Boolean,
        "s": Text,
        "o": LargeBinary,
        "j": Json,
        "at": UtcTime,
    }
    table = Table(
        "kinds",
        MetaData(),
        Column("id", Text, primary_key=True),
        *(Column(name, kind) for name, kind in columns.items()),
    )
    at = datetime(2024, 3, 5, 10, 20, 0, 123000, UTC)
    given = [
        ("plain", 1, 1.5, True, "text", b"bytes", ["a", {"b": 1}], at),
        ("odd", 2**31 - 1, 2, False, 'NULL {"\\, 手机}\n', b'\\\x00"\xff', {'"\\': None}, at),
        ("empty", 0, 0.0, None, "", b"", [], None),
        ("none", None, None, None, None, None, [], None),
        ("word", 3, 1e300, True, State.QUEUED, b"0", "word", at),
    ]
    rows = [dict(zip(("id", *columns), values, strict=True)) for values in given]
    engine = make_engine(database)
    table.metadata.create_all(engine)
    with writing(engine) as connection:
        upsert(connection, table, [rows[0] | {"s": "before"}, *rows], "id")
        found = {row.id: row._asdict() for row in connection.execute(select(table))}
        assert found == {row["id"]: row for row in rows}
        change = update(table).where(table.c.id == bindparam("b_id")).values(s=bindparam("s"), i=None)
        execute_many(connection, change, [{"b_id": "plain", "s": "it's"}, {"b_id": "none", "s": None}])
        changed = {row.id: (row.s, row.i) for row in connection.execute(select(table))}
        assert changed == {row["id"]: (row["s"], row["i"]) for row in rows} | {
            "plain": ("it's", None),
            "none": (None, None),
        }
    engine.dispose()
