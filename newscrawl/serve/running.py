"""Crawls started and stopped from the server's pages.

A crawl is asked to stop by a word in the database, which it looks at every few seconds: so it may run on any machine.
What is started is a process of its own, which goes on when the server ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from newscrawl.console.files import open_log
from newscrawl.exceptions import UserError, did_you_mean, in_a_line
from newscrawl.serve.desk import Desk, Started
from newscrawl.serve.safety import RefusedError
from newscrawl.sites import catalogue_names, catalogued_site, list_sites
from newscrawl.sites.schedule import load_schedule
from newscrawl.store.harvests import obstacle, read_states, schedule_row
from newscrawl.store.runs import ask_to_stop, running

if TYPE_CHECKING:
    from starlette.requests import Request


MAX_AT_ONCE: Final = 4
"""Crawls started here that go on."""


async def stop(request: Request, run_id: int) -> None:
    """Ask a crawl to stop in order, as Ctrl-C does: what waits stays in the queue.

    :raises RefusedError: the server only shows, or the run has ended.
    """
    desk: Desk = request.app.state.desk
    if not await desk.change(partial(ask_to_stop, run_id=run_id, now=datetime.now(UTC))):
        raise RefusedError(f"run {run_id} has ended already", 409)
    desk.note(request, f"run {run_id} is asked to stop")


def can_start(desk: Desk, name: str) -> bool:
    """Tell whether a site is the user's or in the catalogue: another has no spider of its name."""
    return name in list_sites(desk.options.sites) or catalogued_site(name) is not None


async def start_site(request: Request, name: str) -> Started:
    """Start ``scrapy crawl NAME``.

    :raises RefusedError: no such site is known, it is being crawled, or enough others are.
    """
    desk: Desk = request.app.state.desk
    desk.check_changes()
    if not can_start(desk, name):
        meant = did_you_mean(name, [*list_sites(desk.options.sites), *catalogue_names()], otherwise="add it first")
        raise RefusedError(f"no site of this name is known; {meant}", 404)
    run_id = await desk.ask(running, name, datetime.now(UTC))
    if run_id is not None:
        raise RefusedError(f"run {run_id} of this site goes on", 409)
    # a log file is read when something went wrong
    return _start(request, name, "crawl", name, "-s", "LOG_LEVEL=INFO")


async def start_harvest(request: Request, name: str) -> Started:
    """Start a harvest of the schedule now, as ``scrapy tick`` does.

    :raises RefusedError: the schedule has none of this name, or it runs.
    """
    desk: Desk = request.app.state.desk
    desk.check_changes()
    harvest = next((one for one in load_schedule(desk.options.schedule) if one.name == name), None)
    if harvest is None:
        raise RefusedError("the schedule has no such harvest", 404)
    states = await desk.ask(read_states)
    if obstacle(replace(harvest, every=timedelta()), states, datetime.now(UTC)) is not None:
        raise RefusedError("this harvest, or another of its site, goes on", 409)
    options = ("--schedule", str(desk.options.schedule), "--logs", str(desk.options.logs))
    return _start(request, f"tick-{name}", "tick", "--only", name, "--now", *options)


async def schedule(desk: Desk) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of the schedule, and what is wrong with it; neither where there is none."""
    if not desk.options.schedule.exists():
        return [], ""
    try:
        harvests = load_schedule(desk.options.schedule)
    except UserError as error:
        return [], in_a_line(error)
    states = await desk.ask(read_states)
    return [schedule_row(harvest, states, datetime.now(UTC)) for harvest in harvests], ""


def _start(request: Request, name: str, *words: str) -> Started:
    """Start a command of Scrapy whose words are ours, or the names of what is known."""
    desk: Desk = request.app.state.desk
    desk.rates.check(request)
    going = [one.name for one in desk.started.values() if one.status is None]
    if name in going or len(going) >= MAX_AT_ONCE:
        raise RefusedError(f"started here and going on: {', '.join(going)}; at most {MAX_AT_ONCE} at a time", 409)
    given = [word for setting, value in desk.options.settings.items() for word in ("-s", f"{setting}={value}")]
    # a database URL may hold a password, which a command line would show to everyone
    environment = {**os.environ, "NEWSCRAWL_DATABASE": desk.options.database}
    with open_log(desk.options.logs, name) as log:
        process = desk.launcher.submit(
            subprocess.Popen,  # (no shell) # nosec B603
            [sys.executable, "-m", "scrapy", *words, *given],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C of the server is not the crawl's
        ).result()
    log_file = desk.options.logs / f"{name}.log"
    desk.started[name] = Started(name=name, started_at=datetime.now(UTC), log=log_file, process=process)
    desk.note(request, f"started {name} as process {process.pid}, log {log_file}")
    return desk.started[name]
