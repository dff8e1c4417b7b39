"""Databases that crawls have filled, for those who read them: commands and reports."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawl.exceptions import UserError
from newscrawl.storage.engine import make_engine, parse_url, reported
from newscrawl.storage.migrations import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine


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
