"""What a crawl proposes to add to its topic, with the evidence; and what a user has decided about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from newscrawl.focus.labels import LEAST_GAIN, LabelTable
from newscrawl.focus.topic import Keyword, Topic
from newscrawl.focus.words import KeywordMatcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

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


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a user has decided. Without any, the topic is as its file says."""

    accepted: tuple[str, ...] = ()
    """Labels and words that belong to the topic: they count as keywords."""
    refused: tuple[str, ...] = ()
    """Labels that say nothing about it."""

    @classmethod
    def from_words(cls, words: Mapping[str, bool]) -> Self:
        """:param words: word → whether it belongs to the topic."""
        accepted = tuple(name for name, belongs in words.items() if belongs)
        return cls(accepted, tuple(name for name, belongs in words.items() if not belongs))


def grow_topic(topic: Topic, decisions: Decisions) -> Topic:
    """Return the topic with the accepted words as keywords."""
    known = {word.lower() for keyword in topic.keywords for word in (keyword.term, *keyword.synonyms)}
    new = dict.fromkeys(word.lower() for word in decisions.accepted if word.lower() not in known)
    return replace(topic, keywords=(*topic.keywords, *(Keyword(term=word) for word in new)))


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
