"""Reads pages outside the crawl's process, in readers that may hang, die or run out of memory.

Each reader imports this module when it starts, so that it must import nothing of a crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle  # nosec B403 (between a crawl and processes of its own)
import socket
import sys
import threading
from collections import deque
from functools import cached_property
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerContext, ForkServerProcess
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl.console.interrupts import held_back
from newscrawl.outcomes import Rejection
from newscrawl.read.model import Reading, Wants
from newscrawl.read.worker import BEGUN, READY, SIZE_BYTES, PageTimeoutError, frame_message, load, page_alarm, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.read.model import RawPage
    from newscrawl.read.read import PageReader


KNOWN: Final = (Wants().method, Wants().classifier)
"""Method and classifier that exist and learn nothing, which the crawl's process can know without loading them."""
BACKLOG: Final = 6
"""Waiting pages per reader at which another reader starts. A short or slow crawl needs no second one."""
MAX_AHEAD: Final = 100
"""Pages read ahead that wait to be asked for."""
PATIENCE: Final = 30.0
"""Longest time a reader may take to begin a page, or to load. Seconds."""
GRACE: Final = 0.1
"""Time for a busy crawl to take an answer that came late. Seconds."""
ATTEMPTS: Final = 2
"""Attempts per page. When a reader ends, another one tries the page; if that one ends too, the page is at fault."""
KILL_SECONDS: Final = 5.0
"""Time for a process to end after it has closed its side. Seconds."""
BUFFERED: Final = 2**22
"""Bytes of answers that wait to be taken from a reader."""


class UnreadableError(Exception):
    """A page cost its reader too much; ``reason`` says what."""

    def __init__(self, reason: Rejection, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class _EndedError(Exception):
    """The reader has ended. ``is_charged``: this page, or the loading, ended it."""

    def __init__(self, detail: str, *, is_charged: bool) -> None:
        super().__init__(detail)
        self.is_charged = is_charged


class Readers:
    """Reads pages in up to ``n`` other processes.

    A reader that hangs longer than ``seconds`` on a page, or dies, is replaced, and only that page is lost.
    A method that learns from a site's pages reads them all in this process, because its knowledge cannot be shared.

    :param n: most processes; 0: all pages are read in this one, where only Python code can be interrupted.
    :param seconds: for one page.
    :param megabytes: that a reader may hold.
    """

    def __init__(self, wants: Wants, *, n: int, seconds: float, megabytes: int) -> None:
        self.wants = wants
        self.n = n if (wants.method, wants.classifier) == KNOWN or not self.own.learns else 0
        self.seconds = seconds
        self.megabytes = megabytes
        self._cores = frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
        self._readers: list[_Reader] = []
        self._ahead: dict[str | None, tuple[RawPage, asyncio.Task[Reading]]] = {}

    @cached_property
    def own(self) -> PageReader:
        """Reader of this process, loaded at its first use: most crawls never need it.

        :raises UserError: for an unknown method, classifier or format.
        """
        return load(self.wants)

    def start(self) -> None:
        """Start a reader before the first page comes: loading takes as long as reading fifty pages."""
        if self.n:
            self._least_busy()

    async def read(self, page: RawPage) -> Reading:
        """Read a page.

        :raises UnreadableError: for one that takes too long or too much memory, or kills its reader.
        """
        if not self.n:
            try:
                with page_alarm(self.seconds):
                    return self.own.read(page)
            except PageTimeoutError:
                raise self._too_slow() from None
            except MemoryError:
                raise UnreadableError(Rejection.TOO_MUCH_MEMORY, "no memory is left") from None
        before, reading = self._ahead.pop(page.url, (None, None))
        return await (self._read_there(page) if reading is None or before != page else reading)

    def read_ahead(self, page: RawPage) -> None:
        """Begin to read a page that will be asked for soon; it is read again if it comes otherwise."""
        if self.n:
            reading = asyncio.ensure_future(self._read_there(page))
            reading.add_done_callback(lambda done: done.cancelled() or done.exception())  # it may never be asked for
            self._ahead[page.url] = page, reading
        while len(self._ahead) > MAX_AHEAD:
            self._ahead.pop(next(iter(self._ahead)))[1].cancel()

    async def _read_there(self, page: RawPage) -> Reading:
        n_ended = 0
        while True:
            try:
                return await self._least_busy().read(page)
            except _EndedError as error:
                n_ended += error.is_charged
                if n_ended == ATTEMPTS:
                    raise UnreadableError(Rejection.READER_DIED, str(error)) from None
            except TimeoutError:
                raise self._too_slow() from None
            except MemoryError:
                detail = f"it needs more than {self.megabytes} MB (NEWSCRAWL_READER_MEGABYTES)"
                raise UnreadableError(Rejection.TOO_MUCH_MEMORY, detail) from None

    def _too_slow(self) -> UnreadableError:
        return UnreadableError(Rejection.TOO_SLOW, f"longer than {self.seconds:g} s (NEWSCRAWL_READ_SECONDS)")

    def _least_busy(self) -> _Reader:
        """Return the reader with the fewest waiting pages, a new one if all have many."""
        self._readers = [reader for reader in self._readers if not reader.has_ended]
        least = min(self._readers, key=lambda reader: len(reader.asked), default=None)
        if least is None or (len(least.asked) >= BACKLOG and len(self._readers) < self.n):
            least = _Reader(self.seconds, (self.wants, self._cores, self.megabytes))
            self._readers.append(least)
        return least

    async def close(self) -> None:
        """End the readers. Pages that still wait are not read."""
        for _, reading in self._ahead.values():
            reading.cancel()
        for reader in self._readers:
            await reader.close()
        self._readers.clear()


class _Asked(NamedTuple):
    page: bytes
    answer: asyncio.Future[Reading]


class _Reader:
    """One other process. It reads pages in the order in which it gets them, and reports the beginning of each."""

    def __init__(self, seconds: float, arguments: tuple[Wants, frozenset[int], int]) -> None:
        self.seconds = seconds
        self.asked: deque[_Asked] = deque()  # the first is being read
        self.has_ended = False
        self._loop = asyncio.get_running_loop()
        self._is_ready = self._has_begun = False
        self._writer: asyncio.StreamWriter | None = None
        self._alarm: asyncio.TimerHandle | None = None
        to, pages = socket.socketpair()
        answers, back = socket.socketpair()  # a page that cannot be sent must not cost answers in transit
        self._process = _CONTEXT.Process(target=run, args=(pages, back, *arguments), daemon=True)
        self._task = asyncio.create_task(self._live(to, answers, (pages, back)))

    async def read(self, page: RawPage) -> Reading:
        """Read a page.

        :raises TimeoutError: it takes longer than ``seconds``.
        :raises MemoryError: it takes more memory than the process may have.
        :raises _EndedError: the process ended, by this page or before it.
        """
        asked = _Asked(pickle.dumps(page, pickle.HIGHEST_PROTOCOL), self._loop.create_future())
        self.asked.append(asked)
        if len(self.asked) == 1:
            self._wait(PATIENCE)
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(frame_message(asked.page))
        return await asked.answer

    async def _live(self, to: socket.socket, answers: socket.socket, theirs: Sequence[socket.socket]) -> None:
        """Start the process, take its answers until it ends, and fail the pages it still owes."""
        hearing: asyncio.StreamWriter | None = None
        try:
            await asyncio.to_thread(prepare)  # the first process waits for its original to be loaded
            await asyncio.to_thread(self._process.start)
            for end in theirs:
                end.close()  # else the end of the process would not be heard
            if self.has_ended:  # closed while it began
                self._kill()
            stream, hearing = await asyncio.open_unix_connection(sock=answers, limit=BUFFERED)
            _, self._writer = await asyncio.open_unix_connection(sock=to)
            for asked in self.asked:
                self._writer.write(frame_message(asked.page))
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                while not self.has_ended:  # killed: its late answers are for pages nobody waits for
                    self._take(await stream.readexactly(int.from_bytes(await stream.readexactly(SIZE_BYTES))))
        except asyncio.CancelledError:
            self._kill()
            raise
        finally:
            for end in theirs:
                end.close()
            await self._end()
            if hearing is not None:
                hearing.close()
            for end in (to, answers):
                end.close()

    def _take(self, message: bytes) -> None:
        """Take a message: all is loaded, a page is begun, or a page is read."""
        self._has_begun = message == BEGUN
        if self._has_begun:
            self._wait(self.seconds)
            return
        if message == READY:
            self._is_ready = True
            self._wait(PATIENCE)
            return
        asked = self.asked.popleft()
        self._wait(PATIENCE)
        if not asked.answer.done():  # the crawl may have given up
            found = pickle.loads(message)  # noqa: S301 # nosec B301 (of a process of its own)
            if isinstance(found, BaseException):
                asked.answer.set_exception(found)
            else:
                asked.answer.set_result(found)

    def _wait(self, seconds: float) -> None:
        """End the process if the first page gives no sign for that long."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._loop.call_later(seconds, self._overdue, GRACE) if self.asked else None

    def _overdue(self, grace: float = 0.0) -> None:
        if grace:
            self._alarm = self._loop.call_later(grace, self._overdue)
            return
        if self._has_begun:
            asked = self.asked.popleft()
            if not asked.answer.done():
                asked.answer.set_exception(TimeoutError())
            self._has_begun = False
        self._kill()

    def _kill(self) -> None:
        self.has_ended = True
        if self._process.pid is not None:
            self._process.kill()

    async def _end(self) -> None:
        self.has_ended = True
        if self._alarm is not None:
            self._alarm.cancel()
        is_charged = self._has_begun or not self._is_ready
        await asyncio.to_thread(_reap, self._process)
        detail = f"its reader ended with status {self._process.exitcode}"
        for number, asked in enumerate(self.asked):
            if not asked.answer.done():
                asked.answer.set_exception(_EndedError(detail, is_charged=is_charged and number == 0))
        self.asked.clear()
        if self._writer is not None:
            self._writer.close()

    async def close(self) -> None:
        """End the process."""
        self._kill()
        if not self._task.done():
            await asyncio.wait([self._task])


class _Process(ForkServerProcess):
    """A copy of a process that has loaded all that reading needs.

    It does not run the main module again, which may be a user's script.
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 (of multiprocessing)
        with _no_main(), held_back():
            popen = ForkServerProcess._Popen(process_obj)
        popen.terminate = popen.kill  # type: ignore[method-assign] # readers ignore SIGTERM, and Python waits at its exit
        return popen


class _Context(ForkServerContext):
    Process = _Process


_CONTEXT: Final = _Context()
_MAIN: Final = threading.Lock()
"""Two readers may start at once, each in a thread."""


def prepare() -> None:
    """Start the process that readers are copies of, and do not wait for it.

    It loads while the crawl begins, and does not compete with it for a core later.
    """
    _CONTEXT.set_forkserver_preload(["newscrawl.read.loaded"])
    resource_tracker.ensure_running()  # its start lets signals through again that are held back
    with _no_main(), held_back():
        forkserver.ensure_running()


def _reap(process: _Process) -> None:
    """Wait for the end of a process that has closed its side, or was killed."""
    if process.pid is None:
        return
    process.join(KILL_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    main = sys.modules["__main__"]
    with _MAIN:
        file, spec = getattr(main, "__file__", None), getattr(main, "__spec__", None)
        main.__file__, main.__spec__ = None, None
        try:
            yield
        finally:
            main.__file__, main.__spec__ = file, spec
