"""The part of a page that belongs to each story of a list, and what it shows of the story."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, Final

from newscrawl.dom.line_features import MIN_PROSE_WEIGHT, line_features
from newscrawl.dom.tags import kinds_among
from newscrawl.dom.text import fold_space
from newscrawl.formats.figures import image_source
from newscrawl.hubs.links import weight_of
from newscrawl.metadata.dates import line_date, read_date
from newscrawl.urls.base import absolute
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.dom.line_features import LineFeatures
    from newscrawl.hubs.links import Page, TitleLink
    from newscrawl.metadata.dates import DateContext, Dated

MAX_DATE_LINE: Final = 120
"""Characters: a date stands in a short line."""
MAX_LINES: Final = 40
"""Lines of one story that are looked at."""
MIN_SECTION_WEIGHT: Final = 4.0
MAX_SECTION_WEIGHT: Final = 30.0
"""Shorter and longer link texts are no names of sections. Letters."""

_DIGIT: Final = re.compile(r"\d")
_TIME: Final = kinds_among(frozenset(("time",)))
_IMAGE: Final = kinds_among(frozenset(("img", "picture")))
_LINK: Final = kinds_among(frozenset("a"))


@dataclass(frozen=True, slots=True)
class Item:
    """Rows ``start … stop - 1`` of the page belong to the story of a link."""

    link: TitleLink
    start: int
    stop: int


def items_of(page: Page, links: Sequence[TitleLink], all_rows: Sequence[int]) -> list[Item]:
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
    return [Item(link, top, stop) for link, top, stop in zip(links, tops, stops, strict=True)]


def _height(page: Page, row: int, others: Sequence[int]) -> int:
    """Return how many levels above a link an element can be that holds none of the others."""
    height = 0
    above = page.parent[row]
    while above > 0 and not any(above < other < page.end[above] for other in others):
        height += 1
        above = page.parent[above]
    return height


def _above(page: Page, row: int, height: int) -> int:
    for _ in range(height):
        row = page.parent[row]
    return row


def _alone(page: Page, link: TitleLink, all_rows: Sequence[int]) -> Item:
    """Return the largest element around a link, below the body, that holds no other link that may be a title."""
    top = link.row
    while page.parent[top] > 0:
        above = page.parent[top]
        if _any_within(all_rows, above, link.row) or _any_within(all_rows, page.end[link.row], page.end[above]):
            break
        top = above
    return Item(link, top, page.end[top])


def _stretched(page: Page, top: int, length: int, all_rows: Sequence[int]) -> int:
    """Return the end of the siblings behind an element, up to the next title and so many rows in all."""
    stop = page.end[top]
    limit = min(page.end[page.parent[top]], top + length)
    while stop < limit and page.end[stop] <= limit and not _any_within(all_rows, stop, page.end[stop]):
        stop = page.end[stop]
    return stop


def _any_within(rows: Sequence[int], start: int, stop: int) -> bool:
    """Tell whether one of some ascending rows lies in ``start … stop - 1``."""
    place = bisect_left(rows, start)
    return place < len(rows) and rows[place] < stop


class Fields:
    """Reads what an item shows."""

    def __init__(self, page: Page, context: DateContext) -> None:
        self._page = page
        self._context = context
        self._features: LineFeatures = page.document.once(line_features)
        self._starts: list[int] = self._features.lines.start.tolist()
        kinds = page.measures.kinds
        self._times: list[int] = _TIME[kinds].nonzero()[0].tolist()
        self._images: list[int] = _IMAGE[kinds].nonzero()[0].tolist()
        self._links: list[int] = _LINK[kinds].nonzero()[0].tolist()

    def _lines(self, item: Item) -> range:
        first = bisect_left(self._starts, item.start)
        return range(first, min(bisect_left(self._starts, item.stop), first + MAX_LINES))

    def date(self, item: Item) -> Dated | None:
        """Return the date that the item states in a ``time`` element, else shows in a short line."""
        nodes = self._page.measures.nodes
        for row in _between(self._times, item):
            stated = nodes[row].get("datetime")
            found = read_date(stated, "time", self._context) if stated else None
            if found is not None:
                return found
        lines = self._features.lines
        for text in lines.texts(self._lines(item)):
            shown = text.replace(item.link.title, " ")
            if len(shown) <= MAX_DATE_LINE and _DIGIT.search(shown):
                found = line_date(shown.strip(), self._context)
                if found is not None:
                    return found
        return None

    def summary(self, item: Item) -> str | None:
        """Return the text of the item that stands outside its links and may be a sentence."""
        features = self._features
        best, most = -1, MIN_PROSE_WEIGHT
        for number in self._lines(item):
            if features.free[number] >= most and not features.is_heading[number]:
                best, most = number, float(features.free[number])
        if best < 0:
            return None
        return self._without_links(best, item) or None

    def _without_links(self, number: int, item: Item) -> str:
        """Return a line's text without the links to the story itself: its title, *read more*."""
        page, lines = self._page, self._features.lines
        texts = []
        for place in range(int(lines.first[number]), int(lines.first[number + 1])):
            row = int(lines.rows[place])
            at = bisect_right(self._links, row) - 1
            link = self._links[at] if at >= 0 else -1
            if link < item.start or page.end[link] <= row or link == item.link.row or not self._is_own(link, item):
                texts.append(lines.pieces[place])
        return fold_space("".join(texts))

    def _is_own(self, row: int, item: Item) -> bool:
        href = self._page.measures.nodes[row].get("href") or ""
        return (absolute(href, self._page.base) or "").partition("#")[0] == item.link.url

    def heading(self, item: Item) -> str | None:
        """Return the first heading of the item."""
        features = self._features
        number = next((number for number in self._lines(item) if features.is_heading[number]), -1)
        return None if number < 0 else features.lines.text(number)

    def image(self, item: Item) -> str | None:
        nodes = self._page.measures.nodes
        sources = (image_source(nodes[row], self._page.base) for row in _between(self._images, item))
        return next(filter(None, sources), None)

    def section(self, item: Item) -> str | None:
        """Return the text of the first short link to a list of the site."""
        page, texts = self._page, self._features.lines
        for row in _between(self._links, item):
            node = page.measures.nodes[row]
            if row == item.link.row or "author" in (node.get("rel") or "") or not page.measures.chars[row]:
                continue
            url = absolute(node.get("href") or "", page.base)
            if url is None or url_shape(url) is not UrlKind.HUB or _names_person(url):
                continue
            first, stop = texts.rows.searchsorted((row, page.end[row])).tolist()
            text = fold_space("".join(texts.pieces[first:stop]))
            if MIN_SECTION_WEIGHT <= weight_of(text) <= MAX_SECTION_WEIGHT:
                return text
        return None


_PERSONS: Final = frozenset("author authors user users profile people columnist columnists".split())


def _names_person(url: str) -> bool:
    return not _PERSONS.isdisjoint(url.lower().split("/"))


def _between(rows: Sequence[int], item: Item) -> Iterator[int]:
    place = bisect_left(rows, item.start)
    while place < len(rows) and rows[place] < item.stop:
        yield rows[place]
        place += 1
