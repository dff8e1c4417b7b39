"""Fixtures that find what a test needs outside the project, or skip with the reason; in CI they are required."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, make_url

from newscrawl.store.engine import make_engine
from newscrawl.store.migrations import migrate
from tests import postgres as postgres_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

PROJECT = Path(__file__).resolve().parent.parent


def unavailable(reason: str) -> None:
    """Skip the test, or fail it where CI must not skip."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"required in CI: {reason}", pytrace=False)
    pytest.skip(reason)


def shared_folder() -> Path:
    """Return the folder with ``corpus/``, ``cases/`` and ``sites/``, there or not."""
    return Path(os.environ.get("NEWSCRAWL_SHARED", PROJECT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with ``corpus/`` and ``sites/``: ``$NEWSCRAWL_SHARED``, else ``../shared``."""
    folder = shared_folder()
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
    return new_database(postgres)


def new_database(server: str) -> str:
    name = f"t{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)


KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database, once of each kind."""
    return _empty(request, tmp_path)


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    """An engine on ``database`` with all tables of now."""
    engine = make_engine(database)
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module", params=KINDS)
def module_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """As ``database``, one for all tests of a module that use it: they only read what a fixture put there."""
    return _empty(request, tmp_path_factory.mktemp("database"))


def _empty(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'news.sqlite'}"
    server = make_url(request.getfixturevalue("postgres"))
    name = f"t{uuid.uuid4().hex}"  # a schema of its own is made, and thrown away, far sooner than a database
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'CREATE SCHEMA "{name}"')
    engine.dispose()
    return server.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)
