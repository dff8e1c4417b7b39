"""Whether a page is about a topic: keywords from the first page on, then also words learnt from the crawl."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from newscrawl.topics.classifier import TermTable
from newscrawl.topics.keywords import KeywordMatcher
from newscrawl.topics.terms import term_hash, terms

if TYPE_CHECKING:
    from collections import Counter

    from newscrawl.topics.model import Topic

BIAS: Final = -3.0
"""Log-odds of a page without any mention."""
HEADLINE: Final = 3.4
LABEL: Final = 3.0
COUNT: Final = 1.1
DENSITY: Final = 0.8
MAX_LEARNT: Final = 3.0
EXCLUSION: Final = -4.0
TEXT_CHARS: Final = 6000
N_DECIDING: Final = 8
CONFIDENT: Final = 0.2
"""Pages learnt from are those of at most this or at least 1 minus this probability."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What of a page may decide: never its boilerplate."""

    headline: str
    text: str
    labels: tuple[str, ...] = ()
    """Keywords its editors gave the article: its own tags, not the site's list of tags."""
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    probability: float
    threshold: float
    words: tuple[tuple[str, float], ...]
    """Words that decided, with what each added to the log-odds, the weightiest first."""

    @property
    def is_relevant(self) -> bool:
        return self.probability >= self.threshold


class RelevanceModel:
    """Judges pages, and learns from those it is sure of. Deterministic; bounded memory."""

    def __init__(self, topic: Topic, *, learn: bool = True) -> None:
        self.topic = topic
        self.matcher = KeywordMatcher(topic)
        self.table = TermTable()
        self.learns = learn
        for text in topic.examples:
            self._add(PageText(headline="", text=text), 1.0)
        for text in topic.counterexamples:
            self._add(PageText(headline="", text=text), 0.0)

    def judge(self, page: PageText) -> Relevance:
        evidence = self._keyword_evidence(page)
        learnt = self._learnt_evidence(page)
        log_odds = BIAS + sum(evidence.values()) + sum(learnt.values())
        for word, weight in learnt.items():
            evidence[word] += weight
        deciding = sorted(evidence.items(), key=lambda item: (-abs(item[1]), item[0]))[:N_DECIDING]
        return Relevance(
            probability=1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))),
            threshold=self.topic.threshold,
            words=tuple((word, round(weight, 2)) for word, weight in deciding if abs(weight) >= 0.05),
        )

    def learn(self, page: PageText, relevance: Relevance) -> None:
        """Take a page the model is sure of as an example."""
        if self.learns and not CONFIDENT < relevance.probability < 1 - CONFIDENT:
            self._add(page, relevance.probability)

    def _add(self, page: PageText, probability: float) -> None:
        self.table.add([term_hash(term) for term in dict.fromkeys(_all_terms(page))], probability)

    def _keyword_evidence(self, page: PageText) -> dict[str, float]:
        """Return what each keyword adds to the log-odds."""
        matcher = self.matcher
        evidence: dict[str, float] = defaultdict(float)
        _share(evidence, matcher.counts(page.headline), HEADLINE, matcher)
        for label in page.labels:
            counts = matcher.counts(label)
            if counts:
                _share(evidence, counts, LABEL, matcher)
                break
        body = matcher.counts(page.text)
        mentions = matcher.weight(body)
        if mentions:
            per_chars = 400 * mentions / max(len(page.text), 400)
            gain = COUNT * math.log2(1 + mentions) / 1.6 + DENSITY * max(-1.5, min(2.0, math.log2(per_chars)))
            for name, count in body.items():
                evidence[name] += gain * count / sum(body.values())
        if matcher.has_exclusion(page.headline):
            evidence["excluded words"] += EXCLUSION
        return evidence

    def _learnt_evidence(self, page: PageText) -> dict[str, float]:
        table = self.table
        if min(table.n_relevant, table.n_other) < 3:
            return {}
        weights = table.weights
        found = {term: float(weights[term_hash(term)]) for term in dict.fromkeys(_all_terms(page))}
        strongest = sorted(found.items(), key=lambda item: (-abs(item[1]), item[0]))[:40]
        trust = min(table.n_relevant, table.n_other) / (20 + min(table.n_relevant, table.n_other))
        total = sum(weight for _, weight in strongest) / 10
        if not total:
            return {}
        scale = trust * max(-MAX_LEARNT, min(MAX_LEARNT, total)) / (total * 10)
        return {term: weight * scale for term, weight in strongest}

    def state(self) -> dict[str, Any]:
        return {"table": self.table.state()}

    def restore(self, state: dict[str, Any]) -> None:
        self.table.restore(state["table"])


def _share(evidence: dict[str, float], counts: Counter[str], gain: float, matcher: KeywordMatcher) -> None:
    """Give the mentions of a short text what it is worth, each its share."""
    if counts:
        strength = min(1.0, matcher.weight(counts))
        for name, count in counts.items():
            evidence[name] += gain * strength * count / sum(counts.values())


def _all_terms(page: PageText) -> list[str]:
    return terms(" ".join((page.headline, *page.labels, page.text[:TEXT_CHARS])))
