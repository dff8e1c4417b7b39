"""Logistic regression that starts from prior weights and moves with examples; and the prior weights of links."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.model_file import load_model
from newscrawl.console.files import shipped_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.model_file import Floats


CAPACITY: Final = 1500
"""Most examples kept. Older ones are overwritten, so that the model follows the crawl."""
MAX_LOG_ODDS: Final = 12.0


class PriorLogistic:
    """Maximum a posteriori logistic regression; targets may be any number in 0..1.

    The prior of weight *j* is normal with mean ``prior[j]`` and standard deviation ``spread[j]``. Without examples the
    weights are the prior means; each example pulls them away. A fit is a few Newton steps from the last weights.
    """

    def __init__(self, prior: Sequence[float], spread: Sequence[float]) -> None:
        self.prior: Floats = np.array(prior, dtype=np.float64)
        self.precision: Floats = 1.0 / np.array(spread, dtype=np.float64) ** 2
        self.weights: Floats = self.prior.copy()
        self._x: Floats = np.zeros((CAPACITY, len(self.prior)), dtype=np.float64)
        self._y: Floats = np.zeros(CAPACITY, dtype=np.float64)
        self.n_seen = 0

    def predict(self, x: Floats) -> Floats:
        """Return probabilities for rows of features, shape ``(n,)``."""
        return clipped_sigmoid(x @ self.weights)

    def add(self, x: Floats, y: float) -> int:
        """Keep an example; return its place for :meth:`revise`, valid until it is overwritten."""
        place = self.n_seen % CAPACITY
        self._x[place], self._y[place] = x, y
        self.n_seen += 1
        return place

    def revise(self, place: int, y: float) -> None:
        self._y[place] = y

    def examples(self) -> tuple[Floats, Floats]:
        """Return features and targets of the kept examples, oldest first until the ring is full."""
        n = min(self.n_seen, CAPACITY)
        return self._x[:n].copy(), self._y[:n].copy()

    def fit(self, steps: int = 2) -> None:
        """Move the weights towards the optimum. O(steps · examples · features²)."""
        n = min(self.n_seen, CAPACITY)
        x, y = self._x[:n], self._y[:n]
        for _ in range(steps):
            p = clipped_sigmoid(x @ self.weights)
            gradient = x.T @ (y - p) - self.precision * (self.weights - self.prior)
            curvature = (x * (p * (1 - p))[:, None]).T @ x + np.diag(self.precision)
            step = np.linalg.solve(curvature, gradient)
            self.weights += step / max(1.0, float(np.abs(step).max()))  # long steps on a flat likelihood are cut

    def state(self) -> dict[str, Any]:
        x, y = self.examples()
        return {"weights": self.weights.copy(), "x": x, "y": y, "n": self.n_seen}

    def restore(self, state: dict[str, Any]) -> None:
        n = len(state["y"])
        self.weights[:] = state["weights"]
        self._x[:n], self._y[:n] = state["x"], state["y"]
        self.n_seen = state["n"]


def clipped_sigmoid(x: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(x, -MAX_LOG_ODDS), MAX_LOG_ODDS)))  # np.clip takes longer


def logit(p: Floats) -> Floats:
    clipped: Floats = np.minimum(np.maximum(p, 1e-4), 1 - 1e-4)
    return np.log(clipped / (1 - clipped))


#: Feature → (prior weight, standard deviation within which learning moves it).
ARTICLE: Final = {
    "bias": (-2.0, 1.0),
    "anchor_keywords": (5.0, 1.5),
    "around_keywords": (2.0, 1.0),
    "subject_keywords": (2.0, 1.0),
    "url_keywords": (1.0, 0.7),
    "in_body": (0.5, 0.5),
    "adjacent": (0.3, 0.5),
    "label_main": (0.0, 0.5),
    "label_related": (0.2, 0.5),
    "parent_relevance": (1.0, 0.7),
    "anchor_words": (0.7, 0.4),
    "around_words": (0.4, 0.3),
    "siblings": (0.8, 0.4),
    "template": (0.4, 0.3),
    "own_share": (0.5, 0.4),
}
HUB: Final = {
    "bias": (-2.0, 1.0),
    "anchor_keywords": (4.0, 1.5),
    "url_keywords": (1.0, 0.7),
    "parent_relevance": (1.0, 0.7),
    "own_count": (0.3, 0.3),
    "anchor_words": (0.6, 0.4),
    "own_share": (1.0, 0.5),
    "continued": (1.2, 0.3),  # a next page is full of links not yet seen
    "continued_keywords": (2.0, 1.0),
    "continued_share": (0.8, 0.4),
    "siblings_value": (0.3, 0.3),
    "template_value": (0.5, 0.3),
    "pattern_value": (0.7, 0.4),
    "continued_value": (0.4, 0.3),
}
INPUTS: Final = (*(f"article {name}" for name in ARTICLE), *(f"hub {name}" for name in HUB))
KIND: Final = "links"
MODEL: Final = shipped_file("focus/score/links.npz")


@cache
def first_weights() -> tuple[Floats, Floats]:
    """Return the first weights of articles and of hubs, taught by crawls of other sites."""
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return arrays["article"], arrays["hub"]
