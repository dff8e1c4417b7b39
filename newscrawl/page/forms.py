"""Links of one form, and the part of a page that belongs to each: what the lists of a page are found by."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints, Measures

MIN_ALIKE: Final = 3
"""Fewer links with the same names are grouped by their tags alone."""
_STATES: Final = frozenset("a li tr td th dt dd".split())
"""Elements whose class often says first, last, odd or even."""


class LinkForms:
    """Forms of the links of a page: the tags from the root down to a link, and the names that their classes begin with.

    Rare names do not part links.
    """

    def __init__(self, document: Document) -> None:
        self._measures = document.measures
        self._parent: list[int] = self._measures.parent.tolist()
        self._named: dict[int, int] = {-1: -1}
        self._bare: dict[int, int] = {-1: -1}
        self._numbers: dict[tuple[int, int, str], int] = {}
        """Form of the element above, kind and name → number of the form."""

    def groups(self, rows: Sequence[int], addresses: Sequence[Hashable], is_heading: Sequence[bool]) -> list[list[int]]:
        """Return the places of links of one form, ascending; links in headings and others are apart."""
        by_form: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            by_form[self._form(row, self._named, is_named=True), is_heading[place]].append(place)
        small: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
        groups = []
        for found in by_form.values():
            if len({addresses[place] for place in found}) >= MIN_ALIKE:
                groups.append(found)
            else:
                first = found[0]
                small[self._form(rows[first], self._bare, is_named=False), is_heading[first]] += found
        return [*groups, *map(sorted, small.values())]

    def _form(self, row: int, known: dict[int, int], *, is_named: bool) -> int:
        """Return the form of an element, a number.

        :param known: the forms of rows that were asked for; it learns those on the way up.
        """
        above = []
        while row not in known:
            above.append(row)
            row = self._parent[row]
        form = known[row]
        for each in reversed(above):
            node, name = self._measures.nodes[each], ""
            if is_named and node.tag not in _STATES:
                name = (node.get("class") or "").partition(" ")[0].rstrip("0123456789")
            sign = (form, int(self._measures.kinds[each]), name)
            form = known[each] = self._numbers.setdefault(sign, len(self._numbers))
        return form


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
