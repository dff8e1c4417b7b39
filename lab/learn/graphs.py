"""Graphs of samples: the k nearest neighbours of each, and weights of their edges. Memory grows with n_samples · k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import KDTree

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats, Ints

CHUNK: Final = 4096
"""Samples looked up at a time."""
SPARE: Final = 4
"""Places asked for beyond k, so that most ties are settled at once."""
DIGITS: Final = 12
"""Squared distances equal to so many decimals tie: rounding errors must not decide."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Nearest first; shapes ``(n_samples, k)``."""

    index: Ints
    squared: Floats
    """Squared Euclidean distances."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Samples that stand at the same point are one place; its samples in order of index."""

    tree: KDTree
    of_sample: Ints
    samples: Ints
    """Samples sorted by place, then index."""
    first: Ints
    """Where each place begins in ``samples``; shape ``(n_places + 1,)``."""


def nearest(samples: Floats, k: int) -> Neighbours:
    """Return the ``min(k, n_samples - 1)`` nearest other samples of each; ties go to the lower index."""
    k = min(k, len(samples) - 1)
    found = Neighbours(np.empty((len(samples), k), dtype=np.int64), np.empty((len(samples), k)))
    if not k:
        return found
    places = _places(samples)
    for begin in range(0, len(samples), CHUNK):
        rows = np.arange(begin, min(begin + CHUNK, len(samples)))
        found.index[rows], found.squared[rows] = _nearest_others(places, samples[rows], rows, k)
    return found


def _places(samples: Floats) -> _Places:
    points, of_sample = np.unique(samples, axis=0, return_inverse=True)
    order = np.argsort(of_sample, kind="stable")
    first = np.searchsorted(of_sample[order], np.arange(len(points) + 1))
    return _Places(KDTree(points), of_sample.astype(np.int64), order.astype(np.int64), first.astype(np.int64))


def _nearest_others(places: _Places, queries: Floats, own: Ints, k: int) -> tuple[Ints, Floats]:
    """Return indices and squared distances for some samples.

    :param own: their own indices, which are left out.
    """
    index = np.empty((len(queries), k), dtype=np.int64)
    squared = np.empty((len(queries), k))
    n_places = len(places.first) - 1
    open_rows = np.arange(len(queries))
    width = k + 1 + SPARE
    while len(open_rows):
        width = min(width, n_places)
        distance, place = places.tree.query(queries[open_rows], k=np.arange(1, width + 1))
        near = np.round(distance**2, DIGITS)
        candidate, of_candidate = _members(places, place, near, own[open_rows], k)
        order = np.lexsort((candidate, of_candidate), axis=-1)[:, :k]
        index[open_rows] = np.take_along_axis(candidate, order, axis=1)
        squared[open_rows] = np.take_along_axis(of_candidate, order, axis=1)
        if width == n_places:
            break
        # a place not looked at may tie with the last neighbour, at a lower index
        open_rows = open_rows[squared[open_rows, -1] >= near[:, -1]]
        width *= 2
    return index, squared


def _members(places: _Places, place: Ints, near: Floats, own: Ints, k: int) -> tuple[Ints, Floats]:
    """Return the first ``k + 1`` samples of each place, with their distances; left-out ones at infinity."""
    size = np.minimum(places.first[place + 1] - places.first[place], k + 1)
    offset = np.arange(int(size.max()))
    at = places.first[place][:, :, None] + offset
    exists = offset < size[:, :, None]
    candidate = places.samples[np.where(exists, at, 0)]
    exists &= candidate != own[:, None, None]
    squared = np.where(exists, near[:, :, None], np.inf)
    n = len(place)
    return candidate.reshape(n, -1), squared.reshape(n, -1)


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
