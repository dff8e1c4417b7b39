"""What the papers compare label propagation with: nearest neighbours, self-training, and the transductive SVM."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lab.learn.samples import UNLABELLED, check_count, check_labels, check_positive, check_samples
from lab.learn.two_steps import SVM, StandardisedClassifier

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints

KNN_NEIGHBOURS: Final = 4
"""K of the KNN baseline (Zhang, Cao, Li 2015, §5.3.2)."""
ROUND_SHARE: Final = 0.1
"""Share of the unlabelled samples that are adopted in a round."""
FIRST_WEIGHT: Final = 1e-3
"""Cost of an unlabelled sample at the start, as a share of a labelled one's; doubled until they are equal.

Joachims begins at 1e-5; from there to here nothing is ever switched on our data."""
MAX_SWITCHES: Final = 50
"""Rounds of switching at one cost."""


class KNN(StandardisedClassifier):
    """Majority of the K nearest labelled samples; of all of them where there are fewer than K."""

    def __init__(self, *, n_neighbours: int = KNN_NEIGHBOURS) -> None:
        self.n_neighbours = n_neighbours

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples; as :meth:`SVM.fit`."""
        samples, labels = self._begin(X, y)
        k = min(check_count(self.n_neighbours, "n_neighbours"), len(samples))
        self.neighbours_ = KNeighborsClassifier(n_neighbors=k).fit(samples, labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        labels: Ints = self.neighbours_.predict(self._standardise(X))
        return labels


class SelfTrainingSVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Self-training (Scudder 1965; Yarowsky 1995) around :class:`~lab.learn.two_steps.SVM`.

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
            chosen = free[np.argsort(-_leads(self.machine_, samples[free]), kind="stable")[:size]]
            labels[chosen] = self.machine_.predict(samples[chosen])
            self.n_iter_ += 1
        self.classes_ = self.machine_.classes_
        self.transduction_ = labels
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        return self.machine_.predict(X)


def _leads(machine: SVM, samples: Floats) -> Floats:
    """Return by how much the best class of each sample leads the second best; infinity with one class known."""
    if machine.svc_ is None:
        return np.full(len(samples), np.inf)
    values = machine.svc_.decision_function(machine.scale_.transform(samples))
    if values.ndim == 1:  # of two classes
        values = np.column_stack((-values, values)) / 2
    ordered = np.sort(values, axis=1)
    found: Floats = ordered[:, -1] - ordered[:, -2]
    return found


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
        self.scale_ = StandardScaler().fit(samples)
        self.gamma_ = 1 / samples.shape[1] if self.gamma is None else check_positive(self.gamma, "gamma")
        check_positive(self.C, "C")
        points = self.scale_.transform(samples)
        self.classes_ = np.unique(labels[labels != UNLABELLED])
        self.machines_: list[SVC] = []
        if len(self.classes_) > 1:
            self.machines_ = [self._machine(points, labels, name) for name in self.classes_.tolist()]
        self.transduction_ = np.where(labels == UNLABELLED, self.predict(samples), labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        points = self.scale_.transform(check_samples(X, n_features=self.n_features_in_))
        if not self.machines_:
            return np.full(len(points), self.classes_[0])
        scores = np.column_stack([machine.decision_function(points) for machine in self.machines_])
        labels: Ints = self.classes_[scores.argmax(axis=1)]
        return labels

    def _machine(self, points: Floats, labels: Ints, positive: int) -> SVC:
        known = labels != UNLABELLED
        signs = np.where(labels == positive, 1, -1)
        machine = self._fit_machine(points[known], signs[known], np.ones(int(known.sum())))
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
                machine = self._fit_machine(points, signs, weights)
                if not _switch(machine, points, signs, free):
                    break
            if weight == 1.0:
                return machine
            weight *= 2

    def _fit_machine(self, points: Floats, signs: Ints, weights: Floats) -> SVC:
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
