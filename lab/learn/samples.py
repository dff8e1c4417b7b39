"""What the estimators accept, one line for each mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from newscrawl.classify.model_file import Floats, Ints

UNLABELLED: Final = -1


def check_samples(samples: ArrayLike, *, n_features: int | None = None) -> Floats:
    """Return ``samples`` as floats of shape ``(n_samples, n_features)``.

    :raises ValueError: if it is not such a table, holds NaN or infinity, or has another number of features.
    """
    table = np.asarray(samples, dtype=np.float64)
    if table.ndim != 2 or not table.shape[1]:
        raise ValueError(f"samples of shape {table.shape}: expected (n_samples, n_features) with n_features >= 1")
    if n_features is not None and table.shape[1] != n_features:
        raise ValueError(f"samples with {table.shape[1]} features: fitted with {n_features}")
    broken = np.argwhere(~np.isfinite(table))
    if len(broken):
        row, column = broken[0].tolist()
        raise ValueError(f"sample {row}, feature {column} is {table[row, column]}: expected finite numbers")
    return table


def check_labels(labels: ArrayLike, n_samples: int) -> Ints:
    """Return ``labels`` as integers of shape ``(n_samples,)``, at least one of them known.

    :raises ValueError: for another shape, negative labels but ``-1``, or where nothing is labelled.
    """
    values = np.asarray(labels)
    if values.shape != (n_samples,):
        raise ValueError(f"labels of shape {values.shape}: expected ({n_samples},), one for each sample")
    if not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"labels of type {values.dtype}: expected integers, -1 where unknown")
    if values.size and values.min() < UNLABELLED:
        raise ValueError(f"label {values.min()}: expected integers >= 0, -1 where unknown")
    if not (values != UNLABELLED).any():
        raise ValueError(f"none of {n_samples} samples is labelled: expected at least one label >= 0")
    return values.astype(np.int64)


def check_count(value: int, name: str) -> int:
    """Return ``value`` if it is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name}={value!r}: expected a whole number >= 1")
    return int(value)


def check_positive(value: float, name: str) -> float:
    """Return ``value`` if it is a finite number above 0."""
    if not np.isfinite(value) or value <= 0:
        raise ValueError(f"{name}={value!r}: expected a number > 0")
    return float(value)


def check_share(value: float, name: str) -> float:
    """Return ``value`` if it lies in ``[0, 1)``."""
    if not 0 <= value < 1:
        raise ValueError(f"{name}={value!r}: expected 0 <= {name} < 1")
    return float(value)


def variance(samples: Floats) -> float:
    """Return δ², the mean squared distance to the mean of all samples (Zhang, Cao, Li 2015, §4.3)."""
    return float(((samples - samples.mean(axis=0)) ** 2).sum(axis=1).mean())
