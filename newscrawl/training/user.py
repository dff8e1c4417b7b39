"""A block model from a few pages that a user labelled, and more that nobody did (Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newscrawl.blocks.block_features import FEATURES, block_features
from newscrawl.blocks.classify import crawl_blocks
from newscrawl.exceptions import UserError
from newscrawl.learn.kernel_machine import MAIN, NONE, LabelledPage
from newscrawl.learn.training_set import extend_training_set
from newscrawl.training.gold import CODES, RowLabels, block_labels, gold_rows
from newscrawl.training.two_steps import Trained, train

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.training.label_file import UserPage


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTraining:
    trained: Trained
    pages: tuple[LabelledPage, ...]
    """The labelled pages, with the labels as given."""
    n_labelled_blocks: int
    n_added_blocks: int
    """Blocks of unlabelled pages that Algorithm 2 labelled."""

    def share_right(self) -> float | None:
        """Return the share of labelled blocks that machines without their page get right; None with one page."""
        if self.trained.unseen is None:
            return None
        pairs = zip(self.pages, self.trained.unseen, strict=True)
        right = np.concatenate([(given == page.labels)[page.labels != NONE] for page, given in pairs])
        return round(float(right.mean()), 4)


def train_on(pages: Sequence[UserPage], *, seed: int) -> UserTraining:
    """Train on the labelled pages and on what label propagation makes of the others.

    Scores (``trained.unseen``) come from pages left out one after another, by machines trained without added blocks.

    :raises UserError: if the labels cover no block of main text, or nothing else.
    """
    labelled = [_labelled_page(page) for page in pages if page.gold is not None]
    samples = np.concatenate([page.samples[page.labels != NONE] for page in labelled] or [np.empty((0, len(FEATURES)))])
    labels = np.concatenate([page.labels[page.labels != NONE] for page in labelled] or [np.empty(0, dtype=np.int64)])
    if not (labels == MAIN).any() or not (labels != MAIN).any():
        n_main = int((labels == MAIN).sum())
        raise UserError(
            f"labels cover {n_main} blocks of main text and {len(labels) - n_main} others: label at least one of each"
        )
    rest = [block_features(crawl_blocks(page.document), page.document) for page in pages if page.gold is None]
    unlabelled = np.concatenate(rest) if rest else np.empty((0, len(FEATURES)))
    found = extend_training_set(samples, labels, unlabelled)
    added = LabelledPage(samples=unlabelled, labels=found.labels[len(labels) :], group="")
    alone = train(labelled, seed=seed)
    whole = train([*labelled, added], seed=seed, folds=1) if len(unlabelled) else alone
    return UserTraining(
        trained=Trained(machine=whole.machine, unseen=alone.unseen),
        pages=tuple(labelled),
        n_labelled_blocks=len(labels),
        n_added_blocks=len(unlabelled),
    )


def _labelled_page(page: UserPage) -> LabelledPage:
    blocks = crawl_blocks(page.document)
    measures = page.document.measures
    assert page.gold is not None  # noqa: S101 (asked for by the caller)
    rows, _ = gold_rows(page.document, page.gold)
    labels = block_labels(blocks, measures, RowLabels(rows=rows, origin="xpaths"))
    return LabelledPage(
        samples=block_features(blocks, page.document),
        labels=np.array([CODES[label] for label in labels], dtype=np.int64),
        group=page.name,
    )
