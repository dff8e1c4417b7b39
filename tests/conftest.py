"""Fixtures that find what a test needs outside the project, or skip with the reason; in CI they are required."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, make_url

from tests import postgres as postgres_server

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parent.parent


def unavailable(reason: str) -> None:
    """Skip the test, or fail it where CI must not skip."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"required in CI: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with ``corpus/`` and ``sites/``: ``$NEWSCRAWL_SHARED``, else ``../shared``."""
    folder = Path(os.environ.get("NEWSCRAWL_SHARED", PROJECT.parent / "shared"))
    if not (folder / "corpus").is_dir():
        unavailable(f"no labelled pages in {folder}")
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of the database ``postgres`` of a running PostgreSQL server."""
    reason = postgres_server.missing()
    if reason:
        unavailable(reason)
    with postgres_server.server() as url:
        yield url


@pytest.fixture
def postgres_database(postgres: str) -> str:
    """URL of an empty PostgreSQL database."""
    name = f"t{uuid.uuid4().hex}"
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
    engine.dispose()
    return make_url(postgres).set(database=name).render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'news.sqlite'}"
    url: str = request.getfixturevalue("postgres_database")
    return url
