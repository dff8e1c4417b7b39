"""From ``NEWSCRAWL_DATABASE`` to a SQLAlchemy engine; the database's time, its errors in a line, many rows at once."""

from __future__ import annotations

import json
import logging
import re
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from sqlalchemy import JSON, LargeBinary, create_engine, event, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from newscrawl.exceptions import StorageError, UserError
from newscrawl.store.columns import insert_into

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import URL, Connection, Engine, Insert, RootTransaction, Table, Update
    from sqlalchemy.engine import Dialect
    from sqlalchemy.types import TypeEngine

logger = logging.getLogger(__name__)

ACCEPTED = "sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
#: How long SQLite waits for another process's transaction before it gives up. Seconds.
BUSY_SECONDS = 30
#: PostgreSQL's advisory lock of all writers: "newscraw" as a number.
WRITER_LOCK = int.from_bytes(b"newscraw", "big")
#: SQLSTATE of serialization failure, deadlock, lock not available.
_PASSING = frozenset({"40001", "40P01", "55P03"})
#: First three characters of SQLSTATE: connection lost, server stopping or starting, too many connections.
_AWAY = frozenset({"080", "57P", "533"})
#: First two of SQLSTATE: a value is too large, for an index above all.
_TOO_LARGE = "54"
#: What a server says that will let us in later.
_NOT_NOW = (
    "starting up",
    "shutting down",
    "recovery mode",
    "too many",
    "terminating connection",
    "accepting connections",
)


def parse_url(database: str) -> URL:
    """Return the parsed URL; UserError for anything but a SQLite file or PostgreSQL by psycopg."""
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise UserError(f"NEWSCRAWL_DATABASE {database!r} is not a database URL; accepted: {ACCEPTED}") from None
    if url.drivername in {"sqlite", "sqlite+pysqlite"} and url.database not in {None, "", ":memory:"}:
        return url
    if url.drivername in {"postgresql", "postgresql+psycopg"} and url.database:
        return url.set(drivername="postgresql+psycopg")
    raise UserError(f"NEWSCRAWL_DATABASE {shown_url(url)!r} is not accepted; accepted: {ACCEPTED}")


def shown_url(url: URL) -> str:
    """Return the URL for people and logs: without its password, and as it was given where it is read only."""
    if url.database and url.database.startswith("file:"):
        url = url.set(database=unquote(url.database.removeprefix("file:")), query={})
    return url.render_as_string(hide_password=True)


def make_engine(database: str, *, read_only: bool = False) -> Engine:
    """Return an engine; nothing is opened yet.

    :param read_only: the database itself refuses what would change it.
    """
    url = parse_url(database)
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite and read_only:
        url = url.set(database=f"file:{quote(url.database or '')}").update_query_dict({"mode": "ro", "uri": "true"})
    options: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS}} if sqlite else {"pool_pre_ping": True}
    try:
        engine = create_engine(url, json_serializer=_json, **options)
    except ImportError:
        raise UserError(
            f"{shown_url(url)} needs psycopg: pip install 'newscrawl[postgresql]', or -r requirements-pg.txt"
        ) from None
    if sqlite:
        if not read_only:
            event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "connect", partial(_prepare_postgres, read_only=read_only))
    return engine


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # sqlite3 must not begin by itself: it would leave DDL out of transactions
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_postgres(connection: Any, _record: object, *, read_only: bool) -> None:
    # Compiling a statement takes 0.3 s. The planner thinks it pays: it cannot see how few rows a lease reads.
    connection.execute("SELECT set_config('jit', 'off', false)")
    # A plan made while the tables are empty is kept, and reads all rows of a crawl when they have grown.
    connection.execute("SELECT set_config('plan_cache_mode', 'force_custom_plan', false)")
    if read_only:
        connection.execute("SELECT set_config('default_transaction_read_only', 'on', false)")
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that begins by reading cannot always turn into one that writes: writers say so at once.
    writes = connection.get_execution_options().get("newscrawl_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine, *, alone: bool = True) -> Iterator[Connection]:
    """Open a writing transaction.

    :param alone: one at a time in the whole database, so that "first seen" has a meaning. SQLite knows no other.
    """
    with engine.connect().execution_options(newscrawl_writes=True) as connection, connection.begin():
        if alone:
            write_alone(connection)
        yield connection


def write_alone(connection: Connection) -> None:
    """Wait until no other transaction of the database writes articles; SQLite has but one that writes."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": WRITER_LOCK})


def is_unreachable(error: DBAPIError) -> bool:
    """Tell whether the server is gone or not yet there, and may come back; never so of SQLite."""
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return state[:3] in _AWAY
    if not type(error.orig).__module__.startswith("psycopg"):
        return False
    # without a code: no server answered, or one that refuses; only words tell these two apart
    said = str(error.orig)
    refused = "FATAL" in said and not any(words in said for words in _NOT_NOW)
    return error.connection_invalidated or (isinstance(error, OperationalError) and not refused)


def is_passing(error: DBAPIError) -> bool:
    """Tell whether another transaction stood in the way, so that the same one may succeed a moment later."""
    if getattr(error.orig, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
        return True
    return getattr(error.orig, "sqlstate", None) in _PASSING


def is_of_values(error: SQLAlchemyError) -> bool:
    """Tell whether the database refuses what is to be written; all else can be."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    return isinstance(error, DataError | IntegrityError) or state.startswith(_TOO_LARGE)


@contextmanager
def reported(engine: Engine) -> Iterator[None]:
    """Turn a database error into a StorageError of one line."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StorageError(f"database {shown_url(engine.url)}: {one_line(error)}") from error


def refuse_read_only(engine: Engine) -> None:
    """:raises StorageError: nothing can be written to the database; one that is locked for now can."""
    try:
        with writing(engine, alone=False) as connection:
            connection.execute(text("UPDATE sites SET name = name WHERE 1 = 0"))
    except SQLAlchemyError as error:
        said = f"database {shown_url(engine.url)}: {one_line(error)}"
        if re.search("read-?only", said):
            raise StorageError(said) from error
        if isinstance(error, DBAPIError) and is_passing(error):
            logger.warning("Waiting: %s", said)


def one_line(error: SQLAlchemyError) -> str:
    """Return what the database itself said, in one line."""
    origin = getattr(error, "orig", None) or error
    return " ".join(str(origin).split())[:300] or type(origin).__name__


_BEGAN: WeakKeyDictionary[RootTransaction, datetime] = WeakKeyDictionary()


def now(connection: Connection) -> datetime:
    """Return the server's time; for SQLite, that of this machine, which has the file."""
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return moment


def began(connection: Connection) -> datetime:
    """Return the time at which the transaction first asked: all that it notes has the same time."""
    transaction = connection.get_transaction()
    if transaction is None:
        return now(connection)
    if transaction not in _BEGAN:
        _BEGAN[transaction] = now(connection)
    return _BEGAN[transaction]


def upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], *keys: str) -> None:
    """Insert the rows, replacing those with the same keys (``url``, where none is named).

    Of rows with the same keys the last counts.
    """
    if rows:
        keys = keys or ("url",)
        last = {tuple(row[key] for key in keys): row for row in rows}
        execute_many(connection, _upserting(table, tuple(rows[0]), keys), list(last.values()))


@cache
def _upserting(table: Table, names: tuple[str, ...], keys: tuple[str, ...]) -> Any:
    """Return the statement: to build one takes longer than to carry it out for a few rows."""
    new = insert_into(table)
    columns = {name: new.excluded[name] for name in names if name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=columns)


class _Prepared(NamedTuple):
    """A statement as the driver takes it."""

    sql: str
    parameters: tuple[tuple[str, Any, Callable[[Any], Any] | None], ...]
    """Name, value where a row has none, and what turns a value into the driver's; in the driver's order."""
    by_column: bool  # it takes all rows at once, an array for each column


def execute_many(connection: Connection, statement: Insert | Update, rows: Sequence[dict[str, Any]]) -> None:
    """Execute the statement for each row; all rows have the names of the first one, and none meets what another wrote.

    PostgreSQL gets them in one statement: a row costs half of what a statement of its own does.

    :param statement: built once, as what it is compiled to is kept. An insert has parameters for its values alone.
    """
    if not rows:
        return
    prepared = _prepared(connection.dialect, statement, tuple(rows[0]))
    columns = [
        [process(row.get(name, own)) for row in rows] if process else [row.get(name, own) for row in rows]
        for name, own, process in prepared.parameters
    ]
    if prepared.by_column:
        names = (name for name, _, _ in prepared.parameters)
        connection.exec_driver_sql(prepared.sql, dict(zip(names, map(_array, columns), strict=True)))
    else:
        connection.exec_driver_sql(prepared.sql, list(zip(*columns, strict=True)))


@lru_cache(maxsize=256)
def _prepared(dialect: Dialect, statement: Insert | Update, names: tuple[str, ...]) -> _Prepared:
    compiled: Any = statement.compile(dialect=dialect, column_keys=list(names), for_executemany=True)
    own = compiled.params
    types = {name: bind.type for bind, name in compiled.bind_names.items()}
    by_column = dialect.name == "postgresql"
    order = list(own) if by_column else compiled.positiontup
    processors = {name: types[name].dialect_impl(dialect).bind_processor(dialect) for name in order}
    sql = compiled.string
    if by_column:
        sql = _of_arrays(sql, {name: types[name].compile(dialect) for name in order})
        processors |= {name: plain for name in order for kind, plain in _OWN.items() if isinstance(types[name], kind)}
    return _Prepared(sql, tuple((name, own[name], processors[name]) for name in order), by_column)


#: Types whose values SQLAlchemy wraps for psycopg.
_OWN: Mapping[type[TypeEngine[Any]], Callable[[Any], Any] | None] = MappingProxyType({JSON: _json, LargeBinary: None})
#: A parameter as SQLAlchemy writes it for psycopg.
_PARAMETER = re.compile(r"%\((\w+)\)s(?:::[A-Z]+(?: WITH TIME ZONE)?)?")
_VALUES = re.compile(r"VALUES \(([^()]*)\)")


def _of_arrays(sql: str, types: Mapping[str, str]) -> str:
    """Return the statement with an array of each parameter's type for the parameter."""
    arrays = ", ".join(f"%({name})s::{kind}[]" for name, kind in types.items())
    names = ", ".join(f'"{name}"' for name in types)
    given = f"FROM unnest({arrays}) AS given({names})"
    by_row = _PARAMETER.sub(r'given."\1"', sql)
    if by_row.startswith("INSERT"):
        return _VALUES.sub(lambda values: f"SELECT {values[1]} {given}", by_row, count=1)
    return by_row.replace(" WHERE ", f" {given} WHERE ", 1)


def _array(values: Iterable[Any]) -> str:
    """Return PostgreSQL's words for an array. The driver's own take three times as long."""
    return "{" + ",".join(map(_element, values)) + "}"


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    if isinstance(value, datetime):
        return f'"{value.isoformat()}"'
    if not isinstance(value, str):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
