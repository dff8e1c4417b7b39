"""Databases at the version of the code: a new one is made so, an older one is led there step by step."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, inspect, select

from newscrawl.exceptions import StorageError, UserError
from newscrawl.storage import export, focused, harvests, robots, site_memory  # noqa: F401 (have tables)
from newscrawl.storage.engine import make_engine, parse_url, reported, shown, writing
from newscrawl.storage.schema import metadata, schema_version
from newscrawl.storage.steps import SCHEMA_VERSION, STEPS, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import Connection, Engine

    from newscrawl.storage.steps import Step


def current_version(connection: Connection) -> int:
    """Return the database's schema version; 0 if it has none yet."""
    if not inspect(connection).has_table(schema_version.name):
        return 0
    return connection.execute(select(func.max(schema_version.c.version))).scalar() or 0


def migrate(
    engine: Engine,
    *,
    steps: Mapping[int, Step] = STEPS,
    target: int = SCHEMA_VERSION,
) -> int:
    """Bring the database to the version of the code and return the version it had.

    One transaction for each step: a step that fails leaves the version before it.

    :raises StorageError: for a database newer than the code, or tables of the same names that are not ours.
    """
    with reported(engine):
        with writing(engine) as connection:
            found = current_version(connection)
            if found > target:
                raise StorageError(
                    f"database {shown(engine.url)} has schema version {found}, this newscrawl knows up to {target}"
                )
            if found == 0:
                _create(connection, target)
                return 0
        for version in range(found + 1, target + 1):
            _step(engine, version, steps)
    return found


def _create(connection: Connection, target: int) -> None:
    taken = set(inspect(connection).get_table_names()) & set(metadata.tables) - {schema_version.name}
    if taken:
        raise StorageError(f"database {shown(connection.engine.url)} has other tables named {', '.join(sorted(taken))}")
    metadata.create_all(connection)
    _run(connection, STEPS[7])  # storage parameters are no part of a table's columns
    _stamp(connection, target)


def _step(engine: Engine, version: int, steps: Mapping[int, Step]) -> None:
    with writing(engine) as connection:
        if current_version(connection) < version:  # another process may have been faster
            _run(connection, steps[version])
            _stamp(connection, version)


def _run(connection: Connection, step: Step) -> None:
    for statement in statements(step, connection.dialect.name):
        connection.exec_driver_sql(statement)


def _stamp(connection: Connection, version: int) -> None:
    connection.execute(schema_version.insert().values(version=version, applied_at=datetime.now(UTC)))


def is_there(database: str) -> bool:
    """Whether the SQLite file exists; a server's database is seen when it is opened.

    :raises UserError: for a URL that is not accepted.
    """
    url = parse_url(database)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


@contextmanager
def existing_database(database: str) -> Iterator[Engine]:
    """Open a database at the version of the code while inside; what the database says is a line.

    :raises UserError: for a URL that is not accepted, or a file that is not there.
    :raises StorageError: for a database that cannot be used.
    """
    if not is_there(database):
        name = parse_url(database).database
        raise UserError(f"no database {name!r}; give --database the URL of a harvest, e.g. sqlite:///FILE")
    engine = make_engine(database)
    try:
        migrate(engine)
        with reported(engine):
            yield engine
    finally:
        engine.dispose()
