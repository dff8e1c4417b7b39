"""What a crawl learns of its topic page by page: words, their weights, and the scale of a page's strength."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.words import N_HASHES, term_hash, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

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
        self.relevant: Floats = np.zeros(N_HASHES, dtype=np.float32)
        self.other: Floats = np.zeros(N_HASHES, dtype=np.float32)
        self._seen = np.zeros(N_HASHES, dtype=np.bool_)
        self._terms: list[NDArray[np.int64]] = []
        """The terms seen, in parts without one in common."""
        self.n_relevant = 0.0
        self.n_other = 0.0
        self._weights: Floats = np.zeros(N_HASHES + 1, dtype=np.float32)
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
    def weights(self) -> Floats:
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
