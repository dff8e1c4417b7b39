"""Databases at the version of the code: a new one is made so, an older one gets what it lacks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, inspect, select
from sqlalchemy.schema import CreateIndex

from newscrawl.exceptions import StorageError
from newscrawl.store import coverage, export, focused, harvests, site_memory  # noqa: F401 (have tables)
from newscrawl.store.engine import make_engine, parse_url, reported, shown_url, writing
from newscrawl.store.schema import metadata, schema_version

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


#: Version of the tables that the code knows, one more with each change of theirs. A step from one to the next adds what
#: is missing: tables, columns and indexes as they are in :mod:`newscrawl.store.schema`.
SCHEMA_VERSION: Final = 28
#: Databases from before are of no version that was ever released.
OLDEST: Final = 20
#: Each request leaves two dead rows at the head of the queue. Every lease reads over them until PostgreSQL sweeps them
#: out: by its own rule when they are a fifth of the table.
_SWEEP_EARLY: Final = "ALTER TABLE frontier SET (autovacuum_vacuum_scale_factor = 0.02)"


def current_version(connection: Connection) -> int:
    """Return the database's schema version; 0 if it has none yet."""
    if not inspect(connection).has_table(schema_version.name):
        return 0
    return connection.execute(select(func.max(schema_version.c.version))).scalar() or 0


def migrate(engine: Engine) -> int:
    """Bring the database to the version of the code, in one transaction, and return the version it had.

    :raises StorageError: for a database newer than the code, or too old, or tables of the same names that are not ours.
    """
    with reported(engine), engine.connect() as connection:
        found = current_version(connection)
    if found == SCHEMA_VERSION:  # told without writing: the database may be read-only
        return found
    with reported(engine), writing(engine) as connection:
        found = current_version(connection)
        if found and not OLDEST <= found <= SCHEMA_VERSION:
            known = f"schema version {found}, this newscrawl knows {OLDEST} to {SCHEMA_VERSION}"
            raise StorageError(f"database {shown_url(engine.url)} has {known}")
        if found == SCHEMA_VERSION:
            return found
        if found:
            _update(connection)
        else:
            _create(connection)
        connection.execute(schema_version.insert().values(version=SCHEMA_VERSION, applied_at=datetime.now(UTC)))
    return found


def _create(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names()) & set(metadata.tables) - {schema_version.name}
    if there:
        names = ", ".join(sorted(there))
        raise StorageError(f"database {shown_url(connection.engine.url)} has other tables named {names}")
    metadata.create_all(connection)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_SWEEP_EARLY)


def _update(connection: Connection) -> None:
    """Add the tables, columns (without foreign keys of theirs) and indexes that are not there."""
    inspector = inspect(connection)
    compiler = connection.dialect.ddl_compiler(connection.dialect, None)  # type: ignore[arg-type]
    for name in sorted(set(inspector.get_table_names()) & set(metadata.tables) - {schema_version.name}):
        table, known = metadata.tables[name], {column["name"] for column in inspector.get_columns(name)}
        for column in table.columns:
            if column.name not in known:
                default = "" if column.nullable else " DEFAULT '[]'"  # only lists are never NULL
                added = compiler.get_column_specification(column) + default
                connection.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN {added}")
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))
    metadata.create_all(connection)


def is_there(database: str) -> bool:
    """Whether the SQLite file exists; a server's database is seen when it is opened.

    :raises UserError: for a URL that is not accepted.
    """
    url = parse_url(database)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


def refuse_other_files(database: str) -> None:
    """Refuse a SQLite file without a harvest, maybe another program's: what only reads makes no database of it.

    :raises StorageError: it is one.
    """
    if parse_url(database).get_backend_name() != "sqlite":
        return
    engine = make_engine(database, read_only=True)
    with reported(engine), engine.connect() as connection:
        found = current_version(connection)
    engine.dispose()
    if not found:
        raise StorageError(f"database {shown_url(engine.url)} holds no harvest; harvest first, or give --database URL")
