"""Words that example texts share and other pages of the crawl do not: what stands for keywords where none are given."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.terms import N_HASHES, term_hash, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

N_SALIENT: Final = 25
MAX_EXAMPLES: Final = 200
STRENGTH: Final = 1.0
"""Log-odds of a page for one mention's logarithm of the most salient word."""
MAX_EVIDENCE: Final = 5.5


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
            self._salient = self._choose()
            self._n_at_choice = self._n_pages
        return self._salient

    def _choose(self) -> dict[str, float]:
        sums: Counter[str] = Counter()
        n_having: Counter[str] = Counter()
        for example in self._examples:
            sums.update(example)
            n_having.update(example.keys())
        weights = {term: total * self._rarity(term) * n_having[term] for term, total in sums.items()}
        best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:N_SALIENT]
        return {term: weight / best[0][1] for term, weight in best if weight > 0}

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
