"""Cores of this machine: one for each worker, so that a worker's threads do not fight across two."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self

CLAIMS = "newscrawl-core"
_WAITED = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True, slots=True)
class OwnCore:
    """A core that this process is held to, and that no other worker of the machine (or container) holds."""

    core: int
    allowed: frozenset[int]  # cores of the process before
    claim: socket.socket

    @classmethod
    def take(cls, claims: str = CLAIMS) -> Self | None:
        """Hold all threads of the process, and those that they start, to a core that is free.

        :param claims: begin of the names of the claims: abstract Unix sockets, which the kernel gives up with the
            process, however that ends.

        None where the process has but one core, or the user has given it one, where the others are taken, and on
        systems other than Linux.
        """
        if sys.platform != "linux" or not _WAITED.exists():
            return None
        allowed = frozenset(os.sched_getaffinity(0))
        if len(allowed) < 2:
            return None
        # By chance: workers in containers do not see each other's claims, and would all begin with the first.
        for core in random.sample(sorted(allowed), len(allowed)):
            claim = socket.socket(socket.AF_UNIX)
            try:
                claim.bind(f"\0{claims}-{core}")
            except OSError:
                claim.close()
            else:
                _hold_threads(frozenset({core}))
                return cls(core, allowed, claim)
        return None

    def release(self) -> None:
        """Give the core up; the process may run on all it could before."""
        _hold_threads(self.allowed)
        self.claim.close()


def seconds_waited() -> float:
    """Return how long the calling thread was ready to run since its start, and its core was not free. Linux."""
    return int(_WAITED.read_text("ascii").split()[1]) / 1e9


def _hold_threads(cores: frozenset[int]) -> None:
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):  # it ended in the meantime, or its cores were taken away
            os.sched_setaffinity(int(thread), cores)
