"""The storage of a crawl: opened, migrated, written to from the event loop by one thread of its own.

Records go in, transactions out, and a verdict for each record after its commit.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from newscrawl.exceptions import StorageError
from newscrawl.store.batch import write_batch
from newscrawl.store.engine import (
    is_of_values,
    is_passing,
    is_unreachable,
    make_engine,
    one_line,
    reported,
    shown,
    writing,
)
from newscrawl.store.migrations import migrate
from newscrawl.store.records import PageRecord

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from sqlalchemy import Connection, Engine

    from newscrawl.store.batch import Record
    from newscrawl.store.records import RecordEnd

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: A server that does not answer when a crawl starts is waited for that long: both may be starting.
START_PATIENCE_SECONDS = 30.0
START_PAUSE_SECONDS = 0.5
#: Records that make a transaction, and the time after which fewer make one.
BATCH_SIZE = 200
BATCH_SECONDS = 0.2
#: A share of that time without another record ends it: at the end of a crawl, and of a slow one, none comes.
QUIET = 0.25
#: Batches that may wait to be written before pages wait for it.
MAX_WAITING_BATCHES = 4
#: A transaction is tried so often when another one stood in its way.
TRIES = 5
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
#: A database that restarts is waited for that long.
PATIENCE_SECONDS = 600.0


class Job(NamedTuple):
    """A record or a function of the connection, and where its answer goes."""

    work: Record | Callable[[Connection], Any]
    done: Future[Any]


class Storage:
    """Records go in from the event loop; a thread writes them.

    A batch is written when it has ``batch_size`` jobs, or ``seconds`` after its first one, or when no other has come
    for a quarter of that time, or as soon as somebody flushes. A server that went away is waited for. After an error
    that does not pass (disk full, database gone) every job, waiting or to come, ends in the same StorageError;
    ``on_failure`` is called once with it, in the thread that writes.

    ``run_id`` is that of the crawl's row in ``runs``, None before it is there.
    """

    def __init__(self, engine: Engine, *, batch_size: int = BATCH_SIZE, seconds: float = BATCH_SECONDS) -> None:
        self.engine = engine
        self.batch_size = batch_size
        self.seconds = seconds
        self.run_id: int | None = None
        self.on_failure: Callable[[StorageError], object] = lambda _error: None
        self.error: StorageError | None = None
        self._room = asyncio.Semaphore(MAX_WAITING_BATCHES * batch_size)
        self._jobs: deque[Job] = deque()
        self._wake = threading.Condition()
        self._hurry = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="newscrawl-writer", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, database: str, *, batch_size: int = BATCH_SIZE, seconds: float = BATCH_SECONDS) -> Self:
        """Open the database, bring its schema up to date, start the thread. Blocks.

        :raises UserError: for a URL that is not accepted.
        :raises StorageError: for a database that cannot be reached or is newer than the code.
        """
        engine = make_engine(database)
        try:
            _migrate_patiently(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, batch_size=batch_size, seconds=seconds)

    def __len__(self) -> int:
        return len(self._jobs)

    async def submit(self, record: PageRecord) -> RecordEnd:
        """Store the outcome of a URL; return after the commit how it ended.

        Waits where the thread is far behind, so that pages do not pile up in memory.

        :raises StorageError: if the record, or anything, cannot be stored.
        """
        async with self._room:
            verdict: RecordEnd = await asyncio.wrap_future(self._put(record))
        return verdict

    def note(self, record: Record) -> Future[Any]:
        """Store a small record, or the links of a page, without waiting: what came by a signal."""
        return self._put(record)

    def post(self, function: Callable[[Connection], T]) -> Future[T]:
        """Have the function called in the next writing transaction, after all records before it."""
        return self._put(function)

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
        result: T = await asyncio.wrap_future(self._put(function, hurry=True))
        return result

    async def flush(self) -> None:
        """Return when all that was handed over is committed."""
        await self.call(lambda _connection: None)

    def close(self) -> None:
        """Write what waits, end the thread, close the database."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        self.engine.dispose()

    def _put(self, work: Record | Callable[[Connection], Any], *, hurry: bool = False) -> Future[Any]:
        """Hand over a record or a function; never blocks. The future ends after the commit.

        :param hurry: write now, do not wait for the batch to fill.
        """
        done: Future[Any] = Future()
        done.set_running_or_notify_cancel()  # who waits for it may be cancelled, what is written may not
        with self._wake:
            if self.error is not None:
                done.set_exception(self.error)
            elif self._closing:
                done.set_exception(StorageError("the storage is closed"))
            else:
                self._jobs.append(Job(work, done))
                self._hurry = self._hurry or hurry
                if self._hurry or len(self._jobs) == 1 or len(self._jobs) >= self.batch_size:
                    self._wake.notify()  # else the thread would wake up to wait on
        return done

    # --- in the thread that writes -----------------------------------------------------------------------

    def _run(self) -> None:
        while jobs := self._take():
            self._write(jobs)

    def _take(self) -> list[Job]:
        """Wait for a batch; empty when closing and nothing is left."""
        with self._wake:
            self._wake.wait_for(lambda: self._jobs or self._closing)
            until, n_jobs = time.monotonic() + self.seconds, 0
            while n_jobs < len(self._jobs) < self.batch_size and not (self._hurry or self._closing):
                n_jobs = len(self._jobs)
                self._wake.wait(min(until - time.monotonic(), self.seconds * QUIET))
                if time.monotonic() >= until:
                    break
            jobs = [self._jobs.popleft() for _ in range(min(self.batch_size, len(self._jobs)))]
            self._hurry = self._hurry and bool(self._jobs)
            return jobs

    def _write(self, jobs: list[Job]) -> None:
        try:
            answers = self._tried(jobs)
        except (SQLAlchemyError, ValueError, TypeError, OverflowError) as error:
            if isinstance(error, SQLAlchemyError) and not is_of_values(error):
                self._fail(jobs, StorageError(f"database {shown(self.engine.url)}: {one_line(error)}"))
            else:
                self._isolate(jobs, error)
        else:
            for job, answer in zip(jobs, answers, strict=True):
                job.done.set_result(answer)

    def _tried(self, jobs: list[Job]) -> list[Any]:
        pause, tries, began = FIRST_PAUSE_SECONDS, 0, time.monotonic()
        while True:
            try:
                return self._transaction(jobs)
            except DBAPIError as error:
                away = is_unreachable(error) and time.monotonic() - began < PATIENCE_SECONDS
                tries += not away
                if not away and (tries >= TRIES or not is_passing(error)):
                    raise
                level = logging.WARNING if away else logging.INFO
                logger.log(level, "Writing again in %.1f s: %s", pause, one_line(error))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _transaction(self, jobs: list[Job]) -> list[Any]:
        """Write records in their order, then call the functions."""
        records = [job.work for job in jobs if not callable(job.work)]
        articles_change = any(isinstance(record, PageRecord) and record.may_change_articles for record in records)
        with writing(self.engine, alone=articles_change) as connection:
            written = iter(write_batch(connection, records))
            return [job.work(connection) if callable(job.work) else next(written) for job in jobs]

    def _isolate(self, jobs: list[Job], error: Exception) -> None:
        """Find the job that the database cannot take: it fails alone, the others are written."""
        if len(jobs) == 1:
            cause = one_line(error) if isinstance(error, SQLAlchemyError) else str(error)
            logger.error("Cannot be stored: %s", cause)  # nobody waits for small records
            jobs[0].done.set_exception(StorageError(f"cannot be stored: {cause}"))
            return
        middle = len(jobs) // 2
        self._write(jobs[:middle])
        self._write(jobs[middle:])

    def _fail(self, jobs: list[Job], error: StorageError) -> None:
        with self._wake:
            first = self.error is None
            self.error = self.error or error
            jobs = [*jobs, *self._jobs]
            self._jobs.clear()
        for job in jobs:
            job.done.set_exception(self.error)
        if first:
            self.on_failure(error)


def _migrate_patiently(engine: Engine) -> None:
    ends, is_told = time.monotonic() + START_PATIENCE_SECONDS, False
    while True:
        try:
            migrate(engine)
        except StorageError as error:
            cause = error.__cause__
            is_away = isinstance(cause, DBAPIError) and is_unreachable(cause)
            if not is_away or time.monotonic() >= ends:
                raise
            if not is_told:
                logger.warning("Waiting up to %g s: %s", START_PATIENCE_SECONDS, error)
                is_told = True
        else:
            return
        time.sleep(START_PAUSE_SECONDS)
