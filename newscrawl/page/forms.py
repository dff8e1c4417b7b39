"""Paths to elements, links of one form, and the part of a page that belongs to each link of a list."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints, Measures

MIN_ALIKE: Final = 3
"""Fewer links with the same names are grouped by their tags alone."""
_STATES: Final = frozenset("a li tr td th dt dd".split())
"""Elements whose class often says first, last, odd or even."""


class Paths:
    """Numbers of paths from one element down to others: paths of the same steps have one number.

    A path is known by its last step and the number of the path above, so that one of depth d costs O(1), not O(d).

    :param parent: row of the element around each row.
    :param top: the row that all paths begin in; -1 for the whole page.
    :param step: what is compared of a row.
    """

    def __init__(self, parent: Sequence[int], top: int, step: Callable[[int], Hashable]) -> None:
        self._parent, self._top, self._step = parent, top, step
        self._of_row = {top: 0}
        self._numbers: dict[tuple[int, Hashable], int] = {}
        self.above = [0]
        """Path that holds each; 0 holds all others."""

    def of(self, row: int) -> int:
        """Return the number of the path that leads to a row; 0 for one outside ``top``."""
        steps = []
        while row > self._top and row not in self._of_row:
            steps.append(row)
            row = self._parent[row]
        path = self._of_row.get(row)
        if path is None:
            return 0
        for each in reversed(steps):
            key = path, self._step(each)
            path = self._of_row[each] = self._numbers.setdefault(key, len(self.above))
            if path == len(self.above):
                self.above.append(key[0])
        return path


class LinkForms:
    """Forms of the links of a page: the tags from the root down to a link, and the names that their classes begin with.

    Rare names do not part links.
    """

    def __init__(self, document: Document) -> None:
        measures = document.measures
        parent, kinds, nodes = measures.parent.tolist(), measures.kinds.tolist(), measures.nodes

        def named(row: int) -> Hashable:
            is_state = nodes[row].tag in _STATES
            name = "" if is_state else (nodes[row].get("class") or "").partition(" ")[0].rstrip("0123456789")
            return kinds[row], name

        self._named, self._bare = Paths(parent, -1, named), Paths(parent, -1, kinds.__getitem__)

    def groups(self, rows: Sequence[int], addresses: Sequence[Hashable], is_heading: Sequence[bool]) -> list[list[int]]:
        """Return the places of links of one form, ascending; links in headings and others are apart."""
        by_form: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            by_form[self._named.of(row), is_heading[place]].append(place)
        small: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
        groups = []
        for found in by_form.values():
            if len({addresses[place] for place in found}) >= MIN_ALIKE:
                groups.append(found)
            else:
                first = found[0]
                small[self._bare.of(rows[first]), is_heading[first]] += found
        return [*groups, *map(sorted, small.values())]


def record_tops(measures: Measures, rows: Ints) -> Ints:
    """Return the row of the element that belongs to each link of a list: the largest one below the body without another
    of them, of one height for all.

    :param rows: rows of the links, ascending; at least one.
    """
    parent, end = measures.parent, measures.end
    before = np.concatenate(([-1], rows[:-1]))
    after = np.concatenate((rows[1:], [len(measures)]))
    top, heights = rows, np.zeros(len(rows), dtype=np.intp)
    is_free = np.ones(len(rows), dtype=np.bool_)
    while is_free.any():
        above = parent[top]
        is_free = is_free & (above > 0) & (before <= above) & (after >= end[above])
        top = np.where(is_free, above, top)
        heights += is_free
    top = rows
    for level in range(int(np.sort(heights)[(len(heights) - 1) // 2])):
        top = np.where(heights > level, parent[top], top)
    return top
