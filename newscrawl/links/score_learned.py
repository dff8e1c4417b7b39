"""The learning strategy: links are scored by what the crawl itself has judged so far.

A link's score is the harvest rate that following it promises::

    score = a · p + (1 − a) · v + exploration

*a* is the probability that the page is an article, *p* that such an article is about the topic, *v* the value of a
hub: if it leads to *k* new links of summed probability *s*, then v = s / (k + 1), the share of relevant pages among the
hub and them. Both *p* and *v* are logistic models over the features named in ``ARTICLE`` and ``HUB``, whose weights
start from keywords and move with every judged page; a hub's *v* is revised as its links are fetched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.links.model import LinkPosition
from newscrawl.links.score_model import PriorLogistic, logit
from newscrawl.links.score_queue import ANCHOR_TERMS, AROUND_TERMS, COLUMN, FACTS, NO_TERM, LinkQueue
from newscrawl.links.score_tables import GroupRing, NamedCounts
from newscrawl.links.score_url import hash_of, list_of, shape_of, url_pattern, url_words
from newscrawl.sites.shape import UrlKind
from newscrawl.topics.terms import term_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.links.score_view import PageView, SeenLink
    from newscrawl.topics.relevance import RelevanceModel

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

#: Feature → (weight before anything is learnt, how far learning may take it: standard deviation).
ARTICLE: Final = {
    "bias": (-2.0, 1.0),
    "anchor_keywords": (5.0, 1.5),
    "around_keywords": (2.0, 1.0),
    "subject_keywords": (2.0, 1.0),
    "url_keywords": (1.0, 0.7),
    "anchor_words": (0.7, 0.4),
    "around_words": (0.4, 0.3),
    "siblings": (0.8, 0.4),
    "template": (0.4, 0.3),
    "in_body": (0.5, 0.5),
    "adjacent": (0.3, 0.5),
    "label_main": (0.0, 0.5),
    "label_related": (0.2, 0.5),
    "parent_relevance": (1.0, 0.7),
    "own_share": (0.5, 0.4),
    "fresh": (0.0, 0.5),
}
HUB: Final = {
    "bias": (-2.0, 1.0),
    "anchor_keywords": (4.0, 1.5),
    "url_keywords": (1.0, 0.7),
    "anchor_words": (0.6, 0.4),
    "parent_relevance": (1.0, 0.7),
    "own_share": (1.0, 0.5),
    "own_count": (0.3, 0.3),
    "pattern_value": (0.7, 0.4),
    "template_value": (0.5, 0.3),
    "siblings_value": (0.3, 0.3),
    "continued": (0.3, 0.5),
    "continued_keywords": (2.0, 1.0),
    "continued_share": (0.8, 0.4),
    "continued_value": (0.4, 0.3),
}
HUB_FEATURES: Final = frozenset(
    {"pattern_value", "template_value", "siblings_value", "continued_share", "continued_value"}
)

KIND_PRIOR: Final = {UrlKind.ARTICLE: 0.9, UrlKind.HUB: 0.05, UrlKind.OTHER: 0.1, UrlKind.UNKNOWN: 0.5}
NO_ARTICLE: Final = -1.0
"""Stands for the relevance of a fetched page that is no article."""
MAX_JUDGEMENTS: Final = 50_000
REFIT_EVERY: Final = 10
"""Pages between two fits; three times as many when ``MANY_PAGES`` have come and the weights are nearly settled."""
MANY_PAGES: Final = 200
RESCORE_EVERY: Final = 20
LEAST_CHANGE: Final = 0.005
RESCORED: Final = 64
"""Of the queue's best links, so many are scored anew after each page; all of them after each ``RESCORE_EVERY``."""
EXPLORE: Final = 0.05
"""Bonus of a link whose address pattern was never tried, falling with the square root of tries."""

# columns of the groups: links of one page at one tag path; of the pages, over all their links
FETCHED, RELEVANT, HUBS, HUB_VALUE, PAGE = range(5)
PAGE_SUM, PAGE_COUNT, PAGE_PLACE, PAGE_IS_HUB, LIST_SUM, LIST_COUNT, PAGE_SUBJECT = range(7)
# columns of templates and of address patterns
N_ARTICLES, N_RELEVANT, N_HUBS, SUM_VALUE, N_SEEN, N_REPEATED = range(6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """What an ablation turns off."""

    blocks: bool = True
    learning: bool = True
    hubs: bool = True


class LearnedScorer:
    """Scores a link by the harvest rate it promises, from 0 to 1, learnt from what earlier links led to.

    The score is the probability that the link leads to a relevant article, or else the value of the hub it leads to,
    and a bonus for places hardly tried. Nothing is drawn by lot: equal pages in equal order give equal scores.
    """

    def __init__(self, model: RelevanceModel, *, switches: Switches | None = None) -> None:
        self.model = model
        self.switches = switches or Switches()
        self.queue = LinkQueue()
        self.articles = PriorLogistic(*zip(*ARTICLE.values(), strict=True))
        self.hubs = PriorLogistic(*zip(*HUB.values(), strict=True))
        self.templates = NamedCounts(6)
        self.patterns = NamedCounts(6)
        self.groups = GroupRing(5)
        self.pages = GroupRing(7)
        self.n_pages = 0
        self.n_articles, self.n_relevant, self.n_hubs, self.sum_value = 4.0, 1.0, 4.0, 0.8
        self._judgements: dict[int, float] = {}
        none = np.zeros((0, 0))
        self._scored: tuple[Ints, Floats, Floats] = (np.zeros(0, dtype=np.int64), none, none)
        self._last_targets: dict[str, frozenset[int]] = {}

    # --- learning ----------------------------------------------------------------------------------------

    def add(self, page: PageView) -> dict[str, float]:
        self.n_pages += 1
        self._remember(page.url, _sharpened(page.relevance) if page.is_article else NO_ARTICLE)
        slot = self.queue.remove(page.url)
        place = self._judged(page, slot) if slot is not None else -1
        origin = self._origin(slot) if slot is not None else None  # the slot may be another link's from here on
        page_number = self.pages.new()
        row = self.pages.rows[page_number % self.pages.capacity]
        row[PAGE_PLACE], row[PAGE_IS_HUB] = place, not page.is_article
        subject = self.model.matcher.distinct_weight(page.subject) if not page.is_article else 0.0
        if slot is not None and not page.is_article:
            subject = max(subject, self._mentioned(slot))
        row[PAGE_SUBJECT] = _squash(subject)
        every = REFIT_EVERY if self.n_pages < MANY_PAGES else 3 * REFIT_EVERY
        if self.n_pages % every == 0 and self.switches.learning:
            self.articles.fit()
            self.hubs.fit()
        touched = self._see_links(page, page_number, subject)
        scores = self._rescore(touched, page_number)
        if not page.is_article and place >= 0:
            self._count_hub(page_number, origin)
        return scores

    def _rescore(self, touched: dict[int, bool], page_number: int) -> dict[str, float]:
        """Score the page's links and the best of the queue, every so often all of it; return what has changed."""
        queue = self.queue
        if self.n_pages % RESCORE_EVERY == 0:
            slots = np.sort(queue.slots())
        else:
            slots = np.array(sorted({*touched, *queue.best(RESCORED).tolist()}), dtype=np.int64)
        if not len(slots):
            return {}
        article, relevant, value = self._parts(slots)
        self._expect(slots, article * relevant, touched, page_number)
        tries = self.patterns.counts[queue.pattern[slots]][:, [N_ARTICLES, N_HUBS]].sum(axis=1)
        scores = np.minimum(1.0, article * relevant + (1 - article) * value + EXPLORE / np.sqrt(1 + tries))
        changed = np.abs(scores - queue.score[slots]) > LEAST_CHANGE
        slots, scores = slots[changed], scores[changed]
        queue.score[slots] = scores
        return {queue.url(slot): score for slot, score in zip(slots.tolist(), scores.tolist(), strict=True)}

    def drop(self, url: str) -> None:
        self.queue.remove(url)

    def _judged(self, page: PageView, slot: int) -> int:
        """Learn from what a queued link turned out to be; return the example's place in its model."""
        queue = self.queue
        template = self.templates.counts[queue.template[slot]]
        pattern = self.patterns.counts[queue.pattern[slot]]
        article_x, hub_x = self._features_of(slot)
        groups = [g for g in queue.groups[slot].tolist() if g >= 0]
        if page.is_article:
            relevance = _sharpened(page.relevance)
            self.n_articles += 1
            self.n_relevant += relevance
            for counts in (template, pattern):
                counts[N_ARTICLES] += 1
                counts[N_RELEVANT] += relevance
            for group in groups:
                self.groups.add(group, FETCHED, 1)
                self.groups.add(group, RELEVANT, relevance)
            self._pay_back(groups, relevance, slot)
            return self.articles.add(article_x, relevance)
        template[N_HUBS] += 1
        pattern[N_HUBS] += 1
        self._pay_back(groups, 0.0, slot)
        return self.hubs.add(hub_x, 0.0)

    def _pay_back(self, groups: list[int], relevance: float, slot: int) -> None:
        """Credit the hub that led here first with what its link turned out to be, in place of what was expected."""
        if not groups:
            return
        first = groups[-1]
        if not self.groups.is_kept(np.array([first]))[0]:
            return
        page = int(self.groups.rows[first % self.groups.capacity, PAGE])
        if not self.pages.is_kept(np.array([page]))[0]:
            return
        row = self.pages.rows[page % self.pages.capacity]
        expected, is_counted = float(self.queue.expected[slot]), self.queue.counted[slot] > 0
        row[LIST_SUM] += relevance - expected
        if is_counted or relevance >= 0.5:
            row[PAGE_COUNT] += not is_counted
            row[PAGE_SUM] += relevance - (expected if is_counted else 0.0)
            if row[PAGE_IS_HUB] and row[PAGE_PLACE] >= 0:
                self.hubs.revise(int(row[PAGE_PLACE]), _value(row))

    def _origin(self, slot: int) -> tuple[int, int, list[int]]:
        """Return template, pattern and groups of a link."""
        queue = self.queue
        return int(queue.template[slot]), int(queue.pattern[slot]), queue.groups[slot].tolist()

    def _count_hub(self, number: int, origin: tuple[int, int, list[int]] | None) -> None:
        row = self.pages.rows[number % self.pages.capacity]
        value = _value(row)
        self.n_hubs += 1
        self.sum_value += value
        self.hubs.revise(int(row[PAGE_PLACE]), value)
        if origin is None:
            return
        template, pattern, groups = origin
        self.templates.counts[template, SUM_VALUE] += value
        self.patterns.counts[pattern, SUM_VALUE] += value
        for group in groups:
            self.groups.add(group, HUBS, 1)
            self.groups.add(group, HUB_VALUE, value)

    # --- what links look like ----------------------------------------------------------------------------

    def _see_links(self, page: PageView, page_number: int, subject: float) -> dict[int, bool]:
        """Enter the page's links; return slot → whether it is new."""
        host = page.url.split("/", 3)[2] if page.url.count("/") >= 2 else ""
        by_path: dict[str, list[SeenLink]] = {}
        for seen in page.links:
            by_path.setdefault(f"{host} {seen.context.path}", []).append(seen)
        touched: dict[int, bool] = {}
        for path, links in by_path.items():
            template = self.templates.row(path)
            own = self._own_share(path, template, links)
            group = self.groups.new()
            self.groups.rows[group % self.groups.capacity, PAGE] = page_number
            if own >= 0.3:
                self._count_judged(links, group, page_number)
            for seen in links:
                self._see_link(page, seen, template, group, own, subject, touched)
                slot = self.queue.slot(seen.link.url)
                if slot is not None and not page.is_article and list_of(seen.link.url) == list_of(page.url):
                    self.queue.continues[slot] = page_number
        return touched

    def _remember(self, url: str, relevance: float) -> None:
        """Keep what a page turned out to be, for lists that show it later."""
        self._judgements[hash_of(url)] = relevance
        if len(self._judgements) > MAX_JUDGEMENTS:
            del self._judgements[next(iter(self._judgements))]

    def _count_judged(self, links: list[SeenLink], group: int, page_number: int) -> None:
        """Count the links of a group that were fetched before."""
        row = self.pages.rows[page_number % self.pages.capacity]
        for seen in links:
            relevance = self._judgements.get(hash_of(seen.link.url))
            if relevance is not None and relevance != NO_ARTICLE:
                self.groups.add(group, FETCHED, 1)
                self.groups.add(group, RELEVANT, relevance)
                row[LIST_SUM] += relevance
                row[LIST_COUNT] += 1

    def _see_link(
        self,
        page: PageView,
        seen: SeenLink,
        template: int,
        group: int,
        own: float,
        subject: float,
        touched: dict[int, bool],
    ) -> None:
        queue, url = self.queue, seen.link.url
        slot = queue.slot(url)
        is_new = slot is None
        if slot is None:
            if not seen.is_new or hash_of(url) in self._judgements:
                return
            slot = queue.add(url, template=template, pattern=self.patterns.row(url_pattern(url)))
            touched[slot] = True
        elif own < 0.3:
            return  # a site's navigation says nothing new
        else:
            touched.setdefault(slot, False)
        queue.see(slot, self._facts(page, seen, own, subject, is_new=is_new), group)
        if is_new or own >= 0.5:
            queue.add_terms(
                slot,
                term_hashes(seen.link.anchor)[:ANCHOR_TERMS],
                term_hashes(seen.context.around)[:AROUND_TERMS],
            )

    def _facts(self, page: PageView, seen: SeenLink, own: float, subject: float, *, is_new: bool) -> list[float]:
        matcher = self.model.matcher
        facts = [0.0] * len(FACTS)
        heading = matcher.distinct_weight(seen.context.heading)
        facts[COLUMN["anchor_keywords"]] = _squash(matcher.distinct_weight(seen.link.anchor))
        facts[COLUMN["around_keywords"]] = _squash(matcher.distinct_weight(seen.context.around))
        facts[COLUMN["subject_keywords"]] = _squash(max(heading, subject)) * own
        if is_new:
            facts[COLUMN["url_keywords"]] = _squash(matcher.distinct_weight(url_words(seen.link.url)))
            facts[COLUMN["prior_article"]] = KIND_PRIOR[shape_of(seen.link.url)]
        if self.switches.blocks:
            facts[COLUMN["in_body"]] = float(seen.link.position is LinkPosition.IN_BODY)
            facts[COLUMN["adjacent"]] = float(seen.link.position is LinkPosition.ADJACENT)
            facts[COLUMN["label_main"]] = float(seen.label == "main")
            facts[COLUMN["label_related"]] = float(seen.label == "related")
        if page.is_article:
            facts[COLUMN["parent_relevance"]] = _sharpened(page.relevance) * own
            facts[COLUMN["own_links"]] = own
            facts[COLUMN["own_relevant"]] = own * _sharpened(page.relevance)
        return facts

    def _own_share(self, path: str, template: int, links: list[SeenLink]) -> float:
        """Return how far a page's links at a tag path are its own, 0..1: navigation is the same on all pages."""
        counts = self.templates.counts[template]
        targets = frozenset(hash_of(seen.link.url) for seen in links)
        last = self._last_targets.get(path)
        if last is not None:
            counts[N_SEEN] += 1
            counts[N_REPEATED] += len(targets & last) / len(targets | last)
        if last is not None or len(self._last_targets) < 20_000:
            self._last_targets[path] = targets
        return float(1.0 - (counts[N_REPEATED] + 0.5) / (counts[N_SEEN] + 1.0))

    def _mentioned(self, slot: int) -> float:
        squashed = float(self.queue.facts[slot, COLUMN["anchor_keywords"]])
        return squashed / (1 - squashed) if squashed < 1 else 0.0

    def _expect(self, slots: Ints, promises: Floats, touched: dict[int, bool], page_number: int) -> None:
        """Remember what the page's new links promise: the first value of a hub."""
        row = self.pages.rows[page_number % self.pages.capacity]
        new: list[tuple[float, int]] = []
        for slot, promise in zip(slots.tolist(), promises.tolist(), strict=True):
            if touched.get(slot):
                new.append((promise, slot))
                self.queue.expected[slot] = promise
                if self.queue.facts[slot, COLUMN["prior_article"]] >= 0.5:
                    row[LIST_SUM] += promise
                    row[LIST_COUNT] += 1
        for promise, slot in sorted(new, key=lambda pair: (-pair[0], pair[1])):
            if promise <= _value(row):
                break  # the share of relevant pages would fall
            row[PAGE_SUM] += promise
            row[PAGE_COUNT] += 1
            self.queue.counted[slot] = 1.0

    # --- scores ------------------------------------------------------------------------------------------

    def _parts(self, slots: Ints) -> tuple[Floats, Floats, Floats]:
        article_x, hub_x = self._features(slots)
        self._scored = slots, article_x, hub_x
        return self._article_share(slots), self.articles.predict(article_x), self.hubs.predict(hub_x)

    def _features_of(self, slot: int) -> tuple[Floats, Floats]:
        """Return the features a link was scored by last; computed only where it has long been out of sight."""
        slots, article_x, hub_x = self._scored
        place = int(np.searchsorted(slots, slot))
        if place >= len(slots) or slots[place] != slot:
            article_x, hub_x = self._features(np.array([slot]))
            place = 0
        return article_x[place], hub_x[place]

    def _article_share(self, slots: Ints) -> Floats:
        prior = self.queue.facts[slots, COLUMN["prior_article"]]
        counts = self.patterns.counts[self.queue.pattern[slots]]
        known = counts[:, N_ARTICLES] + counts[:, N_HUBS]
        share: Floats = (counts[:, N_ARTICLES] + 2 * prior) / (known + 2)
        return share

    def _features(self, slots: Ints) -> tuple[Floats, Floats]:
        queue = self.queue
        facts = queue.facts[slots]
        names: dict[str, Floats] = {name: facts[:, place] for name, place in COLUMN.items()}
        names["bias"] = np.ones(len(slots))
        names |= self._word_features(slots)
        names |= self._share_features(slots, facts)
        names["own_count"] = np.log1p(names["own_links"])
        if not self.switches.hubs:
            for name in HUB_FEATURES:
                names[name] = np.zeros(len(slots))
        return (
            np.stack([names[name] for name in ARTICLE], axis=1),
            np.stack([names[name] for name in HUB], axis=1),
        )

    def _word_features(self, slots: Ints) -> dict[str, Floats]:
        table = self.model.table
        least = min(table.n_relevant, table.n_other)
        trust = least / (least + 10.0) if self.switches.learning else 0.0
        body, headlines = table.weights, self.model.headlines.weights
        features = {}
        for name, places in (("anchor_words", self.queue.anchor[slots]), ("around_words", self.queue.around[slots])):
            total = body[places].sum(axis=1) + headlines[places].sum(axis=1)
            n = (places != NO_TERM).sum(axis=1)
            features[name] = np.clip(total / np.sqrt(n + 1), -3.0, 3.0) * trust
        return features

    def _share_features(self, slots: Ints, facts: Floats) -> dict[str, Floats]:
        """Return shares as differences of log-odds to the crawl's mean: 0 where nothing is known."""
        queue = self.queue
        base, base_value = self.n_relevant / self.n_articles, self.sum_value / self.n_hubs
        groups = self.groups.of(queue.groups[slots])
        lists = self.pages.of(queue.continues[slots])
        sums = groups.sum(axis=1)
        template = self.templates.counts[queue.template[slots]]
        pattern = self.patterns.counts[queue.pattern[slots]]
        learns = float(self.switches.learning)
        shares = {
            "siblings": _shift(sums[:, RELEVANT], sums[:, FETCHED], base, 1.0),
            "template": _shift(template[:, N_RELEVANT], template[:, N_ARTICLES], base, 4.0),
            "own_share": _shift(facts[:, COLUMN["own_relevant"]], facts[:, COLUMN["own_links"]], base, 1.0),
            "siblings_value": _shift(sums[:, HUB_VALUE], sums[:, HUBS], base_value, 1.0),
            "template_value": _shift(template[:, SUM_VALUE], template[:, N_HUBS], base_value, 2.0),
            "pattern_value": _shift(pattern[:, SUM_VALUE], pattern[:, N_HUBS], base_value, 2.0),
            "continued_share": _shift(lists[:, LIST_SUM], lists[:, LIST_COUNT], base, 2.0),
            "continued_value": _shift(
                lists[:, PAGE_SUM] / (lists[:, PAGE_COUNT] + 1.0), lists[:, PAGE_IS_HUB], base_value, 0.3
            ),
        }
        return {name: values * learns for name, values in shares.items()} | {
            "continued": lists[:, PAGE_IS_HUB],
            "continued_keywords": lists[:, PAGE_SUBJECT],
        }

    # --- state -------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        parts = {name: getattr(self, name).state() for name in _PARTS}
        numbers = [self.n_pages, self.n_articles, self.n_relevant, self.n_hubs, self.sum_value]
        targets = {path: sorted(found) for path, found in self._last_targets.items()}
        judged = np.array(list(self._judgements.items()), dtype=np.float64).reshape(-1, 2)
        return {**parts, "numbers": numbers, "targets": targets, "judged": judged}

    def restore(self, state: dict[str, Any]) -> None:
        for name in _PARTS:
            getattr(self, name).restore(state[name])
        self.n_pages, self.n_articles, self.n_relevant, self.n_hubs, self.sum_value = state["numbers"]
        self._last_targets = {path: frozenset(found) for path, found in state["targets"].items()}
        self._judgements = {int(key): value for key, value in state["judged"].tolist()}


_PARTS: Final = ("queue", "articles", "hubs", "templates", "patterns", "groups", "pages")


def _sharpened(probability: float) -> float:
    """Return the probability with its log-odds tripled: a judgement, nearly, with room for doubt in the middle."""
    odds = (probability / max(1e-6, 1 - probability)) ** 3
    return odds / (1 + odds)


def _squash(weight: float) -> float:
    return weight / (weight + 1.0)


def _value(row: Floats) -> float:
    """Return a hub's value: the share of relevant pages among itself and the promising links it was first to show."""
    return min(1.0, max(0.0, float(row[PAGE_SUM] / (row[PAGE_COUNT] + 1.0))))


def _shift(part: Floats, whole: Floats, base: float, weight: float) -> Floats:
    """Return how far a share's log-odds lie from the base's, the share smoothed by ``weight`` cases of the base."""
    share = (part + weight * base) / (whole + weight)
    return logit(share) - math.log(base / (1 - base))
