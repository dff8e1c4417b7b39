"""Reads a crawl's pages beside it, in processes that may hang, die or run out of memory."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Final

from pebble import CONSTS, ProcessExpired, ProcessPool

from newscrawl.exceptions import UserError
from newscrawl.interrupts import held_back
from newscrawl.outcomes import Rejection
from newscrawl.readers.worker import PageTimeoutError, begin, load, page_alarm, ready, work
from newscrawl.reading.model import Wants

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from typing import Any

    from newscrawl.reading.model import RawPage, Reading
    from newscrawl.reading.read import PageReader

logger = logging.getLogger(__name__)

AUTO: Final = "auto"
KNOWN: Final = (Wants().method, Wants().classifier)
"""What is there and learns nothing: it need not be loaded in the crawl's own process to know that."""


class UnreadableError(Exception):
    """A page cost its reader too much; ``reason`` says what."""

    def __init__(self, reason: Rejection, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


BACKLOG: Final = 6
"""Pages that every reader has before it when another one starts: a short or slow crawl needs no second."""


PATIENCE: Final = 30.0
"""What a page waits for longer than all pages before it and itself may take: then pebble has lost it. Seconds."""
KILL_SECONDS: Final = 0.1
"""A reader ignores SIGTERM: pebble kills it after so long."""
LOAD_SECONDS: Final = 5.0
"""What the end of a crawl waits for a reader that still loads: ended before, it leaves a traceback."""


@dataclass(slots=True, eq=False)
class _Reader:
    """One other process, which pebble replaces when it dies or hangs."""

    pool: ProcessPool
    loaded: Future[None]
    n_pages: int = 0  # pages that it has not answered


class Readers:
    """Reads pages in up to ``n`` other processes.

    A reader that hangs longer than ``seconds`` on a page, or dies, is replaced, and only that page is lost.
    A method that learns from a site's pages reads them all in this process: what it knows cannot be divided.

    :param n: most processes; 0: all pages are read in this one, where only Python code can be interrupted.
    :param seconds: for one page.
    :param megabytes: that a reader may hold.
    """

    def __init__(self, wants: Wants, *, n: int, seconds: float, megabytes: int) -> None:
        self.wants = wants
        self.n = n if (wants.method, wants.classifier) == KNOWN or not self.own.learns else 0
        self.seconds = seconds
        self.megabytes = megabytes
        self._cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
        self._readers: list[_Reader] = []
        self._alone = asyncio.Lock()

    @cached_property
    def own(self) -> PageReader:
        """Reads in this process. What it needs is loaded at the first use: most crawls leave reading to others.

        :raises UserError: for an unknown method, classifier or format.
        """
        return load(self.wants)

    @property
    def n_started(self) -> int:
        """Processes that were started so far."""
        return len(self._readers)

    def start(self) -> None:
        """Start a reader before there is a page: loading takes it as long as reading fifty."""
        if self.n:
            self._least_busy()

    async def read(self, page: RawPage) -> Reading:
        """Read a page.

        :raises UnreadableError: for one that takes too long or too much memory, or kills its reader.
        """
        if not self.n:
            return self._read_here(page)
        for _ in range(2):
            reader = self._least_busy()
            try:
                return await self._read_in(reader, page)
            except ProcessExpired:  # by this page or by its neighbour: pebble may charge the wrong one
                break
            except BrokenExecutor:  # it had no page, as pebble knows, and all that wait are sent back
                self._give_up(reader)
        return await self._read_alone(page)

    async def _read_alone(self, page: RawPage) -> Reading:
        """Read a page in a reader that gets no other: what ends that reader is this page."""
        async with self._alone:
            reader = self._begun()
            try:
                return await self._read_in(reader, page)
            except ProcessExpired as error:
                detail = f"its reader ended with status {error.exitcode}"
                raise UnreadableError(Rejection.READER_DIED, detail) from None
            except BrokenExecutor as error:
                raise UnreadableError(Rejection.READER_DIED, str(error)) from None
            finally:
                _end_soon(reader.pool)

    def _read_here(self, page: RawPage) -> Reading:
        try:
            with page_alarm(self.seconds):
                return self.own.read(page)
        except PageTimeoutError:
            raise self._too_slow() from None
        except MemoryError:
            raise UnreadableError(Rejection.TOO_MUCH_MEMORY, "no memory is left") from None

    async def _read_in(self, reader: _Reader, page: RawPage) -> Reading:
        reader.n_pages += 1
        longest = reader.n_pages * self.seconds + PATIENCE
        began = time.monotonic()
        try:
            future = _scheduled(reader.pool, page, self.seconds)
            async with asyncio.timeout(longest) as waiting:
                reading: Reading = await asyncio.wrap_future(future)
        except FutureTimeoutError:
            if waiting.expired():
                raise BrokenExecutor(f"its reader gave no answer for {longest:g} s") from None
            if time.monotonic() - began < self.seconds:  # pebble reads the clock on the wall, which somebody has set
                raise BrokenExecutor("the clock has jumped") from None
            raise self._too_slow() from None
        except MemoryError:
            detail = f"it needs more than {self.megabytes} MB (NEWSCRAWL_READER_MEGABYTES)"
            raise UnreadableError(Rejection.TOO_MUCH_MEMORY, detail) from None
        finally:
            reader.n_pages -= 1
        return reading

    def _too_slow(self) -> UnreadableError:
        return UnreadableError(Rejection.TOO_SLOW, f"longer than {self.seconds:g} s (NEWSCRAWL_READ_SECONDS)")

    def _least_busy(self) -> _Reader:
        """Return the reader with the fewest pages before it, a new one where all have many."""
        least = min(self._readers, key=lambda reader: reader.n_pages, default=None)
        if least is None or (least.n_pages >= BACKLOG and len(self._readers) < self.n):
            least = self._begun()
            self._readers.append(least)
        return least

    def _begun(self) -> _Reader:
        CONSTS.term_timeout = KILL_SECONDS
        pool = ProcessPool(1, initializer=begin, initargs=(self.wants, self._cores, self.megabytes), context=_Context())
        return _Reader(pool, pool.schedule(ready))

    def _give_up(self, reader: _Reader) -> None:
        """Have no page read in this process again; the next page gets another."""
        if reader in self._readers:
            self._readers.remove(reader)
            _end_soon(reader.pool)

    def close(self) -> None:
        """End the readers; blocks for a moment."""
        wait([reader.loaded for reader in self._readers], LOAD_SECONDS)
        for reader in self._readers:
            reader.pool.stop()  # type: ignore[no-untyped-call]
        for reader in self._readers:
            reader.pool.join()
        self._readers.clear()


def _scheduled(pool: ProcessPool, page: RawPage, seconds: float) -> Future[Reading]:
    """:raises BrokenExecutor: the process has ended."""
    try:
        future: Future[Reading] = pool.schedule(work, args=(page,), timeout=seconds)
    except RuntimeError as error:
        raise BrokenExecutor(str(error)) from None
    return future


def _end_soon(pool: ProcessPool) -> None:
    threading.Thread(target=_end, args=(pool,), daemon=True).start()  # it may block


def _end(pool: ProcessPool) -> None:
    with contextlib.suppress(RuntimeError, FutureTimeoutError, ProcessExpired):
        pool.schedule(ready).result(LOAD_SECONDS)  # a process that just begins leaves a traceback when it is ended
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def n_readers(value: str) -> int:
    """Return how many readers ``NEWSCRAWL_READERS`` allows: by ``auto`` one less than there are cores, from 2 to 4.

    On two cores the second reads while the crawl waits for answers. Four read more than one crawl hands out.

    :raises UserError: for what is neither ``auto`` nor a whole number from 0 on.
    """
    if value.strip().lower() == AUTO:
        n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        return min(max(n_cores - 1, 2), 4) if n_cores > 1 else 0
    try:
        n = int(value)
    except ValueError:
        n = -1
    if n < 0:
        raise UserError(f"NEWSCRAWL_READERS is {value!r}; accepted: {AUTO}, or a whole number from 0 on")
    return n


class _Process(SpawnProcess):
    """A process that does not run the main module again, which is a command, or a user's script."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 (of multiprocessing)
        with _no_main(), held_back():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    Process = _Process


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    main = sys.modules["__main__"]
    file, spec = getattr(main, "__file__", None), getattr(main, "__spec__", None)
    main.__file__, main.__spec__ = None, None
    try:
        yield
    finally:
        main.__file__, main.__spec__ = file, spec
