"""The learning strategy: it scores links by the crawl's own judgements so far.

A link's score is the harvest rate that following it promises::

    score = l · (a · p^γ + (1 − a) · v),    γ = 1 + DOUBT / (DOUBT + n)

*l* is the probability that the address is alive and no copy of a fetched page, to the power of ``SURENESS``,
*a* the probability that the page is an article, *p* that such an article is about the topic, *v* the value of a hub. A
hub that leads to *k* new links of summed probability *s* has v = s / (k + 1): the share of relevant pages among the hub
and its links. *l* and *a* are shares of what the address's tag path and pattern have led to. Both *p* and *v* are
logistic models over the features ``ARTICLE`` and ``HUB``. Their weights start from what crawls of other
sites have taught and move with every judged page; a hub's *v* is revised as its links are fetched. *n* is the number of
relevant articles so far: while there are few, an unlikely article counts less than a hub, which shows many articles.

The model has three parts:

* **State**: ``state.py``, counts of links, tag paths, address patterns and pages.
* **Update**: ``link_evidence.py`` enters the links of a fetched page; :class:`LearnedScorer` enters what a queued link
  turned out to be, credits the hub that led there, and fits the two logistic models to it.
* **Score**: :class:`Features` turns the state into features and into *a* and *l*; the models (``logistic.py``) give *p*
  and *v*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from newscrawl.focus.estimators import ARTICLE, HUB, PriorLogistic, first_weights, logit
from newscrawl.focus.link_evidence import NO_ARTICLE, LinkEvidence, sharpen
from newscrawl.focus.link_state import ANCHOR_TERMS, COLUMN, Form, Group, PageRow, Tables, Traits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newscrawl.classify.model_file import Floats, Ints
    from newscrawl.focus.judge import RelevanceModel
    from newscrawl.links.context import PageView


FACTS_OF_ARTICLE: Final = slice(COLUMN["anchor_keywords"], COLUMN["parent_relevance"] + 1)
"""Columns of facts that are features of an article without change, in the same order."""
FACTS_OF_HUB: Final = [COLUMN[name] for name in ("anchor_keywords", "url_keywords", "parent_relevance")]
_CASES: Final = np.array([[1.0], [4.0], [1.0], [2.0], [1.0], [2.0], [2.0], [0.3]])
"""Pseudo-counts that shrink each share towards the crawl's mean."""
CASES_OF_KIND: Final = (1.0, 1.0)
"""Pseudo-counts that move the share of articles of a tag path towards the address's own, of a pattern to its path's."""
CASES_OF_LIFE: Final = (2.0, 8.0, 0.5, 2.0)
"""Pseudo-counts of the share of living addresses: of a tag path, a pattern, its forms with few and with more digits."""
SURENESS: Final = 2.0
"""Power of the probability to be alive, because chosen links are overrated and each dead one costs a request."""


class Look(NamedTuple):
    """Links by slot, as many rows in each array."""

    slots: Ints
    article_x: Floats
    hub_x: Floats
    article_share: Floats
    """Probability that the address is an article's, by its shape and what its pattern turned out to be."""
    alive: Floats
    """Probability that it gives a page not yet fetched, to the power of ``SURENESS``."""


class Features:
    """Features of links, by everything that was counted."""

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
        article_x[:, 10:12] = words
        article_x[:, 12:15] = article_shares
        hub_x = np.empty((n, len(HUB)))
        hub_x[:, 0] = 1.0
        hub_x[:, 1:4] = facts[:, FACTS_OF_HUB]
        hub_x[:, 4] = np.log1p(facts[:, COLUMN["own_links"]])
        hub_x[:, 5] = words[:, 0]
        hub_x[:, 6] = article_shares[:, 2]
        hub_x[:, 7:9] = lists[:, PageRow.IS_HUB : PageRow.SUBJECT + 1]
        hub_x[:, 9:14] = hub_shares
        kinds = [counts[:, Traits.ARTICLES : Traits.HUBS + 1 : 2] for counts in (template, pattern)]
        share = _narrowed(facts[:, COLUMN["prior_article"]], kinds, CASES_OF_KIND)
        return Look(slots, article_x, hub_x, share, self._alive(slots, template, pattern) ** SURENESS)

    def _alive(self, slots: Ints, template: Floats, pattern: Floats) -> Floats:
        """Return the probability by place, pattern and form. Each level counts what the next one does not.

        A dead link counts once, for its form. It says little about other forms of its pattern.
        """
        totals, queue, forms = self.tables.totals, self.tables.queue, self.tables.forms.counts
        base = totals.n_ended / (totals.n_ended + totals.n_articles + totals.n_hubs)
        of_place, of_pattern = (
            np.column_stack((counts[:, Traits.ARTICLES] + counts[:, Traits.HUBS], counts[:, Traits.ENDED]))
            for counts in (template, pattern)
        )
        few_digits, more_digits = forms[queue.forms[slots, 0]], forms[queue.forms[slots, 1]]
        levels = (of_place, of_pattern - few_digits, few_digits - more_digits, more_digits)
        return _narrowed(np.full(len(slots), 1 - base), levels, CASES_OF_LIFE)

    def _words(self, slots: Ints) -> Floats:
        """Return the learnt relevance of the words of anchors and of the text around them, shape ``(n, 2)``."""
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

    def _shares(
        self, facts: Floats, groups: Floats, lists: Floats, template: Floats, pattern: Floats
    ) -> tuple[Floats, Floats]:
        """Return shares as log-odds relative to the crawl's mean; 0 if nothing is known."""
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


def _narrowed(share: Floats, levels: Sequence[Floats], cases: Sequence[float]) -> Floats:
    """Return a share, moved by each narrower group.

    :param levels: counts with and without the property in each group, shape ``(n, 2)``, widest group first.
    :param cases: pseudo-counts of the wider group's share.
    """
    for counts, n in zip(levels, cases, strict=True):
        yes, no = np.maximum(counts, 0.0).T
        share = (yes + n * share) / (yes + no + n)
    return share


REFIT_EVERY: Final = 10
"""Pages between two fits; three times as many after ``MANY_PAGES``, when the weights have nearly settled."""
MANY_PAGES: Final = 200
RESCORE_EVERY: Final = 20
LEAST_CHANGE: Final = 0.005
RESCORED: Final = 32
"""Best links of the queue that are scored anew after each page. Every ``RESCORE_EVERY`` pages all links are."""
DOUBT: Final = 8.0
"""Relevant articles after which half of the doubt in unlikely articles is left."""
FOLDER_SCORE: Final = 0.3
"""Least score of a page above lists of the topic, such as the index of all tags. It shows only lists, so its own value
says little, and it costs one request."""
_PARTS: Final = {"tables": "tables", "articles": "articles", "hubs": "hubs", "sight": "evidence"}
"""Key of a stored state → attribute of the scorer."""


class LearnedScorer:
    """Scores a link from 0 to 1 by the formula above. Equal pages in equal order give equal scores."""

    def __init__(self, model: RelevanceModel) -> None:
        self.tables = Tables()
        self.articles, self.hubs = (
            PriorLogistic(weights.tolist(), [spread for _, spread in believed.values()])
            for weights, believed in zip(first_weights(), (ARTICLE, HUB), strict=True)
        )
        self.evidence = LinkEvidence(self.tables, model.matcher)
        self.features = Features(self.tables, model)
        self.n_pages = 0
        self._look: Look = self.features.look_at(np.zeros(0, dtype=np.int64))

    def add(self, page: PageView) -> dict[str, float]:
        self.n_pages += 1
        slot = self.tables.queue.slot(page.url)
        relevance = sharpen(page.relevance) if page.is_article else NO_ARTICLE
        self.evidence.remember(page.url, relevance)
        place = self._learn_outcome(relevance, slot) if slot is not None else -1
        number = self.tables.pages.new()
        row = self.tables.pages.rows[number % self.tables.pages.capacity]
        row[PageRow.PLACE], row[PageRow.IS_HUB] = place, relevance == NO_ARTICLE
        row[PageRow.SUBJECT] = self.evidence.subject(page, slot)
        origin = self._origin(slot) if slot is not None else None  # from here on the slot may belong to another link
        self.tables.queue.remove(page.url)
        every = REFIT_EVERY if self.n_pages < MANY_PAGES else 3 * REFIT_EVERY
        if self.n_pages % every == 0:
            self.fit()
        new, known = self.evidence.see(page, relevance, number)
        scores = self._rescore(new, known, row)
        if row[PageRow.IS_HUB] and origin is not None:
            self._count_hub(row, origin)
        return scores

    def state_relevance(self, found: Mapping[str, float]) -> dict[str, float]:
        """Take the probabilities of queued articles by the text that a feed has of them; return scores that change."""
        slots = self.tables.queue.by_url
        places = {slots[url]: probability for url, probability in found.items() if url in slots}
        for slot, probability in places.items():
            self.tables.queue.stated[slot] = probability
        return self._score_anew(np.array(sorted(places), dtype=np.int64))

    def forget(self, url: str, *, is_dead: bool = False) -> dict[str, float]:
        queue = self.tables.queue
        slot = queue.slot(url)
        if slot is None or not is_dead:
            queue.remove(url)
            return {}
        self.tables.templates.counts[queue.template[slot], Traits.ENDED] += 1
        self.tables.patterns.counts[queue.pattern[slot], Traits.ENDED] += 1
        self.tables.forms.counts[list(set(queue.forms[slot].tolist())), Form.ENDED] += 1
        self.tables.totals.n_ended += 1
        queue.remove(url)
        return self._score_anew(np.sort(queue.best(RESCORED)))

    @property
    def best_score(self) -> float:
        """Highest score of the queued links; -1 if none is queued."""
        return float(self.tables.queue.score.max())

    def fit(self) -> None:
        """Fit the weights of both models to the crawl's judgements."""
        self.articles.fit()
        self.hubs.fit()

    def _learn_outcome(self, relevance: float, slot: int) -> int:
        """Learn from the outcome of a queued link; return the example's place in its model."""
        queue = self.tables.queue
        template = self.tables.templates.counts[queue.template[slot]]
        pattern = self.tables.patterns.counts[queue.pattern[slot]]
        self.tables.forms.counts[list(set(queue.forms[slot].tolist())), Form.GAVE] += 1
        article_x, hub_x = self._features_of(slot)
        groups = [g for g in queue.groups[slot].tolist() if g >= 0]
        if relevance == NO_ARTICLE:
            template[Traits.HUBS] += 1
            pattern[Traits.HUBS] += 1
            self._pay_back(groups, 0.0, slot)
            return self.hubs.add(hub_x, 0.0)
        self.tables.totals.n_articles += 1
        self.tables.totals.n_relevant += relevance
        for counts in (template, pattern):
            counts[Traits.ARTICLES] += 1
            counts[Traits.RELEVANT] += relevance
        for group in groups:
            self.tables.groups.add(group, Group.FETCHED, 1)
            self.tables.groups.add(group, Group.RELEVANT, relevance)
        self._pay_back(groups, relevance, slot)
        return self.articles.add(article_x, relevance)

    def _origin(self, slot: int) -> tuple[int, int, list[int]]:
        """Return template, pattern and groups of a link."""
        queue = self.tables.queue
        return int(queue.template[slot]), int(queue.pattern[slot]), queue.groups[slot].tolist()

    def _pay_back(self, groups: list[int], relevance: float, slot: int) -> None:
        """Replace the expectation by the link's outcome in the value of the hub that first led here."""
        group = self.tables.groups.row(groups[-1]) if groups else None
        row = self.tables.pages.row(int(group[Group.PAGE])) if group is not None else None
        if row is None:
            return
        expected, is_counted = float(self.tables.queue.expected[slot]), self.tables.queue.counted[slot] > 0
        row[PageRow.LIST_SUM] += relevance - expected
        if is_counted or relevance >= 0.5:
            row[PageRow.COUNT] += not is_counted
            row[PageRow.SUM] += relevance - (expected if is_counted else 0.0)
            if row[PageRow.IS_HUB] and row[PageRow.PLACE] >= 0:
                self.hubs.revise(int(row[PageRow.PLACE]), _value(row))

    def _count_hub(self, row: Floats, origin: tuple[int, int, list[int]]) -> None:
        template, pattern, groups = origin
        value = _value(row)
        self.tables.totals.n_hubs += 1
        self.tables.totals.sum_value += value
        self.hubs.revise(int(row[PageRow.PLACE]), value)
        self.tables.templates.counts[template, Traits.SUM_VALUE] += value
        self.tables.patterns.counts[pattern, Traits.SUM_VALUE] += value
        for group in groups:
            self.tables.groups.add(group, Group.HUBS, 1)
            self.tables.groups.add(group, Group.HUB_VALUE, value)

    def _rescore(self, new: list[int], known: list[int], row: Floats) -> dict[str, float]:
        """Score the page's links and the best of the queue, now and then the whole queue; return the changes."""
        queue, folders = self.tables.queue, self.evidence.folders()
        if self.n_pages % RESCORE_EVERY == 0:
            slots = np.sort(queue.slots())
        else:
            slots = np.array(sorted({*new, *known, *folders, *queue.best(RESCORED).tolist()}), dtype=np.int64)
        return self._score_anew(slots, new, row)

    def _score_anew(self, slots: Ints, new: Sequence[int] = (), row: Floats | None = None) -> dict[str, float]:
        """Score slots, in ascending order; return the changes."""
        queue = self.tables.queue
        if not len(slots):
            return {}
        look = self._look = self.features.look_at(slots)
        article, relevant, value = self._parts(look)
        stated = queue.stated[slots]
        article, relevant = np.where(stated < 0, (article, relevant), (np.ones(len(slots)), stated))
        found = article * relevant ** (1 + DOUBT / (DOUBT + self.tables.totals.n_relevant))
        if row is not None and new:
            self._expect(row, list(new), found[np.searchsorted(slots, new)])
        scores = look.alive * (found + (1 - article) * value)
        above = [place for slot in self.evidence.folders() if (place := _place_of(slot, slots)) is not None]
        scores[above] = np.maximum(scores[above], FOLDER_SCORE)
        changed = np.abs(scores - queue.score[slots]) > LEAST_CHANGE
        slots, scores = slots[changed], scores[changed]
        queue.score[slots] = scores
        return dict(zip(map(queue.url, slots.tolist()), scores.tolist(), strict=True))

    def _parts(self, look: Look) -> tuple[Floats, Floats, Floats]:
        return look.article_share, self.articles.predict(look.article_x), self.hubs.predict(look.hub_x)

    def _expect(self, row: Floats, new: list[int], promises: Floats) -> None:
        """Remember the promise of the page's new links, the first value of a hub."""
        queue = self.tables.queue
        queue.expected[new] = promises
        is_article = queue.facts[new, COLUMN["prior_article"]] >= 0.5
        row[PageRow.LIST_SUM] += promises[is_article].sum()
        row[PageRow.LIST_COUNT] += is_article.sum()
        for place in np.lexsort((np.array(new), -promises)).tolist():
            if promises[place] <= _value(row):
                break  # the share of relevant pages would fall
            row[PageRow.SUM] += promises[place]
            row[PageRow.COUNT] += 1
            queue.counted[new[place]] = 1.0

    def _features_of(self, slot: int) -> tuple[Floats, Floats]:
        """Return the features of a link's last score; computed if the link has long been out of sight."""
        look = self._look
        place = _place_of(slot, look.slots)
        if place is None:
            look, place = self.features.look_at(np.array([slot])), 0
        return look.article_x[place], look.hub_x[place]

    def state(self) -> dict[str, Any]:
        parts = {key: getattr(self, name).state() for key, name in _PARTS.items()}
        return {**parts, "n_pages": self.n_pages}

    def restore(self, state: dict[str, Any]) -> None:
        for key, name in _PARTS.items():
            getattr(self, name).restore(state[key])
        self.n_pages = state["n_pages"]


def _place_of(slot: int, slots: Ints) -> int | None:
    """Return the position of a slot among ascending slots; None if it is absent."""
    place = int(np.searchsorted(slots, slot))
    return place if place < len(slots) and slots[place] == slot else None


def _value(row: Floats) -> float:
    """Return a hub's value: the share of relevant pages among itself and the promising links that it showed first."""
    return min(1.0, max(0.0, float(row[PageRow.SUM] / (row[PageRow.COUNT] + 1.0))))
