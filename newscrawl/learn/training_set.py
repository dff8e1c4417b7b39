"""A small labelled set made large (Zhang, Cao, Li 2015, §4.3, Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.learn.label_propagation import KNNLP
from newscrawl.learn.samples import UNLABELLED, check_labels, check_positive, check_samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from newscrawl.learn.samples import Floats, Ints

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
