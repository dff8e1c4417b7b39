"""The name of a worker's process. Other workers on the machine see by it at once that the process has died."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path


def this_process() -> str:
    """Return ``machine pid start``; ``start`` is empty where the system does not tell."""
    pid = os.getpid()
    return f"{_machine()} {pid} {_start(pid)}"


def is_dead(process: str) -> bool:
    """Tell whether the process ran on this machine and has ended; False where that cannot be known."""
    machine, pid, start = process.rsplit(" ", 2)
    if machine != _machine():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return bool(start) and _start(int(pid)) not in ("", start)


def seconds_alive() -> float:
    """Return how long this process has run; 0.0 where the system does not tell."""
    start = _start(os.getpid())
    if not start.isdigit():
        return 0.0
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - int(start) / os.sysconf("SC_CLK_TCK"))


def _machine() -> str:
    """Return the host's name, a mark of this boot, and one of this container's process numbers."""
    return f"{socket.gethostname()}/{_read('/proc/sys/kernel/random/boot_id')[:8]}/{_namespace()}"


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return ""


def _start(pid: int) -> str:
    """Return the clock ticks from boot to the process's start. Process numbers come again; the two together do not."""
    after_name = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(after_name) < 20 or after_name[0] == "Z":
        return "ended" if after_name else ""
    return after_name[19]


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
