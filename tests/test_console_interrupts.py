from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from newscrawl.console.interrupts import end_at_once, held_back, interruptible

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTS = "import signal, sys; print('starts', flush=True); sys.stdin.readline(); "
LISTENS = "from newscrawl.console.interrupts import on_interrupt; on_interrupt(signal.{what}); print('goes on')"


@pytest.fixture
def handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_only_while_a_command_runs_an_interrupt_is_an_exception() -> None:
    end_at_once()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL


@pytest.mark.usefixtures("handler")
def test_what_was_started_to_ignore_it_does() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_at_once()
    with interruptible():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.parametrize(("what", "status", "said"), [("SIG_DFL", -signal.SIGINT, ""), ("SIG_IGN", 0, "goes on\n")])
def test_a_process_that_still_loads_hears_it_later(what: str, status: int, said: str) -> None:
    with held_back():
        code = STARTS + LISTENS.format(what=what)
        pipe = subprocess.PIPE
        child = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, text=True)  # noqa: S603
    assert child.stdout is not None
    assert child.stdout.readline() == "starts\n"
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate("\n", timeout=60)
    assert (child.returncode, out, errors) == (status, said, "")
