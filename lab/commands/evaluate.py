"""``scrapy evaluate``: methods × sets of a corpus, with intervals, cost and memory."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lab.evaluation.corpus import default_folder, load
from lab.evaluation.harness import Harness
from lab.evaluation.report import render
from lab.evaluation.result_file import dumps, result
from lab.evaluation.score import Evaluation, Scorer
from lab.evaluation.tables import tables
from lab.installed import require_lab
from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    QuietCommand,
    command_line,
    make_console,
    no_arguments,
    whole_number,
)
from newscrawl.console.files import make_folder, write_text
from newscrawl.exceptions import UserError
from newscrawl.extractors import names

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.progress import TaskID

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.harness import MethodRun
    from lab.evaluation.score import PageScore
    from lab.evaluation.wire import Answer

STDOUT = "-"


class EvaluateCommand(QuietCommand):
    requires_project = False
    usage = "[options]"
    summary = "Compare extraction methods on labelled pages"
    details = (
        "Runs each method in a process of its own over the pages of a corpus and compares what it gives with "
        "the labels. Methods are those of newscrawl.extractors, and peer:NAME after `make peers`. "
        "Example: scrapy evaluate --methods rules,density --sets gne --html build/evaluation.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--methods", metavar="A,B", help="methods to run (default: all of newscrawl)")
        parser.add_argument("--sets", metavar="X,Y", help="sets of the corpus (default: all)")
        parser.add_argument("--lang", metavar="ZH,EN", help="only pages in these languages, ISO 639-1")
        parser.add_argument("--corpus", metavar="DIR", help="folder of the corpus ($NEWSCRAWL_SHARED/corpus)")
        parser.add_argument("--seed", default="1", metavar="N", help="seed of the bootstrap (default: 1)")
        parser.add_argument("--limit", metavar="N", help="at most N pages of each set")
        parser.add_argument(
            "--repeats", default="1", metavar="N", help="time the fastest of N runs a page; 3 for cost figures"
        )
        parser.add_argument(
            "--json", metavar="FILE", help=f"write the figures as JSON, - to stdout; {FOLDERS_ARE_MADE}"
        )
        parser.add_argument(
            "--html", metavar="FILE", help=f"write a report that holds page text: keep it private; {FOLDERS_ARE_MADE}"
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "this command takes options only")
        require_lab("an evaluation")
        seed = whole_number(opts.seed, "--seed", least=0)
        limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
        repeats = whole_number(opts.repeats, "--repeats")
        methods = split_names(opts.methods) if opts.methods is not None else names()
        folder = Path(opts.corpus) if opts.corpus else default_folder()
        sets = split_names(opts.sets) if opts.sets is not None else None
        pages = load(folder, sets, langs=split_names(opts.lang) if opts.lang is not None else (), limit=limit)
        for target in (opts.json, opts.html):
            if target and target != STDOUT:
                make_folder(Path(target).parent)
        console = make_console(stderr=opts.json == STDOUT)
        evaluation, runs, scores = _evaluate(methods, pages, seed=seed, repeats=repeats)
        figures = result(evaluation, runs, pages, command=command_line("evaluate"), seed=seed)
        for found in tables(evaluation):
            console.print(found)
        if opts.json == STDOUT:
            sys.stdout.write(dumps(figures))
        elif opts.json:
            write_text(Path(opts.json), dumps(figures))
        if opts.html:
            write_text(Path(opts.html), render(evaluation, figures, scores))
            console.print(f"report: {opts.html} (holds page text: do not publish)")


def split_names(value: str) -> tuple[str, ...]:
    """Return the names of a list separated by commas.

    :raises UserError: if there is none.
    """
    found = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not found:
        raise UserError(f"empty list {value!r}: expected names separated by commas")
    return found


def _evaluate(
    methods: Sequence[str], pages: Sequence[CorpusPage], *, seed: int, repeats: int
) -> tuple[Evaluation, list[MethodRun], list[PageScore]]:
    evaluation = Evaluation()
    runs: list[MethodRun] = []
    scores: list[PageScore] = []
    scorer = Scorer()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        for method in methods:
            task = progress.add_task(method, total=len(pages))
            harness = Harness(repeats=repeats, on_page=partial(_advance, progress, task))
            run = harness.run(method, pages)
            found = scorer.scores(run, pages)
            evaluation.add(run, found, seed=seed)
            runs.append(run)
            scores += found
    return evaluation, runs, scores


def _advance(progress: Progress, task: TaskID, _method: str, _answer: Answer) -> None:
    progress.advance(task)
