"""``scrapy train``: make a model of a user's own labels; in a checkout, the shipped models too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from newscrawl.console.command import FOLDERS_ARE_MADE, QuietCommand, command_line, laboratory, no_more_options
from newscrawl.console.files import make_folder
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    import argparse

    from newscrawl.serve.training.label_file import UserPage


class TrainCommand(QuietCommand):
    requires_project = False
    usage = "[options] [site|blocks|news]"
    summary = "Train on your own labels, or the shipped models"
    details = (
        "With --pages DIR and --labels FILE, makes a model of your own site. It corrects the network by the place of a "
        "block, as labels given in the browser do. Five labelled pages are enough. "
        'Each line of FILE is {"page": "a.html", "xpath": '
        '"/html/body/div[3]", "label": "main"}, label one of main, related, other. '
        "Use it with -s NEWSCRAWL_CLASSIFIER=MODEL. "
        "The rest needs a checkout. scrapy train blocks makes a block model, which replaces the network; it labels the "
        "other pages of DIR from those of FILE (scikit-learn: requirements-train.txt). Without --pages it makes the "
        "shipped model from the labelled corpus. scrapy train news makes the news extractor's (also torch: "
        "requirements-torch.txt). "
        "Example: scrapy train --pages saved --labels labels.jsonl --model own.npz"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--pages", metavar="DIR", help="folder of your own saved pages, *.html")
        parser.add_argument("--labels", metavar="FILE", help="labels of some of these pages, JSON lines")
        parser.add_argument(
            "--model", metavar="FILE", help=f"file to write (default: the package's, or site.npz); {FOLDERS_ARE_MADE}"
        )
        parser.add_argument("--corpus", metavar="DIR", help="folder of the corpus ($NEWSCRAWL_SHARED/corpus)")
        parser.add_argument("--limit", metavar="N", help="at most N pages of each set: for a quick look")
        parser.add_argument("--seed", default="1", metavar="N", help="seed of everything drawn (default: 1)")
        parser.add_argument("--jobs", default="1", metavar="N", help="news: networks trained at the same time")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        kind = args[0] if args else "site" if opts.pages else "blocks"
        if len(args) > 1 or kind not in ("site", "blocks", "news"):
            raise UserError(f"unexpected argument {args[-1]!r}: site, blocks or news; pages are named with --pages DIR")
        what = "all but a site's model (--pages DIR --labels FILE) is trained"
        lab = None if kind == "site" else laboratory("train", what)
        if kind == "news" and opts.pages:
            raise UserError("--pages trains on your own labels: site or blocks, not news")
        if kind == "site" and not opts.pages:
            raise UserError("a site's model is trained on your own labels: --pages DIR --labels FILE")
        if bool(opts.pages) != bool(opts.labels):
            raise UserError("--pages DIR and --labels FILE belong together; neither: the shipped model")
        if opts.model:
            make_folder(Path(opts.model).parent)
        if lab is None:
            _train_site(labelled_pages(opts), Path(opts.model or "site.npz"))
        else:
            lab.train_model(kind, opts)


def labelled_pages(opts: argparse.Namespace) -> list[UserPage]:
    """Return the pages with their labels.

    :raises UserError: a line of the labels is wrong; all are on standard error.
    """
    from newscrawl.serve.training.label_file import read_user_pages  # noqa: PLC0415 (every command imports this module)

    pages, mistakes = read_user_pages(Path(opts.pages), Path(opts.labels))
    if mistakes:
        sys.stderr.write("".join(f"{mistake}\n" for mistake in mistakes))
        raise UserError(f"{len(mistakes)} mistake{'s' * (len(mistakes) > 1)} in {opts.labels!r}")
    return pages


def _train_site(pages: list[UserPage], path: Path) -> None:
    from newscrawl.classify.lines.site_model import save_site_model  # noqa: PLC0415 (every command imports this module)
    from newscrawl.serve.training.site import train_site  # noqa: PLC0415

    result = train_site(pages)
    about = {
        "command": command_line("train"),
        "counts": {"labelled_pages": result.n_pages, "labelled_blocks": result.n_blocks},
        "strength": result.strength,
        "scores": {"blocks right on pages left out": result.right, "by the network alone": result.before},
    }
    save_site_model(path, result.model, about)
    sys.stdout.write(f"{quantity(result.n_blocks, 'labelled block')} of {quantity(result.n_pages, 'page')}\n")
    if result.right is not None:
        words = (
            f"blocks right on labelled pages left out in turn: {result.right:.3f}, by the network {result.before:.3f}\n"
        )
        sys.stdout.write(words)
    if not result.strength:
        sys.stdout.write("these labels do not help pages left out: label more pages, or write a rule\n")
    sys.stdout.write(f"wrote {path}\n")
