"""Label distributions that spread over a graph until they no longer change."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from newscrawl.learn.checks import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.learn.checks import Floats, Ints


def initial_distributions(labels: Ints, classes: Ints, *, unknown: float) -> Floats:
    """Return one-hot rows where the label is known, ``unknown`` in every column elsewhere."""
    rows = np.full((len(labels), len(classes)), unknown)
    known = labels != UNLABELLED
    rows[known] = labels[known, None] == classes
    return rows


def sparse_rows(index: Ints, weights: Floats, n_columns: int) -> Any:
    """Return a CSR matrix with ``weights`` in the columns ``index`` of each row; both of shape ``(n_rows, k)``."""
    n_rows, k = index.shape
    starts = np.arange(0, n_rows * k + 1, max(k, 1)) if k else np.zeros(n_rows + 1, dtype=np.int64)
    return csr_array((weights.ravel(), index.ravel(), starts), shape=(n_rows, n_columns))


def gaussian_rows(squared: Floats, scale: float) -> Floats:
    """Return exp(−d²/δ²), each row divided by its sum; uniform where ``scale`` is 0, all samples being one point.

    The nearest neighbour's distance is taken off first, which changes no quotient, so that the weights of a far-off
    sample do not all vanish.
    """
    if not squared.shape[1]:
        return squared
    if not scale:
        return np.full(squared.shape, 1 / squared.shape[1])
    weights = np.exp(-(squared - squared.min(axis=1, keepdims=True)) / scale)
    rows: Floats = weights / weights.sum(axis=1, keepdims=True)
    return rows


def iterate(step: Callable[[Floats], Floats], start: Floats, *, tol: float, max_iter: int) -> tuple[Floats, int]:
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
        f"labels still changed by {change:.1e} after {max_iter} rounds (tol={tol})", ConvergenceWarning, stacklevel=3
    )
    return current, max_iter


def normalised(rows: Floats) -> Floats:
    """Return the rows divided by their sums; a row of zeros becomes uniform."""
    sums = rows.sum(axis=1, keepdims=True)
    result: Floats = np.where(sums > 0, rows / np.where(sums > 0, sums, 1.0), 1 / rows.shape[1])
    return result
