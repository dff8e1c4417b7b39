"""Each sample as a convex combination of its neighbours (Wang, Zhang 2008, §3.1, eq. 3–4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from newscrawl.learn.checks import Floats, Ints

RIDGE: Final = 1e-3
"""Share of the Gram matrix's trace added to its diagonal, as in LLE: with more neighbours than features the weights
are not unique otherwise. Ours."""
CHUNK: Final = 8192
MAX_STEPS: Final = 500
TOL: Final = 1e-7


def reconstruction_weights(points: Floats, index: Ints) -> Floats:
    """Return weights >= 0 with rows summing to 1 that minimise ‖xi − Σ w_ij xj‖²; shape of ``index``.

    All samples of a chunk are solved at once, by accelerated projected gradient.
    """
    weights = np.empty(index.shape)
    for begin in range(0, len(index), CHUNK):
        rows = slice(begin, begin + CHUNK)
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
        if float(np.abs(change).max(initial=0.0)) < TOL:
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
