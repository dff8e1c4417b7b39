"""Ctrl-C, which reaches every process of a terminal: one of them says so, and none with a traceback.

Python raises ``KeyboardInterrupt`` in whatever line it is at. While modules load that says nothing to a user, and is
lost in a callback. So a command and its processes load with the system's own way: the process ends.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDING: Final = {signal.SIGINT, signal.SIGTERM}


def end_at_once() -> None:
    """Let Ctrl-C end this process without a word; one that was started to ignore it still does."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise ``KeyboardInterrupt`` for a while; a no-op where it does already, or is ignored."""
    is_silent = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    if is_silent:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if is_silent:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back from this thread, and from processes it starts until they call :func:`on_interrupt`.

    Who stops a service sends SIGTERM to all of its processes.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def on_interrupt(what: signal.Handlers) -> None:
    """Say what Ctrl-C does to this process from now on, one that was held back included."""
    signal.signal(signal.SIGINT, what)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
