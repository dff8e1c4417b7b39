"""What happens to machines: a full disk, a database that is locked or killed, a clock that jumps, a standstill."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import make_url

from tests.kill.workers import LEASE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.kill.workers import Workers
    from tests.postgres import Server

AN_HOUR: Final = 3_600


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a fault of the machine may touch."""

    folder: Path
    workers: Workers
    server: Server | None
    lock_seconds: float

    @property
    def full(self) -> Path:
        return self.folder / "full"


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineFault:
    name: str
    strikes: Callable[[Machine], None]
    """Called when a quarter of the crawl is done."""
    n_workers: int = 1
    database: str = "sqlite"
    """Empty: either, and more workers, as the round has them."""
    needs_shim: bool = False
    jumps: str = ""
    ends_badly: bool = False
    """The crawl says that it cannot go on; another goes on where it was."""


def _disk_is_full(machine: Machine) -> None:
    machine.full.touch()
    try:
        machine.workers.wait_for_end()
    finally:
        machine.full.unlink()
    machine.workers.start_again()


def _database_is_locked(machine: Machine) -> None:
    path = make_url(machine.workers.database).database
    assert path is not None
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    time.sleep(machine.lock_seconds)
    connection.execute("ROLLBACK")
    connection.close()


def _server_is_killed(machine: Machine) -> None:
    assert machine.server is not None
    machine.workers.wait_for_all()
    machine.server.stop()
    time.sleep(3)
    machine.server.start()


def _one_stands_still(machine: Machine) -> None:
    machine.workers.suspend([0], LEASE_SECONDS + 2)


MACHINE_FAULTS: Final = (
    MachineFault(name="disk full", strikes=_disk_is_full, needs_shim=True, ends_badly=True),
    MachineFault(name="database locked", strikes=_database_is_locked),
    MachineFault(
        name="clock jumps an hour on and two back",
        strikes=lambda _machine: None,
        n_workers=2,
        database="",
        needs_shim=True,
        jumps=f"5:{AN_HOUR},8:{-AN_HOUR}",
    ),
    MachineFault(name="stopped beyond the lease", strikes=_one_stands_still, n_workers=2, database=""),
    MachineFault(name="PostgreSQL killed", strikes=_server_is_killed, n_workers=2, database="postgresql"),
)


def built_shim(folder: Path) -> Path | None:
    """Compile what stands between a crawl and the clock and disk; None without a compiler, or off Linux."""
    compiler = shutil.which("cc")
    target = folder / "shim.so"
    command = [compiler or "cc", "-shared", "-fPIC", "-O1", "-o", str(target), str(Path(__file__).with_name("shim.c"))]
    if compiler is None or subprocess.run([*command, "-ldl"], check=False, capture_output=True).returncode:  # noqa: S603 (our own words)
        return None
    return target
