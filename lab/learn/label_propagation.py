"""Labels of a few samples, spread to the rest over a graph of their nearness: KNNLP.

It and what it is compared with (``lab.learn.propagation``) keep scikit-learn's contract of semi-supervised
estimators: ``fit(X, y)`` with ``y = -1`` where unknown learns ``classes_``, ``label_distributions_`` of shape
``(n_samples, n_classes)``, ``transduction_`` of shape ``(n_samples,)`` and ``n_iter_``. With one class known, every
sample gets it. A sample that no label reaches keeps the uniform distribution, and so the first class.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from lab.learn.graphs import gaussian_rows, nearest, sparse_rows
from lab.learn.samples import (
    UNLABELLED,
    check_count,
    check_labels,
    check_positive,
    check_samples,
    check_share,
    variance,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints

N_NEIGHBOURS: Final = 7
"""k of Zhang, Cao, Li (2015), §4.3."""
TOL: Final = 1e-6
MAX_ITER: Final = 1000


class Propagating(BaseEstimator):  # type: ignore[misc]
    """What these estimators share: checks, scale and classes before, rounds and labels after."""

    tol: float
    max_iter: int
    classes_: Ints
    label_distributions_: Floats
    transduction_: Ints
    n_iter_: int
    n_features_in_: int

    def _begin(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Ints]:  # noqa: N803
        """Return the standardised samples and their labels."""
        samples = check_samples(X)
        labels = check_labels(y, len(samples))
        self.n_features_in_ = samples.shape[1]
        self.scale_ = StandardScaler().fit(samples)
        self.classes_ = np.unique(labels[labels != UNLABELLED])
        return self.scale_.transform(samples), labels

    def _finish(self, step: Callable[[Floats], Floats], start: Floats) -> Self:
        """Repeat ``step`` until no entry changes by ``tol``; every sample gets its likeliest class."""
        found, self.n_iter_ = _iterate(
            step, start, tol=check_positive(self.tol, "tol"), max_iter=check_count(self.max_iter, "max_iter")
        )
        self.label_distributions_ = normalise(found)
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        return self


class KNNLP(Propagating):
    """Label propagation over the k nearest neighbours (Zhang, Cao, Li 2015, §4.3, eq. 6–10).

    Samples are standardised. Row i of T holds exp(−‖xi−xj‖²/δ²) of the neighbours of i, normalised, δ² being the mean
    squared distance to the mean. L ← TL, rows normalised; known rows are L = cL + (1−c)L⁰.

    :param n_neighbours: k; all other samples where there are fewer.
    :param clamping: c, in ``[0, 1)``: how far known labels may be talked over. 0 keeps them.

    Memory grows with ``n_samples · k``: 100,000 samples take less than 0.5 GB.
    """

    def __init__(
        self,
        *,
        n_neighbours: int = N_NEIGHBOURS,
        clamping: float = 0.0,
        tol: float = TOL,
        max_iter: int = MAX_ITER,
    ) -> None:
        self.n_neighbours = n_neighbours
        self.clamping = clamping
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn the distribution of every sample.

        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        points, labels = self._begin(X, y)
        k = check_count(self.n_neighbours, "n_neighbours")
        clamping = check_share(self.clamping, "clamping")
        self.delta_squared_ = variance(points)
        found = nearest(points, k)
        graph = sparse_rows(found.index, gaussian_rows(found.squared, self.delta_squared_), len(labels))
        start = initial_distributions(labels, self.classes_, unknown=1 / len(self.classes_))
        known = labels != UNLABELLED

        def step(rows: Floats) -> Floats:
            spread = normalise(graph @ rows)
            spread[known] = clamping * spread[known] + (1 - clamping) * start[known]
            return spread

        return self._finish(step, start)


def initial_distributions(labels: Ints, classes: Ints, *, unknown: float) -> Floats:
    """Return one-hot rows where the label is known, ``unknown`` in every column elsewhere."""
    rows = np.full((len(labels), len(classes)), unknown)
    known = labels != UNLABELLED
    rows[known] = labels[known, None] == classes
    return rows


def _iterate(step: Callable[[Floats], Floats], start: Floats, *, tol: float, max_iter: int) -> tuple[Floats, int]:
    """Repeat ``step`` until no entry changes by ``tol``; return the last value and the number of rounds.

    Warns with ``ConvergenceWarning`` where ``max_iter`` rounds were not enough.
    """
    current = start
    for done in range(1, max_iter + 1):
        following = step(current)
        change = float(np.abs(following - current).max(initial=0.0))
        current = following
        if change < tol:
            return current, done
    warnings.warn(
        f"labels still changed by {change:.1e} after {max_iter} rounds (tol={tol})", ConvergenceWarning, stacklevel=4
    )
    return current, max_iter


def normalise(rows: Floats) -> Floats:
    """Return the rows divided by their sums; a row of zeros becomes uniform."""
    sums = rows.sum(axis=1, keepdims=True)
    result: Floats = np.where(sums > 0, rows / np.where(sums > 0, sums, 1.0), 1 / rows.shape[1])
    return result
