"""Workers of one crawl, killed and started again at random moments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.frontier.membership import bury_dead
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.schema import frontier, frontier_workers
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sqlalchemy import Engine

#: A worker that was killed is missed after this time, where its neighbours cannot see that it died.
LEASE_SECONDS = 5
#: A crawl that takes longer hangs.
PATIENCE_SECONDS = 900


class Workers:
    """``n`` processes that run ``scrapy crawl`` on one database."""

    def __init__(
        self,
        database: str,
        *,
        sites: Path,
        n: int,
        log: Path,
        settings: Mapping[str, object],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.database = database
        self.log = log.open("ab")
        self.environment = {**os.environ, **(environment or {})}
        settings = {
            "NEWSCRAWL_DATABASE": database,
            "NEWSCRAWL_SITES_DIR": sites,
            "NEWSCRAWL_LEASE_SECONDS": LEASE_SECONDS,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
            "LOG_LEVEL": "WARNING",
            **settings,
        }
        options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        self.command = [sys.executable, "-m", "scrapy", "crawl", "killsite", *options]
        self.engine: Engine = make_engine(database)
        self.processes = [self._start() for _ in range(n)]
        self.failures: list[int] = []

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 (our own words)
            self.command, cwd=PROJECT, env=self.environment, stdout=self.log, stderr=self.log
        )

    def n_ended(self) -> int:
        """Return how many requests have ended; 0 where the database cannot be asked."""
        query = select(func.count()).select_from(frontier).where(frontier.c.state.in_(["done", "failed"]))
        try:
            with self.engine.connect() as connection:
                return connection.execute(query).scalar_one()
        except SQLAlchemyError:
            return 0

    def wait_for(self, n_ended: int) -> int:
        """Wait until so many requests have ended, or all workers; return how many have."""
        until = time.monotonic() + PATIENCE_SECONDS
        while (ended := self.n_ended()) < n_ended and self.n_running() and time.monotonic() < until:
            time.sleep(0.02)
        return ended

    def wait_for_all(self) -> None:
        """Wait until every process has joined the crawl, or one has ended."""
        until = time.monotonic() + PATIENCE_SECONDS
        query = select(func.count()).select_from(frontier_workers)
        while self.n_running() == len(self.processes) and time.monotonic() < until:
            with self.engine.connect() as connection:
                if connection.execute(query).scalar_one() >= len(self.processes):
                    return
            time.sleep(0.05)

    def wait_for_end(self) -> None:
        """Wait until every process has ended by itself."""
        until = time.monotonic() + PATIENCE_SECONDS
        while self.n_running() and time.monotonic() < until:
            time.sleep(0.05)

    def start_again(self) -> None:
        """Start as many processes as there were; how those before ended stays noted."""
        self.failures += [process.returncode for process in self.processes if process.poll()]
        self.processes = [self._start() for _ in self.processes]

    def n_running(self) -> int:
        return sum(process.poll() is None for process in self.processes)

    def kill(self, numbers: list[int], *, unseen: bool) -> int:
        """Kill workers with SIGKILL, and start others in their place if the crawl still runs; return how many.

        :param unseen: as if they had run on another machine: only the end of their leases tells that they died.
        """
        victims = [self.processes[number] for number in numbers if self.processes[number].poll() is None]
        for process in victims:
            process.kill()
            process.wait()
        if unseen and victims:
            self._hide(len(victims))
        for process in victims:
            if self.n_running() or len(victims) == len(self.processes):
                self.processes[self.processes.index(process)] = self._start()
            else:
                self.processes.remove(process)  # the others have finished the crawl: another would begin it anew
        return len(victims)

    def suspend(self, numbers: list[int], seconds: float) -> int:
        """Stop workers in whatever they are doing, and wake them ``seconds`` later; return how many."""
        victims = [self.processes[number] for number in numbers if self.processes[number].poll() is None]
        for process in victims:
            process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        for process in victims:
            process.send_signal(signal.SIGCONT)
        return len(victims)

    def _hide(self, _n: int) -> None:
        """Give all workers a name from elsewhere; those that live are heard of all the same."""
        with writing(self.engine, alone=False) as connection:
            connection.execute(update(frontier_workers).values(process="elsewhere 1 1"))

    def finish(self) -> None:
        """Wait until all have ended; note who ended badly or not at all."""
        until = time.monotonic() + PATIENCE_SECONDS
        for process in self.processes:
            try:
                process.wait(timeout=max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.returncode:
                self.failures.append(process.returncode)
        self._bury()

    def _bury(self) -> None:
        """Do what the next worker would: one killed when the others had left stays on the list until its lease ends."""
        until = time.monotonic() + LEASE_SECONDS + 1
        n_left = 1
        while n_left and time.monotonic() < until:
            with writing(self.engine) as connection:
                bury_dead(connection)
                n_left = connection.execute(select(func.count()).select_from(frontier_workers)).scalar_one()
            time.sleep(0.2 if n_left else 0)

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.engine.dispose()
        self.log.close()
