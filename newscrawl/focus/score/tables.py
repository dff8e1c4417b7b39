"""What a crawl has counted of links, templates, address patterns and pages, in arrays of bounded size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.score.queue import LinkQueue

if TYPE_CHECKING:
    from newscrawl.classify.learn import Floats, Ints


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
    """Counts of the whole crawl: what is expected where nothing is known."""

    def __init__(self) -> None:
        self.n_articles, self.n_relevant, self.n_hubs, self.sum_value = 4.0, 1.0, 4.0, 0.8
        self.n_ended = 0.2
        """Addresses that gave no new page: dead, or a copy of one fetched."""
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
