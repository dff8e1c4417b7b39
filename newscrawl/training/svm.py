"""Support vector machines with a Gaussian kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC

from newscrawl.learn.samples import UNLABELLED, check_labels, check_positive, check_samples, fit_scale

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.learn.samples import Floats, Ints


class SVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """RBF support vector machine over standardised samples, libsvm's defaults: C = 1, γ = 1 / n_features.

    Unlabelled samples (-1) are left out. With one class known, every prediction is that class.
    """

    classes_: Ints

    def __init__(self, *, C: float = 1.0, gamma: float | None = None, class_weight: str | None = None) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn from the labelled samples.

        :param X: ``(n_samples, n_features)``, finite.
        :param y: ``(n_samples,)``; -1 where unknown.
        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        samples, labels = labelled_samples(X, y)
        self.n_features_in_ = samples.shape[1]
        self.classes_ = np.unique(labels)
        self.scale_ = fit_scale(samples)
        self.gamma_ = 1 / samples.shape[1] if self.gamma is None else check_positive(self.gamma, "gamma")
        self.svc_: SVC | None = None
        if len(self.classes_) > 1:
            self.svc_ = SVC(C=check_positive(self.C, "C"), gamma=self.gamma_, class_weight=self.class_weight)
            self.svc_.fit(self.scale_.apply(samples), labels)
        return self

    def predict(self, X: ArrayLike) -> Ints:  # noqa: N803
        samples = check_samples(X, n_features=self.n_features_in_)
        if self.svc_ is None:
            return np.full(len(samples), self.classes_[0])
        labels: Ints = self.svc_.predict(self.scale_.apply(samples))
        return labels


def labelled_samples(X: ArrayLike, y: ArrayLike) -> tuple[Floats, Ints]:  # noqa: N803
    """Return the samples whose label is known, and their labels.

    :raises ValueError: for a wrong shape, NaN, or no label.
    """
    samples = check_samples(X)
    labels = check_labels(y, len(samples))
    known = labels != UNLABELLED
    return samples[known], labels[known]
