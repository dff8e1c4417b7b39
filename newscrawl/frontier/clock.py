"""The time of the database: workers on several machines agree on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sqlalchemy import func, select

if TYPE_CHECKING:
    from sqlalchemy import Connection, RootTransaction

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
