"""The learned part of the page type: a linear model and a forest of small trees, asked together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.items import PageType
from newscrawl.learn.model_file import load_model
from newscrawl.page_type.features import FEATURES

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

KIND: Final = "page_type"
MODEL: Final = Path(__file__).parent.parent / "models" / "page_type.npz"
CLASSES: Final = (
    PageType.ARTICLE, PageType.HUB, PageType.LISTING, PageType.FORUM, PageType.PRODUCT, PageType.OTHER,
)  # fmt: skip
ADDRESS_KINDS: Final = ("article", "hub", "other", "unknown")
INPUTS: Final = (*FEATURES, *(f"address_{kind}" for kind in ADDRESS_KINDS), "address_none")
MAX_DEVIATIONS: Final = 8.0
MIN_SHARE: Final = 1e-3
"""No class is given less by either: what one is sure of, the other may doubt."""
WEIGHT: Final = 0.7
"""Of each one's log-probability; both saw the same pages, so that they count less than two witnesses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """A softmax over standardised features."""

    mean: Floats
    """Shape ``(n_features,)``, as ``scale``."""
    scale: Floats
    weights: Floats
    """Shape ``(n_classes, n_features)``."""
    bias: Floats

    def probabilities(self, values: Floats) -> Floats:
        """Return a probability for each class, shape ``(n_classes,)``."""
        deviations = np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)
        return softmax(self.weights @ deviations + self.bias)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTypeModel:
    linear: Linear
    forest: Forest

    def log_odds(self, values: Floats) -> Floats:
        """Return the classes' log-probabilities up to a constant, in the order of ``CLASSES``.

        :param values: ``INPUTS`` of a page.
        """
        both = np.array([self.linear.probabilities(values), self.forest.probabilities(values)])
        total: Floats = WEIGHT * np.log(both + MIN_SHARE).sum(axis=0)
        return total


def softmax(scores: Floats) -> Floats:
    shares: Floats = np.exp(scores - scores.max())
    total: Floats = shares / shares.sum()
    return total


def inputs(features: Floats, url_kind: str | None) -> Floats:
    """Return a page's features with what its address promises."""
    values = np.zeros(len(INPUTS))
    values[: len(FEATURES)] = features
    if url_kind is None:
        values[-1] = 1.0
    elif url_kind in ADDRESS_KINDS:
        values[len(FEATURES) + ADDRESS_KINDS.index(url_kind)] = 1.0
    return values


def model_of(arrays: dict[str, NDArray[Any]]) -> PageTypeModel:
    linear = {one.name: arrays[one.name].astype(np.float64) for one in fields(Linear)}
    forest: dict[str, Any] = {one.name: arrays[one.name] for one in fields(Forest)}
    forest["depth"] = int(arrays["depth"][0])
    return PageTypeModel(linear=Linear(**linear), forest=Forest(**forest))


@cache
def shipped_model() -> PageTypeModel:
    return model_of(load_model(MODEL, kind=KIND, features=INPUTS).arrays)
