"""Column types that SQLite and PostgreSQL share, text that both accept, and the words in columns of ``frontier``."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, DateTime, LargeBinary, String, any_, bindparam, func, literal_column, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType, TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement
    from sqlalchemy.engine import Dialect
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.types import TypeEngine

#: Lists and mappings: JSON text in SQLite, ``jsonb`` in PostgreSQL.
Json = JSON().with_variant(postgresql.JSONB(), "postgresql")

#: What may hold text. Most values of a row are numbers, times, or nothing.
_TEXTUAL = (str, list, dict)
_SURROGATES = dict.fromkeys(range(55296, 57344), "�") | {0: None}


def storable(text: str) -> str:
    """Return the text without NUL characters and with lone surrogates replaced: PostgreSQL refuses both."""
    if "\0" not in text:
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return text.translate(_SURROGATES)


def storable_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with all its text storable, nested lists and mappings included."""
    return {name: _clean(value) if isinstance(value, _TEXTUAL) else value for name, value in row.items()}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): _clean(item) for key, item in value.items()}
    return value


#: Longest URL kept whole; PostgreSQL's indexes take no more than 2,704 bytes.
MAX_URL_BYTES = 2000


def stored_url(url: str) -> str:
    """Return the URL as it stands in the database: one too long for an index is cut and marked with its hash."""
    if 4 * len(url) <= MAX_URL_BYTES:  # no character has more than four bytes
        return url
    octets = url.encode("utf-8", "replace")
    if len(octets) <= MAX_URL_BYTES:
        return url
    head = octets[: MAX_URL_BYTES - 40].decode("utf-8", "ignore")
    return f"{head}…{hashlib.blake2b(octets, digest_size=16).hexdigest()}"


_VALUE: ColumnElement[Any] = literal_column("value")


class _Among(FunctionElement[Any]):
    inherit_cache = True
    type = NullType()  # a boolean would be compared with 1 in SQLite, past every index


@compiles(_Among)
def _written(element: _Among, compiler: SQLCompiler, **options: Any) -> str:
    column, given = element.clauses
    if compiler.dialect.name == "postgresql":
        condition = column == any_(bindparam(given.key, type_=postgresql.ARRAY(column.type)))
    elif isinstance(column.type, LargeBinary):  # no JSON holds bytes
        condition = column.in_(bindparam(given.key, expanding=True))
    else:
        condition = column.in_(select(_VALUE).select_from(func.json_each(bindparam(given.key, type_=JSON()))))
    return compiler.process(condition, **options)


def among(column: Column[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that the column has one of the values of the parameter ``name``, a list.

    An array in PostgreSQL, a list as JSON in SQLite: the statement is the same for any number of values.
    """
    return _Among(column, bindparam(name))


#: An insert that may say what to do where a row is there already; SQLite's is written as PostgreSQL's.
insert_into = postgresql.insert


class UtcTime(TypeDecorator[datetime]):
    """An aware moment: ``timestamptz`` in PostgreSQL, ISO 8601 text in UTC with milliseconds in SQLite.

    The text sorts as the time does, and SQLite's own date functions read it. A time without a zone is a
    programmer's error.
    """

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(String())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        moment = value.astimezone(UTC)
        return moment if dialect.name == "postgresql" else moment.isoformat(timespec="milliseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment: datetime = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        return moment.astimezone(UTC)


#: Priorities are SQL's 64-bit integers.
MAX_PRIORITY = 2**62
#: Bytes of a request's fingerprint that are kept: no two of a trillion addresses share them.
FINGERPRINT_BYTES = 16


class State(StrEnum):
    """``frontier.state``."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"  # not answered, or answered with an error; ``scrapy frontier requeue`` asks again


class Kind(StrEnum):
    """``frontier.kind``: how often an address is worth asking for again depends on it."""

    HUB = "hub"
    FEED = "feed"
    SITEMAP = "sitemap"
    ARTICLE = "article"
