"""``scrapy report``: what a harvest brought, on the terminal, as JSON, as a page with pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rich.text import Text

from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    laboratory,
    make_console,
    no_arguments,
    plain_table,
    print_json,
    whole_number,
)
from newscrawl.console.files import write_text
from newscrawl.console.place import sites_folder
from newscrawl.console.wording import ACCEPTED_MOMENT, parse_option_moment
from newscrawl.exceptions import UserError
from newscrawl.outcomes import OUTCOMES, REJECTIONS
from newscrawl.serve.reports.focused import focused_page, read_figures
from newscrawl.serve.reports.harvest import Scope, read_harvest
from newscrawl.serve.reports.page import percent
from newscrawl.serve.reports.report import report_page, tiles
from newscrawl.serve.reports.runs import NAMES, run_page, runs_of, runs_page
from newscrawl.sites import standing
from newscrawl.store.command import DatabaseCommand
from newscrawl.store.runs import RunState

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from rich.table import Table
    from sqlalchemy import Connection

    from newscrawl.serve.reports.harvest import Harvest
    from newscrawl.serve.reports.report import Comparison
    from newscrawl.serve.reports.runs import RunView

_REASONS_SHOWN = 12
_RUNS_SHOWN = 5


class ReportCommand(DatabaseCommand):
    summary = "Say what a harvest brought; compare it with a ground truth; draw it"
    details = (
        "Reads a database of harvests and prints counts; --html writes a page with pictures. --runs shows for "
        "each run whether it was complete, and what it brought; --run ID shows one. --focused FILE shows the figures "
        "that a focused crawl left. --site and --since narrow it. "
        "Example: scrapy report --since 7d --html report.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--truth", metavar="FILE", help="ground truth to compare with, JSON lines; in a checkout")
        parser.add_argument("--html", metavar="FILE", help=f"write a self-contained HTML report; {FOLDERS_ARE_MADE}")
        parser.add_argument("--runs", action="store_true", help="runs instead of articles: figures, state, pictures")
        parser.add_argument("--run", metavar="ID", help="one run")
        parser.add_argument("--focused", metavar="FILE", help="figures of a focused crawl (NEWSCRAWL_FOCUSED_REPORT)")
        parser.add_argument("--site", metavar="NAME", help="what this site brought alone")
        parser.add_argument("--since", metavar="TIME", help="what runs brought that began since " + ACCEPTED_MOMENT)
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "the database is given as --database URL")
        if opts.focused:
            _report_focused(read_figures(Path(opts.focused)), opts)
            return
        scope = Scope(site=opts.site, since=parse_option_moment(opts.since, "--since"))
        run_id = None if opts.run is None else whole_number(opts.run, "--run")
        with self.database(opts) as engine, engine.connect() as connection:
            if opts.runs or run_id is not None:
                _report_runs(connection, opts, scope, run_id)
                return
            truth = None
            if opts.truth:
                report = laboratory("truth.report", "a ground truth is compared")
                truth = report.compare_with_truth(Path(opts.truth), connection)
            harvest = read_harvest(connection, scope)
            harvest = replace(harvest, drifts=standing(harvest.drifts, sites_folder(self.project_settings)))
            runs = runs_of(connection, site=scope.site, since=scope.since, most=_RUNS_SHOWN)
        if opts.html:
            write_text(Path(opts.html), report_page(harvest, truth))
        if opts.json:
            print_json(as_json(harvest, truth))
        else:
            _show(harvest, truth, opts.html)
            make_console().print(runs_table(runs))


def _report_focused(figures: dict[str, Any], opts: argparse.Namespace) -> None:
    if opts.html:
        write_text(Path(opts.html), focused_page(figures))
    if opts.json:
        print_json(figures)
        return
    names = {"n_pages": "pages fetched", "n_articles": "articles", "n_relevant": "articles about the topic"}
    if "n_named" in figures:
        names["n_named"] = "of them naming it in headline or text"
    counts = {said: figures[name] for name, said in names.items()} | {"harvest rate": percent(figures["harvest_rate"])}
    make_console().print(_counts(f"Focused crawl: {figures['topic']}", counts))
    if opts.html:
        make_console().print(Text.assemble("Report: ", (opts.html, "bold")))


def _report_runs(connection: Connection, opts: argparse.Namespace, scope: Scope, one: int | None) -> None:
    found = runs_of(connection, site=scope.site, since=scope.since, run_id=one)
    if one is not None and not found:
        raise UserError(f"no run {one}; `scrapy report --runs` lists them")
    if opts.site and not (found or opts.since):
        raise UserError(f"no runs of site {opts.site!r}; `scrapy report --runs` lists all")
    if opts.html:
        write_text(Path(opts.html), run_page(found[0]) if one is not None else runs_page(found))
    if opts.json:
        rows = [run.as_json() for run in found]
        print_json(rows[0] if one else rows)
        return
    make_console().print(runs_table(found))
    if one is not None:
        make_console().print(_counts("Figures", {NAMES[name]: getattr(found[0].figures, name) for name in NAMES}))
    if opts.html:
        make_console().print(Text.assemble("Report: ", (opts.html, "bold")))


def runs_table(found: Sequence[RunView]) -> Table:
    """Return a line for each run, without counts that are 0 in all of them; only a complete run is green."""
    rare = ("changed", "unchanged", "gone", "blocked", "pages_left")
    names = ["answered", "new", *(name for name in rare if any(getattr(run.figures, name) for run in found))]
    shown = ["left" if name == "pages_left" else name for name in names]
    table = plain_table("Runs", "run", "site", "started", "state", *shown, right=("run", *shown))
    for column in table.columns:
        column.no_wrap = column.header != "state"
    for column, name in zip(table.columns[4:], names, strict=True):  # a narrow terminal cuts words, never numbers
        column.min_width = max((len(f"{getattr(run.figures, name):,}") for run in found), default=0)
    for run in found:
        style = "green" if run.state is RunState.COMPLETE else "red"
        state = Text(f"{run.state}: {run.why}" if run.why else str(run.state), style=style)
        counts = [f"{getattr(run.figures, name):,}" for name in names]
        table.add_row(str(run.id), run.name, f"{run.started_at:%Y-%m-%d %H:%M}", state, *counts)
    return table


def as_json(harvest: Harvest, truth: Comparison | None) -> dict[str, Any]:
    """Return the figures, without samples and lists of articles."""
    counts = "n_articles n_duplicates n_joined n_reserved n_pages n_fetched outcomes rejections"
    names = f"database {counts} days channels facts".split()
    data: dict[str, Any] = {name: getattr(harvest, name) for name in names}
    of_run = "spider site started_at finished_at finish_reason rate_seconds rate".split()
    run = harvest.run
    data["run"] = {name: getattr(run, name) for name in of_run} | {"n_runs": harvest.n_runs} if run else None
    data["pages_per_second"] = run.pages_per_second if run else None
    data["truth"] = truth.figures if truth else None
    data["coverage"] = [day.as_json() for day in harvest.coverage]
    data["drifts"] = harvest.drifts
    data["forms"] = [form.as_json() for form in harvest.forms]
    return data


def _show(harvest: Harvest, truth: Comparison | None, html: str | None) -> None:
    console = make_console()
    console.print(_counts("Harvest", tiles(harvest)))
    console.print(_counts("How addresses ended", harvest.outcomes, OUTCOMES))
    if harvest.rejections:
        most = dict(list(harvest.rejections.items())[:_REASONS_SHOWN])
        console.print(_counts("Addresses refused, as links or when asked for, each once", most, REJECTIONS))
    if harvest.coverage:
        console.print(coverage_table(harvest))
    if harvest.drifts:
        events = plain_table("Noticed", "day", "host", "what", "was", "is")
        for drift in harvest.drifts:
            told = (f"{drift['noticed_at']:%Y-%m-%d}", *(drift[name] for name in ("host", "reason", "old", "new")))
            events.add_row(*map(Text, told))
        console.print(events)
    for form in harvest.forms:
        for line in form.lines():
            console.print(Text.assemble((f"{form.site}: ", "bold"), line), soft_wrap=True)
    if truth:
        table = plain_table("Against the ground truth", "name", "value", "note", right=("value",), header=False)
        for fact in truth.facts:
            table.add_row(
                fact.name, Text(fact.value, style="green" if fact.good else "red"), Text(fact.note, style="dim")
            )
        console.print(table)
    if html:
        console.print(Text.assemble("Report: ", (html, "bold")))


def coverage_table(harvest: Harvest) -> Table:
    """Return a row for each day: what was stored, and what each door showed of it."""
    names = ("stored", "feeds", "sitemaps", "lists")
    table = plain_table(f"Coverage of the stories of {harvest.covered_site}", "day", *names, right=names)
    for day in harvest.coverage:
        table.add_row(day.day, *(f"{n:,}" for n in (day.n_seen, *day.by_door.values())))
    return table


def _counts(title: str, counts: Mapping[str, int | str], meanings: Mapping[str, str] = MappingProxyType({})) -> Table:
    table = plain_table(title, "number", "name", "meaning", right=("number",), header=False)
    for name, count in counts.items():
        number = count if isinstance(count, str) else f"{count:,}"
        table.add_row(number, Text(name), Text(meanings.get(name, ""), style="dim"))
    return table
