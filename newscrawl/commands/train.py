"""``scrapy train``: make the shipped models, or a block model for a user's own pages."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from scrapy.commands import ScrapyCommand

from newscrawl.blocks.learned import DEFAULT_MODEL, save_machine
from newscrawl.commands.base import OneLineErrors, no_more_options, whole_number
from newscrawl.commands.output import FOLDERS_ARE_MADE, make_console
from newscrawl.exceptions import UserError
from newscrawl.files import make_folder
from newscrawl.lab.commands.train_news import train_shipped_news
from newscrawl.lab.evaluation.block_training import SHIPPED_SETS, TESTED_SETS, labelled_page, load_block_pages, scores
from newscrawl.lab.evaluation.corpus import default_folder, set_names
from newscrawl.lab.evaluation.label_file import read_user_pages
from newscrawl.lab.evaluation.result_file import command_line, provenance, rounded
from newscrawl.lab.evaluation.tables import table
from newscrawl.learn.block_classes import NONE, classified
from newscrawl.network.model import DEFAULT_MODEL as NEWS_MODEL

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from newscrawl.lab.evaluation.block_training import BlockPage
    from newscrawl.lab.evaluation.user_training import UserTraining

THREE_CLASS_SET: Final = "gne"


class Command(OneLineErrors, ScrapyCommand):
    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] [blocks|news]"

    def short_desc(self) -> str:
        return "Train the block classifier, or the news extractor"

    def long_desc(self) -> str:
        return (
            "Without --pages, makes the shipped model again from the labelled corpus. With --pages DIR and --labels "
            'FILE, makes a model for your own site: each line of FILE is {"page": "a.html", "xpath": '
            '"/html/body/div[3]", "label": "main"}, label one of main, related, other; five labelled pages do, the '
            "other pages of DIR are labelled from them. Use it with -s NEWSCRAWL_CLASSIFIER=MODEL. "
            "scrapy train news makes the news extractor's model again (torch: requirements-train.txt). "
            "Example: scrapy train --pages saved --labels labels.jsonl --model own.npz"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--pages", metavar="DIR", help="folder of your own saved pages, *.html")
        parser.add_argument("--labels", metavar="FILE", help="labels of some of these pages, JSON lines")
        parser.add_argument(
            "--model", metavar="FILE", help=f"file to write (default: the package's, or blocks.npz); {FOLDERS_ARE_MADE}"
        )
        parser.add_argument("--corpus", metavar="DIR", help="folder of the corpus ($NEWSCRAWL_SHARED/corpus)")
        parser.add_argument("--limit", metavar="N", help="at most N pages of each set: for a quick look")
        parser.add_argument("--seed", default="1", metavar="N", help="seed of everything drawn (default: 1)")
        parser.add_argument("--jobs", default="1", metavar="N", help="news: networks trained at the same time")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        if len(args) > 1 or (args and args[0] not in ("blocks", "news")):
            raise UserError(f"unexpected argument {args[-1]!r}: blocks or news; pages are named with --pages DIR")
        is_news = args == ["news"]
        if is_news and opts.pages:
            raise UserError("--pages trains the block classifier: leave out 'news'")
        if bool(opts.pages) != bool(opts.labels):
            raise UserError("--pages DIR and --labels FILE belong together; neither: the shipped model")
        seed = whole_number(opts.seed, "--seed", least=0)
        limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
        if opts.model:
            make_folder(Path(opts.model).parent)
        if opts.pages:
            _train_user(Path(opts.pages), Path(opts.labels), Path(opts.model or "blocks.npz"), seed)
        else:
            if limit is not None and not opts.model:
                raise UserError("--limit makes a model for a quick look: name its file with --model")
            corpus = Path(opts.corpus) if opts.corpus else default_folder()
            if is_news:
                path = Path(opts.model) if opts.model else NEWS_MODEL
                jobs = whole_number(opts.jobs, "--jobs")
                train_shipped_news(corpus, path, seed=seed, limit=limit, processes=jobs)
                return
            _train_shipped(corpus, Path(opts.model) if opts.model else DEFAULT_MODEL, seed, limit)


def _train_shipped(corpus: Path, path: Path, seed: int, limit: int | None) -> None:
    from newscrawl.learn.two_steps import train  # noqa: PLC0415 (scikit-learn: every command imports this module)

    set_names(corpus)  # a missing corpus is refused before the progress bar begins
    columns = (SpinnerColumn(), TextColumn("{task.description}: {task.completed}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        reading = progress.add_task("pages read", total=None)
        pages = load_block_pages(corpus, SHIPPED_SETS, limit=limit, advance=lambda: progress.advance(reading))
        tested = load_block_pages(corpus, TESTED_SETS, limit=limit, advance=lambda: progress.advance(reading))
        folds = progress.add_task("folds trained", total=None)
        try:
            trained = train([labelled_page(page) for page in pages], seed=seed, advance=lambda: progress.advance(folds))
        except ValueError as error:
            raise UserError(f"sets {', '.join(SHIPPED_SETS)} of {str(corpus)!r}: {error}") from error
    found = {
        f"{THREE_CLASS_SET}, sites left out": _of_set(pages, trained.unseen, THREE_CLASS_SET, seed),
        "all, sites left out": scores(pages, trained.unseen, seed=seed) if trained.unseen else {},
        **{
            f"{name}, never trained on": scores(
                of_set := [page for page in tested if page.page.set == name],
                [classified(trained.machine, page.samples)[0] for page in of_set],
                seed=seed,
            )
            for name in TESTED_SETS
        },
    }
    about = provenance([page.page for page in pages], command=command_line("train"), seed=seed)
    about["scores"] = rounded(found)
    save_machine(path, trained.machine, about)
    _show(found)
    sys.stdout.write(f"wrote {path}, {path.stat().st_size} bytes, {len(pages)} pages\n")


def _of_set(pages: Sequence[BlockPage], given: Sequence[np.ndarray] | None, name: str, seed: int) -> dict[str, Any]:
    chosen = [place for place, page in enumerate(pages) if page.page.set == name]
    return scores([pages[place] for place in chosen], [given[place] for place in chosen], seed=seed) if given else {}


def _show(found: dict[str, dict[str, Any]]) -> None:
    rows = [
        [
            where,
            label,
            str(row["n_pages"]),
            *(f"{row[name]:.3f}" for name in ("precision", "recall", "f1")),
            f"{row['f1_95'][0]:.3f} … {row['f1_95'][1]:.3f}",
            f"{row['block_f1']:.3f}",
        ]
        for where, by_label in found.items()
        for label, row in by_label.items()
    ]
    columns = ("pages", "class", "n", "P", "R", "F1 by characters", "95 %", "F1 by blocks")
    make_console().print(table("Block classifier", columns, rows, words=2))


def _train_user(folder: Path, labels: Path, path: Path, seed: int) -> None:
    from newscrawl.lab.evaluation.user_training import train_on  # noqa: PLC0415 (as above)

    pages, mistakes = read_user_pages(folder, labels)
    if mistakes:
        sys.stderr.write("".join(f"{mistake}\n" for mistake in mistakes))
        raise UserError(f"{len(mistakes)} mistake{'s' * (len(mistakes) > 1)} in {str(labels)!r}")
    result = train_on(pages, seed=seed)
    about = {
        "command": command_line("train"),
        "seed": seed,
        "counts": {
            "labelled_pages": len(result.pages),
            "unlabelled_pages": len(pages) - len(result.pages),
            "labelled_blocks": result.n_labelled_blocks,
            "added_blocks": result.n_added_blocks,
        },
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scikit-learn")},
        },
        "scores": {"blocks right on pages left out": _share_right(result)},
    }
    save_machine(path, result.trained.machine, about)
    sys.stdout.write(
        f"{result.n_labelled_blocks} labelled blocks of {len(result.pages)} pages, {result.n_added_blocks} added from "
        f"{len(pages) - len(result.pages)} others\n"
    )
    share = _share_right(result)
    if share is not None:
        sys.stdout.write(f"blocks right on labelled pages left out in turn: {share:.3f}\n")
    sys.stdout.write(f"wrote {path}\n")


def _share_right(result: UserTraining) -> float | None:
    """Return the share of labelled blocks that machines without their page get right; None with one page."""
    if result.trained.unseen is None:
        return None
    pairs = zip(result.pages, result.trained.unseen, strict=True)
    right = np.concatenate([(given == page.labels)[page.labels != NONE] for page, given in pairs])
    return round(float(right.mean()), 4)
