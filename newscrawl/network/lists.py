"""Lists and tables inside the text: whole, whatever their lines look like one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.network.features import FEATURES

if TYPE_CHECKING:
    from newscrawl.dom.measures import Bools, Ints
    from newscrawl.network.features import PageLines

MAX_LINKS: Final = 0.2
"""Share of link text from which on it is a list of links."""
MIN_CELLS: Final = 6
"""A table of fewer cells is rather a part of the layout."""

_IN_ITEM, _IN_CELL, _ENDS_COLON = (FEATURES.index(name) for name in ("in_item", "in_cell", "ends_colon"))


def add_lists(is_body: Bools, page: PageLines) -> None:
    """Take in the lists and tables that belong to the text they stand in.

    One does that follows a line of the body in the same element, holds hardly a link, and is a table of data, or has a
    colon before it or a line of the body after it, or is in for the most part already.
    """
    lines, measures = page.lines, page.lines.measures
    items, cells = page.values[:, _IN_ITEM], page.values[:, _IN_CELL]
    is_deeper = (items[1:] > items[:-1]) | (cells[1:] > cells[:-1])
    before = np.flatnonzero(is_body[:-1] & is_deeper)
    if not len(before):
        return
    parents = measures.parent.take(lines.block)
    ends = np.searchsorted(lines.start, measures.end.take(parents.take(before)))
    page_lists = _Lists(is_body, page, parents)
    for line, end in zip(before.tolist(), ends.tolist(), strict=True):
        page_lists.add(line, end)
    is_body[:] = page_lists.is_body


class _Lists:
    """Columns of a page's lines as plain lists: most lists have a few lines, and no line behind one is looked at."""

    def __init__(self, is_body: Bools, page: PageLines, parents: Ints) -> None:
        self.lines = page.lines
        self.is_body: list[bool] = is_body.tolist()
        self.items: list[float] = page.values[:, _IN_ITEM].tolist()
        self.cells: list[float] = page.values[:, _IN_CELL].tolist()
        self.ends_colon: list[float] = page.values[:, _ENDS_COLON].tolist()
        self.is_heading: list[bool] = page.features.is_heading.tolist()
        self.chars: list[int] = page.lines.chars.tolist()
        self.link_chars: list[int] = page.lines.link_chars.tolist()
        self.parents: list[int] = parents.tolist()

    def _end_of_first(self, line: int, around: int) -> int:
        """Return the line after the child of the element ``around`` in which a line stands."""
        measures = self.lines.measures
        row = int(self.lines.block[line])
        while measures.parent[row] != around and measures.parent[row] >= 0:
            row = int(measures.parent[row])
        return int(np.searchsorted(self.lines.start, measures.end[row]))

    def add(self, line: int, end: int) -> None:
        """Take in what stands deeper behind a line of the body, before ``end``, where it belongs to the text."""
        first = line + 1
        stop = self._before_links(line, self._stop(line, end))
        n_chars, n_link_chars = sum(self.chars[first:stop]), sum(self.link_chars[first:stop])
        listed = range(first, stop)
        is_table = len(listed) >= MIN_CELLS and all(self.cells[number] > self.cells[line] for number in listed)
        n_body = sum(self.chars[number] for number in listed if self.is_body[number])
        if (is_table and not n_link_chars) or self.ends_colon[line] or 2 * n_body > n_chars:
            self._take(first, stop)
        after = stop
        while after < end and self.is_heading[after]:
            after += 1
        if after < end and self.is_body[after] and self.parents[after] == self.parents[line]:
            self._take(first, after)

    def _before_links(self, line: int, stop: int) -> int:
        """Return where, behind a line, the elements begin that are the way to other pages; ``stop`` if none are."""
        start = line + 1
        n_chars, n_link_chars = sum(self.chars[start:stop]), sum(self.link_chars[start:stop])
        while start < stop and n_link_chars:
            end = max(start + 1, min(stop, self._end_of_first(start, self.parents[line])))
            chars, link_chars = sum(self.chars[start:end]), sum(self.link_chars[start:end])
            if link_chars > MAX_LINKS * chars and n_link_chars > MAX_LINKS * n_chars:
                return start
            start, n_chars, n_link_chars = end, n_chars - chars, n_link_chars - link_chars
        return stop

    def _stop(self, line: int, end: int) -> int:
        """Return the first line behind ``line`` that stands no deeper in items or cells, at most ``end``."""
        item, cell = self.items[line], self.cells[line]
        stop = line + 1
        while stop < end and (self.items[stop] > item or self.cells[stop] > cell):
            stop += 1
        return stop

    def _take(self, first: int, stop: int) -> None:
        self.is_body[first:stop] = [True] * (stop - first)
