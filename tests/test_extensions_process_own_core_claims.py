"""One core for each process that asks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from newscrawl.extensions.process import OwnCore, seconds_waited
from tests.busy import busy

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2, reason="one core is all there is, or not Linux"
)

OTHER = """
import os, sys
from newscrawl.extensions.process import OwnCore
core = OwnCore.take(sys.argv[1])
print(core and core.core, sorted(os.sched_getaffinity(0)), flush=True)
"""


@pytest.fixture(autouse=True)
def allowed() -> Iterator[frozenset[int]]:
    before = frozenset(os.sched_getaffinity(0))
    yield before
    os.sched_setaffinity(0, before)


@pytest.fixture
def claims() -> str:
    return f"newscrawl-test-{os.getpid()}"


def other(claims: str, allowed: frozenset[int]) -> str:
    """Return what another process, which may run on all cores, says of its core."""
    command = [sys.executable, "-c", OTHER, claims]
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, allowed)  # handed down
    answer = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own
    os.sched_setaffinity(0, before)
    return answer.stdout.strip()


def test_all_threads_are_held_to_it_and_let_go(claims: str, allowed: frozenset[int]) -> None:
    end, started = threading.Event(), threading.Event()
    seen: list[set[int]] = []

    def look() -> None:
        started.set()
        end.wait()
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=look)
    thread.start()
    started.wait()
    core = OwnCore.take(claims)
    end.set()
    thread.join()
    assert core is not None
    assert seen == [{core.core}] == [os.sched_getaffinity(0)]
    core.release()
    assert os.sched_getaffinity(0) == allowed


def test_no_two_processes_have_the_same(claims: str, allowed: frozenset[int]) -> None:
    pair = frozenset(sorted(allowed)[:2])
    os.sched_setaffinity(0, pair)
    core = OwnCore.take(claims)
    assert core is not None
    (left,) = pair - {core.core}
    assert other(claims, pair) == f"{left} [{left}]"
    assert other(claims, pair) == f"{left} [{left}]"  # who ended holds none
    assert other(claims, frozenset({core.core})) == f"None [{core.core}]"
    core.release()


def test_where_all_are_taken_a_process_runs_on_all(claims: str, allowed: frozenset[int]) -> None:
    pair = frozenset(sorted(allowed)[:2])
    os.sched_setaffinity(0, pair)
    taken = []
    for _ in pair:  # claims are the machine's: a second one of this process counts as another's
        os.sched_setaffinity(0, pair)
        taken.append(OwnCore.take(claims))
    assert {core.core for core in taken if core} == pair
    assert other(claims, pair) == f"None {sorted(pair)}"
    for core in taken:
        assert core is not None
        core.release()


def test_the_time_waited_for_a_busy_core_grows(claims: str) -> None:
    core = OwnCore.take(claims)
    assert core is not None
    before = seconds_waited()
    with busy(core.core):
        while seconds_waited() == before:
            sum(range(100_000))
    core.release()
    assert seconds_waited() > before
