"""A block model from a few pages that a user labelled, and more that nobody did (Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from lab.learn.label_propagation import KNNLP
from lab.learn.samples import UNLABELLED, check_labels, check_positive, check_samples
from lab.learn.two_steps import CODES, NONE, LabelledPage, Trained, train
from newscrawl.classify.blocks.block_features import FEATURES, block_features
from newscrawl.classify.blocks.classifiers import MAIN
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.exceptions import UserError
from newscrawl.serve.training.labelling import given_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.serve.training.label_file import UserPage


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
    labelled = [_labelled_page(page) for page in pages if page.labels]
    samples = np.concatenate([page.samples[page.labels != NONE] for page in labelled] or [np.empty((0, len(FEATURES)))])
    labels = np.concatenate([page.labels[page.labels != NONE] for page in labelled] or [np.empty(0, dtype=np.int64)])
    if not (labels == MAIN).any() or not (labels != MAIN).any():
        n_main = int((labels == MAIN).sum())
        raise UserError(
            f"labels cover {n_main} blocks of main text and {len(labels) - n_main} others: label at least one of each"
        )
    rest = [block_features(crawl_blocks(page.document), page.document) for page in pages if not page.labels]
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
    return LabelledPage(
        samples=block_features(blocks, page.document),
        labels=np.array([CODES[label] for label in given_labels(page, blocks)], dtype=np.int64),
        group=page.name,
    )


BATCH_SHARE: Final = 0.56
"""Unlabelled samples of a round, for each labelled one: 1/1.8 (§5.3.2)."""


class Propagation(Protocol):
    """An estimator that labels what it is fitted on."""

    transduction_: Ints
    label_distributions_: Floats

    def fit(self, X: ArrayLike, y: ArrayLike) -> object: ...  # noqa: N803


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedSet:
    """The labelled samples, followed by the unlabelled ones in their order."""

    samples: Floats
    labels: Ints
    confidence: Floats
    """Probability of the label; 1 for the labels given."""
    batch_ends: tuple[int, ...]
    """Number of samples after each round, the labelled ones included."""


def extend_training_set(
    labelled: ArrayLike,
    labels: ArrayLike,
    unlabelled: ArrayLike,
    *,
    make: Callable[[], Propagation] = KNNLP,
    batch_share: float = BATCH_SHARE,
) -> ExtendedSet:
    """Label ``unlabelled`` in batches of ``round(batch_share · m)``, m = labelled samples, the last one shorter.

    Each round propagates from the given labels only, so that its errors do not feed the next one.

    :param make: the estimator of a round.
    :raises ValueError: for NaN, different numbers of features, or a labelled sample without a label.
    """
    known = check_samples(labelled)
    given = check_labels(labels, len(known))
    if (given == UNLABELLED).any():
        raise ValueError(f"labelled sample {int((given == UNLABELLED).argmax())} has no label: expected labels >= 0")
    rest = np.asarray(unlabelled, dtype=np.float64)
    rest = check_samples(rest, n_features=known.shape[1]) if rest.size else np.empty((0, known.shape[1]))
    size = max(1, round(check_positive(batch_share, "batch_share") * len(known)))
    found, confidence, ends = [given], [np.ones(len(given))], []
    for begin in range(0, len(rest), size):
        batch = rest[begin : begin + size]
        estimator = make()
        estimator.fit(np.concatenate((known, batch)), np.concatenate((given, np.full(len(batch), UNLABELLED))))
        found.append(estimator.transduction_[len(known) :])
        confidence.append(estimator.label_distributions_[len(known) :].max(axis=1))
        ends.append(len(known) + begin + len(batch))
    return ExtendedSet(
        samples=np.concatenate((known, rest)),
        labels=np.concatenate(found),
        confidence=np.concatenate(confidence),
        batch_ends=tuple(ends),
    )
