"""``scrapy tick``: runs the harvests that are due, each as a ``scrapy crawl`` of its own, a few side by side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.spiderloader import get_spider_loader

from newscrawl.console.check import setting_mistakes
from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    QuietCommand,
    handed_on,
    no_arguments,
    print_json,
    print_rows,
    whole_number,
)
from newscrawl.console.files import make_folder, open_log
from newscrawl.exceptions import MistakesError, NewscrawlError, UserError
from newscrawl.extensions.alerts import Alerts
from newscrawl.sites.schedule import Harvest, load_schedule
from newscrawl.spiders.loader import unknown_spider
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.engine import make_engine, reported, writing
from newscrawl.store.harvests import claim, end_harvest, read_states, run_of, schedule_row
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import RunState

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy.settings import BaseSettings
    from sqlalchemy import Engine

    from newscrawl.sites.schedule import Harvest
    from newscrawl.store.harvests import HarvestRun


#: Settings of the command line that are the tick's own.
_NOT_HANDED_ON = ("LOG_", "NEWSCRAWL_DATABASE", "NEWSCRAWL_HARVEST")


class TickCommand(QuietCommand):
    summary = "Run the harvests that are due; for cron or a systemd timer"
    details = (
        "Reads the schedule (--schedule, default: setting NEWSCRAWL_SCHEDULE), starts each harvest that is due as "
        "a crawl of its own, and ends when all have ended. Ticks may overlap: no site is harvested twice at a time. "
        "`newscrawl init` writes units for systemd and cron. Exit status 1: a harvest failed. "
        "Example: scrapy tick --schedule data/schedule.toml --dry-run"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--schedule", metavar="FILE", help="TOML file (default: NEWSCRAWL_SCHEDULE)")
        parser.add_argument("--only", metavar="NAME", help="this harvest alone, if it is due")
        parser.add_argument("--now", action="store_true", help="also what is not due yet; never what runs already")
        parser.add_argument("--jobs", metavar="N", default="4", help="harvests at a time (default: 4)")
        parser.add_argument(
            "--logs",
            metavar="DIR",
            default="logs",
            help=f"folder of the crawls' logs (default: logs); {FOLDERS_ARE_MADE}",
        )
        parser.add_argument("--dry-run", action="store_true", help="say what is due, and start nothing")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "one harvest alone is --only NAME")
        settings = self.project_settings
        jobs = whole_number(opts.jobs, "--jobs")
        if not settings["NEWSCRAWL_DATABASE"]:
            raise UserError("no database: set NEWSCRAWL_DATABASE; the schedule remembers there what has run")
        harvests = _chosen(load_schedule(Path(opts.schedule or settings["NEWSCRAWL_SCHEDULE"])), opts.only)
        refuse_mistakes(harvests, settings)
        if opts.now:
            harvests = [replace(harvest, every=timedelta()) for harvest in harvests]
        engine = make_engine(settings["NEWSCRAWL_DATABASE"])
        try:
            migrate(engine)
            if opts.dry_run:
                self._plan(harvests, engine, as_json=opts.json)
            else:
                self._run(harvests, engine, opts, jobs=jobs)
        finally:
            engine.dispose()

    def _plan(self, harvests: Sequence[Harvest], engine: Engine, *, as_json: bool) -> None:
        with reported(engine), engine.connect() as connection:
            states = read_states(connection)
        rows = [schedule_row(harvest, states, datetime.now(UTC)) for harvest in harvests]
        if as_json:
            print_json(rows)
        else:
            print_rows("Schedule", ("harvest", "site", "every", "last start", "last end", "next", "now"), rows)

    def _run(self, harvests: Sequence[Harvest], engine: Engine, opts: argparse.Namespace, *, jobs: int) -> None:
        make_folder(Path(opts.logs))
        settings = self.project_settings
        alerts = Alerts.from_settings(settings)
        harvester = Harvester(
            engine, logs=Path(opts.logs), given=handed_on(settings, without=_NOT_HANDED_ON), alerts=alerts
        )
        with reported(engine), stopped_by_signals(harvester):
            results = harvester.run(harvests, jobs=jobs)
        if opts.json:
            print_json([asdict(result) for result in results])
        else:
            print_rows("Harvests", ("harvest", "site", "status", "seconds", "run", "log"), map(_as_row, results))
        if any(result.failed for result in results):
            self.exitcode = 1


def refuse_mistakes(harvests: Sequence[Harvest], settings: BaseSettings) -> None:
    """:raises MistakesError: for spiders that are not there, arguments they do not take, settings that are wrong."""
    mistakes = list(_mistakes(harvests, settings))
    if mistakes:
        raise MistakesError(mistakes)


def _mistakes(harvests: Sequence[Harvest], settings: BaseSettings) -> Iterator[str]:
    loader = get_spider_loader(settings)
    for harvest in harvests:
        yield from (f"harvest.{harvest.name}.settings: {mistake}" for mistake in setting_mistakes(harvest.settings))
        try:
            spidercls = loader.load(harvest.spider)
            if issubclass(spidercls, NewsSpider):
                spidercls(**harvest.arguments)
        except KeyError:
            yield f"harvest.{harvest.name}: {unknown_spider(harvest.spider, loader)}"
        except NewscrawlError as error:
            lines = error.lines if isinstance(error, MistakesError) else (str(error),)
            yield from (f"harvest.{harvest.name}: {line}" for line in lines)


def _chosen(harvests: Sequence[Harvest], only: str | None) -> list[Harvest]:
    if only is None:
        return list(harvests)
    found = [harvest for harvest in harvests if harvest.name == only]
    if not found:
        known = ", ".join(harvest.name for harvest in harvests) or "none"
        raise UserError(f"--only {only!r}: no such harvest is enabled; accepted: {known}")
    return found


def _as_row(result: Result) -> dict[str, Any]:
    return {
        "harvest": result.name,
        "site": result.site,
        "status": result.status,
        "seconds": f"{result.seconds:.0f}" if result.ran else "",
        "run": result.run_id,
        "log": result.log,
    }


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
