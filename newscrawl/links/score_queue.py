"""The queued links a learning scorer keeps in sight, as arrays, so that thousands are scored at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.topics.terms import N_HASHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ANCHOR_TERMS: Final = 14
AROUND_TERMS: Final = 24
N_GROUPS: Final = 4
"""Groups a link is remembered to stand in; the latest count."""
NO_TERM: Final = N_HASHES

#: Columns of ``facts``: numbers fixed by where the link was seen, the best of all places.
FACTS: Final = (
    "anchor_keywords", "around_keywords", "subject_keywords", "url_keywords", "in_body", "adjacent", "label_main",
    "label_related", "parent_relevance", "own_links", "own_relevant", "prior_article", "fresh",
)  # fmt: skip
COLUMN: Final = {name: place for place, name in enumerate(FACTS)}
ADDED: Final = (COLUMN["own_links"], COLUMN["own_relevant"])
"""Columns that are sums over all places; of the others the largest counts."""


class LinkQueue:
    """Up to ``capacity`` queued links; when it is full, the least promising eighth goes out of sight."""

    def __init__(self, capacity: int = 20_000) -> None:
        self.capacity = capacity
        self._slots: dict[str, int] = {}
        self._free: list[int] = []
        self._urls: list[str | None] = []
        size = 1024
        self.facts: Floats = np.zeros((size, len(FACTS)))
        self.template: Ints = np.zeros(size, dtype=np.int64)
        self.pattern: Ints = np.zeros(size, dtype=np.int64)
        self.groups: Ints = np.full((size, N_GROUPS), -1, dtype=np.int64)
        self.anchor: Ints = np.full((size, ANCHOR_TERMS), NO_TERM, dtype=np.int64)
        self.around: Ints = np.full((size, AROUND_TERMS), NO_TERM, dtype=np.int64)
        self.continues: Ints = np.full(size, -1, dtype=np.int64)
        """Number of the latest page of the same list; -1 for a link that is no next page of a list."""
        self.expected: Floats = np.zeros(size)
        """Probability of relevance when the link was found."""
        self.counted: Floats = np.zeros(size)
        """1 for a link that counts in the value of the hub it was found on."""
        self.score: Floats = np.full(size, -1.0)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, url: str) -> bool:
        return url in self._slots

    def slot(self, url: str) -> int | None:
        return self._slots.get(url)

    def url(self, slot: int) -> str:
        return self._urls[slot] or ""

    def slots(self) -> Ints:
        """Return the slots in use, in the order the links were found."""
        return np.fromiter(self._slots.values(), dtype=np.int64, count=len(self._slots))

    def best(self, n: int) -> Ints:
        """Return the slots of the n links with the highest scores, in no order."""
        used = len(self._urls)
        if len(self._slots) <= n:
            return self.slots()
        found: Ints = np.argpartition(-self.score[:used], n)[:n]
        return found

    def add(self, url: str, *, template: int, pattern: int) -> int:
        """Make room for a new link and return its slot."""
        if len(self._slots) >= self.capacity:
            self._shrink()
        slot = self._free.pop() if self._free else len(self._urls)
        if slot == len(self._urls):
            self._urls.append(None)
            if slot >= len(self.score):
                self._grow()
        self._urls[slot] = url
        self._slots[url] = slot
        self.facts[slot] = 0.0
        self.groups[slot] = -1
        self.anchor[slot] = self.around[slot] = NO_TERM
        self.template[slot], self.pattern[slot] = template, pattern
        self.expected[slot], self.counted[slot], self.score[slot], self.continues[slot] = 0.0, 0.0, -1.0, -1
        return slot

    def see(self, slot: int, facts: Sequence[float], group: int) -> None:
        """Count another place where the link stands."""
        row = self.facts[slot]
        sums = [row[column] + facts[column] for column in ADDED]
        np.maximum(row, facts, out=row)
        for column, total in zip(ADDED, sums, strict=True):
            row[column] = total
        self.groups[slot] = [group, *self.groups[slot, :-1]]

    def add_terms(self, slot: int, anchor: Sequence[int], around: Sequence[int]) -> None:
        """Add terms of another place, as long as there is room."""
        for table, found in ((self.anchor, anchor), (self.around, around)):
            row = table[slot]
            used = int((row != NO_TERM).sum())
            known = set(row[:used].tolist())
            new = [term for term in found if term not in known][: len(row) - used]
            row[used : used + len(new)] = new

    def remove(self, url: str) -> int | None:
        """Take a link out; its slot's rows stay readable until the next link is added."""
        slot = self._slots.pop(url, None)
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
            "urls": list(self._slots),
            **{name: getattr(self, name)[slots].astype(_STORED[type(empty)]) for name, empty in _EMPTY.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        for place, url in enumerate(state["urls"]):
            slot = self.add(url, template=0, pattern=0)
            for name in _EMPTY:
                getattr(self, name)[slot] = state[name][place]


#: Kind of a column → how it is stored.
_STORED: Final = {int: np.int32, float: np.float32}
_EMPTY: Final = {
    "facts": 0.0, "template": 0, "pattern": 0, "groups": -1, "anchor": NO_TERM, "around": NO_TERM, "expected": 0.0,
    "counted": 0.0,
    "continues": -1,
    "score": -1.0,
}  # fmt: skip
