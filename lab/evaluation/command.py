"""What ``scrapy evaluate`` does in a checkout: methods × sets of a corpus, with intervals, cost and memory."""

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
from newscrawl.console.command import comma_separated, make_console, whole_number
from newscrawl.console.files import make_folder, write_text
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


def evaluate_sets(opts: argparse.Namespace, command: str) -> None:
    """Compare methods on sets of a corpus.

    :param opts: those of ``scrapy evaluate``.
    :param command: as it was typed.
    :raises UserError: an option is not accepted, or the corpus is not there.
    """
    require_lab("an evaluation")
    seed = whole_number(opts.seed, "--seed", least=0)
    limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
    repeats = whole_number(opts.repeats, "--repeats")
    methods = comma_separated(opts.methods) if opts.methods is not None else names()
    folder = Path(opts.corpus) if opts.corpus else default_folder()
    sets = comma_separated(opts.sets) if opts.sets is not None else None
    pages = load(folder, sets, langs=comma_separated(opts.lang) if opts.lang is not None else (), limit=limit)
    for target in (opts.json, opts.html):
        if target and target != STDOUT:
            make_folder(Path(target).parent)
    console = make_console(stderr=opts.json == STDOUT)
    evaluation, runs, scores = _evaluate(methods, pages, seed=seed, repeats=repeats)
    figures = result(evaluation, runs, pages, command=command, seed=seed)
    for found in tables(evaluation):
        console.print(found)
    if opts.json == STDOUT:
        sys.stdout.write(dumps(figures))
    elif opts.json:
        write_text(Path(opts.json), dumps(figures))
    if opts.html:
        write_text(Path(opts.html), render(evaluation, figures, scores))
        console.print(f"report: {opts.html} (holds page text: do not publish)")


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
