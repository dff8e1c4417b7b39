"""The storage of a crawl: opened, migrated, written to from the event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import DBAPIError

from newscrawl.exceptions import StorageError
from newscrawl.storage.engine import is_unreachable, make_engine, reported
from newscrawl.storage.migrations import migrate
from newscrawl.storage.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Self

    from sqlalchemy import Connection, Engine

    from newscrawl.storage.batch import Record
    from newscrawl.storage.records import PageRecord, Verdict

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: A server that does not answer when a crawl starts is waited for that long: both may be starting.
START_PATIENCE_SECONDS = 30.0
START_PAUSE_SECONDS = 0.5
#: Records that make a transaction, and the time after which fewer make one.
BATCH_SIZE = 200
BATCH_SECONDS = 0.2
#: Batches that may wait for the writer before pages wait for it.
MAX_WAITING_BATCHES = 4


class Storage:
    """Records go in from the event loop; a thread writes them.

    ``run_id`` is that of the crawl's row in ``runs``, None before it is there.
    """

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self.engine = engine
        self.writer = writer
        self.run_id: int | None = None
        self._room = asyncio.Semaphore(MAX_WAITING_BATCHES * writer.batch_size)

    @classmethod
    def open(
        cls,
        database: str,
        *,
        batch_size: int = BATCH_SIZE,
        seconds: float = BATCH_SECONDS,
        patience_seconds: float = START_PATIENCE_SECONDS,
    ) -> Self:
        """Open the database, bring its schema up to date, start the writer. Blocks.

        :param patience_seconds: how long a server that does not answer is waited for.
        :raises UserError: for a URL that is not accepted.
        :raises StorageError: for a database that cannot be reached or is newer than the code.
        """
        engine = make_engine(database)
        try:
            _migrate_patiently(engine, patience_seconds)
        except BaseException:
            engine.dispose()
            raise
        storage = cls(engine, Writer(engine, batch_size=batch_size, seconds=seconds))
        storage.writer.start()
        return storage

    async def submit(self, record: PageRecord) -> Verdict:
        """Store the outcome of a URL; return after the commit how it ended.

        Waits where the writer is far behind, so that pages do not pile up in memory.

        :raises StorageError: if the record, or anything, cannot be stored.
        """
        async with self._room:
            verdict: Verdict = await asyncio.wrap_future(self.writer.put(record))
        return verdict

    def note(self, record: Record) -> Future[Any]:
        """Store a small record, or the links of a page, without waiting: what came by a signal."""
        return self.writer.put(record)

    def post(self, function: Callable[[Connection], T]) -> Future[T]:
        """Have the function called in the next writing transaction, after all records before it."""
        return self.writer.put(function)

    async def read(self, function: Callable[[Connection], T]) -> T:
        """Call the function on a connection of its own, which must not write.

        :raises StorageError: if the database cannot be read now.
        """

        def call() -> T:
            with reported(self.engine), self.engine.connect() as connection:
                return function(connection)

        return await asyncio.to_thread(call)

    async def call(self, function: Callable[[Connection], T]) -> T:
        """Call the function in a writing transaction, after all records before it."""
        result: T = await asyncio.wrap_future(self.writer.put(function, hurry=True))
        return result

    async def flush(self) -> None:
        """Return when all that was handed over is committed."""
        await self.call(lambda _connection: None)

    def close(self) -> None:
        self.writer.close()
        self.engine.dispose()


def _migrate_patiently(engine: Engine, seconds: float) -> None:
    ends, is_told = time.monotonic() + seconds, False
    while True:
        try:
            migrate(engine)
        except StorageError as error:
            cause = error.__cause__
            is_away = isinstance(cause, DBAPIError) and is_unreachable(cause)
            if not is_away or time.monotonic() >= ends:
                raise
            if not is_told:
                logger.warning("Waiting up to %g s: %s", seconds, error)
                is_told = True
        else:
            return
        time.sleep(START_PAUSE_SECONDS)
