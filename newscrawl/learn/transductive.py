"""Support vector machines that also see samples without labels (the paper's S3VM)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC

from newscrawl.learn.checks import UNLABELLED, check_labels, check_positive, check_samples
from newscrawl.learn.scaling import fit_scale

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.learn.checks import Floats, Ints

FIRST_WEIGHT: Final = 1e-3
"""Cost of an unlabelled sample at the start, as a share of a labelled one's; doubled until they are equal.

Joachims begins at 1e-5; from there to here nothing is ever switched on our data."""
MAX_SWITCHES: Final = 50
"""Rounds of switching at one cost."""


class TransductiveSVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Transductive SVM with a Gaussian kernel (Joachims 1999, ICML, fig. 5), one class against the rest.

    The unlabelled samples get labels in the proportion of the labelled ones; then pairs of different sign that both
    lie on the wrong side change places while their cost rises. All such pairs of a round change at once.
    """

    classes_: Ints
    transduction_: Ints

    def __init__(self, *, C: float = 1.0, gamma: float | None = None) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples, and label the others (``transduction_``).

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples = check_samples(X)
        labels = check_labels(y, len(samples))
        self.n_features_in_ = samples.shape[1]
        self.scale_ = fit_scale(samples)
        self.gamma_ = 1 / samples.shape[1] if self.gamma is None else check_positive(self.gamma, "gamma")
        check_positive(self.C, "C")
        points = self.scale_.apply(samples)
        self.classes_ = np.unique(labels[labels != UNLABELLED])
        self.machines_: list[SVC] = []
        if len(self.classes_) > 1:
            self.machines_ = [self._machine(points, labels, name) for name in self.classes_.tolist()]
        self.transduction_ = np.where(labels == UNLABELLED, self.predict(samples), labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        points = self.scale_.apply(check_samples(X, n_features=self.n_features_in_))
        if not self.machines_:
            return np.full(len(points), self.classes_[0])
        scores = np.column_stack([machine.decision_function(points) for machine in self.machines_])
        labels: Ints = self.classes_[scores.argmax(axis=1)]
        return labels

    def _machine(self, points: Floats, labels: Ints, positive: int) -> SVC:
        known = labels != UNLABELLED
        signs = np.where(labels == positive, 1, -1)
        machine = self._fitted(points[known], signs[known], np.ones(int(known.sum())))
        if known.all():
            return machine
        free = np.flatnonzero(~known)
        n_positive = round(float((signs[known] > 0).mean()) * len(free))
        order = np.argsort(-machine.decision_function(points[free]), kind="stable")
        signs[free] = -1
        signs[free[order[:n_positive]]] = 1
        weight = FIRST_WEIGHT
        while True:
            weight = min(weight, 1.0)
            weights = np.where(known, 1.0, weight)
            for _ in range(MAX_SWITCHES):
                machine = self._fitted(points, signs, weights)
                if not _switch(machine, points, signs, free):
                    break
            if weight == 1.0:
                return machine
            weight *= 2

    def _fitted(self, points: Floats, signs: Ints, weights: Floats) -> SVC:
        machine = SVC(C=self.C, gamma=self.gamma_)
        return machine.fit(points, signs, sample_weight=weights)


def _switch(machine: SVC, points: Floats, signs: Ints, free: Ints) -> bool:
    """Swap the labels of the worst pairs whose slacks add up to more than 2; tell whether there was one."""
    slack = np.maximum(0.0, 1 - signs[free] * machine.decision_function(points[free]))
    positive = free[signs[free] > 0][np.argsort(-slack[signs[free] > 0], kind="stable")]
    negative = free[signs[free] < 0][np.argsort(-slack[signs[free] < 0], kind="stable")]
    n = min(len(positive), len(negative))
    by_sample = np.zeros(len(points))
    by_sample[free] = slack
    one, other = by_sample[positive[:n]], by_sample[negative[:n]]
    wrong = (one > 0) & (other > 0) & (one + other > 2)
    signs[positive[:n][wrong]] = -1
    signs[negative[:n][wrong]] = 1
    return bool(wrong.any())
