from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import StorageError, UserError
from newscrawl.storage import Storage
from newscrawl.storage.engine import make_engine, parse_url, shown

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
    assert "secret" not in shown(parse_url("postgresql://me:secret@host/news"))
    with pytest.raises(UserError) as refusal:
        parse_url("mysql://me:secret@host/news")
    assert "secret" not in str(refusal.value)


def test_database_out_of_reach_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^database sqlite:///.*unable to open") as refusal:
        Storage.open(f"sqlite:///{tmp_path / 'no' / 'folder' / 'news.sqlite'}")
    assert "\n" not in str(refusal.value)


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
