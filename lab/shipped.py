"""What ``scrapy train`` makes in a checkout only: the shipped models, and a block model of a user's own labels."""

from __future__ import annotations

import platform
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from lab.evaluation.block_training import SHIPPED_SETS, TESTED_SETS, labelled_page, load_block_pages, scores
from lab.evaluation.corpus import default_folder, set_names
from lab.evaluation.result_file import provenance, round_numbers
from lab.evaluation.tables import table
from lab.learn.two_steps import train
from lab.learn.user import train_on
from lab.training.held_out import fold_path
from newscrawl.classify.blocks.classifiers import classified, save_machine
from newscrawl.classify.lines.model import save_news_model
from newscrawl.console.command import command_line, make_console
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.block_training import BlockPage
    from lab.training.news import NewsTraining
    from newscrawl.classify.model_file import Ints
    from newscrawl.serve.training.label_file import UserPage

THREE_CLASS_SET: Final = "gne"


def train_own_blocks(pages: Sequence[UserPage], path: Path, *, seed: int) -> None:
    """Write a block model of a user's labels and of what label propagation makes of his other pages.

    :raises UserError: the labels cover no block of main text, or nothing else.
    """
    result = train_on(pages, seed=seed)
    n_others = len(pages) - len(result.pages)
    share = result.share_right()
    about = {
        "command": command_line("train"),
        "seed": seed,
        "counts": {
            "labelled_pages": len(result.pages),
            "unlabelled_pages": n_others,
            "labelled_blocks": result.n_labelled_blocks,
            "added_blocks": result.n_added_blocks,
        },
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scikit-learn")},
        },
        "scores": {"blocks right on pages left out": share},
    }
    save_machine(path, result.trained.machine, about)
    labelled = f"{result.n_labelled_blocks} labelled blocks of {len(result.pages)} pages"
    sys.stdout.write(f"{labelled}, {result.n_added_blocks} added from {n_others} others\n")
    if share is not None:
        sys.stdout.write(f"blocks right on labelled pages left out in turn: {share:.3f}\n")
    sys.stdout.write(f"wrote {path}\n")


def train_shipped_blocks(corpus: str | None, path: Path, *, seed: int, limit: int | None) -> None:
    """Write the block model, with its scores on sites left out and on sets never trained on.

    :raises UserError: if the corpus is missing or a file cannot be written.
    """
    folder = Path(corpus) if corpus else default_folder()
    set_names(folder)  # a missing corpus is refused before the progress bar begins
    with _progress() as progress:
        reading = progress.add_task("pages read", total=None)
        pages = load_block_pages(folder, SHIPPED_SETS, limit=limit, advance=lambda: progress.advance(reading))
        tested = load_block_pages(folder, TESTED_SETS, limit=limit, advance=lambda: progress.advance(reading))
        folds = progress.add_task("folds trained", total=None)
        try:
            trained = train([labelled_page(page) for page in pages], seed=seed, advance=lambda: progress.advance(folds))
        except ValueError as error:
            raise UserError(f"sets {', '.join(SHIPPED_SETS)} of {str(folder)!r}: {error}") from error
    found = {
        f"{THREE_CLASS_SET}, sites left out": _scores_of_set(pages, trained.unseen, THREE_CLASS_SET, seed),
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
    about["scores"] = round_numbers(found)
    save_machine(path, trained.machine, about)
    _show_blocks(found)
    sys.stdout.write(f"wrote {path}, {path.stat().st_size} bytes, {len(pages)} pages\n")


def _scores_of_set(pages: Sequence[BlockPage], given: Sequence[Ints] | None, name: str, seed: int) -> dict[str, Any]:
    chosen = [place for place, page in enumerate(pages) if page.page.set == name]
    return scores([pages[place] for place in chosen], [given[place] for place in chosen], seed=seed) if given else {}


def _show_blocks(found: dict[str, dict[str, Any]]) -> None:
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


def train_shipped_news(corpus: str | None, path: Path, *, seed: int, limit: int | None, processes: int) -> None:
    """Write the model to ``path``, and beside it one for each fold, which has not seen the fold's sites.

    :raises UserError: if torch or the corpus is missing, or a file cannot be written.
    """
    from lab.training.news import train_news  # noqa: PLC0415 (torch: the block classifier needs none)

    folder = Path(corpus) if corpus else default_folder()
    set_names(folder)  # a missing corpus is refused before the progress bar begins
    tasks: dict[str, Any] = {}
    with _progress() as progress:

        def advance(step: str) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(step, total=None)
            progress.advance(tasks[step])

        trained = train_news(folder, seed=seed, limit=limit, processes=processes, advance=advance)
    write_trained(path, trained, seed)
    _show_news(trained)
    sys.stdout.write(f"wrote {path}, {path.stat().st_size} bytes, {len(trained.pages)} pages, and one for each fold\n")


def write_trained(path: Path, trained: NewsTraining, seed: int) -> None:
    """Write the model and those of the folds, with what is needed to make them again."""
    about = _news_provenance(trained, seed)
    save_news_model(path, trained.model, about)
    for fold, model in enumerate(trained.folds):
        save_news_model(fold_path(fold, path), model, about | {"left_out": trained.left_out(fold)})


def _news_provenance(trained: NewsTraining, seed: int) -> dict[str, Any]:
    about = provenance([page.page for page in trained.pages], command=command_line("train"), seed=seed)
    about["versions"]["torch"] = version("torch")
    about["networks"] = len(trained.model.members)
    about["confidence"] = round_numbers(asdict(trained.calibration))
    about["scores"] = round_numbers(
        {
            name: {"n": found.n, "precision": found.precision, "recall": found.recall, "f1": found.f1}
            for name, found in trained.unseen.items()
        }
    )
    return about


def _show_news(trained: NewsTraining) -> None:
    rows = [
        [name, str(found.n), f"{found.precision:.3f}", f"{found.recall:.3f}", f"{found.f1:.3f}"]
        for name, found in trained.unseen.items()
    ]
    make_console().print(table("Text, sites left out", ("set", "n", "P", "R", "F1"), rows, words=1))
    sys.stdout.write(f"confidence: {trained.calibration}\n")


def _progress() -> Progress:
    columns = (SpinnerColumn(), TextColumn("{task.description}: {task.completed}"), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
