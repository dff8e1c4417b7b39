import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lab.learn.graphs import nearest
from lab.learn.propagation import onto_simplex, reconstruction_weights

grids = arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=st.integers(0, 3).map(float))


def by_hand(samples: np.ndarray, k: int) -> list[list[int]]:
    """Sort all others by distance, then index."""
    found = []
    for own, point in enumerate(samples):
        squared = ((samples - point) ** 2).sum(axis=1)
        others = [place for place in range(len(samples)) if place != own]
        found.append(sorted(others, key=lambda place: (squared[place], place))[:k])
    return found


@given(samples=grids, k=st.integers(1, 8))
@settings(max_examples=200, deadline=None)
def test_nearest_agrees_with_sorting_all_others(samples: np.ndarray, k: int) -> None:
    found = nearest(samples, k)
    assert found.index.tolist() == by_hand(samples, min(k, len(samples) - 1))
    assert (np.diff(found.squared, axis=1) >= 0).all()


def test_ties_go_to_the_lower_index_however_wide_they_are() -> None:
    circle = np.array([[np.cos(turn), np.sin(turn)] for turn in np.linspace(0, 2 * np.pi, 60, endpoint=False)])
    samples = np.vstack((circle, [[0.0, 0.0]]))
    assert nearest(samples, 3).index[-1].tolist() == [0, 1, 2]


def test_one_sample_has_no_neighbour() -> None:
    assert nearest(np.zeros((1, 2)), 7).index.shape == (1, 0)


def test_memory_grows_with_samples_times_neighbours() -> None:
    samples = np.random.default_rng(1).normal(size=(20_000, 6))
    tracemalloc.start()
    nearest(samples, 7)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # a full matrix would take 3,200 MB


@given(rows=arrays(np.float64, (3, 4), elements=st.floats(-5, 5)))
def test_projection_lies_on_the_simplex(rows: np.ndarray) -> None:
    projected = onto_simplex(rows)
    assert (projected >= 0).all()
    assert projected.sum(axis=1) == pytest.approx(np.ones(3))


def test_reconstruction_weights_of_points_between_others() -> None:
    points = np.array([[0.0, 0.0], [3.0, 0.0], [1.0, 0.0], [0.0, 9.0]])
    weights = reconstruction_weights(points, np.array([[1, 2], [0, 2], [0, 1], [0, 1]]))
    assert weights[2] == pytest.approx([2 / 3, 1 / 3], abs=2e-3)  # 1 = 2/3 · 0 + 1/3 · 3
    assert weights[0] == pytest.approx([0, 1], abs=1e-3)  # no negative weight for what lies beyond
