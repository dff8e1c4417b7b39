"""A limit on the time one page may take."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator


class PageTimeoutError(Exception):
    """A page took longer than it may."""


@contextmanager
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
