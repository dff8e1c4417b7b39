"""``scrapy train``: make a model of a user's own labels; in a checkout, the shipped models too."""

from __future__ import annotations

import platform
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.blocks.learned import DEFAULT_MODEL, save_machine
from newscrawl.command import FOLDERS_ARE_MADE, QuietCommand, command_line, no_more_options, whole_number
from newscrawl.exceptions import UserError
from newscrawl.files import make_folder
from newscrawl.network.model import DEFAULT_MODEL as NEWS_MODEL

if TYPE_CHECKING:
    import argparse

    from newscrawl.training.label_file import UserPage

LABORATORY: Final = "newscrawl.lab"
"""The package that makes the shipped models; a checkout has it, an installed newscrawl does not."""


class Command(QuietCommand):
    requires_project = False
    usage = "[options] [site|blocks|news]"
    summary = "Train on your own labels, or the shipped models"
    details = (
        "With --pages DIR and --labels FILE, makes a model of your own site, which corrects the network by where a "
        "block stands, as labels given in the browser do (site, the default), or a block model, which takes its "
        "place (blocks): "
        'each line of FILE is {"page": "a.html", "xpath": '
        '"/html/body/div[3]", "label": "main"}, label one of main, related, other; five labelled pages do, the '
        "other pages of DIR are labelled from them. Use it with -s NEWSCRAWL_CLASSIFIER=MODEL. "
        "In a checkout, without --pages, makes the shipped model again from the labelled corpus; "
        "scrapy train news makes the news extractor's (torch: requirements-torch.txt). "
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
        if len(args) > 1 or (args and args[0] not in ("site", "blocks", "news")):
            raise UserError(f"unexpected argument {args[-1]!r}: site, blocks or news; pages are named with --pages DIR")
        is_news = args == ["news"]
        if is_news and opts.pages:
            raise UserError("--pages trains on your own labels: site or blocks, not news")
        if args == ["site"] and not opts.pages:
            raise UserError("a site's model is trained on your own labels: --pages DIR --labels FILE")
        if bool(opts.pages) != bool(opts.labels):
            raise UserError("--pages DIR and --labels FILE belong together; neither: the shipped model")
        seed = whole_number(opts.seed, "--seed", least=0)
        limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
        if not opts.pages and find_spec(LABORATORY) is None:
            raise UserError("the shipped models are trained in a checkout; for your own: --pages DIR --labels FILE")
        if find_spec("sklearn") is None:
            raise UserError("training needs scikit-learn: pip install -r requirements-train.txt, or 'newscrawl[train]'")
        if opts.model:
            make_folder(Path(opts.model).parent)
        if opts.pages:
            kind = args[0] if args else "site"
            make = _train_site if kind == "site" else _train_blocks
            make(_pages(Path(opts.pages), Path(opts.labels)), Path(opts.model or f"{kind}.npz"), seed)
            return
        if limit is not None and not opts.model:
            raise UserError("--limit makes a model for a quick look: name its file with --model")
        jobs = whole_number(opts.jobs, "--jobs")
        shipped = import_module(f"{LABORATORY}.shipped")
        if is_news:
            path = Path(opts.model) if opts.model else NEWS_MODEL
            shipped.train_shipped_news(opts.corpus, path, seed=seed, limit=limit, processes=jobs)
        else:
            path = Path(opts.model) if opts.model else DEFAULT_MODEL
            shipped.train_shipped_blocks(opts.corpus, path, seed=seed, limit=limit)


def _pages(folder: Path, labels: Path) -> list[UserPage]:
    """Return the pages with their labels.

    :raises UserError: a line of the labels is wrong; all are on standard error.
    """
    from newscrawl.training.label_file import read_user_pages  # noqa: PLC0415 (every command imports this module)

    pages, mistakes = read_user_pages(folder, labels)
    if mistakes:
        sys.stderr.write("".join(f"{mistake}\n" for mistake in mistakes))
        raise UserError(f"{len(mistakes)} mistake{'s' * (len(mistakes) > 1)} in {str(labels)!r}")
    return pages


def _train_site(pages: list[UserPage], path: Path, _seed: int) -> None:
    from newscrawl.network.site_model import save_site_model  # noqa: PLC0415 (every command imports this module)
    from newscrawl.training.site import train_site  # noqa: PLC0415 (scikit-learn takes a second)

    result = train_site(pages)
    about = {
        "command": command_line("train"),
        "counts": {"labelled_pages": result.n_pages, "labelled_blocks": result.n_blocks},
        "strength": result.strength,
        "scores": {"blocks right on pages left out": result.right, "by the network alone": result.before},
    }
    save_site_model(path, result.model, about)
    sys.stdout.write(f"{result.n_blocks} labelled blocks of {result.n_pages} pages\n")
    if result.right is not None:
        words = (
            f"blocks right on labelled pages left out in turn: {result.right:.3f}, by the network {result.before:.3f}\n"
        )
        sys.stdout.write(words)
    if not result.strength:
        sys.stdout.write("these labels do not help pages left out: label more pages, or write a rule\n")
    sys.stdout.write(f"wrote {path}\n")


def _train_blocks(pages: list[UserPage], path: Path, seed: int) -> None:
    from newscrawl.training.user import train_on  # noqa: PLC0415 (scikit-learn takes a second)

    result = train_on(pages, seed=seed)
    share = result.share_right()
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
        "scores": {"blocks right on pages left out": share},
    }
    save_machine(path, result.trained.machine, about)
    sys.stdout.write(
        f"{result.n_labelled_blocks} labelled blocks of {len(result.pages)} pages, {result.n_added_blocks} added from "
        f"{len(pages) - len(result.pages)} others\n"
    )
    if share is not None:
        sys.stdout.write(f"blocks right on labelled pages left out in turn: {share:.3f}\n")
    sys.stdout.write(f"wrote {path}\n")
