"""``scrapy evaluate``: methods compared on a user's own pages; in a checkout, on the labelled corpora too."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    QuietCommand,
    comma_separated,
    command_line,
    laboratory,
    make_console,
    no_arguments,
    plain_table,
    whole_number,
)
from newscrawl.console.files import make_folder, write_text
from newscrawl.exceptions import MistakesError, UserError
from newscrawl.extractors import get_extractor, names

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from newscrawl.serve.training.own_corpus import MethodRow, OwnPage

STDOUT: Final = "-"
#: What a set of the labelled corpora has, and no corpus of one's own.
_INDEX: Final = "*/index.jsonl"


class EvaluateCommand(QuietCommand):
    requires_project = False
    summary = "Compare extraction methods on labelled pages"
    details = (
        "With --corpus DIR, runs each method over your own saved pages and compares its text with the true one: that "
        "of NAME.txt beside NAME.html, or what labels.jsonl calls main text, as labels given in the browser do. "
        "Without it, in a checkout, over the labelled corpora (--sets, --lang, --repeats; also peer:NAME after "
        "`make peers`). "
        "Example: scrapy evaluate --corpus data/labels --methods news,density,lineblock --html methods.html"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--methods", metavar="A,B", help="methods to run (default: all; extract --method list)")
        parser.add_argument("--corpus", metavar="DIR", help="folder of your own pages, or of a corpus with sets")
        parser.add_argument("--seed", default="1", metavar="N", help="seed of the bootstrap (default: 1)")
        parser.add_argument("--limit", metavar="N", help="at most N pages, of each set")
        parser.add_argument(
            "--json", metavar="FILE", help=f"write the figures as JSON, - to stdout; {FOLDERS_ARE_MADE}"
        )
        parser.add_argument("--html", metavar="FILE", help=f"write them as a page with a picture; {FOLDERS_ARE_MADE}")
        parser.add_argument("--sets", metavar="X,Y", help="sets of a corpus (default: all)")
        parser.add_argument("--lang", metavar="ZH,EN", help="sets: only pages in these languages, ISO 639-1")
        parser.add_argument("--repeats", default="1", metavar="N", help="sets: time the fastest of N runs a page")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_arguments(args, "this command takes options only")
        if opts.corpus is None or opts.sets is not None or any(Path(opts.corpus).glob(_INDEX)):
            what = "methods are compared on the labelled corpora (your own pages: --corpus DIR)"
            laboratory("evaluation.command", what).evaluate_sets(opts, command_line("evaluate"))
            return
        from newscrawl.serve.training.own_corpus import compare, read_own_corpus  # noqa: PLC0415 (help needs none of it)

        seed = whole_number(opts.seed, "--seed", least=0)
        limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
        for target in (opts.json, opts.html):
            if target and target != STDOUT:
                make_folder(Path(target).parent)
        methods = usable_methods() if opts.methods is None else comma_separated(opts.methods)
        for method in methods:
            get_extractor(method)  # refuses an unknown one before the work
        pages, mistakes = read_own_corpus(Path(opts.corpus))
        if mistakes:
            raise MistakesError(mistakes)
        rows = compare(methods, pages[:limit], seed=seed)
        self._tell(rows, pages[:limit], opts, seed)

    def _tell(self, rows: Sequence[MethodRow], pages: Sequence[OwnPage], opts: argparse.Namespace, seed: int) -> None:
        figures = {
            "command": command_line("evaluate"),
            "seed": seed,
            "pages": [f"{page.site}/{page.name}" for page in pages],
            "methods": [asdict(row) for row in rows],
        }
        print_methods(rows, stderr=opts.json == STDOUT)
        text = json.dumps(figures, ensure_ascii=False, indent=2) + "\n"
        if opts.json == STDOUT:
            sys.stdout.write(text)
        elif opts.json:
            write_text(Path(opts.json), text)
        if opts.html:
            from newscrawl.serve.reports.methods import methods_page  # noqa: PLC0415 (this alone draws)

            write_text(Path(opts.html), methods_page(rows, [(page.site, page.name) for page in pages]))


def usable_methods() -> tuple[str, ...]:
    """Return the methods whose packages are installed."""
    found = []
    for name in names():
        try:
            get_extractor(name)
        except UserError:
            continue
        found.append(name)
    return tuple(found)


def print_methods(rows: Sequence[MethodRow], *, stderr: bool = False) -> None:
    """Print a line for each method, the best first."""
    columns = ("method", "pages", "precision", "recall", "F1", "95 %", "right", "empty", "ms a page")
    table = plain_table("Main text, 4-grams; the interval draws " + rows[0].unit + "s", *columns, right=columns[1:])
    for row in rows:
        shares = (f"{share:.3f}" for share in (row.precision, row.recall, row.f1))
        spread = f"{row.low:.3f}–{row.high:.3f}"
        table.add_row(row.method, str(row.n), *shares, spread, f"{row.right:.0%}", str(row.empty), f"{row.ms:.1f}")
    make_console(stderr=stderr).print(table)
