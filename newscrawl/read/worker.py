"""Main loop of a reader process: one :class:`~newscrawl.read.read.PageReader`, a page at a time, each with a limit."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle  # nosec B403 (between a crawl and processes of its own)
import resource
import signal
import threading
import traceback
from typing import TYPE_CHECKING, Final, NoReturn

from newscrawl.console.interrupts import on_interrupt

if TYPE_CHECKING:
    import socket
    from collections.abc import Collection, Iterator

    from newscrawl.read.model import Wants
    from newscrawl.read.read import PageReader

GC_THRESHOLD: Final = 10_000
"""Allocations between two garbage collections; page trees need none."""

SIZE_BYTES: Final = 8
READY: Final = b"ready"
"""Message of a reader that has loaded everything."""
BEGUN: Final = b"begun"
"""Message of a reader before each page."""


def load(wants: Wants) -> PageReader:
    """Return a reader, in a process that does nothing else. A crawl that leaves reading to others loads none of it."""
    from newscrawl.classify.lines.model import use_one_thread  # noqa: PLC0415 (as said)
    from newscrawl.read.read import PageReader  # noqa: PLC0415

    use_one_thread()
    return PageReader(wants)


def run(pages: socket.socket, answers: socket.socket, wants: Wants, cores: Collection[int], megabytes: int) -> None:
    """Read the pages that come through one socket, and send each result through the other, until the first one closes.

    An answer is a pickled reading, or an exception: ``MemoryError`` for a page that needs more than there is. The
    process may use all ``cores`` and hold so many ``megabytes``. It ignores Ctrl-C and SIGTERM: the crawl itself hears
    them, has the pages at hand read, and ends its readers.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    on_interrupt(signal.SIG_IGN)
    if cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores)
    reader = load(wants)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    limit = megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    with contextlib.suppress(OSError), pages, answers, pages.makefile("rb") as asked:  # the crawl may be killed
        answers.sendall(frame_message(READY))
        while size := asked.read(SIZE_BYTES):
            page = asked.read(int.from_bytes(size))
            answers.sendall(frame_message(BEGUN))
            answers.sendall(frame_message(_answer(reader, page)))


def _answer(reader: PageReader, page: bytes) -> bytes:
    try:
        return pickle.dumps(reader.read(pickle.loads(page)), pickle.HIGHEST_PROTOCOL)  # noqa: S301 # nosec B301 (of the crawl's)
    except MemoryError:
        return pickle.dumps(MemoryError())
    except Exception:  # noqa: BLE001 - the crawl says what it was
        return pickle.dumps(RuntimeError(traceback.format_exc()))


def frame_message(message: bytes) -> bytes:
    """Return a message as it is sent: its length in ``SIZE_BYTES`` bytes before it."""
    return len(message).to_bytes(SIZE_BYTES) + message


class PageTimeoutError(Exception):
    """A page took longer than it may."""


@contextlib.contextmanager
def page_alarm(seconds: float) -> Iterator[None]:
    """Raise ``PageTimeoutError`` in the block after so many seconds; 0, or outside the main thread: never."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_number: int, _frame: object) -> NoReturn:
    raise PageTimeoutError
