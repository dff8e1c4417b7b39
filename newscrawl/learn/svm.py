"""Support vector machines with a Gaussian kernel, and nearest neighbours: the supervised side of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from newscrawl.learn.checks import UNLABELLED, check_count, check_labels, check_positive, check_samples
from newscrawl.learn.scaling import fit_scale

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.learn.checks import Floats, Ints

KNN_NEIGHBOURS: Final = 4
"""K of the paper's KNN baseline (§5.3.2)."""


class SVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """RBF support vector machine over standardised samples, libsvm's defaults: C = 1, γ = 1 / n_features.

    Unlabelled samples (-1) are left out. With one class known, every prediction is that class.
    """

    classes_: Ints

    def __init__(self, *, C: float = 1.0, gamma: float | None = None, class_weight: str | None = None) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803
        """Learn from the labelled samples.

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :param sample_weight: of the labelled samples alone, in their order; None: all weigh the same.
        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples, labels = _labelled(X, y)
        self.n_features_in_ = samples.shape[1]
        self.classes_ = np.unique(labels)
        self.scale_ = fit_scale(samples)
        self.gamma_ = 1 / samples.shape[1] if self.gamma is None else check_positive(self.gamma, "gamma")
        self.svc_: SVC | None = None
        if len(self.classes_) > 1:
            self.svc_ = SVC(C=check_positive(self.C, "C"), gamma=self.gamma_, class_weight=self.class_weight)
            self.svc_.fit(self.scale_.apply(samples), labels, sample_weight=sample_weight)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        samples = check_samples(X, n_features=self.n_features_in_)
        if self.svc_ is None:
            return np.full(len(samples), self.classes_[0])
        labels: Ints = self.svc_.predict(self.scale_.apply(samples))
        return labels

    def leads(self, X: ArrayLike) -> Floats:  # noqa: N803
        """Return by how much the best class of each sample leads the second best; infinity with one class known."""
        samples = check_samples(X, n_features=self.n_features_in_)
        if self.svc_ is None:
            return np.full(len(samples), np.inf)
        values = self.svc_.decision_function(self.scale_.apply(samples))
        if values.ndim == 1:  # of two classes
            values = np.column_stack((-values, values)) / 2
        ordered = np.sort(values, axis=1)
        found: Floats = ordered[:, -1] - ordered[:, -2]
        return found


class KNN(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Majority of the K nearest labelled samples, standardised; of all of them where there are fewer than K."""

    classes_: Ints

    def __init__(self, *, n_neighbours: int = KNN_NEIGHBOURS) -> None:
        self.n_neighbours = n_neighbours

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples.

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples, labels = _labelled(X, y)
        self.n_features_in_ = samples.shape[1]
        self.classes_ = np.unique(labels)
        self.scale_ = fit_scale(samples)
        k = min(check_count(self.n_neighbours, "n_neighbours"), len(samples))
        self.neighbours_ = KNeighborsClassifier(n_neighbors=k).fit(self.scale_.apply(samples), labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        labels: Ints = self.neighbours_.predict(self.scale_.apply(check_samples(X, n_features=self.n_features_in_)))
        return labels


def _labelled(X: ArrayLike, y: ArrayLike) -> tuple[Floats, Ints]:  # noqa: N803
    samples = check_samples(X)
    labels = check_labels(y, len(samples))
    known = labels != UNLABELLED
    return samples[known], labels[known]
