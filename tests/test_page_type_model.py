from __future__ import annotations

import numpy as np
import pytest

from newscrawl.page_type.model import Forest

# Tree 1: x0 <= 0.5 ? (x1 <= 2 ? a : b) : b; tree 2: always a.
FOREST = Forest(
    roots=np.array([0, 5], dtype=np.int32),
    feature=np.array([0, 1, 0, 0, 0, 0], dtype=np.int16),
    threshold=np.array([0.5, 2.0, 0, 0, 0, 0], dtype=np.float32),
    below=np.array([1, 3, 2, 3, 4, 5], dtype=np.int32),
    above=np.array([2, 4, 2, 3, 4, 5], dtype=np.int32),
    shares=np.array([[0, 0], [0, 0], [0, 1], [1, 0], [0.25, 0.75], [1, 0]], dtype=np.float16),
    depth=2,
)


@pytest.mark.parametrize(
    ("values", "expected"),
    [((0.5, 2.0), (1.0, 0.0)), ((0.5, 3.0), (0.625, 0.375)), ((0.6, 0.0), (0.5, 0.5))],
    ids=["below below", "below above", "above"],
)
def test_the_mean_of_the_leaves(values: tuple[float, float], expected: tuple[float, float]) -> None:
    assert FOREST.probabilities(np.array(values)) == pytest.approx(expected)
