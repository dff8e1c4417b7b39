"""One statement for many rows, by the driver itself: SQLAlchemy's work for each row would be most of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection, Delete, Insert, Update
    from sqlalchemy.engine import Dialect


class _Prepared(NamedTuple):
    """A statement as the driver takes it."""

    sql: str
    parameters: tuple[tuple[str, Any, Callable[[Any], Any] | None], ...]
    """Name, value where a row has none, and what turns a value into the driver's; in the driver's order."""
    by_place: bool


def execute_many(connection: Connection, statement: Insert | Update | Delete, rows: Sequence[dict[str, Any]]) -> None:
    """Execute the statement for each row; all rows have the names of the first one.

    :param statement: built once, as what it is compiled to is kept.
    """
    if not rows:
        return
    prepared = _prepared(connection.dialect, statement, tuple(rows[0]))
    plain = [
        [process(row.get(name, own)) if process else row.get(name, own) for name, own, process in prepared.parameters]
        for row in rows
    ]
    if prepared.by_place:
        connection.exec_driver_sql(prepared.sql, [tuple(values) for values in plain])
    else:
        names = [name for name, _, _ in prepared.parameters]
        connection.exec_driver_sql(prepared.sql, [dict(zip(names, values, strict=True)) for values in plain])


@lru_cache(maxsize=256)
def _prepared(dialect: Dialect, statement: Insert | Update | Delete, names: tuple[str, ...]) -> _Prepared:
    compiled: Any = statement.compile(dialect=dialect, column_keys=list(names), for_executemany=True)
    own = compiled.params
    types = {name: bind.type for bind, name in compiled.bind_names.items()}
    order = compiled.positiontup if compiled.positional else list(own)
    return _Prepared(
        sql=compiled.string,
        parameters=tuple(
            (name, own[name], types[name].dialect_impl(dialect).bind_processor(dialect)) for name in order
        ),
        by_place=compiled.positional,
    )
