"""The learned part of the page type: one linear model over the features of a page and the kind of its address."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTypeModel:
    """A softmax over standardised features."""

    mean: Floats
    """Shape ``(n_features,)``, as ``scale``."""
    scale: Floats
    weights: Floats
    """Shape ``(n_classes, n_features)``."""
    bias: Floats

    def log_odds(self, values: Floats) -> Floats:
        """Return the classes' log-probabilities up to a constant, in the order of ``CLASSES``.

        :param values: ``INPUTS`` of a page, or of several, one a row.
        """
        scores: Floats = self.standardised(values) @ self.weights.T + self.bias
        return scores

    def standardised(self, values: Floats) -> Floats:
        return np.clip((values - self.mean) / self.scale, -MAX_DEVIATIONS, MAX_DEVIATIONS)


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


def model_arrays(model: PageTypeModel) -> dict[str, NDArray[Any]]:
    """Return the arrays to be stored."""
    return {name: getattr(model, name).astype(np.float32) for name in _ARRAYS}


_ARRAYS: Final = ("mean", "scale", "weights", "bias")


@cache
def shipped_model() -> PageTypeModel:
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return PageTypeModel(**{name: arrays[name].astype(np.float64) for name in _ARRAYS})
