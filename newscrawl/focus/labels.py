"""What editors call an article: its own tags, categories, breadcrumbs and folders, told from the site's navigation."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from newscrawl.urls.canonical import host_of
from newscrawl.urls.domains import site_of
from newscrawl.urls.patterns import folder_names
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.links.context import LinkContext
    from newscrawl.links.model import Link

MAX_LABEL: Final = 40
MAX_LABELS: Final = 30
MAX_PATHS: Final = 5_000
MAX_TARGETS: Final = 100
"""Different links remembered of a place: enough to tell what changes from what stays."""
OWN: Final = 2.0
"""Links are articles' own where a place has shown so many times more of them in all than on one page."""


class OwnLabels:
    """Learns which places of a host hold an article's own labels; memory grows with templates.

    A place of navigation shows the same links on every page, so that it never shows more in all than on one. What a
    page's neighbours in the crawl are about does not matter: a thousand articles of one tag and twenty of others show
    twenty-one. A lone link that only articles have, as their category, is theirs from the second article on, though all
    be of one category so far.
    """

    def __init__(self) -> None:
        self._targets: dict[str, dict[str, None]] = {}
        #: Pages, links on them, pages that are no articles.
        self._counts: dict[str, list[int]] = {}

    def labels_of(
        self, url: str, links: Sequence[tuple[Link, LinkContext]], *, stated: Sequence[str] = (), is_article: bool
    ) -> tuple[str, ...]:
        """Return the labels of an article, none of another page; learn from both.

        :param stated: section and keywords that the page names outside its text.
        """
        host = host_of(url)
        site = site_of(url)
        places: dict[str, dict[str, str]] = {}
        for link, context in links:
            if url_shape(link.url) is UrlKind.HUB and site_of(link.url) == site:
                for path, anchor in ((context.path, link.anchor), *context.also):
                    if anchor and len(anchor) <= MAX_LABEL:
                        places.setdefault(f"{host} {path}", {})[link.url] = anchor
        if is_article:
            short = [word for word in stated if len(word) <= MAX_LABEL][:MAX_LABELS]
            places[f"{host} stated"] = {word: word for word in short}
            places[f"{host} folders"] = {word: word for word in folder_names(url)}
        found: list[str] = []
        for place, labels in places.items():
            if labels and self._is_own(place, labels, is_article=is_article) and len(labels) <= MAX_LABELS:
                found += labels.values()
        return tuple(dict.fromkeys(found))

    def own_articles(self, url: str, links: Sequence[tuple[Link, LinkContext]]) -> list[str]:
        """Return the articles that a list page shows as its own: not those that the site shows on every page."""
        host = host_of(url)
        places: dict[str, dict[str, str]] = {}
        for link, context in links:
            if url_shape(link.url) is UrlKind.ARTICLE:
                places.setdefault(f"{host} list {context.path}", {})[link.url] = ""
        return [
            target
            for place, targets in places.items()
            if self._is_own(place, targets, is_article=True)
            for target in targets
        ]

    def _is_own(self, place: str, labels: dict[str, str], *, is_article: bool) -> bool:
        targets = self._targets.get(place)
        if targets is None:
            if len(self._targets) >= MAX_PATHS:
                return False
            targets = self._targets[place] = {}
            self._counts[place] = [0, 0, 0]
        if len(targets) < MAX_TARGETS:
            targets.update(dict.fromkeys(labels))
        counts = self._counts[place]
        counts[0] += 1
        counts[1] += min(len(labels), MAX_LABELS)
        counts[2] += not is_article
        mean = counts[1] / counts[0]
        is_lone = mean < OWN and not counts[2]
        return is_article and counts[0] >= 2 and (len(targets) >= OWN * mean or is_lone)

    def state(self) -> dict[str, Any]:
        return {place: [list(targets), *self._counts[place]] for place, targets in self._targets.items()}

    def restore(self, state: dict[str, Any]) -> None:
        self._targets = {place: dict.fromkeys(row[0]) for place, row in state.items()}
        self._counts = {place: row[1:] for place, row in state.items()}


MAX_KNOWN: Final = 20_000
CASES: Final = 4.0
"""Articles' worth of trust in a label before any of its articles is judged."""
LEAST_SEEN: Final = 3.0
TAKEN: Final = 0.4
"""Confidence from which a label is taken on ..."""
LEAST_GAIN: Final = 0.7
"""... if it doubles the odds: most articles of a crawl that succeeds are about its topic, whatever their labels."""
MAX_EVIDENCE: Final = 2.5


class LabelTable:
    """What the texts of a label's articles have turned out to be: labels are taught by texts, never by labels."""

    def __init__(self) -> None:
        self.counts: dict[str, tuple[float, float]] = {}
        """Label → articles, and the sum of their texts' probabilities."""
        self._n = 8.0
        self._relevant = 1.0

    @property
    def base(self) -> float:
        """Share of relevant articles."""
        return self._relevant / self._n

    def add(self, labels: Sequence[str], probability: float, *, weight: float = 1.0) -> None:
        """Count an article whose text alone is relevant with this probability."""
        self._n += weight
        self._relevant += weight * probability
        for name in {spelling(label) for label in labels}:
            if name in self.counts or len(self.counts) < MAX_KNOWN:
                n, relevant = self.counts.get(name, (0.0, 0.0))
                self.counts[name] = (n + weight, relevant + weight * probability)

    def n_articles(self, label: str) -> float:
        return self.counts.get(spelling(label), (0.0, 0.0))[0]

    def confidence(self, label: str) -> float:
        """Return the share of a label's articles that are about the topic, moved towards that of all by ``CASES``."""
        n, relevant = self.counts.get(spelling(label), (0.0, 0.0))
        return (relevant + CASES * min(0.9, self.base)) / (n + CASES)

    def gain(self, label: str) -> float:
        """Return how far the log-odds of the label's confidence are above those of all articles."""
        return _logit(self.confidence(label)) - _logit(min(0.9, self.base))

    def is_taken(self, label: str) -> bool:
        """Tell whether a label is sure enough to speak for the topic without being asked for."""
        is_seen = self.n_articles(label) >= LEAST_SEEN
        return is_seen and self.confidence(label) >= TAKEN and self.gain(label) >= LEAST_GAIN

    def evidence(self, label: str) -> float:
        """Return what a label without a keyword adds to an article's log-odds: 0 until it was seen a few times.

        It speaks for the topic where it is taken on, and against it where few of its articles are about the topic.
        """
        if self.n_articles(label) < LEAST_SEEN:
            return 0.0
        return max(-1.0, min(MAX_EVIDENCE if self.is_taken(label) else 0.0, self.gain(label)))

    def state(self) -> dict[str, Any]:
        return {"counts": self.counts, "n": [self._n, self._relevant]}

    def restore(self, state: dict[str, Any]) -> None:
        self.counts = {name: (n, relevant) for name, (n, relevant) in state["counts"].items()}
        self._n, self._relevant = state["n"]


@lru_cache(maxsize=8192)
def spelling(label: str) -> str:
    """Return what is the same for all ways to write a label.

    >>> spelling("Cell-Phones ") == spelling("cell phones")
    True
    """
    return " ".join(label.lower().replace("-", " ").replace("_", " ").split())


def _logit(p: float) -> float:
    p = min(max(p, 0.005), 0.995)
    return math.log(p / (1 - p))
