"""A support vector machine that teaches itself: it adopts the labels it is surest of, and learns again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from newscrawl.learn.checks import UNLABELLED, check_labels, check_samples
from newscrawl.learn.svm import SVM

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.learn.checks import Ints

ROUND_SHARE: Final = 0.1
"""Share of the unlabelled samples that are adopted in a round."""


class SelfTrainingSVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Self-training (Scudder 1965; Yarowsky 1995) around :class:`~newscrawl.learn.svm.SVM`.

    Each round adopts, of the unlabelled samples, those whose best class leads the second best by most; a label once
    adopted stays, errors included. With one class known, every sample gets it.

    :param round_share: share of all unlabelled samples for a round, in ``(0, 1]``.
    """

    classes_: Ints
    transduction_: Ints
    n_iter_: int

    def __init__(self, *, C: float = 1.0, gamma: float | None = None, round_share: float = ROUND_SHARE) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma
        self.round_share = round_share

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples, and label the others (``transduction_``).

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :raises ValueError: for a wrong shape, NaN, no label, or a share that is none.
        """
        samples = check_samples(X)
        labels = check_labels(y, len(samples)).copy()
        if not 0 < self.round_share <= 1:
            raise ValueError(f"round_share={self.round_share!r}: expected 0 < round_share <= 1")
        self.n_features_in_ = samples.shape[1]
        size = math.ceil(self.round_share * (labels == UNLABELLED).sum())
        self.n_iter_ = 0
        while True:
            self.machine_ = SVM(C=self.C, gamma=self.gamma).fit(samples, labels)
            free = np.flatnonzero(labels == UNLABELLED)
            if not len(free):
                break
            chosen = free[np.argsort(-self.machine_.leads(samples[free]), kind="stable")[:size]]
            labels[chosen] = self.machine_.predict(samples[chosen])
            self.n_iter_ += 1
        self.classes_ = self.machine_.classes_
        self.transduction_ = labels
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        return self.machine_.predict(X)
