"""What a queued link looks like to the learning strategy: as an article, and as a hub; all of a page's at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.classify.learn.model_file import load_model
from newscrawl.focus.score.logistic import logit
from newscrawl.focus.score.queue import ANCHOR_TERMS, COLUMN
from newscrawl.focus.score.tables import Form, Group, PageRow, Traits

if TYPE_CHECKING:
    from newscrawl.classify.learn import Floats, Ints
    from newscrawl.focus.judge import RelevanceModel
    from newscrawl.focus.score.tables import Tables


#: Feature → (weight that is believed before any crawl, how far learning may take it: standard deviation).
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
INPUTS: Final = (*(f"article {name}" for name in ARTICLE), *(f"hub {name}" for name in HUB))
KIND: Final = "links"
MODEL: Final = Path(__file__).with_name("links.npz")
FACTS_OF_ARTICLE: Final = slice(COLUMN["anchor_keywords"], COLUMN["parent_relevance"] + 1)
"""Columns of the facts that are features of an article as they are, in the same order."""
FACTS_OF_HUB: Final = [COLUMN[name] for name in ("anchor_keywords", "url_keywords", "parent_relevance")]
_CASES: Final = np.array([[1.0], [4.0], [1.0], [2.0], [1.0], [2.0], [2.0], [0.3]])
"""Pseudo-counts that shrink each share towards the crawl's mean."""
CASES_OF_ENDS: Final = 2.0
CASES_OF_FORM: Final = 1.0
YEAR: Final = 365.0
"""Days after which a link is half as fresh as the newest."""


@cache
def first_weights() -> tuple[Floats, Floats]:
    """Return the weights of articles and of hubs that a crawl starts from: what crawls of other sites have taught."""
    arrays = load_model(MODEL, kind=KIND, features=INPUTS).arrays
    return arrays["article"], arrays["hub"]


class Look(NamedTuple):
    """Links by slot, as many rows in each array."""

    slots: Ints
    article_x: Floats
    hub_x: Floats
    article_share: Floats
    """Probability that the address is an article's, by its shape and what its pattern turned out to be."""
    alive: Floats
    """Probability that it gives a page not yet fetched."""


class Features:
    """Looks at links with all that was counted."""

    def __init__(self, tables: Tables, model: RelevanceModel) -> None:
        self.tables = tables
        self.model = model

    def look_at(self, slots: Ints) -> Look:
        tables, queue, n = self.tables, self.tables.queue, len(slots)
        facts = queue.facts[slots]
        pattern = tables.patterns.counts[queue.pattern[slots]]
        template = tables.templates.counts[queue.template[slots]]
        groups = tables.groups.rows_of(queue.groups[slots]).sum(axis=1)
        lists = tables.pages.rows_of(queue.continues[slots])
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
        hub_x[:, 7:9] = lists[:, PageRow.IS_HUB : PageRow.SUBJECT + 1]
        hub_x[:, 9:14] = hub_shares
        n_tries = pattern[:, Traits.ARTICLES] + pattern[:, Traits.HUBS]
        share = (pattern[:, Traits.ARTICLES] + 2 * facts[:, COLUMN["prior_article"]]) / (n_tries + 2)
        return Look(slots, article_x, hub_x, share, self._alive(slots, template, pattern, n_tries))

    def _alive(self, slots: Ints, template: Floats, pattern: Floats, n_tries: Floats) -> Floats:
        """Return the probability by the address's form, moved towards that of its place and pattern.

        The latter are each moved towards the crawl's mean.
        """
        totals, queue = self.tables.totals, self.tables.queue
        base = totals.n_ended / (totals.n_ended + totals.n_articles + totals.n_hubs)
        ended, gave = CASES_OF_ENDS * base, CASES_OF_ENDS * (1 - base)
        odds = (template[:, Traits.ENDED] + ended) * (pattern[:, Traits.ENDED] + ended) * ((1 - base) / base)
        odds /= (template[:, Traits.ARTICLES] + template[:, Traits.HUBS] + gave) * (n_tries + gave)
        found: Floats = 1.0 / (1.0 + odds)
        for level in (0, 1):
            form = self.tables.forms.counts[queue.forms[slots, level]]
            found = (form[:, Form.GAVE] + CASES_OF_FORM * found) / (form.sum(axis=1) + CASES_OF_FORM)
        return found

    def _words(self, slots: Ints) -> Floats:
        """Return what the words of anchors and of the text around them have come to mean, shape ``(n, 2)``."""
        table = self.model.table
        least = min(table.n_relevant, table.n_other)
        if not least:
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
        own = lists[:, PageRow.SUM] / (lists[:, PageRow.COUNT] + 1.0)
        parts = np.stack((
            groups[:, Group.RELEVANT], template[:, Traits.RELEVANT], facts[:, COLUMN["own_relevant"]],
            lists[:, PageRow.LIST_SUM], groups[:, Group.HUB_VALUE], template[:, Traits.SUM_VALUE],
            pattern[:, Traits.SUM_VALUE], own,
        ))  # fmt: skip
        wholes = np.stack((
            groups[:, Group.FETCHED], template[:, Traits.ARTICLES], facts[:, COLUMN["own_links"]],
            lists[:, PageRow.LIST_COUNT], groups[:, Group.HUBS], template[:, Traits.HUBS],
            pattern[:, Traits.HUBS], lists[:, PageRow.IS_HUB],
        ))  # fmt: skip
        bases = np.array([[base]] * 4 + [[value]] * 4)
        shifts = (logit((parts + _CASES * bases) / (wholes + _CASES)) - logit(bases)).T
        return shifts[:, :3], shifts[:, 3:]
