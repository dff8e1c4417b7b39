"""The part of a page that belongs to each story of a list, and what it shows of the story."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Final

from newscrawl.extract.facts.moments import line_date, read_date
from newscrawl.extract.formats.pictures import image_source
from newscrawl.languages.text import fold_space
from newscrawl.page.lines import MIN_PROSE_WEIGHT, weight_of
from newscrawl.urls.canonical import absolute
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.extract.facts.moments import Dated
    from newscrawl.extract.lists.links import ListPage, TitleLink

MAX_DATE_LINE: Final = 120
"""Characters: a date stands in a short line."""
MAX_LINES: Final = 40
"""Lines of one story that are looked at."""
MIN_SECTION_WEIGHT: Final = 4.0
MAX_SECTION_WEIGHT: Final = 30.0
"""Shorter and longer link texts are no names of sections. Letters."""

_DIGIT: Final = re.compile(r"\d")
_PERSONS: Final = frozenset("author authors user users profile people columnist columnists".split())


class StoryItem:
    """Rows ``start … stop - 1`` of the page belong to the story of a link."""

    def __init__(self, page: ListPage, link: TitleLink, start: int, stop: int) -> None:
        self._page, self.link, self.start, self.stop = page, link, start, stop

    @property
    def _lines(self) -> range:
        starts = self._page.starts
        first = bisect_left(starts, self.start)
        return range(first, min(bisect_left(starts, self.stop), first + MAX_LINES))

    def _between(self, rows: Sequence[int]) -> Sequence[int]:
        """Return those of some ascending rows that belong to the story."""
        return rows[bisect_left(rows, self.start) : bisect_left(rows, self.stop)]

    @cached_property
    def date(self) -> Dated | None:
        """The date that the item states in a ``time`` element, else shows in a short line."""
        page = self._page
        for row in self._between(page.times):
            stated = page.measures.nodes[row].get("datetime")
            found = read_date(stated, "time", page.context) if stated else None
            if found is not None:
                return found
        for text in page.features.lines.texts(self._lines):
            shown = text.replace(self.link.title, " ")
            if len(shown) <= MAX_DATE_LINE and _DIGIT.search(shown):
                found = line_date(shown.strip(), page.context)
                if found is not None:
                    return found
        return None

    @cached_property
    def summary(self) -> str | None:
        """The text of the item that stands outside its links and may be a sentence."""
        features = self._page.features
        best, most = -1, MIN_PROSE_WEIGHT
        for number in self._lines:
            if features.free[number] >= most and not features.is_heading[number]:
                best, most = number, float(features.free[number])
        return None if best < 0 else self._without_links(best) or None

    def _without_links(self, number: int) -> str:
        """Return a line's text without the links to the story itself: its title, *read more*."""
        page, lines = self._page, self._page.features.lines
        texts = []
        for place in range(int(lines.first[number]), int(lines.first[number + 1])):
            row = int(lines.rows[place])
            at = bisect_right(page.links, row) - 1
            link = page.links[at] if at >= 0 else -1
            if link < self.start or page.end[link] <= row or link == self.link.row or not self._is_own(link):
                texts.append(lines.pieces[place])
        return fold_space("".join(texts))

    def _is_own(self, row: int) -> bool:
        href = self._page.measures.nodes[row].get("href") or ""
        return (absolute(href, self._page.base) or "").partition("#")[0] == self.link.url

    @property
    def heading(self) -> str | None:
        """The first heading of the item."""
        features = self._page.features
        number = next((number for number in self._lines if features.is_heading[number]), None)
        return None if number is None else features.lines.text(number)

    @property
    def image(self) -> str | None:
        page = self._page
        sources = (image_source(page.measures.nodes[row], page.base) for row in self._between(page.images))
        return next(filter(None, sources), None)

    @property
    def section(self) -> str | None:
        """The text of the first short link to a list of the site."""
        page, texts = self._page, self._page.features.lines
        for row in self._between(page.links):
            node = page.measures.nodes[row]
            if row == self.link.row or "author" in (node.get("rel") or "") or not page.measures.chars[row]:
                continue
            url = absolute(node.get("href") or "", page.base)
            if url is None or url_shape(url) is not UrlKind.HUB or not _PERSONS.isdisjoint(url.lower().split("/")):
                continue
            first, stop = texts.rows.searchsorted((row, page.end[row])).tolist()
            text = fold_space("".join(texts.pieces[first:stop]))
            if MIN_SECTION_WEIGHT <= weight_of(text) <= MAX_SECTION_WEIGHT:
                return text
        return None


def items_of(page: ListPage, links: Sequence[TitleLink], all_rows: Sequence[int]) -> list[StoryItem]:
    """Return the part of each link: the largest element around it without another of them, of one height in a list.

    Where stories have no element of their own, a part goes on to the next one's.

    :param links: of one form, in document order.
    :param all_rows: rows of all links that may be titles, ascending.
    """
    if len(links) == 1:
        return [_alone(page, links[0], all_rows)]
    rows = [link.row for link in links]
    around = zip(rows, [-1, *rows[:-1]], [*rows[1:], -1], strict=True)
    heights = [_height(page, row, (before, after)) for row, before, after in around]
    height = median_low(heights)
    tops = [_above(page, row, min(own, height)) for row, own in zip(rows, heights, strict=True)]
    stops = [page.end[top] for top in tops]
    longest = 0
    for place, (top, after) in enumerate(pairwise(tops)):
        if page.parent[top] == page.parent[after] and not _any_within(all_rows, stops[place], after):
            stops[place] = after
            longest = max(longest, after - top)
    for place, top in enumerate(tops):  # the last of a run has as much as the longest of the others
        if stops[place] == page.end[top] and longest:
            stops[place] = _stretched(page, top, longest, all_rows)
    return [StoryItem(page, link, top, stop) for link, top, stop in zip(links, tops, stops, strict=True)]


def _height(page: ListPage, row: int, others: Sequence[int]) -> int:
    """Return how many levels above a link an element can be that holds none of the others."""
    height = 0
    above = page.parent[row]
    while above > 0 and not any(above < other < page.end[above] for other in others):
        height += 1
        above = page.parent[above]
    return height


def _above(page: ListPage, row: int, height: int) -> int:
    for _ in range(height):
        row = page.parent[row]
    return row


def _alone(page: ListPage, link: TitleLink, all_rows: Sequence[int]) -> StoryItem:
    """Return the largest element around a link, below the body, that holds no other link that may be a title."""
    top = link.row
    while page.parent[top] > 0:
        above = page.parent[top]
        if _any_within(all_rows, above, link.row) or _any_within(all_rows, page.end[link.row], page.end[above]):
            break
        top = above
    return StoryItem(page, link, top, page.end[top])


def _stretched(page: ListPage, top: int, length: int, all_rows: Sequence[int]) -> int:
    """Return the end of the siblings behind an element, up to the next title and so many rows in all."""
    stop = page.end[top]
    limit = min(page.end[page.parent[top]], top + length)
    while stop < limit and page.end[stop] <= limit and not _any_within(all_rows, stop, page.end[stop]):
        stop = page.end[stop]
    return stop


def _any_within(rows: Sequence[int], start: int, stop: int) -> bool:
    """Tell whether one of some ascending rows lies in ``start … stop - 1``."""
    return bisect_left(rows, start) < bisect_left(rows, stop)
