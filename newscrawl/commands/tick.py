"""``scrapy tick``: every harvest of the schedule that is due; for cron and systemd timers."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.spiderloader import get_spider_loader

from newscrawl.commands.harvesting import Harvester, Result, stopped_by_signals
from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    QuietCommand,
    handed_on,
    no_arguments,
    print_json,
    print_rows,
    whole_number,
)
from newscrawl.console.files import make_folder
from newscrawl.console.setting_check import setting_mistakes
from newscrawl.exceptions import MistakesError, NewscrawlError, UserError
from newscrawl.extensions.alerts import Alerts
from newscrawl.sites.schedule import Harvest, load_schedule
from newscrawl.spiders.loader import unknown_spider
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.engine import make_engine, reported
from newscrawl.store.harvests import planned, read_states
from newscrawl.store.migrations import migrate

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.settings import BaseSettings
    from sqlalchemy import Engine

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
        rows = [planned(harvest, states, datetime.now(UTC)) for harvest in harvests]
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
