"""What ``scrapy train blocks`` and ``scrapy train news`` ask of the laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lab.installed import is_installed
from newscrawl.classify.blocks.classifiers import DEFAULT_MODEL
from newscrawl.classify.lines.model import DEFAULT_MODEL as NEWS_MODEL
from newscrawl.console.command import whole_number
from newscrawl.exceptions import UserError
from newscrawl.serve.commands.train import labelled_pages

if TYPE_CHECKING:
    import argparse


def train_model(kind: str, opts: argparse.Namespace) -> None:
    """Train what ``scrapy train blocks`` or ``news`` asks for.

    :raises UserError: an option is not accepted, or what training needs is missing.
    """
    seed = whole_number(opts.seed, "--seed", least=0)
    limit = None if opts.limit is None else whole_number(opts.limit, "--limit")
    jobs = whole_number(opts.jobs, "--jobs")
    if kind == "news" and not is_installed("torch", "sklearn"):
        raise UserError(
            "training needs torch and scikit-learn: pip install -r requirements-torch.txt -r requirements-train.txt"
        )
    if not is_installed("sklearn", "scipy"):
        raise UserError("training needs scikit-learn: pip install -r requirements-train.txt")
    from lab import shipped  # noqa: PLC0415 (needs it)

    if opts.pages:
        shipped.train_own_blocks(labelled_pages(opts), Path(opts.model or "blocks.npz"), seed=seed)
    elif limit is not None and not opts.model:
        raise UserError("--limit makes a model for a quick look: name its file with --model")
    elif kind == "news":
        shipped.train_shipped_news(opts.corpus, Path(opts.model or NEWS_MODEL), seed=seed, limit=limit, processes=jobs)
    else:
        shipped.train_shipped_blocks(opts.corpus, Path(opts.model or DEFAULT_MODEL), seed=seed, limit=limit)
