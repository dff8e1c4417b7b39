"""Other programs that keep cores busy."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOP = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
while True: pass
"""


@contextmanager
def busy(core: int, n: int = 1) -> Iterator[None]:
    """Run ``n`` endless loops on a core."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP, str(core)]) for _ in range(n)]  # noqa: S603 - our own
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
