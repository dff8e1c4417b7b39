"""The storage of a crawl: opened and migrated at its start, then written to by a thread of its own.

The event loop hands over records (page outcomes, articles, blocks, links), a batch per transaction. The outcome of each
record comes after its commit.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sqlalchemy import bindparam, delete, insert, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from newscrawl.exceptions import StorageError
from newscrawl.outcomes import Outcome
from newscrawl.store.articles import mark_gone, touch_articles, write_articles
from newscrawl.store.columns import stored_url
from newscrawl.store.engine import (
    execute_many,
    is_of_values,
    is_passing,
    is_unreachable,
    make_engine,
    one_line,
    refuse_read_only,
    reported,
    shown_url,
    upsert,
    writing,
)
from newscrawl.store.migrations import migrate
from newscrawl.store.records import (
    LinkRecord,
    PageRecord,
    RecordEnd,
    SideRecord,
    block_rows,
    link_row,
    page_row,
)
from newscrawl.store.schema import blocks, links, pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from sqlalchemy import Connection, Engine


T = TypeVar("T")

logger = logging.getLogger(__name__)

#: Wait for a server that does not answer at the start of a crawl: both may be starting.
START_PATIENCE_SECONDS = 30.0
START_PAUSE_SECONDS = 0.5
#: Records of a transaction, and the time after which fewer make one.
BATCH_SIZE = 200
BATCH_SECONDS = 0.5
#: Share of that time without another record that ends a transaction early, as in slow crawls.
QUIET = 0.2
#: Waiting batches from which pages must wait.
MAX_WAITING_BATCHES = 4
#: Attempts of a transaction that others lock out.
TRIES = 5
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
#: Wait for a database that restarts.
PATIENCE_SECONDS = 600.0


class Job(NamedTuple):
    """A record, or a function of the connection, with the future of its answer."""

    work: Record | Callable[[Connection], Any]
    done: Future[Any]


class Storage:
    """Records go in from the event loop; a thread writes them.

    A batch is written when it has ``batch_size`` jobs, ``seconds`` after its first one, after a fifth of that time
    without another job, or on a flush. A server that went away is waited for. After an error that lasts (disk full,
    database gone) all jobs, waiting or to come, end in the same StorageError; the writing thread calls ``on_failure``
    once with it.

    ``run_id`` is the id of the crawl's row in ``runs``, None before it exists.
    """

    def __init__(self, engine: Engine, *, batch_size: int = BATCH_SIZE, seconds: float = BATCH_SECONDS) -> None:
        self.engine = engine
        self.batch_size = batch_size
        self.seconds = seconds
        self.run_id: int | None = None
        self.is_prompt = False  # whether each page is written by itself: what it resembles depends on no clock
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
        :raises StorageError: for a database that cannot be reached or written to, or is newer than the code.
        """
        engine = make_engine(database)
        try:
            _migrate_patiently(engine)
            refuse_read_only(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, batch_size=batch_size, seconds=seconds)

    def __len__(self) -> int:
        return len(self._jobs)

    async def submit(self, record: PageRecord) -> RecordEnd:
        """Store the outcome of a URL; return its verdict after the commit.

        Waits if the thread is far behind, so that pages do not pile up in memory.

        :raises StorageError: if the record, or anything, cannot be stored.
        """
        async with self._room:
            verdict: RecordEnd = await asyncio.wrap_future(self.post(record, hurry=self.is_prompt))
        return verdict

    def post(self, work: Record | Callable[[Connection], Any], *, hurry: bool = False) -> Future[Any]:
        """Hand over a record, or a function to call in the writing transaction after all records before it.

        Never blocks. The future ends after the commit.

        :param hurry: write now instead of waiting for the batch to fill.
        """
        done: Future[Any] = Future()
        done.set_running_or_notify_cancel()  # the waiter may be cancelled, the write may not
        with self._wake:
            if self.error is not None:
                done.set_exception(self.error)
            elif self._closing:
                done.set_exception(StorageError("the storage is closed"))
            else:
                self._jobs.append(Job(work, done))
                self._hurry = self._hurry or hurry
                if self._hurry or len(self._jobs) == 1 or len(self._jobs) >= self.batch_size:
                    self._wake.notify()  # otherwise the thread would wake up only to wait
        return done

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
        result: T = await asyncio.wrap_future(self.post(function, hurry=True))
        return result

    async def flush(self) -> None:
        """Wait until everything handed over is committed."""
        await self.call(lambda _connection: None)

    def close(self) -> None:
        """Write waiting jobs, end the thread, close the database."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        self.engine.dispose()

    # --- in the thread that writes -----------------------------------------------------------------------

    def _run(self) -> None:
        while jobs := self._take():
            self._write(jobs)

    def _take(self) -> list[Job]:
        """Wait for a batch; empty on closing without jobs left."""
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
                self._fail(jobs, StorageError(f"database {shown_url(self.engine.url)}: {one_line(error)}"))
            else:
                self._isolate(jobs, error)
        except Exception as error:
            logger.exception("A mistake of the program")  # waiters would wait for ever
            self._fail(jobs, StorageError(f"cannot be stored: {error}"))
        else:
            for job, answer in zip(jobs, answers, strict=True):
                job.done.set_result(answer)

    def _tried(self, jobs: list[Job]) -> list[Any]:
        """Write records, then call the functions, in one transaction; repeat it where others stood in its way."""
        records = [job.work for job in jobs if not callable(job.work)]
        found = [record for record in records if isinstance(record, PageRecord)]
        articles_change = any(record.article is not None or record.is_gone for record in found)
        pause, tries, began = FIRST_PAUSE_SECONDS, 0, time.monotonic()
        while True:
            try:
                with writing(self.engine, alone=articles_change) as connection:
                    written = iter(write_batch(connection, records))
                    return [job.work(connection) if callable(job.work) else next(written) for job in jobs]
            except DBAPIError as error:
                away = is_unreachable(error) and time.monotonic() - began < PATIENCE_SECONDS
                tries += not away
                if not away and (tries >= TRIES or not is_passing(error)):
                    raise
                # SQLite has waited half a minute for it; a server tells of two that met
                level = logging.WARNING if away or self.engine.dialect.name == "sqlite" else logging.INFO
                logger.log(level, "Writing again in %.1f s: %s", pause, one_line(error))
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _isolate(self, jobs: list[Job], error: Exception) -> None:
        """Fail only the job that the database refuses, and write the others."""
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


#: Links come with those of their page.
Record = PageRecord | SideRecord | tuple[LinkRecord, ...]


def write_batch(connection: Connection, records: Sequence[Record]) -> list[Any]:
    """Write the records in their order; return a verdict for each page record, None for links.

    Side records come last: those that go ``also`` with pages, then those of their own, kind by kind. Their answers are
    those of ``write_all``. The later record of a URL decides.
    """
    page_records = [part for record in records if isinstance(record, PageRecord) for part in (*record.parts, record)]
    verdicts = [verdict for part in _parts(page_records) for verdict in _write_pages(connection, part)]
    upsert(connection, links, [link_row(link) for record in records if isinstance(record, tuple) for link in record])
    pairs = zip(page_records, verdicts, strict=True)
    _write_sides(connection, [side.judged(*pair) for pair in pairs for side in pair[0].also])
    answers = _write_sides(connection, [record for record in records if isinstance(record, SideRecord)])
    waiting = {id(record): answer for record, answer in zip(page_records, verdicts, strict=True)} | answers
    return [waiting.get(id(record)) for record in records]


def _write_sides(connection: Connection, sides: Sequence[SideRecord]) -> dict[int, Any]:
    """Write side records kind by kind; return id of the record → its answer."""
    kinds: dict[type[SideRecord], list[SideRecord]] = {}
    for side in sides:
        kinds.setdefault(type(side), []).append(side)
    return {
        id(side): answer
        for kind, members in sorted(kinds.items(), key=lambda pair: pair[0].rank)
        for side, answer in zip(members, kind.write_all(connection, members), strict=True)
    }


def _parts(records: list[PageRecord]) -> Iterator[list[PageRecord]]:
    """Cut the records before a URL that comes again."""
    part: list[PageRecord] = []
    seen: set[str] = set()
    for record in records:
        urls = {record.url, record.article.url if record.article else record.url}
        if seen & urls:
            yield part
            part, seen = [], set()
        part.append(record)
        seen |= urls
    if part:
        yield part


_VISITED: Final = (
    update(pages)
    .where(pages.c.url == bindparam("b_url"))
    .values(fetched_at=bindparam("fetched_at"), run_id=bindparam("run_id"))
)


def _write_pages(connection: Connection, records: list[PageRecord]) -> list[RecordEnd]:
    # an article that is now a part must not be the whole's original
    mark_gone(connection, [record for record in records if record.outcome is Outcome.PART])
    judged = write_articles(connection, records)
    verdicts = [judged.get(record.url) or RecordEnd(outcome=record.outcome) for record in records]
    ended = [pair for pair in zip(records, verdicts, strict=True) if not pair[0].is_unchanged]
    upsert(connection, pages, [page_row(*pair) for pair in ended])
    # an unchanged page keeps its row; only the time is new
    unchanged = [record for record in records if record.is_unchanged]
    if unchanged:
        rows = [{"b_url": stored_url(r.url), "fetched_at": r.fetched_at, "run_id": r.run_id} for r in unchanged]
        execute_many(connection, _VISITED, rows)
        touch_articles(connection, unchanged)
    mark_gone(connection, [record for record in records if record.is_gone and record.outcome is not Outcome.PART])
    with_blocks = [record for record in records if record.blocks]
    if with_blocks:
        urls = [stored_url(record.url) for record in with_blocks]
        connection.execute(delete(blocks).where(blocks.c.page_url.in_(urls)))
        connection.execute(insert(blocks), [row for record in with_blocks for row in block_rows(record)])
    return verdicts
