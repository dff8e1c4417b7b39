"""Runs the harvests that are due, each as a ``scrapy crawl`` of its own, a few side by side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newscrawl.console.files import open_log
from newscrawl.extensions.alerts import Alerts
from newscrawl.store.engine import writing
from newscrawl.store.harvests import claim, end_harvest, run_of
from newscrawl.store.runs import RunState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Engine

    from newscrawl.sites.schedule import Harvest
    from newscrawl.store.harvests import HarvestRun

#: What a crawl that is to stop may take to store what it has, before it is killed. Seconds.
GRACE_SECONDS = 90
_POLL_SECONDS = 0.5
#: Finish reasons of a crawl that did what it was asked to.
GOOD_REASONS = frozenset({"finished", "limit", "asked_to_stop"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How one harvest of a tick ended."""

    name: str
    site: str
    status: str
    """The run's finish reason; ``not due`` or ``running`` when it was not begun; ``failed`` when its crawl ended
    with an error or got no usable answer, ``killed`` without an end, ``time_limit`` when it was stopped."""
    seconds: float = 0.0
    run_id: int | None = None
    exit_status: int | None = None
    log: str | None = None

    @property
    def ran(self) -> bool:
        return self.status not in {"not due", "running"}

    @property
    def failed(self) -> bool:
        return self.ran and self.status not in GOOD_REASONS


class Harvester:
    """Starts crawls, stops them at their limit of time or when asked to, records how they ended.

    A crawl begins in the tick's own folder: relative names, that of a SQLite file above all, mean the same to both.

    :param engine: the database of schedule and crawls.
    :param given: settings of the tick's own command line, handed on.
    """

    def __init__(self, engine: Engine, *, logs: Path, given: Mapping[str, str], alerts: Alerts | None = None) -> None:
        self.engine = engine
        self.alerts = alerts or Alerts()
        self.logs = logs
        self.given = given
        self.stopping = threading.Event()

    def run(self, harvests: Sequence[Harvest], *, jobs: int) -> list[Result]:
        """Run what is due, ``jobs`` at a time; the order of the answer is that of the schedule."""
        with ThreadPoolExecutor(max_workers=jobs) as pool:
            return list(pool.map(self.harvest, harvests))

    def harvest(self, harvest: Harvest) -> Result:
        if self.stopping.is_set():
            return Result(name=harvest.name, site=harvest.site, status="not due")
        now = datetime.now(UTC)
        started = now.replace(microsecond=now.microsecond // 1000 * 1000)  # as a database keeps it
        with writing(self.engine) as connection:
            refusal = claim(connection, harvest, started)
        if refusal is not None:
            return Result(name=harvest.name, site=harvest.site, status=refusal)
        status = "failed"
        try:
            exit_status, why, log = self._crawl(harvest)
            with self.engine.connect() as connection:
                run = run_of(connection, harvest.name, started)
            status = why or _status(exit_status, run)
        finally:
            with writing(self.engine) as connection:
                end_harvest(connection, harvest.name, started, status=status, now=datetime.now(UTC))
        result = Result(
            name=harvest.name,
            site=harvest.site,
            status=status,
            seconds=(datetime.now(UTC) - started).total_seconds(),
            run_id=run.id if run else None,
            exit_status=exit_status,
            log=str(log),
        )
        if result.failed and not (run and run.finish_reason) and not self.stopping.is_set():
            # the crawl did not come to telling anyone
            self.alerts.send({"event": "harvest_failed", "why": status, "log_tail": _tail(log), **asdict(result)})
        return result

    def _crawl(self, harvest: Harvest) -> tuple[int, str | None, Path]:
        """Run the crawl to its end; return its exit status and, if it was stopped, why."""
        log = self.logs / f"{harvest.name}.log"
        # a database URL may hold a password, which a command line would show to everyone
        environment = os.environ | {"NEWSCRAWL_DATABASE": self.engine.url.render_as_string(hide_password=False)}
        with (
            open_log(self.logs, harvest.name) as output,
            subprocess.Popen(  # noqa: S603 (no shell; words of the user's own schedule) # nosec B603
                self.command(harvest),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C is the tick's to hand on, once
            ) as process,
        ):
            why = self._wait(process, harvest.time_limit.total_seconds())
            return process.returncode, why, log

    def command(self, harvest: Harvest) -> list[str]:
        settings = {
            "CLOSESPIDER_TIMEOUT": str(int(harvest.time_limit.total_seconds())),
            "LOG_LEVEL": "INFO",  # a log file is read when something went wrong
            **harvest.settings,
            **self.given,
            "NEWSCRAWL_HARVEST": harvest.name,
        }
        words = [sys.executable, "-m", "scrapy", "crawl", harvest.spider]
        words += [word for name, value in harvest.arguments.items() for word in ("-a", f"{name}={value}")]
        return words + [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]

    def _wait(self, process: subprocess.Popen[bytes], limit: float) -> str | None:
        """Wait for the end; stop the crawl in order, then by force, when its time is over or the tick's."""
        ends = time.monotonic() + limit + GRACE_SECONDS / 2  # the crawl's own CLOSESPIDER_TIMEOUT comes first
        while time.monotonic() < ends:
            if self.stopping.is_set():
                _stop(process)
                return "stopped"
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            return None
        _stop(process)
        return "time_limit"


def _tail(log: Path, n_bytes: int = 2000) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - n_bytes))
        return file.read().decode("utf-8", "replace")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _status(exit_status: int, run: HarvestRun | None) -> str:
    if exit_status < 0 or (run is not None and run.finish_reason is None):
        return "killed"
    if run is None or run.finish_reason is None or exit_status:
        return "failed"
    return "failed" if run.state is RunState.FAILED and run.finish_reason in GOOD_REASONS else run.finish_reason


@contextmanager
def stopped_by_signals(harvester: Harvester) -> Iterator[None]:
    """While inside, SIGTERM and Ctrl-C stop the crawls in order."""

    def stop(_number: int, _frame: object) -> None:
        harvester.stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
