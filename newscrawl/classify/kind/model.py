"""The learnt part of the page type: a linear model over the features of a page and the kind of its address, and a few
small networks over the same features, which see combinations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.kind.features import FEATURES
from newscrawl.classify.model_file import load_model
from newscrawl.console.files import shipped_file
from newscrawl.items import PageType

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats

KIND: Final = "page_type"
MODEL: Final = shipped_file("classify/models/page_type.npz")
CLASSES: Final = (
    PageType.ARTICLE, PageType.HUB, PageType.LISTING, PageType.FORUM, PageType.PRODUCT, PageType.OTHER,
)  # fmt: skip
ADDRESS_KINDS: Final = ("article", "hub", "other", "unknown")
INPUTS: Final = (*FEATURES, *(f"address_{kind}" for kind in ADDRESS_KINDS), "address_none")
MAX_DEVIATIONS: Final = 8.0
NETWORK_SHARE: Final = 0.5
"""Share of the networks in the sum; the rest is the linear model's."""
SHARPNESS: Final = 1.2
"""Factor of the log-probabilities: the sum of models that disagree is less sharp than each of them."""
LEAST_LOG_PROBABILITY: Final = -9.0
"""Least log-probability of a type by one network, so that none decides alone."""
ARRAYS: Final = ("mean", "scale", "weights", "bias", "hidden", "hidden_bias", "output", "output_bias")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTypeModel:
    """A softmax over standardised features, and networks of one hidden layer."""

    mean: Floats
    """Shape ``(n_features,)``, as ``scale``."""
    scale: Floats
    weights: Floats
    """Shape ``(n_classes, n_features)``."""
    bias: Floats
    hidden: Floats
    """Shape ``(n_networks, n_features, n_hidden)``"""
    hidden_bias: Floats
    """Shape ``(n_networks, 1, n_hidden)``."""
    output: Floats
    """Shape ``(n_networks, n_hidden, n_classes)``."""
    output_bias: Floats
    """Shape ``(n_networks, 1, n_classes)``."""

    def log_odds(self, values: Floats) -> Floats:
        """Return the classes' log-probabilities up to a constant, in the order of ``CLASSES``.

        :param values: ``INPUTS`` of a page, or of several, one a row.
        """
        inputs = self.standardised(values)
        linear = inputs @ self.weights.T + self.bias
        activations = np.maximum(np.atleast_2d(inputs) @ self.hidden + self.hidden_bias, 0.0)
        log_probabilities = np.maximum(
            _log_softmax(activations @ self.output + self.output_bias), LEAST_LOG_PROBABILITY
        )
        mean = log_probabilities.mean(axis=0).reshape(linear.shape)
        scores: Floats = SHARPNESS * ((1 - NETWORK_SHARE) * linear + NETWORK_SHARE * mean)
        return scores

    def standardised(self, values: Floats) -> Floats:
        return np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)


def _log_softmax(scores: Floats) -> Floats:
    """Return the log-probabilities along the last axis."""
    centred: Floats = scores - scores.max(axis=-1, keepdims=True)
    result: Floats = centred - np.log(np.exp(centred).sum(axis=-1, keepdims=True))
    return result


def softmax(scores: Floats) -> Floats:
    shares: Floats = np.exp(scores - scores.max())
    total: Floats = shares / shares.sum()
    return total


def inputs(features: Floats, url_kind: str | None) -> Floats:
    """Return a page's features together with the kind of its address."""
    values = np.zeros(len(INPUTS))
    values[: len(FEATURES)] = features
    if url_kind is None:
        values[-1] = 1.0
    elif url_kind in ADDRESS_KINDS:
        values[len(FEATURES) + ADDRESS_KINDS.index(url_kind)] = 1.0
    return values


@cache
def shipped_model() -> PageTypeModel:
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return PageTypeModel(**{name: arrays[name].astype(np.float64) for name in ARRAYS})
