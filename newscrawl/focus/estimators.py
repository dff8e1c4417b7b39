"""What a focused crawl learns page by page: weights of terms, scales of strength, and logistic models of links.

The logistic models start from prior weights, which crawls of other sites have taught.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.model_file import load_model
from newscrawl.console.files import shipped_file
from newscrawl.focus.words import N_HASHES, term_hash, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats

    Weights = NDArray[np.float32]


SMOOTHING: Final = 1.0
"""Pages of either class that every term is assumed to have been on, beside what was seen."""
MAX_LEARNT: Final = 3.0
"""Log-odds of a scale stay within ± this."""
N_SALIENT: Final = 25
MAX_EXAMPLES: Final = 200
STRENGTH: Final = 1.0
"""Log-odds of a page for one mention's logarithm of the most salient word."""
MAX_EVIDENCE: Final = 5.5


class TermTable:
    """Counts on how many relevant and other pages each term stands; 2 MiB whatever the crawl's length.

    The weight of a term is ``log((r + a·R') / (o + a·O'))`` where r of R relevant and o of O other pages have it, as
    shares of all R + O pages: naive Bayes over presence with a symmetric prior, so that a rare term weighs little.
    """

    def __init__(self) -> None:
        self.relevant: Weights = np.zeros(N_HASHES, dtype=np.float32)
        self.other: Weights = np.zeros(N_HASHES, dtype=np.float32)
        self._seen = np.zeros(N_HASHES, dtype=np.bool_)
        self._terms: list[NDArray[np.int64]] = []
        """The terms seen, in parts without one in common."""
        self.n_relevant = 0.0
        self.n_other = 0.0
        self._weights: Weights = np.zeros(N_HASHES + 1, dtype=np.float32)
        self._n_waiting = 0

    def add(self, hashes: Sequence[int], probability: float) -> None:
        """Count a page's different terms."""
        places = np.unique(np.asarray(hashes, dtype=np.int64))
        self._terms.append(places[~self._seen[places]])
        self._seen[places] = True
        if probability > 0.5:
            self.relevant[places] += 1
            self.n_relevant += 1
        else:
            self.other[places] += 1
            self.n_other += 1
        self._n_waiting += 1

    @property
    def weights(self) -> Weights:
        """Log-odds of each term, shape ``(N_HASHES + 1,)``; 0 for terms never seen, and in the last row.

        They are counted anew when a twentieth more pages have come.
        """
        if self._n_waiting > (self.n_relevant + self.n_other) / 20:
            share = (self.n_relevant + 1.0) / (self.n_other + 1.0)
            prior = SMOOTHING * max(1.0, share)
            self._terms = [seen := np.concatenate(self._terms)]  # the weight of terms never seen stays 0
            self._weights[seen] = np.log((self.relevant[seen] + prior) / (self.other[seen] * share + prior))
            self._n_waiting = 0
        return self._weights

    def state(self) -> dict[str, Any]:
        """Return the counts as arrays and numbers; :meth:`restore` takes them back."""
        seen = np.flatnonzero(self._seen)
        counts = {"terms": seen.astype(np.int32), "relevant": self.relevant[seen], "other": self.other[seen]}
        return {**counts, "n": [self.n_relevant, self.n_other]}

    def restore(self, state: dict[str, Any]) -> None:
        self._seen[state["terms"]] = True
        self._terms = [np.asarray(state["terms"], dtype=np.int64)]
        self.relevant[state["terms"]] = state["relevant"]
        self.other[state["terms"]] = state["other"]
        self.n_relevant, self.n_other = state["n"]
        self._n_waiting = N_HASHES


class TwoClassScale:
    """A number → log-odds of two classes, from the numbers seen of each: normal distributions of one width."""

    def __init__(self) -> None:
        self._n = [0.0, 0.0]
        self._sum = [0.0, 0.0]
        self._squares = [0.0, 0.0]

    def add(self, value: float, *, is_relevant: bool) -> None:
        self._n[is_relevant] += 1
        self._sum[is_relevant] += value
        self._squares[is_relevant] += value * value

    def log_odds(self, value: float) -> float:
        """Return 0 while a class has fewer than three examples; less than the full odds while there are few."""
        least = min(self._n)
        if least < 3:
            return 0.0
        other, relevant = (total / n for total, n in zip(self._sum, self._n, strict=True))
        if relevant <= other:
            return 0.0
        means = (other, relevant)
        spread = sum(q - n * m * m for q, n, m in zip(self._squares, self._n, means, strict=True)) / (sum(self._n) - 2)
        odds = (value - (other + relevant) / 2) * (relevant - other) / max(spread, 1e-3)
        return max(-MAX_LEARNT, min(MAX_LEARNT, odds)) * least / (least + 20)

    def state(self) -> list[list[float]]:
        return [self._n, self._sum, self._squares]

    def restore(self, state: list[list[float]]) -> None:
        self._n, self._sum, self._squares = (list(row) for row in state)


class ExampleWords:
    """Salience of a term: how often examples name it, twice in a headline, times its rarity on the crawl's pages."""

    def __init__(self) -> None:
        self._examples: list[dict[str, float]] = []
        self._pages = np.zeros(N_HASHES, dtype=np.int32)
        self._n_pages = 0
        self._salient: dict[str, float] = {}
        self._n_at_choice = -1

    def __len__(self) -> int:
        return len(self._examples)

    def add(self, headline: str, text: str) -> None:
        """Take a text as an example; beyond ``MAX_EXAMPLES`` they are ignored."""
        in_headline = set(terms(headline))
        counts = Counter(terms(f"{headline} {text}"))
        if counts and len(self._examples) < MAX_EXAMPLES:
            self._examples.append({t: math.log1p(n) * (1 + (t in in_headline)) for t, n in counts.items()})
            self._n_at_choice = -1

    def see(self, hashes: Sequence[int]) -> None:
        """Count the different terms of any page of the crawl."""
        self._pages[list(hashes)] += 1
        self._n_pages += 1

    def evidence(self, page_terms: Sequence[str]) -> dict[str, float]:
        """Return word → what it adds to the log-odds of a page; empty without examples."""
        salient = self._chosen()
        counts = Counter(term for term in page_terms if term in salient)
        found = {term: STRENGTH * math.log1p(n) * salient[term] for term, n in counts.items()}
        total = sum(found.values())
        scale = MAX_EVIDENCE / total if total > MAX_EVIDENCE else 1.0
        return {term: weight * scale for term, weight in found.items()}

    def _chosen(self) -> dict[str, float]:
        """Return the salient terms with their weights, the largest 1; chosen anew as the crawl grows."""
        if self._n_at_choice < 0 or self._n_pages > self._n_at_choice * 1.1 + 5:
            sums: Counter[str] = Counter()
            n_having: Counter[str] = Counter()
            for example in self._examples:
                sums.update(example)
                n_having.update(example.keys())
            weights = {term: total * self._rarity(term) * n_having[term] for term, total in sums.items()}
            best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:N_SALIENT]
            self._salient = {term: weight / best[0][1] for term, weight in best if weight > 0}
            self._n_at_choice = self._n_pages
        return self._salient

    def _rarity(self, term: str) -> float:
        return math.log((2 + self._n_pages) / (1 + int(self._pages[term_hash(term)])))

    def state(self) -> dict[str, Any]:
        seen = np.flatnonzero(self._pages).astype(np.int32)
        return {"examples": list(self._examples), "terms": seen, "pages": self._pages[seen], "n": self._n_pages}

    def restore(self, state: dict[str, Any]) -> None:
        self._examples = state["examples"]
        self._pages[state["terms"]] = state["pages"]
        self._n_pages = state["n"]
        self._n_at_choice = -1


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
MODEL: Final = shipped_file("focus/links.npz")


@cache
def first_weights() -> tuple[Floats, Floats]:
    """Return the first weights of articles and of hubs, taught by crawls of other sites."""
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return arrays["article"], arrays["hub"]
