"""``scrapy experiment``: recompute a published table or figure on labelled pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from lab.evaluation.corpus import default_folder
from lab.evaluation.result_file import dumps
from lab.evaluation.tables import table
from lab.experiments.base import Options, describe, get_experiment, names
from lab.installed import require_lab
from lab.pictures import as_file
from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    QuietCommand,
    command_line,
    make_console,
    no_more_options,
    one_argument,
    whole_number,
)
from newscrawl.console.files import make_folder, write_text
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lab.experiments.base import Cell, ExperimentResult, ResultTable

RESULTS: Final = Path("data") / "results"
MAX_ROWS: Final = 300
"""A longer table lists pages one by one: it is in the JSON, not on the screen."""


class ExperimentCommand(QuietCommand):
    requires_project = False
    usage = "[options] NAME"
    summary = "Recompute a published table on labelled pages"
    details = (
        "Prints our figures beside the published ones and writes NAME.json and its pictures. See --list. "
        "Example: scrapy experiment lineblock --seed 1"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--list", action="store_true", help="list the experiments and leave")
        parser.add_argument("--seed", default="1", metavar="N", help="seed of everything drawn (default: 1)")
        parser.add_argument("--corpus", metavar="DIR", help="folder of the corpus ($NEWSCRAWL_SHARED/corpus)")
        parser.add_argument("--limit", metavar="N", help="at most N pages of each set, for a quick look")
        parser.add_argument(
            "--out", metavar="DIR", help=f"folder for JSON and pictures (default: {RESULTS}); {FOLDERS_ARE_MADE}"
        )
        parser.add_argument(
            "--with", action="append", dest="values", metavar="NAME=VALUE", help="a choice of the experiment's own"
        )
        parser.add_argument("--sites", metavar="DIR", help="folder of stored sites ($NEWSCRAWL_SHARED/sites)")
        parser.add_argument("--cache", metavar="DIR", help="folder that keeps parsed pages between runs")
        parser.add_argument("--json", action="store_true", help="print the result as JSON, write no file")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        require_lab("an experiment")
        if opts.list:
            for name in names():
                sys.stdout.write(f"{name:14} {describe(name)}\n")
            return
        name = one_argument(args, f"experiment, one of {', '.join(names())}")
        run = get_experiment(name)
        seed = whole_number(opts.seed, "--seed", least=0)
        limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
        out = Path(opts.out) if opts.out else RESULTS
        values = _pairs(opts.values or ())
        if not opts.json:
            make_folder(out)
        columns = (SpinnerColumn(), TextColumn("{task.description}: {task.completed} steps"), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(name, total=None)
            corpus = Path(opts.corpus) if opts.corpus else default_folder()
            result = run(
                Options(
                    corpus=corpus,
                    seed=seed,
                    limit=limit,
                    advance=lambda: progress.advance(task),
                    values=values,
                    cache=Path(opts.cache) if opts.cache else None,
                    sites=Path(opts.sites) if opts.sites else None,
                )
            )
        figures = dumps(result.as_json(command=command_line("experiment"), seed=seed))
        if opts.json:
            sys.stdout.write(figures)
            return
        _show(result)
        for path in _write(out, name, result, figures):
            sys.stdout.write(f"wrote {path}\n")


def _pairs(given: Sequence[str]) -> dict[str, str]:
    """Read ``NAME=VALUE`` options."""
    for pair in given:
        if not pair.partition("=")[1]:
            raise UserError(f"--with {pair!r} is not NAME=VALUE")
    return {name: value for name, _, value in (pair.partition("=") for pair in given)}


def _write(out: Path, name: str, result: ExperimentResult, figures: str) -> list[Path]:
    written = [out / f"{name}.json"]
    write_text(written[0], figures)
    for label, picture in result.figures.items():
        path = out / (f"{name}-{label}.svg" if label else f"{name}.svg")
        write_text(path, as_file(picture))
        written.append(path)
    return written


def _show(result: ExperimentResult) -> None:
    console = make_console()
    console.print(f"[bold]{result.title}[/bold] ({result.source})")
    for found in result.tables:
        if len(found.rows) > MAX_ROWS:
            console.print(f"{found.title}: {len(found.rows)} rows, in the JSON")
            continue
        console.print(table(found.title, found.columns, _rows(found), words=_words(found)))
        if found.note:
            console.print(found.note)


def _words(found: ResultTable) -> int:
    """Return how many columns at the left hold words."""
    first = found.rows[0] if found.rows else ()
    return max(1, next((place for place, cell in enumerate(first) if not isinstance(cell, str)), len(first)))


def _rows(found: ResultTable) -> list[list[str]]:
    return [[_cell(cell) for cell in row] for row in found.rows]


def _cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
