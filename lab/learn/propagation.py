"""What the paper compares KNNLP with: label propagation over the full graph (LP), and linear neighbourhoods (LNP)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from lab.learn.graphs import nearest, sparse_rows
from lab.learn.label_propagation import (
    MAX_ITER,
    N_NEIGHBOURS,
    TOL,
    Propagating,
    initial_distributions,
    normalise,
)
from lab.learn.samples import UNLABELLED, check_count, check_positive, check_share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints

MAX_FULL_GRAPH: Final = 10_000
"""Samples of LP's full graph; its matrix then takes 0.8 GB."""
RIDGE: Final = 1e-3
"""Share of the Gram matrix's trace added to its diagonal, as in LLE: with more neighbours than features the weights
are not unique otherwise. Ours."""
WEIGHTS_CHUNK: Final = 8192
MAX_STEPS: Final = 500
WEIGHTS_TOL: Final = 1e-7


class LP(Propagating):
    """Label propagation over the full graph (Zhu, Ghahramani 2002, CMU-CALD-02-107).

    w_ij = exp(−‖xi−xj‖²/σ²), self included; T_ij = w_ij / Σ_k w_kj, rows normalised; Y ← TY, rows normalised, known
    rows restored. Samples are standardised.

    :param sigma: None: a third of the shortest edge of the minimum spanning tree that joins parts with different
        labels (§4 of the report).

    O(n²) memory, so at most 10,000 samples.
    """

    def __init__(self, *, sigma: float | None = None, tol: float = TOL, max_iter: int = MAX_ITER) -> None:
        self.sigma = sigma
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn the distribution of every sample.

        :raises ValueError: for a wrong shape, NaN, no label, or more than 10,000 samples.
        """
        points, labels = self._begin(X, y)
        if len(points) > MAX_FULL_GRAPH:
            raise ValueError(f"{len(points)} samples: LP's full graph takes at most {MAX_FULL_GRAPH}; use KNNLP")
        squared = cdist(points, points, "sqeuclidean")
        self.sigma_ = bridging_length(squared, labels) / 3 if self.sigma is None else self.sigma
        graph = _full_graph(squared, check_positive(self.sigma_, "sigma") ** 2)
        start = initial_distributions(labels, self.classes_, unknown=1 / len(self.classes_))
        known = labels != UNLABELLED

        def step(rows: Floats) -> Floats:
            spread = normalise(graph @ rows)
            spread[known] = start[known]
            return spread

        return self._finish(step, start)


def _full_graph(squared: Floats, scale: float) -> Floats:
    """Return T with its diagonal moved to the other entries of the row: the same limit in far fewer rounds.

    In logarithms, so that the row of a sample far from all others does not vanish.
    """
    weights = squared / -scale
    weights -= np.log(np.exp(weights).sum(axis=0))
    if len(weights) > 1:
        np.fill_diagonal(weights, -np.inf)
    np.exp(weights - weights.max(axis=1, keepdims=True), out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def bridging_length(squared: Floats, labels: Ints) -> float:
    """Return the length of the first edge, in Kruskal's order, that joins two parts with different labels.

    Zhu, Ghahramani (2002), §4. With one class, or where such parts stand at one point, the mean distance; 1.0 where
    that is 0 too.

    :param squared: squared distances, ``(n, n)``.
    """
    fallback = float(np.sqrt(squared).mean()) or 1.0
    # the graph routines take 0 for "no edge": samples at one point are joined by an edge next to nothing
    tiny = np.finfo(np.float64).tiny
    tree = minimum_spanning_tree(np.sqrt(np.maximum(squared, tiny))).tocoo()
    parts = list(range(len(labels)))
    known = labels.tolist()
    for edge in np.argsort(tree.data, kind="stable").tolist():
        one, other = _root(parts, int(tree.row[edge])), _root(parts, int(tree.col[edge]))
        left, right = known[one], known[other]
        if UNLABELLED not in (left, right) and left != right:
            length = float(tree.data[edge])
            return length if length > np.sqrt(tiny) else fallback
        parts[other] = one
        known[one] = left if left != UNLABELLED else right
    return fallback


def _root(parts: list[int], place: int) -> int:
    while parts[place] != place:
        parts[place] = parts[parts[place]]
        place = parts[place]
    return place


class LNP(Propagating):
    """Linear neighbourhood propagation (Wang, Zhang 2008, IEEE TKDE 20(1), §3).

    Each sample is written as a convex combination of its k nearest neighbours, weights W >= 0 with rows summing to 1;
    F ← αWF + (1−α)Y, Y being 0 where unknown. Samples are standardised. Known samples keep their label in
    ``transduction_``, not in ``label_distributions_``.

    :param alpha: share of a label that comes from the neighbours, in ``[0, 1)``. Rounds at 0.99 leave 0.99 of the
        error each: 1,000 of them are not enough for ``tol``.
    """

    def __init__(
        self,
        *,
        n_neighbours: int = N_NEIGHBOURS,
        alpha: float = 0.99,
        tol: float = TOL,
        max_iter: int = 2 * MAX_ITER,
    ) -> None:
        self.n_neighbours = n_neighbours
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803
        """Learn the distribution of every sample.

        :raises ValueError: for a wrong shape, NaN, or no label.
        """
        points, labels = self._begin(X, y)
        alpha = check_share(self.alpha, "alpha")
        near = nearest(points, check_count(self.n_neighbours, "n_neighbours"))
        graph = sparse_rows(near.index, reconstruction_weights(points, near.index), len(labels))
        start = initial_distributions(labels, self.classes_, unknown=0.0)

        def step(rows: Floats) -> Floats:
            spread: Floats = alpha * (graph @ rows) + (1 - alpha) * start
            return spread

        self._finish(step, start)
        self.transduction_ = np.where(labels == UNLABELLED, self.transduction_, labels)
        return self


def reconstruction_weights(points: Floats, index: Ints) -> Floats:
    """Return weights >= 0 with rows summing to 1 that minimise ‖xi − Σ w_ij xj‖²; shape of ``index``.

    Each sample as a convex combination of its neighbours (Wang, Zhang 2008, §3.1, eq. 3–4).

    All samples of a chunk are solved at once, by accelerated projected gradient.
    """
    weights = np.empty(index.shape)
    for begin in range(0, len(index), WEIGHTS_CHUNK):
        rows = slice(begin, begin + WEIGHTS_CHUNK)
        difference = points[index[rows]] - points[rows, None, :]
        gram = difference @ difference.transpose(0, 2, 1)
        weights[rows] = _minimise(gram)
    return weights


def _minimise(gram: Floats) -> Floats:
    """Minimise wᵀGw over the simplex for each G of shape ``(n, k, k)``."""
    n, k, _ = gram.shape
    if not k:
        return np.empty((n, 0))
    trace = np.trace(gram, axis1=1, axis2=2)
    trace = np.where(trace > 0, trace, 1.0)
    gram = gram / trace[:, None, None] + RIDGE * np.eye(k)
    rate = 1 / np.linalg.norm(gram, axis=(1, 2))[:, None]  # the Frobenius norm bounds the largest eigenvalue
    weights = momentum = np.full((n, k), 1 / k)
    t = 1.0
    for _ in range(MAX_STEPS):
        moved = onto_simplex(momentum - rate * np.einsum("nij,nj->ni", gram, momentum))
        t_next = (1 + np.sqrt(1 + 4 * t * t)) / 2
        change = moved - weights
        # where the step goes uphill, momentum is given up (O'Donoghue, Candès 2015)
        uphill = ((momentum - moved) * change).sum(axis=1, keepdims=True) > 0
        momentum = np.where(uphill, moved, moved + (t - 1) / t_next * change)
        weights, t = moved, t_next
        if float(np.abs(change).max(initial=0.0)) < WEIGHTS_TOL:
            break
    return weights


def onto_simplex(rows: Floats) -> Floats:
    """Return the nearest points with entries >= 0 and sum 1 (Duchi et al. 2008, fig. 1)."""
    k = rows.shape[1]
    falling = -np.sort(-rows, axis=1)
    excess = (np.cumsum(falling, axis=1) - 1) / np.arange(1, k + 1)
    last = (falling > excess).sum(axis=1) - 1
    shift = np.take_along_axis(excess, last[:, None], axis=1)
    projected: Floats = np.maximum(rows - shift, 0.0)
    return projected
