"""What runs in a reader process: one :class:`~newscrawl.reading.read.PageReader`, a page at a time, each for a time."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import threading
from typing import TYPE_CHECKING, Final, NoReturn

from newscrawl.interrupts import on_interrupt

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from newscrawl.reading.model import RawPage, Reading, Wants
    from newscrawl.reading.read import PageReader

GC_THRESHOLD: Final = 10_000
"""Allocations between two garbage collections; page trees need none."""

_reader: PageReader | None = None


def begin(wants: Wants, cores: Collection[int], megabytes: int) -> None:
    """Make the process a reader: on all cores, with this memory limit, ignoring Ctrl-C and SIGTERM.

    The crawl itself hears them, has the pages at hand read, and ends its readers.
    """
    global _reader  # noqa: PLW0603 (what the process is for)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    on_interrupt(signal.SIG_IGN)
    if cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores)
    _reader = load(wants)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    limit = megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def load(wants: Wants) -> PageReader:
    """Return a reader, in a process that does nothing else. A crawl that leaves reading to others loads none of it."""
    from newscrawl.network.model import use_one_thread  # noqa: PLC0415 (as said)
    from newscrawl.reading.read import PageReader  # noqa: PLC0415

    use_one_thread()
    return PageReader(wants)


def ready() -> None:
    """Do nothing: who hears of its end knows that the process has begun."""


def work(page: RawPage) -> Reading:
    """Read a page.

    :raises MemoryError: for one that needs more memory than the process may have.
    """
    if _reader is None:
        raise RuntimeError("begin() comes first")
    return _reader.read(page)


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
