"""What commands that ask the database share: its option, and opening it at the version of the code."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from newscrawl.console.command import QuietCommand
from newscrawl.exceptions import UserError
from newscrawl.store.engine import make_engine, parse_url, reported
from newscrawl.store.migrations import is_there, migrate, refuse_other_files

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine


class DatabaseCommand(QuietCommand):
    """A command that asks the database."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--database", metavar="URL", help="another database than NEWSCRAWL_DATABASE")

    def database_url(self, opts: argparse.Namespace) -> str:
        """Return the URL of ``--database``, else of the setting."""
        database = self.project_settings["NEWSCRAWL_DATABASE"] if opts.database is None else opts.database
        if not database:
            raise UserError("no database: give --database URL or set NEWSCRAWL_DATABASE")
        return str(database)

    def database(self, opts: argparse.Namespace) -> AbstractContextManager[Engine]:
        """Return what opens the database in its ``with`` block; it has to be there."""
        return existing_database(self.database_url(opts))


@contextmanager
def existing_database(database: str) -> Iterator[Engine]:
    """Open a database at the version of the code while inside; what the database says is a line.

    :raises UserError: for a URL that is not accepted, or a file that is not there.
    :raises StorageError: for a database that cannot be used.
    """
    if not is_there(database):
        name = parse_url(database).database
        raise UserError(
            f"no database {name!r}; go to the folder of the harvest, or give --database URL, e.g. sqlite:///FILE"
        )
    refuse_other_files(database)
    engine = make_engine(database)
    try:
        migrate(engine)
        with reported(engine):
            yield engine
    finally:
        engine.dispose()
