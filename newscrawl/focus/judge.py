"""Whether a page is about a topic: its keywords tell from the first page on, words learnt from the crawl later."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from newscrawl.focus.estimators import ExampleWords, TermTable, TwoClassScale
from newscrawl.focus.labels import LEAST_GAIN, LabelTable, spelling
from newscrawl.focus.topic import Decisions, Keyword, Topic, grow_topic
from newscrawl.focus.words import KeywordMatcher, term_hash, term_hashes, terms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator


BIAS: Final = -3.0
"""Log-odds of a page without any mention."""
HEADLINE: Final = 3.4
LABEL: Final = 4.5
WIDE: Final = 0.6
"""Share of a label's worth that it has by how much of it keywords cover."""
FILED: Final = 0.6
"""Share of a label that keywords cover, from which the label files an article under the topic."""
ELSEWHERE: Final = 2.0
"""Log-odds that labels take from an article filed elsewhere, on a site that files articles under the topic ..."""
CASES_OF_FILING: Final = 3.0
"""... of which so many have half the effect."""
COUNT: Final = 1.1
DENSITY: Final = 0.8
EXCLUSION: Final = -4.0
OTHER_LANGUAGE: Final = -4.0
TEXT_CHARS: Final = 4000
"""Length of the text that is learnt from; the rest of a longer text is left out."""
STRONGEST: Final = 40
"""Terms of a page whose learnt weights count."""
MIN_PAGES: Final = 6
N_DECIDING: Final = 8
EXAMPLE: Final = 1.0
"""Weight of an example for its labels, in articles."""
VERDICT: Final = 3.0
"""Weight of a page that a user has judged for its labels and headline, in articles."""
NO_WORD: Final = 0.2
"""Log-odds by which a page stays below the threshold whose headline and text name the topic nowhere."""
LEARNT: Final = 0.7
"""Weight of a learnt word that may stand for a keyword ..."""
N_LEARNT: Final = 1
"""... if headline and text have so many."""
CONFIDENT: Final = 0.2
"""Pages learnt from are those of at most this or at least 1 minus this probability."""
_PARTS: Final = ("table", "headlines", "scale", "like", "examples", "labels", "words")
"""What a model has learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What of a page may decide: never its boilerplate."""

    headline: str
    text: str
    labels: tuple[str, ...] = ()
    """Keywords its editors gave the article: its own tags, not the site's list of tags."""
    terms: tuple[str, ...] = ()
    """Those of the labels that the site's system itself writes on the article."""
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    probability: float
    by_keywords: float
    """The probability from the topic's keywords alone."""
    by_text: float
    """The probability from keywords in headline and text alone: what labels are taught by."""
    threshold: float
    is_named: bool = False
    """Whether headline or text have a keyword."""
    words: tuple[tuple[str, float], ...] = ()
    """Words that decided, with what each added to the log-odds, the weightiest first."""

    @property
    def is_relevant(self) -> bool:
        return self.probability >= self.threshold


class RelevanceModel:
    """Judges pages, and learns from those it is sure of. Deterministic; bounded memory."""

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.matcher = KeywordMatcher(topic)
        self.table = TermTable()
        self.headlines = TermTable()
        """Terms of headlines and tags: the words that anchors are made of."""
        self.scale = TwoClassScale()
        self.like = TwoClassScale()
        """Scale of the likeness to the examples."""
        self.original = self.matcher
        """Matcher of the topic's file alone. Labels found by the crawl are not used to find more labels."""
        self.decisions = Decisions()
        self.words = LabelTable()
        """Words of headlines, taught as labels are."""
        self.labels = LabelTable()
        self.n_filed = 0
        """Articles that a label files under the topic."""
        self._least = math.log(topic.threshold / (1 - topic.threshold))
        self._latest: tuple[PageText | None, list[str], dict[str, int]] = (None, [], {})
        self.examples = ExampleWords()
        for text in topic.examples:
            self.add_example(PageText(headline="", text=text))
        for text in topic.counterexamples:
            self._add(PageText(headline="", text=text), 0.0)

    def add_example(self, page: PageText) -> None:
        """Take a text as being about the topic, whatever its words."""
        self.examples.add(page.headline, page.text[:TEXT_CHARS])
        self.labels.add(page.labels, 1.0, weight=EXAMPLE)
        self._add(page, 1.0)

    def decide(self, decisions: Decisions) -> None:
        """Take what a user has accepted as keywords, and no longer what was undone."""
        self.decisions = decisions
        self.matcher = KeywordMatcher(grow_topic(self.topic, decisions))

    def suggestions(self) -> list[Suggestion]:
        """Return labels and words that belong to the topic, it seems, with the evidence."""
        return suggestions(self.labels, self.words, self.original, self.decisions)

    def verdict(self, page: PageText, *, is_relevant: bool) -> None:
        """Learn from what a user says of a page."""
        probability = float(is_relevant)
        self.labels.add(page.labels, probability, weight=VERDICT)
        self.words.add(tuple(dict.fromkeys(terms(page.headline))), probability, weight=VERDICT)
        self._add(page, probability)

    def judge(self, page: PageText) -> Relevance:
        evidence = self._text_evidence(page, self.matcher)
        by_text = _probability(BIAS + sum(evidence.values()))
        for word, weight in self._label_evidence(page).items():
            evidence[word] += weight
        log_odds = BIAS + sum(evidence.values())
        by_keywords = _probability(log_odds)
        is_named = self._is_named(page)
        for word, weight in (*self._learnt_evidence(page).items(), *self._learnt_labels(page)):
            evidence[word] += weight
            log_odds += weight
        if not (is_named or self._is_stated(page) or self._has_learnt_words(page)):
            log_odds = min(log_odds, self._least - NO_WORD)  # labels alone
        deciding = sorted(evidence.items(), key=lambda item: (-abs(item[1]), item[0]))[:N_DECIDING]
        return Relevance(
            probability=_probability(log_odds),
            by_keywords=by_keywords,
            by_text=by_text,
            is_named=is_named,
            threshold=self.topic.threshold,
            words=tuple((word, round(weight, 2)) for word, weight in deciding if abs(weight) >= 0.05),
        )

    def _is_named(self, page: PageText) -> bool:
        """Tell whether headline or text have a keyword; without keywords, a word that the examples are known by."""
        if self.topic.keywords or not len(self.examples):
            return bool(self.matcher.counts(page.headline) or self.matcher.counts(page.text))
        return bool(self.examples.evidence(terms(f"{page.headline} {page.text[:TEXT_CHARS]}")))

    def _is_stated(self, page: PageText) -> bool:
        """Tell whether a user has accepted a label of the page, or the site's system files it under a keyword."""
        is_accepted = any(spelling(label) in self.decisions.accepted for label in page.labels)
        name = spelling(self.topic.name)
        return is_accepted or any(self.matcher.counts(term) or spelling(term) == name for term in page.terms)

    def _has_learnt_words(self, page: PageText) -> bool:
        """Tell whether headline or text have words that relevant pages have far more often than others."""
        found = set(terms(f"{page.headline} {page.text[:TEXT_CHARS]}"))
        weights = self.table.weights[[term_hash(term) for term in found]] if found else np.zeros(0)
        return int((weights >= LEARNT).sum()) >= N_LEARNT

    def learn(self, page: PageText, relevance: Relevance) -> None:
        """Take a page as an example if its keywords leave no doubt: what was learnt must not teach itself."""
        if len(self.examples):
            self.examples.see(list(self._places(page).values()))
        by_text = relevance.by_text
        if self.decisions.accepted:  # what was taken on teaches no labels
            by_text = _probability(BIAS + sum(self._text_evidence(page, self.original).values()))
        self.labels.add(page.labels, by_text)
        self.words.add(tuple(dict.fromkeys(terms(page.headline))), by_text)
        self.n_filed += self._is_filed(page)
        if not CONFIDENT < relevance.by_keywords < 1 - CONFIDENT:
            self._add(page, relevance.by_keywords)
            if len(self.examples):
                likeness = sum(self.examples.evidence(self._terms(page)).values())
                self.like.add(likeness, is_relevant=relevance.by_keywords > 0.5)

    def _terms(self, page: PageText) -> list[str]:
        """Return the terms of a page; those of the latest one are remembered, for it is judged, then learnt from."""
        if self._latest[0] is not page:
            found = terms(" ".join((page.headline, *page.labels, page.text[:TEXT_CHARS])))
            self._latest = page, found, {term: term_hash(term) for term in dict.fromkeys(found)}
        return self._latest[1]

    def _places(self, page: PageText) -> dict[str, int]:
        """Return the places in tables of a page's different terms."""
        self._terms(page)
        return self._latest[2]

    def _add(self, page: PageText, probability: float) -> None:
        found = self._term_weights(page)
        if self.table.n_relevant + self.table.n_other >= MIN_PAGES:
            self.scale.add(_strength(found), is_relevant=probability > 0.5)
        self.table.add(list(self._places(page).values()), probability)
        self.headlines.add(term_hashes(" ".join((page.headline, *page.labels))), probability)

    def _term_weights(self, page: PageText) -> dict[str, float]:
        places = self._places(page)
        weights = self.table.weights.take(list(places.values())) if places else np.zeros(0)
        return dict(zip(places, weights.tolist(), strict=True))

    def _is_filed(self, page: PageText) -> bool:
        """Tell whether a label files the page under the topic."""
        name = spelling(self.topic.name)
        return any(spelling(label) == name or self.matcher.coverage(label) >= FILED for label in page.labels)

    def _label_evidence(self, page: PageText) -> dict[str, float]:
        """Return what the labels add: the one that names most, for less where keywords are a small part of it.

        On a site that files articles under the topic, labels without a keyword speak against it: words that are
        common on such a site tell less than where its editors put an article.
        """
        named = [
            _shares(counts, LABEL * (1 - WIDE + WIDE * self.matcher.coverage(label)), self.matcher)
            for label in page.labels
            if (counts := self.matcher.counts(label))
        ]
        named += [{self.topic.name: LABEL} for label in page.labels if spelling(label) == spelling(self.topic.name)]
        found = max(named, key=lambda shares: sum(shares.values()), default={})
        if page.labels and self.n_filed and not self._is_filed(page):
            found["filed elsewhere"] = -ELSEWHERE * self.n_filed / (self.n_filed + CASES_OF_FILING)
        return found

    def _learnt_labels(self, page: PageText) -> list[tuple[str, float]]:
        """Return what the other label adds that is most often on articles about the topic."""
        found = [
            (self.labels.evidence(label), label)
            for label in page.labels
            if not self.matcher.distinct_weight(label) and spelling(label) not in self.decisions.refused
        ]
        best = max(found, default=(0.0, ""))
        return [(best[1], best[0])] if best[0] else []

    def _text_evidence(self, page: PageText, matcher: KeywordMatcher) -> defaultdict[str, float]:
        """Return what each keyword in headline and text adds to the log-odds."""
        evidence = defaultdict(float, _shares(matcher.counts(page.headline), HEADLINE, matcher))
        body = matcher.counts(page.text)
        mentions = matcher.weight(body)
        if mentions:
            per_chars = 400 * mentions / max(len(page.text), 400)
            gain = COUNT * math.log2(1 + mentions) / 1.6 + DENSITY * max(-1.5, min(2.0, math.log2(per_chars)))
            for name, count in body.items():
                evidence[name] += gain * count / sum(body.values())
        if len(self.examples) and not self.topic.keywords:
            for word, weight in self.examples.evidence(self._terms(page)).items():
                evidence[word] += weight
        if self.topic.languages and page.language and page.language not in self.topic.languages:
            evidence[f"language {page.language}"] += OTHER_LANGUAGE
        if matcher.has_exclusion(page.headline):
            evidence["excluded words"] += EXCLUSION
        return evidence

    def _learnt_evidence(self, page: PageText) -> dict[str, float]:
        likeness = self._likeness(page)
        found = self._term_weights(page)
        log_odds = self.scale.log_odds(_strength(found))
        if not log_odds:
            return likeness
        strongest = sorted(found.items(), key=lambda item: (-item[1] * log_odds, item[0]))[:N_DECIDING]
        total = sum(weight for _, weight in strongest)
        if not total * log_odds > 0:
            return {strongest[0][0]: log_odds} if strongest else {}
        return likeness | {term: log_odds * weight / total for term, weight in strongest}

    def _likeness(self, page: PageText) -> dict[str, float]:
        """Return what it adds to be like the examples, as far as that tells apart the pages that keywords do."""
        if not len(self.examples) or not self.topic.keywords:
            return {}
        log_odds = self.like.log_odds(sum(self.examples.evidence(self._terms(page)).values()))
        return {"like the examples": log_odds} if log_odds else {}

    def state(self) -> dict[str, Any]:
        given = [word for keyword in self.topic.keywords for word in (keyword.term, *keyword.synonyms)]
        parts = {name: getattr(self, name).state() for name in _PARTS}
        return {**parts, "keywords": given, "languages": list(self.topic.languages), "n_filed": self.n_filed}

    def restore(self, state: dict[str, Any]) -> None:
        self.n_filed = state["n_filed"]
        for name in _PARTS:
            getattr(self, name).restore(state[name])


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def _strength(weights: dict[str, float]) -> float:
    """Return the mean weight of the page's strongest terms."""
    strongest = sorted(weights.values(), key=abs, reverse=True)[:STRONGEST]
    return sum(strongest) / len(strongest) if strongest else 0.0


def _shares(counts: Counter[str], gain: float, matcher: KeywordMatcher) -> dict[str, float]:
    """Return what a short text is worth, shared by its mentions."""
    worth = gain * min(1.0, matcher.weight(counts))
    return {name: worth * count / sum(counts.values()) for name, count in counts.items()}


# --- what a crawl proposes to add to its topic -----------------------------------------------------------------

PROPOSED: Final = 0.3
"""Least confidence of what is proposed."""
LEAST_ARTICLES: Final = 3
N_LISTED: Final = 30


class Suggestion(NamedTuple):
    """A label or a word of headlines that is on articles about the topic more often than on others."""

    kind: str
    """``label`` or ``word``."""
    name: str
    confidence: float
    """Share of its articles that are about the topic by the user's own words, moved towards the crawl's mean."""
    n_articles: int
    n_relevant: float
    """Sum of the probabilities by the user's own words."""
    state: str
    """``taken on``, ``proposed``, ``accepted`` or ``refused``."""


def suggestions(labels: LabelTable, words: LabelTable, named: KeywordMatcher, decided: Decisions) -> list[Suggestion]:
    """Return what is taken on, decided or proposed, the surest first.

    :param labels: and ``words``: what articles have taught of labels and of words in headlines.
    :param named: matches the topic's own keywords, which need no proposal.
    """
    found = [*_of_table("label", labels, named, decided), *_of_table("word", words, named, decided)]
    shown = {suggestion.name for suggestion in found}
    found += [Suggestion("word", word, 0.0, 0, 0.0, "accepted") for word in decided.accepted if word not in shown]
    found.sort(key=lambda one: (one.state == "proposed", -one.confidence, -one.n_articles, one.name))
    return found[:N_LISTED]


def stored_suggestions(state: dict[str, Any], decided: Decisions) -> list[Suggestion]:
    """Return the :func:`suggestions` of a model's stored state."""
    labels, words = LabelTable(), LabelTable()
    labels.restore(state["labels"])
    words.restore(state["words"])
    keywords = tuple(Keyword(term=word) for word in state["keywords"])
    named = KeywordMatcher(Topic(name="", keywords=keywords, languages=tuple(state["languages"])))
    return suggestions(labels, words, named, decided)


def _of_table(kind: str, table: LabelTable, named: KeywordMatcher, decided: Decisions) -> Iterator[Suggestion]:
    for name, (n, relevant) in table.counts.items():
        confidence = table.confidence(name)
        if name in decided.accepted:
            state = "accepted"
        elif name in decided.refused:
            state = "refused"
        elif named.counts(name):
            continue
        elif kind == "label" and table.is_taken(name):
            state = "taken on"
        elif n >= LEAST_ARTICLES and confidence >= PROPOSED and table.gain(name) >= LEAST_GAIN:
            state = "proposed"
        else:
            continue
        yield Suggestion(kind, name, round(confidence, 3), round(n), round(relevant, 1), state)
