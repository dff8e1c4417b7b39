"""A small network over the lines of a page: each line sees its page, the elements around it and its neighbours.

Layers: a dense one for each line; the mean and maximum of the page; means over the elements around; convolutions
of three lines, one, three and six apart; between them again the means. Numpy only; a page costs a few products.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from newscrawl.dom.measures import Ints
    from newscrawl.extractors.news_features import PageLines

    Array = NDArray[np.float32]

DILATIONS: Final = (1, 3, 6)
KERNEL: Final = 3
CLIP: Final = 4.0
"""Standardised features are cut here, so that no page is beyond what was seen."""
SURE: Final = 30.0
"""Log odds beyond which a probability is as good as certain."""
MASS_COLUMNS: Final = 3
"""Numbers of first-pass body text for each element around a line: share of the page's, mean, share of all text."""


@dataclass(frozen=True, kw_only=True)
class LineNetwork:
    """Weights; ``f`` features, ``h`` units, ``t`` units of the means, ``k`` levels. All ``float32``."""

    mean: Array
    scale: Array
    """One over the spread of each feature."""
    input: Array
    """``(f + 1, h)``: weights, and the offsets in the last row; so are all others."""
    first: Array
    """``(h + 1, 1)``: the first pass's answer."""
    page: Array
    """``(2h + 1, h)``"""
    narrow: tuple[Array, Array]
    """``(h + 1, t)``"""
    around: tuple[Array, Array]
    """``(k·t + 3k + 1, h)`` and ``(k·t + 1, h)``"""
    near: tuple[Array, ...]
    """``(KERNEL·h + 1, h)`` for each of ``DILATIONS``."""
    output: Array
    """``(h + 1, 1)``"""

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Return the weights by name, as kept in a model file: in half precision but for mean and scale."""
        named: dict[str, NDArray[Any]] = {f"{prefix}mean": self.mean, f"{prefix}scale": self.scale}
        for name in ("input", "first", "page", "output"):
            named[prefix + name] = getattr(self, name).astype(np.float16)
        for name in ("narrow", "around", "near"):
            for place, array in enumerate(getattr(self, name)):
                named[f"{prefix}{name}{place}"] = array.astype(np.float16)
        return named

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> Self:
        """Return the network that :meth:`arrays` described.

        :raises ValueError: if an array is missing or of another shape.
        """
        try:
            found = {
                name: np.ascontiguousarray(arrays[prefix + name], dtype=np.float32)
                for name in ("mean", "scale", "input", "first", "page", "output")
            }
            several = {
                name: tuple(np.ascontiguousarray(arrays[f"{prefix}{name}{at}"], dtype=np.float32) for at in range(n))
                for name, n in (("narrow", 2), ("around", 2), ("near", len(DILATIONS)))
            }
        except KeyError as error:
            raise ValueError(f"no array {error}") from error
        return cls(**found, **several)  # type: ignore[arg-type]

    @cached_property
    def _input(self) -> tuple[Array, Array, Array]:
        """Least and greatest values, and the first layer's weights for values as they are: not yet standardised."""
        weights = self.input.copy()
        weights[:-1] *= self.scale[:, None]
        weights[-1] -= self.mean @ weights[:-1]
        return self.mean - CLIP / self.scale, self.mean + CLIP / self.scale, weights

    def logits(self, page: PageLines) -> Array:
        """Return for each line the log odds of being body, shape ``(n,)``."""
        low, high, weights = self._input
        hidden: Array = _relu(_dense(np.minimum(np.maximum(page.values, low), high), weights))
        first = sigmoid(_dense(hidden, self.first))
        seen: Array = np.concatenate((hidden.mean(axis=0), hidden.max(axis=0)))
        hidden = hidden + _relu(_dense(seen[None], self.page))
        around = _Around(page.low, page.high)
        mass = first * page.chars[:, None]
        counts = np.concatenate((mass / (mass.sum() + 1), first, page.chars[:, None] / (page.chars.sum() + 1)), axis=1)
        sums = around.sums(counts)
        sums[:, :, 1:2] *= around.share
        means = around.sums(_relu(_dense(hidden, self.narrow[0]))) * around.share
        n = len(hidden)
        inputs = np.concatenate((means.reshape(n, -1), sums.reshape(n, -1)), axis=1)
        hidden = hidden + _relu(_dense(inputs, self.around[0]))
        for place, (weights, step) in enumerate(zip(self.near, DILATIONS, strict=True)):
            if place == len(DILATIONS) - 1:
                means = around.sums(_relu(_dense(hidden, self.narrow[1]))) * around.share
                hidden = hidden + _relu(_dense(means.reshape(n, -1), self.around[1]))
            hidden = hidden + _relu(_dense(_neighbours(hidden, step), weights))
        logits: Array = _dense(hidden, self.output)[:, 0]
        return logits


def sigmoid(logits: Array) -> Array:
    odds = np.exp(np.clip(-logits, -SURE, SURE))
    return (1 / (1 + odds)).astype(np.float32, copy=False)


def _dense(values: Array, weights: Array) -> Array:
    result: Array = values @ weights[:-1]
    result += weights[-1]
    return result


def _relu(values: Array) -> Array:
    return np.maximum(values, 0, out=values)


def _neighbours(values: Array, step: int) -> Array:
    """Return each line with ``KERNEL // 2`` lines before and after it, ``step`` apart; zeros beyond the page."""
    n, width = values.shape
    reach = KERNEL // 2 * step
    padded = np.zeros((n + 2 * reach, width), dtype=np.float32)
    padded[reach : reach + n] = values
    return np.concatenate([padded[at * step : at * step + n] for at in range(KERNEL)], axis=1)


class _Around:
    """Sums over the lines of the elements around each line."""

    def __init__(self, low: Ints, high: Ints) -> None:
        self.low, self.high = low, high
        self.share = (1 / np.maximum(high - low, 1)).astype(np.float32)[:, :, None]

    def sums(self, values: Array) -> Array:
        before = np.zeros((len(values) + 1, values.shape[1]), dtype=np.float32)
        np.cumsum(values, axis=0, out=before[1:])
        result = before.take(self.high, axis=0)
        result -= before.take(self.low, axis=0)
        return result
