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

    from newscrawl.classify.lines.features import NetworkInput

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

    def logits(self, page: NetworkInput, values: Array) -> Array:
        """Return for each line the log odds of being body, shape ``(n,)``.

        :param values: what the network sees of each line; shape ``(n, f)``.
        """
        low, high, weights = self._input
        values = np.maximum(values, low)
        hidden = _relu(_dense(np.minimum(values, high, out=values), weights))
        n = len(hidden)
        first = sigmoid(_dense(hidden, self.first)[:, 0])
        seen: Array = np.concatenate((np.add.reduce(hidden) / np.float32(n), np.maximum.reduce(hidden)))
        hidden += _relu(_dense(seen[None], self.page))
        around = _Around(page)
        hidden += around.seen(self._with_mass(hidden, first, page.chars, around), self._around)
        hidden += _relu(_dense(_neighbours(hidden, DILATIONS[0]), self.near[0]))
        hidden += _relu(_dense(_neighbours(hidden, DILATIONS[1]), self.near[1]))
        means = around.sums(_relu(_dense(hidden, self.narrow[1])))
        means *= around.share
        hidden += around.seen(means, self.around[1])
        hidden += _relu(_dense(_neighbours(hidden, DILATIONS[2]), self.near[2]))
        logits: Array = _dense(hidden, self.output)[:, 0]
        return logits

    def _with_mass(self, hidden: Array, first: Array, chars: Array, around: _Around) -> Array:
        """Return for each element around lines: first-pass body text, and the means."""
        mass = first * chars
        summed = np.empty((len(hidden), MASS_COLUMNS + self.narrow[0].shape[1]), dtype=np.float32)
        np.divide(mass, mass.sum() + 1, out=summed[:, 0])
        summed[:, 1] = first
        np.divide(chars, chars.sum() + 1, out=summed[:, 2])
        summed[:, MASS_COLUMNS:] = _relu(_dense(hidden, self.narrow[0]))
        sums = around.sums(summed)
        sums[:, 1:2] *= around.share
        sums[:, MASS_COLUMNS:] *= around.share
        return sums

    @cached_property
    def _around(self) -> Array:
        """``around[0]`` with its rows as :meth:`_with_mass` gives the columns: level by level."""
        width = self.narrow[0].shape[1]
        levels = (len(self.around[0]) - 1) // (width + MASS_COLUMNS)
        means = np.arange(levels * width).reshape(levels, width)
        mass = levels * width + np.arange(levels * MASS_COLUMNS).reshape(levels, MASS_COLUMNS)
        weights: Array = self.around[0][np.append(np.concatenate((mass, means), axis=1), -1)]
        return weights


def sigmoid(logits: Array) -> Array:
    odds = np.exp(np.minimum(np.maximum(-logits, -SURE), SURE))
    return (1 / (1 + odds)).astype(np.float32, copy=False)


def _dense(values: Array, weights: Array) -> Array:
    result: Array = values @ weights[:-1]
    result += weights[-1]
    return result


def _relu(values: Array) -> Array:
    return np.maximum(values, 0, out=values)


def _neighbours(values: Array, step: int) -> Array:
    """Return each line with the one ``step`` before and the one after it; zeros beyond the page."""
    n, width = values.shape
    found = np.zeros((n, KERNEL * width), dtype=np.float32)
    found[step:, :width] = values[:-step]
    found[:, width : 2 * width] = values
    found[:-step, 2 * width :] = values[step:]
    return found


class _Around:
    """Sums over the lines of the elements around lines.

    The innermost element around a line settles the others: they are the same for all its lines, and worked out once.
    """

    def __init__(self, page: NetworkInput) -> None:
        self.page = page
        self.share = (1 / np.maximum(page.ends - page.begins, 1)).astype(np.float32)[:, None]
        self.innermost = page.around[:, 0]
        self.outer = np.zeros((len(self.share), page.around.shape[1]), dtype=page.around.dtype)
        self.outer[self.innermost] = page.around

    def sums(self, values: Array) -> Array:
        """Return the sums over the lines of each element, of columns of numbers of lines."""
        before = np.zeros((len(values) + 1, values.shape[1]), dtype=np.float32)
        values.cumsum(axis=0, out=before[1:])
        result = before.take(self.page.ends, axis=0)
        result -= before.take(self.page.begins, axis=0)
        return result

    def seen(self, values: Array, weights: Array) -> Array:
        """Return for each line what a layer makes of the numbers of the elements around it, one after the other."""
        numbers = values.take(self.outer, axis=0).reshape(len(self.outer), -1)
        return _relu(_dense(numbers, weights)).take(self.innermost, axis=0)
