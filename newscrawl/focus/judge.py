"""Whether a page is about a topic: its keywords tell from the first page on, words learnt from the crawl later."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from newscrawl.focus.evidence import ExampleWords, TermTable, TwoClassScale
from newscrawl.focus.words import KeywordMatcher, term_hash, term_hashes, terms
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from newscrawl.focus.topic import Topic
    from newscrawl.links.context import LinkContext
    from newscrawl.links.model import Link

BIAS: Final = -3.0
"""Log-odds of a page without any mention."""
HEADLINE: Final = 3.4
LABEL: Final = 3.0
COUNT: Final = 1.1
DENSITY: Final = 0.8
MAX_LEARNT: Final = 3.0
EXCLUSION: Final = -4.0
OTHER_LANGUAGE: Final = -4.0
TEXT_CHARS: Final = 4000
"""Of longer texts the beginning decides what is learnt."""
STRONGEST: Final = 40
"""Terms of a page whose learnt weights count."""
MIN_PAGES: Final = 6
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
    by_keywords: float
    """The probability from the topic's keywords alone."""
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
        self.headlines = TermTable()
        """Of headlines and tags alone: what anchors are made of."""
        self.scale = TwoClassScale(limit=MAX_LEARNT)
        self.learns = learn
        self.examples = ExampleWords()
        for text in topic.examples:
            self.add_example(PageText(headline="", text=text))
        for text in topic.counterexamples:
            self._add(PageText(headline="", text=text), 0.0)

    def add_example(self, page: PageText) -> None:
        """Take a text as being about the topic, whatever its words."""
        self.examples.add(page.headline, page.text[:TEXT_CHARS])
        self._add(page, 1.0)

    def judge(self, page: PageText) -> Relevance:
        evidence = self._keyword_evidence(page)
        by_keywords = _probability(BIAS + sum(evidence.values()))
        log_odds = BIAS + sum(evidence.values())
        for word, weight in self._learnt_evidence(page).items():
            evidence[word] += weight
            log_odds += weight
        deciding = sorted(evidence.items(), key=lambda item: (-abs(item[1]), item[0]))[:N_DECIDING]
        return Relevance(
            probability=_probability(log_odds),
            by_keywords=by_keywords,
            threshold=self.topic.threshold,
            words=tuple((word, round(weight, 2)) for word, weight in deciding if abs(weight) >= 0.05),
        )

    def learn(self, page: PageText, relevance: Relevance) -> None:
        """Take a page as an example if its keywords leave no doubt: what was learnt must not teach itself."""
        if len(self.examples):
            self.examples.see([term_hash(term) for term in dict.fromkeys(_all_terms(page))])
        if self.learns and not CONFIDENT < relevance.by_keywords < 1 - CONFIDENT:
            self._add(page, relevance.by_keywords)

    def _add(self, page: PageText, probability: float) -> None:
        found = self._term_weights(page)
        if self.table.n_relevant + self.table.n_other >= MIN_PAGES:
            self.scale.add(_strength(found), is_relevant=probability > 0.5)
        self.table.add([term_hash(term) for term in found], probability)
        self.headlines.add(term_hashes(" ".join((page.headline, *page.labels))), probability)

    def _term_weights(self, page: PageText) -> dict[str, float]:
        weights = self.table.weights
        return {term: float(weights[term_hash(term)]) for term in dict.fromkeys(_all_terms(page))}

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
        if len(self.examples):
            for word, weight in self.examples.evidence(_all_terms(page)).items():
                evidence[word] += weight
        if self.topic.languages and page.language and page.language not in self.topic.languages:
            evidence[f"language {page.language}"] += OTHER_LANGUAGE
        if matcher.has_exclusion(page.headline):
            evidence["excluded words"] += EXCLUSION
        return evidence

    def _learnt_evidence(self, page: PageText) -> dict[str, float]:
        found = self._term_weights(page)
        log_odds = self.scale.log_odds(_strength(found))
        if not log_odds:
            return {}
        strongest = sorted(found.items(), key=lambda item: (-item[1] * log_odds, item[0]))[:N_DECIDING]
        total = sum(weight for _, weight in strongest)
        if not total * log_odds > 0:
            return {strongest[0][0]: log_odds} if strongest else {}
        return {term: log_odds * weight / total for term, weight in strongest}

    def state(self) -> dict[str, Any]:
        return {
            "table": self.table.state(),
            "headlines": self.headlines.state(),
            "scale": self.scale.state(),
            "examples": self.examples.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.table.restore(state["table"])
        self.headlines.restore(state["headlines"])
        self.scale.restore(state["scale"])
        self.examples.restore(state["examples"])


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def _strength(weights: dict[str, float]) -> float:
    """Return the mean weight of the page's strongest terms."""
    strongest = sorted(weights.values(), key=abs, reverse=True)[:STRONGEST]
    return sum(strongest) / len(strongest) if strongest else 0.0


def _share(evidence: dict[str, float], counts: Counter[str], gain: float, matcher: KeywordMatcher) -> None:
    """Give the mentions of a short text what it is worth, each its share."""
    if counts:
        strength = min(1.0, matcher.weight(counts))
        for name, count in counts.items():
            evidence[name] += gain * strength * count / sum(counts.values())


def _all_terms(page: PageText) -> list[str]:
    return terms(" ".join((page.headline, *page.labels, page.text[:TEXT_CHARS])))


MAX_LABEL: Final = 40
MAX_LABELS: Final = 30
MAX_PATHS: Final = 5_000
MAX_REPEATED: Final = 0.5
"""Where pages repeat more of their links than this share, the links are the site's, not the article's."""


class OwnLabels:
    """Learns which tag paths of a host hold an article's own tags. Memory grows with templates."""

    def __init__(self) -> None:
        self._last: dict[str, frozenset[str]] = {}
        self._repeated: dict[str, tuple[float, int]] = {}

    def of(self, url: str, links: Sequence[tuple[Link, LinkContext]], *, is_article: bool) -> tuple[str, ...]:
        """Return the labels of an article: anchors of links to hubs at paths whose links change from page to page."""
        host = url.split("/", 3)[2] if url.count("/") >= 2 else ""
        by_path: dict[str, dict[str, str]] = {}
        for link, context in links:
            if link.anchor and len(link.anchor) <= MAX_LABEL and url_shape(link.url) is UrlKind.HUB:
                by_path.setdefault(f"{host} {context.path}", {})[link.url] = link.anchor
        found: list[str] = []
        for path, anchors in by_path.items():
            if self._is_own(path, frozenset(anchors)) and is_article and len(anchors) <= MAX_LABELS:
                found += anchors.values()
        return tuple(dict.fromkeys(found))

    def _is_own(self, path: str, targets: frozenset[str]) -> bool:
        last = self._last.get(path)
        total, n = self._repeated.get(path, (0.0, 0))
        if last is not None:
            total, n = total + len(targets & last) / len(targets | last), n + 1
            self._repeated[path] = (total, n)
        if last is not None or len(self._last) < MAX_PATHS:
            self._last[path] = targets
        return n >= 1 and total / n <= MAX_REPEATED

    def state(self) -> dict[str, Any]:
        return {"last": {path: sorted(found) for path, found in self._last.items()}, "repeated": self._repeated}

    def restore(self, state: dict[str, Any]) -> None:
        self._last = {path: frozenset(found) for path, found in state["last"].items()}
        self._repeated = {path: (total, n) for path, (total, n) in state["repeated"].items()}
