"""State of the learning strategy: what a crawl has counted, in arrays of bounded size.

=============  ===================================================================================================
``queue``      the queued links, one slot each: facts of the places where each stands, its words, its score
``templates``  what the links of a tag path led to
``patterns``   what the addresses of a pattern led to
``forms``      which years and ranges of numbers of a pattern are alive
``groups``     the links of one page at one tag path: what those fetched turned out to be
``pages``      the fetched pages: what a hub's links were worth (the layers of a context graph, one step deep)
``totals``     the crawl's means, which shares shrink towards
=============  ===================================================================================================

``link_evidence.py`` and ``learned.py`` update it page by page, ``learned.py`` scores by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.words import N_HASHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.model_file import Floats, Ints

    Terms = tuple[int, ...]

ANCHOR_TERMS: Final = 14
AROUND_TERMS: Final = 24
N_GROUPS: Final = 4
"""Most groups kept for a link, the latest ones."""
NO_TERM: Final = N_HASHES

#: Columns of ``facts``: numbers of a link's places, the best of all.
FACTS: Final = (
    "anchor_keywords", "around_keywords", "subject_keywords", "url_keywords", "in_body", "adjacent", "label_main",
    "label_related", "parent_relevance", "own_links", "own_relevant", "prior_article",
)  # fmt: skip
COLUMN: Final = {name: place for place, name in enumerate(FACTS)}
ADDED: Final = [COLUMN["own_links"], COLUMN["own_relevant"]]
"""Columns that are sums over all places. For other columns the largest value counts."""
#: Kind of a column → how it is stored.
_STORED: Final = {int: np.int32, float: np.float32}
_EMPTY: Final = {
    "facts": 0.0, "template": 0, "pattern": 0, "forms": 0, "groups": -1, "terms": NO_TERM, "n_terms": 0,
    "expected": 0.0, "counted": 0.0, "continues": -1, "stated": -1.0,
    "score": -1.0,
}  # fmt: skip


class LinkQueue:
    """Up to ``capacity`` queued links. When it is full, the least promising eighth leaves memory."""

    def __init__(self, capacity: int = 20_000) -> None:
        self.capacity = capacity
        self.by_url: dict[str, int] = {}
        """URL → slot, read-only for callers."""
        self._free: list[int] = []
        self._urls: list[str | None] = []
        size = 1024
        self.facts: Floats = np.zeros((size, len(FACTS)))
        self.template: Ints = np.zeros(size, dtype=np.int64)
        self.pattern: Ints = np.zeros(size, dtype=np.int64)
        self.forms: Ints = np.zeros((size, 2), dtype=np.int64)
        """Forms of the pattern: with a few digits of its number, and with more."""
        self.groups: Ints = np.full((size, N_GROUPS), -1, dtype=np.int64)
        self.terms: Ints = np.full((size, ANCHOR_TERMS + AROUND_TERMS), NO_TERM, dtype=np.int64)
        """Numbers of the words of the anchor and of the text around it, at the link's first place."""
        self.n_terms: Ints = np.zeros((size, 2), dtype=np.int64)
        self.continues: Ints = np.full(size, -1, dtype=np.int64)
        """Number of the latest page of the same list; -1 for a link that is no next page of a list."""
        self.expected: Floats = np.zeros(size)
        """Probability of relevance when the link was found."""
        self.counted: Floats = np.zeros(size)
        """1 for a link that counts in the value of the hub it was found on."""
        self.stated: Floats = np.full(size, -1.0)
        """Probability of relevance by the text that a feed has of the article; -1 for a link in no feed."""
        self.score: Floats = np.full(size, -1.0)

    def __len__(self) -> int:
        return len(self.by_url)

    def slot(self, url: str) -> int | None:
        return self.by_url.get(url)

    def url(self, slot: int) -> str:
        return self._urls[slot] or ""

    def slots(self) -> Ints:
        """Return the slots in use, in the order the links were found."""
        return np.fromiter(self.by_url.values(), dtype=np.int64, count=len(self.by_url))

    def best(self, n: int) -> Ints:
        """Return the slots of the n links with the highest scores, in no order; at most n, none without a score."""
        used = len(self._urls)
        if len(self.by_url) <= n:
            return self.slots()
        found: Ints = np.argpartition(-self.score[:used], n)[:n]
        return found[self.score[found] >= 0]  # free slots, and slots without a score, have -1

    def add(self, url: str, *, template: int, pattern: int, forms: tuple[int, int] = (0, 0)) -> int:
        """Make room for a new link and return its slot."""
        if len(self.by_url) >= self.capacity:
            self._shrink()
        if self._free:
            slot = self._free.pop()
            for name, empty in _EMPTY.items():
                getattr(self, name)[slot] = empty
        else:
            slot = len(self._urls)
            self._urls.append(None)
            if slot >= len(self.score):
                self._grow()
        self._urls[slot] = url
        self.by_url[url] = slot
        self.template[slot], self.pattern[slot], self.forms[slot] = template, pattern, forms
        return slot

    def see(self, slots: Ints, facts: Floats, groups: Sequence[Sequence[int]]) -> None:
        """Count other places where links stand.

        :param slots: ``(n,)``, each once.
        :param facts: ``(n, len(FACTS))``
        :param groups: the groups of each, at least one, in the order they were seen.
        """
        old = self.facts[slots]
        new = np.maximum(old, facts)
        new[:, ADDED] = old[:, ADDED] + facts[:, ADDED]
        self.facts[slots] = new
        table = self.groups[slots]
        table[:, 1:] = table[:, :-1]
        table[:, 0] = [found[0] for found in groups]
        for turn in range(1, max(map(len, groups), default=0)):
            rows = [row for row, found in enumerate(groups) if len(found) > turn]
            table[rows, 1:] = table[rows, :-1]
            table[rows, 0] = [groups[row][turn] for row in rows]
        self.groups[slots] = table

    def set_terms(self, slots: Sequence[int], anchors: Sequence[Terms], arounds: Sequence[Terms]) -> None:
        """Enter the terms of new links."""
        if not slots:
            return
        anchors, arounds = [a[:ANCHOR_TERMS] for a in anchors], [a[:AROUND_TERMS] for a in arounds]
        pad = (NO_TERM,) * AROUND_TERMS
        self.terms[slots] = [
            a + pad[: ANCHOR_TERMS - len(a)] + b + pad[: AROUND_TERMS - len(b)]
            for a, b in zip(anchors, arounds, strict=True)
        ]
        self.n_terms[slots] = [(len(a), len(b)) for a, b in zip(anchors, arounds, strict=True)]

    def remove(self, url: str) -> int | None:
        """Remove a link. Its rows stay readable until the next link is added."""
        slot = self.by_url.pop(url, None)
        if slot is not None:
            self._urls[slot] = None
            self.score[slot] = -1.0
            self._free.append(slot)
        return slot

    def _shrink(self) -> None:
        slots = self.slots()
        order = np.argsort(self.score[slots], kind="stable")[: max(1, self.capacity // 8)]
        for slot in slots[order].tolist():
            self.remove(self.url(slot))

    def _grow(self) -> None:
        for name, empty in _EMPTY.items():
            table = getattr(self, name)
            setattr(self, name, np.concatenate((table, np.full_like(table, empty))))

    def state(self) -> dict[str, Any]:
        slots = self.slots()
        return {
            "urls": list(self.by_url),
            **{name: getattr(self, name)[slots].astype(_STORED[type(empty)]) for name, empty in _EMPTY.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        for place, url in enumerate(state["urls"]):
            slot = self.add(url, template=0, pattern=0)
            for name in _EMPTY:
                getattr(self, name)[slot] = state[name][place]


MAX_NAMES: Final = 20_000
MAX_GROUPS: Final = 20_000


class NamedCounts:
    """Rows of counts for names (tag paths, address patterns); a name's row is made when it is first seen.

    Row 0 stands for all names beyond ``MAX_NAMES``.
    """

    def __init__(self, n_columns: int) -> None:
        self._rows: dict[str, int] = {}
        self.counts: Floats = np.zeros((64, n_columns), dtype=np.float64)

    def row(self, name: str) -> int:
        found = self._rows.get(name)
        if found is None:
            if len(self._rows) >= MAX_NAMES:
                return 0
            found = len(self._rows) + 1
            self._rows[name] = found
            if found >= len(self.counts):
                self.counts = np.concatenate((self.counts, np.zeros_like(self.counts)))
        return found

    def state(self) -> dict[str, Any]:
        return {"names": list(self._rows), "counts": self.counts[: len(self._rows) + 1].copy()}

    def restore(self, state: dict[str, Any]) -> None:
        self._rows = {name: row for row, name in enumerate(state["names"], 1)}
        self.counts = np.concatenate((state["counts"], np.zeros((64, state["counts"].shape[1]))))


class GroupRing:
    """Rows of numbers for the latest groups: the links of one page at one tag path.

    A group is known by a number that only grows; when there are more than ``MAX_GROUPS``, the oldest are forgotten.
    """

    def __init__(self, n_columns: int, capacity: int = MAX_GROUPS) -> None:
        self.capacity = capacity
        self.rows: Floats = np.zeros((capacity, n_columns), dtype=np.float64)
        self.n = 0

    def new(self) -> int:
        number = self.n
        self.rows[number % self.capacity] = 0.0
        self.n += 1
        return number

    def row(self, number: int) -> Floats | None:
        """Return a group's row; None if it is forgotten or negative."""
        return self.rows[number % self.capacity] if number >= 0 and number > self.n - 1 - self.capacity else None

    def rows_of(self, numbers: Ints) -> Floats:
        """Return the rows; zeros for groups that are forgotten or negative."""
        is_kept = (numbers >= 0) & (numbers > self.n - 1 - self.capacity)
        found: Floats = self.rows[numbers % self.capacity] * is_kept[..., None]
        return found

    def add(self, number: int, column: int, value: float) -> None:
        row = self.row(number)
        if row is not None:
            row[column] += value

    def state(self) -> dict[str, Any]:
        n = min(self.n, self.capacity)
        return {"rows": self.rows[:n].astype(np.float32), "n": self.n}

    def restore(self, state: dict[str, Any]) -> None:
        self.n = state["n"]
        self.rows[: len(state["rows"])] = state["rows"]


class Group:
    """Columns of a group: the links of one page at one tag path."""

    FETCHED, RELEVANT, HUBS, HUB_VALUE, PAGE = range(5)
    N = 5


class PageRow:
    """Columns of a fetched page. ``SUM`` and ``COUNT`` are of its promising links, ``LIST_…`` of all to articles."""

    SUM, COUNT, PLACE, IS_HUB, SUBJECT, LIST_SUM, LIST_COUNT = range(7)
    N = 7


class Traits:
    """Columns of a template (the tag path of links) and of an address pattern."""

    ARTICLES, RELEVANT, HUBS, SUM_VALUE, SEEN, REPEATED, ENDED = range(7)
    N = 7


class Form:
    """Columns of an address form: a pattern with the year or the first digits of its number."""

    GAVE, ENDED = range(2)
    N = 2


class Totals:
    """Counts of the whole crawl, the expectation where nothing is known."""

    def __init__(self) -> None:
        self.n_articles, self.n_relevant, self.n_hubs, self.sum_value = 4.0, 1.0, 4.0, 0.8
        self.n_ended = 0.2
        """Addresses that gave no new page: dead, or a copy of one fetched."""

    def state(self) -> dict[str, Any]:
        return vars(self).copy()

    def restore(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


class Tables:
    """All counts, shared by the parts of the learning strategy."""

    def __init__(self) -> None:
        self.queue = LinkQueue()
        self.templates = NamedCounts(Traits.N)
        self.patterns = NamedCounts(Traits.N)
        self.forms = NamedCounts(Form.N)
        self.groups = GroupRing(Group.N)
        self.pages = GroupRing(PageRow.N)
        self.totals = Totals()

    def state(self) -> dict[str, Any]:
        return {name: table.state() for name, table in vars(self).items()}

    def restore(self, state: dict[str, Any]) -> None:
        for name, table in vars(self).items():
            table.restore(state[name])
