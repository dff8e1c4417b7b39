"""The one thread that writes: records in, transactions out, a verdict for each record after its commit."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from newscrawl.exceptions import StorageError
from newscrawl.storage.batch import Record, write_batch
from newscrawl.storage.engine import is_of_values, is_passing, is_unreachable, one_line, shown, writing
from newscrawl.storage.records import PageRecord

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

Action = Callable[["Connection"], Any]

#: A transaction is tried so often when another one stood in its way.
TRIES = 5
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
#: A database that restarts is waited for that long.
PATIENCE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Job:
    """A record or a function of the connection, and where its answer goes."""

    work: Record | Action
    done: Future[Any]


class Writer:
    """Writes batches in a thread of its own.

    A batch is written when it has ``batch_size`` jobs, or ``seconds`` after its first one, or as soon as
    somebody flushes. A server that went away is waited for, up to ``patience_seconds``. After an error that does not
    pass (disk full, database gone) every job, waiting or to come, ends in the same StorageError; ``on_failure`` is
    called once with it, in the writer's thread.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        batch_size: int,
        seconds: float,
        on_failure: Callable[[StorageError], None] | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.engine = engine
        self.batch_size = batch_size
        self.seconds = seconds
        self.on_failure = on_failure
        self.patience_seconds = patience_seconds
        self.error: StorageError | None = None
        self.n_batches = 0
        self.n_records = 0
        self._jobs: deque[Job] = deque()
        self._wake = threading.Condition()
        self._hurry = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="newscrawl-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def __len__(self) -> int:
        return len(self._jobs)

    def put(self, work: Record | Action, *, hurry: bool = False) -> Future[Any]:
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
                    self._wake.notify()  # else the writer would wake up to wait on
        return done

    def close(self) -> None:
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while jobs := self._take():
            self._write(jobs)

    def _take(self) -> list[Job]:
        """Wait for a batch; empty when closing and nothing is left."""
        with self._wake:
            self._wake.wait_for(lambda: self._jobs or self._closing)
            until = time.monotonic() + self.seconds
            while len(self._jobs) < self.batch_size and not (self._hurry or self._closing):
                left = until - time.monotonic()
                if left <= 0 or not self._wake.wait(left):
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
            self.n_batches += 1
            self.n_records += len(jobs)
            for job, answer in zip(jobs, answers, strict=True):
                job.done.set_result(answer)

    def _tried(self, jobs: list[Job]) -> list[Any]:
        pause, tries, began = FIRST_PAUSE_SECONDS, 0, time.monotonic()
        while True:
            try:
                return self._transaction(jobs)
            except DBAPIError as error:
                away = is_unreachable(error) and time.monotonic() - began < self.patience_seconds
                tries += not away
                if not away and (tries >= TRIES or not is_passing(error)):
                    raise
                level = logging.WARNING if away else logging.INFO
                logger.log(level, "Writing again in %.1f s: %s", pause, one_line(error))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _transaction(self, jobs: list[Job]) -> list[Any]:
        """Write records in their order, then call the functions."""
        answers: dict[int, Any] = {}
        records = [(i, job.work) for i, job in enumerate(jobs) if not callable(job.work)]
        articles_change = any(isinstance(record, PageRecord) and record.may_change_articles for _, record in records)
        with writing(self.engine, alone=articles_change) as connection:
            written = write_batch(connection, [record for _, record in records])
            answers.update(zip((i for i, _ in records), written, strict=True))
            for i, job in enumerate(jobs):
                if callable(job.work):
                    answers[i] = job.work(connection)
        return [answers[i] for i in range(len(jobs))]

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
        if first and self.on_failure is not None:
            self.on_failure(error)
