"""A forest of decision trees as plain arrays: asked by numpy alone, all trees at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Nodes of all trees in one row of arrays, each of shape ``(n_nodes,)``; a leaf is its own child."""

    roots: NDArray[np.int32]
    """Shape ``(n_trees,)``."""
    feature: NDArray[np.int16]
    """The feature asked at a node; 0 at a leaf."""
    threshold: NDArray[np.float32]
    """Up to this value the way goes to ``below``."""
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    shares: NDArray[np.float16]
    """Shape ``(n_nodes, n_classes)``: the classes' shares at a leaf, zeros elsewhere."""
    depth: int
    """Of the deepest tree: steps after which every tree is at a leaf."""

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean of the trees' shares, shape ``(n_classes,)``. O(trees · depth).

        :param values: shape ``(n_features,)``.
        """
        known = values.astype(np.float32)
        node = self.roots
        for _ in range(self.depth):
            is_below = known[self.feature[node]] <= self.threshold[node]
            node = np.where(is_below, self.below[node], self.above[node])
        mean: NDArray[np.float64] = self.shares[node].mean(axis=0, dtype=np.float64)
        return mean
