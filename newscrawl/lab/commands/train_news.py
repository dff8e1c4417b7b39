"""``scrapy train news``: make the model of the ``news`` extractor again, and those that measure it."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from newscrawl.commands.output import make_console
from newscrawl.lab.evaluation.corpus import set_names
from newscrawl.lab.evaluation.result_file import command_line, provenance, rounded
from newscrawl.lab.evaluation.tables import table
from newscrawl.lab.training.held_out import fold_path
from newscrawl.network.model import save_news_model

if TYPE_CHECKING:
    from pathlib import Path

    from newscrawl.lab.training.news import NewsTraining


def train_shipped_news(corpus: Path, path: Path, *, seed: int, limit: int | None, processes: int) -> None:
    """Write the model to ``path``, and beside it one for each fold, which has not seen the fold's sites.

    :raises UserError: if torch or the corpus is missing, or a file cannot be written.
    """
    from newscrawl.lab.training.news import train_news  # noqa: PLC0415 (every command imports this module)

    set_names(corpus)  # a missing corpus is refused before the progress bar begins
    tasks: dict[str, Any] = {}
    columns = (SpinnerColumn(), TextColumn("{task.description}: {task.completed}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:

        def advance(step: str) -> None:
            if step not in tasks:
                tasks[step] = progress.add_task(step, total=None)
            progress.advance(tasks[step])

        trained = train_news(corpus, seed=seed, limit=limit, processes=processes, advance=advance)
    write_trained(path, trained, seed)
    _show(trained)
    sys.stdout.write(f"wrote {path}, {path.stat().st_size} bytes, {len(trained.pages)} pages, and one for each fold\n")


def write_trained(path: Path, trained: NewsTraining, seed: int) -> None:
    """Write the model and those of the folds, with what is needed to make them again."""
    about = _about(trained, seed)
    save_news_model(path, trained.model, about)
    for fold, model in enumerate(trained.folds):
        save_news_model(fold_path(fold, path), model, about | {"left_out": trained.left_out(fold)})


def _about(trained: NewsTraining, seed: int) -> dict[str, Any]:
    about = provenance([page.page for page in trained.pages], command=command_line("train"), seed=seed)
    about["versions"]["torch"] = version("torch")
    about["networks"] = len(trained.model.members)
    about["scores"] = rounded(
        {
            name: {"n": found.n, "precision": found.precision, "recall": found.recall, "f1": found.f1}
            for name, found in trained.unseen.items()
        }
    )
    return about


def _show(trained: NewsTraining) -> None:
    rows = [
        [name, str(found.n), f"{found.precision:.3f}", f"{found.recall:.3f}", f"{found.f1:.3f}"]
        for name, found in trained.unseen.items()
    ]
    make_console().print(table("Text, sites left out", ("set", "n", "P", "R", "F1"), rows, words=1))
