"""What a queued link looks like to the learning strategy: as an article, and as a hub; all of a page's at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from newscrawl.focus.score.model import logit
from newscrawl.focus.score.queue import ANCHOR_TERMS, COLUMN, LinkQueue
from newscrawl.focus.score.tables import GroupRing, NamedCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.focus.relevance import RelevanceModel

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

#: Feature → (weight before anything is learnt, how far learning may take it: standard deviation).
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
    "fresh": (0.0, 0.5),
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
HUB_FEATURES: Final = frozenset(
    {"pattern_value", "template_value", "siblings_value", "continued_share", "continued_value"}
)
FACTS_OF_ARTICLE: Final = slice(COLUMN["anchor_keywords"], COLUMN["parent_relevance"] + 1)
"""Columns of the facts that are features of an article as they are, in the same order."""
FACTS_OF_HUB: Final = [COLUMN[name] for name in ("anchor_keywords", "url_keywords", "parent_relevance")]
_CASES: Final = np.array([[1.0], [4.0], [1.0], [2.0], [1.0], [2.0], [2.0], [0.3]])
"""By how many cases of the crawl's mean each share is moved towards it."""
YEAR: Final = 365.0
"""Days after which a link is half as fresh as the newest."""

# columns of the groups: links of one page at one tag path
FETCHED, RELEVANT, HUBS, HUB_VALUE, PAGE = range(5)
N_GROUP_COLUMNS: Final = 5
# columns of the pages, over all their links; LIST_… over the links to articles that are not navigation
(
    PAGE_SUM, PAGE_COUNT, PAGE_PLACE, PAGE_IS_HUB, PAGE_SUBJECT, LIST_SUM, LIST_COUNT,
) = range(7)  # fmt: skip
N_PAGE_COLUMNS: Final = 7
# columns of templates and of address patterns
N_ARTICLES, N_RELEVANT, N_HUBS, SUM_VALUE, N_SEEN, N_REPEATED = range(6)
N_NAME_COLUMNS: Final = 6


class Totals:
    """Counts of the whole crawl: what is expected where nothing is known."""

    def __init__(self) -> None:
        self.n_articles, self.n_relevant, self.n_hubs, self.sum_value = 4.0, 1.0, 4.0, 0.8
        self.newest_days: list[int] = []
        """The latest days of links, at most three: one wrong date must not make all others old."""

    @property
    def newest(self) -> int:
        return self.newest_days[0] if self.newest_days else 0

    def see_day(self, day: int) -> None:
        if len(self.newest_days) < 3 or day > self.newest_days[0]:
            self.newest_days = sorted([*self.newest_days, day])[-3:]

    def state(self) -> dict[str, Any]:
        return vars(self).copy()

    def restore(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


class Tables:
    """All that was counted: what the parts of the learning strategy share."""

    def __init__(self) -> None:
        self.queue = LinkQueue()
        self.templates = NamedCounts(N_NAME_COLUMNS)
        self.patterns = NamedCounts(N_NAME_COLUMNS)
        self.groups = GroupRing(N_GROUP_COLUMNS)
        self.pages = GroupRing(N_PAGE_COLUMNS)
        self.totals = Totals()

    def state(self) -> dict[str, Any]:
        return {name: table.state() for name, table in vars(self).items()}

    def restore(self, state: dict[str, Any]) -> None:
        for name, table in vars(self).items():
            table.restore(state[name])


class Look(NamedTuple):
    """Links by slot, as many rows in each array."""

    slots: Ints
    article_x: Floats
    hub_x: Floats
    article_share: Floats
    """Probability that the address is an article's, by its shape and what its pattern turned out to be."""
    n_tries: Floats
    """Pages fetched of its address pattern."""


class Features:
    """Looks at links with all that was counted."""

    def __init__(self, tables: Tables, model: RelevanceModel, *, learning: bool = True, hubs: bool = True) -> None:
        self.tables = tables
        self.model = model
        self.learning = learning
        self._off = np.array([not hubs and name in HUB_FEATURES for name in HUB])

    def of(self, slots: Ints) -> Look:
        tables, queue, n = self.tables, self.tables.queue, len(slots)
        facts = queue.facts[slots]
        pattern = tables.patterns.counts[queue.pattern[slots]]
        template = tables.templates.counts[queue.template[slots]]
        groups = tables.groups.of(queue.groups[slots]).sum(axis=1)
        lists = tables.pages.of(queue.continues[slots])
        words = self._words(slots)
        article_shares, hub_shares = self._shares(facts, groups, lists, template, pattern)
        article_x = np.empty((n, len(ARTICLE)))
        article_x[:, 0] = 1.0
        article_x[:, 1:10] = facts[:, FACTS_OF_ARTICLE]
        article_x[:, 10] = self._fresh(slots)
        article_x[:, 11:13] = words
        article_x[:, 13:16] = article_shares
        hub_x = np.empty((n, len(HUB)))
        hub_x[:, 0] = 1.0
        hub_x[:, 1:4] = facts[:, FACTS_OF_HUB]
        hub_x[:, 4] = np.log1p(facts[:, COLUMN["own_links"]])
        hub_x[:, 5] = words[:, 0]
        hub_x[:, 6] = article_shares[:, 2]
        hub_x[:, 7:9] = lists[:, PAGE_IS_HUB : PAGE_SUBJECT + 1]
        hub_x[:, 9:14] = hub_shares
        if self._off.any():
            hub_x[:, self._off] = 0.0
        n_tries = pattern[:, N_ARTICLES] + pattern[:, N_HUBS]
        share = (pattern[:, N_ARTICLES] + 2 * facts[:, COLUMN["prior_article"]]) / (n_tries + 2)
        return Look(slots, article_x, hub_x, share, n_tries)

    def _words(self, slots: Ints) -> Floats:
        """Return what the words of anchors and of the text around them have come to mean, shape ``(n, 2)``."""
        table = self.model.table
        least = min(table.n_relevant, table.n_other)
        if not self.learning or not least:
            return np.zeros((len(slots), 2))
        terms = self.tables.queue.terms[slots]
        weights = table.weights.take(terms)
        weights += self.model.headlines.weights.take(terms)
        sums = np.add.reduceat(weights, (0, ANCHOR_TERMS), axis=1)
        found: Floats = np.minimum(np.maximum(sums / np.sqrt(self.tables.queue.n_terms[slots] + 1), -3.0), 3.0)
        found *= least / (least + 10.0)
        return found

    def _fresh(self, slots: Ints) -> Floats:
        """Return 1 for links of the newest day seen, 0.5 for those a year older, 0 for those without a date."""
        day = self.tables.queue.day[slots]
        fresh: Floats = (day > 0) / (1 + np.maximum(0, self.tables.totals.newest - day) / YEAR)
        return fresh

    def _shares(
        self, facts: Floats, groups: Floats, lists: Floats, template: Floats, pattern: Floats
    ) -> tuple[Floats, Floats]:
        """Return shares as differences of log-odds to the crawl's mean: 0 where nothing is known."""
        totals = self.tables.totals
        base, value = totals.n_relevant / totals.n_articles, totals.sum_value / totals.n_hubs
        own = lists[:, PAGE_SUM] / (lists[:, PAGE_COUNT] + 1.0)
        parts = np.stack((
            groups[:, RELEVANT], template[:, N_RELEVANT], facts[:, COLUMN["own_relevant"]], lists[:, LIST_SUM],
            groups[:, HUB_VALUE], template[:, SUM_VALUE], pattern[:, SUM_VALUE], own,
        ))  # fmt: skip
        wholes = np.stack((
            groups[:, FETCHED], template[:, N_ARTICLES], facts[:, COLUMN["own_links"]], lists[:, LIST_COUNT],
            groups[:, HUBS], template[:, N_HUBS], pattern[:, N_HUBS], lists[:, PAGE_IS_HUB],
        ))  # fmt: skip
        bases = np.array([[base]] * 4 + [[value]] * 4)
        shifts = (logit((parts + _CASES * bases) / (wholes + _CASES)) - logit(bases)).T
        if not self.learning:
            shifts[:] = 0.0
        return shifts[:, :3], shifts[:, 3:]
