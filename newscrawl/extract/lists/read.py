"""A list page as records: what stands in links of one form, with what stands beside each.

No list is known by its name. A list's links have titles, all of them different; they lead to addresses that look like
those of articles; dates, sentences, headings and pictures stand beside them. Menus, clouds of tags, footers and links
to the day's most read stories have few of these.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import chain, pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.extract.facts.moments import line_date, read_date
from newscrawl.extract.formats.pictures import image_source
from newscrawl.extract.lists.links import ListPage, groups_of, title_links, without_count
from newscrawl.languages.text import fold_space
from newscrawl.links.next_page import next_of_list
from newscrawl.page.forms import record_tops
from newscrawl.page.lines import MIN_PROSE_WEIGHT, weight_of
from newscrawl.urls.canonical import absolute, canonicalize
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.extract.facts.moments import Dated
    from newscrawl.extract.lists.links import TitleLink
    from newscrawl.page.document import Document

ACCEPTED: Final = 1.5
"""Score of a form whose links are stories."""
LONE: Final = 3.5
"""Score of a form with fewer than ``MIN_LIST`` links whose links are stories."""
MIN_LIST: Final = 3
MIN_VARIETY: Final = 0.7
"""Share of a list's links with a text of their own; *read more* has none."""
BOX_SHARE: Final = 0.5
"""Titles without date and text, on a page most of whose stories have them, are those of a box beside the list."""

MAX_DATE_LINE: Final = 120
"""Characters: a date stands in a short line."""
MAX_LINES: Final = 40
"""Lines of one story that are looked at."""
MIN_SECTION_WEIGHT: Final = 4.0
MAX_SECTION_WEIGHT: Final = 30.0
"""Shorter and longer link texts are no names of sections. Letters."""
_DIGIT: Final = re.compile(r"\d")
_PERSONS: Final = frozenset("author authors user users profile people columnist columnists".split())
_SHAPES: Final = {UrlKind.ARTICLE: 2.0, UrlKind.UNKNOWN: 0.0, UrlKind.HUB: -2.0, UrlKind.OTHER: -2.5}
DATED_SHARE: Final = 0.8
"""Least share of a list's stories with a date. Below it the dates may be days that the stories tell of."""
SLACK: Final = timedelta(days=1)
"""The list's clock may be in another time zone."""
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_BESIDE: Final = 1.5
_MOST_BESIDE: Final = 2 * _BESIDE


@dataclass(frozen=True, slots=True, kw_only=True)
class HubRecord:
    """One story that a list announces. What the list does not show is None."""

    place: int
    """Number in the page's order, from 1."""
    group: int
    """Number of the list on the page, from 1: records of one list are written alike."""
    title: str
    url: str
    """Absolute, as the link has it, without a fragment."""
    date: str | None = None
    """ISO 8601: a day, or a time with its offset where the list shows one."""
    summary: str | None = None
    image: str | None = None
    section: str | None = None
    """Text of the record's link to a channel or category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubReading:
    records: tuple[HubRecord, ...] = ()
    """Records in document order; each address once."""
    next_page: str | None = None
    """Address of the list's next page."""


def read_hub(document: Document, url: str | None, *, fetched_at: datetime | None = None) -> HubReading:
    """Return the stories that a page lists, and its next page; nothing for a page without a list. Never raises for
    what is in the page.

    :param url: the page's address; only links to its site are stories.
    :param fetched_at: when the page was fetched (aware; now where unknown): relative dates are read against it.
    """
    records, _ = read_stories(document, url, fetched_at or datetime.now(UTC))
    return HubReading(records=records, next_page=next_of_list(document) if records else None)


def last_days(records: Sequence[HubRecord]) -> dict[str, date]:
    """Return canonical address → the last day on which a story that a page lists can have been published."""
    sizes = Counter(record.group for record in records)
    dated = Counter(record.group for record in records if record.date)
    return {
        address: date.fromisoformat(record.date[:10]) + SLACK
        for record in records
        if record.date
        and dated[record.group] >= DATED_SHARE * sizes[record.group]
        and (address := canonicalize(record.url))
    }


def read_stories(
    document: Document, url: str | None, fetched_at: datetime, *, in_full: bool = True
) -> tuple[tuple[HubRecord, ...], dict[str, str]]:
    """Return the stories that a page lists, and canonical address → title of all that it announces.

    A list of one story is no list. A heading outside menus and footers that leads to another page announces that page
    all the same, unless it stands above a box of links: then it names their channel.

    :param in_full: False: without the records, whose dates, summaries and pictures cost most.
    """
    if not len(document.measures):
        return (), {}
    page = ListPage(document, url, fetched_at, in_full=in_full)
    links = title_links(page)
    rows = [link.row for link in links]
    headings = [
        (link.url, link.title)
        for number, link in enumerate(links)
        if link.is_heading and not link.is_framed and not _names_channel(page, links, rows, number)
    ]
    lists = [found for form in groups_of(page, links) if (found := _List(page, form, rows)).is_accepted]
    if len(lists) > 1:  # bare titles beside a list that shows more of its stories are a box's, where they are the fewer
        shown = [sum(bool(item.date or item.summary) for item in found.items) for found in lists]
        rich = [found for found, n in zip(lists, shown, strict=True) if 2 * n >= len(found.items)]
        n_rich, n_all = sum(len(found.items) for found in rich), sum(len(found.items) for found in lists)
        lists = rich if n_rich >= max(MIN_LIST, BOX_SHARE * n_all) else lists
    listed = _listed(lists)
    records = [
        HubRecord(
            place=place,
            group=group,
            title=item.link.title,
            url=item.link.url,
            date=None if item.date is None else item.date.isoformat(),
            summary=item.summary,
            image=item.image,
            section=item.section,
        )
        for place, (item, group) in enumerate(listed if in_full else (), 1)
    ]
    stories = [*headings, *((item.link.url, item.link.title) for item, _ in listed)]
    return tuple(records), {address: title for link, title in stories if (address := canonicalize(link))}


@dataclass(eq=False)
class StoryItem:
    """Rows ``start … stop - 1`` of the page belong to the story of a link."""

    _page: ListPage
    link: TitleLink
    start: int
    stop: int

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
            if link < self.start or page.end[link] <= row or link == self.link.row:
                texts.append(lines.pieces[place])
                continue
            address = absolute(page.measures.nodes[link].get("href") or "", page.base) or ""
            if address.partition("#")[0] != self.link.url:
                texts.append(lines.pieces[place])
        return fold_space("".join(texts))

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


@dataclass(eq=False)
class _List:
    """The links of one form with what speaks for their being stories; what is dear is asked for last."""

    _page: ListPage
    links: list[TitleLink]
    """In document order."""
    _rows: list[int]
    """Rows of all links that may be titles, ascending."""

    @cached_property
    def items(self) -> list[StoryItem]:
        """The part of each link: the largest element around it without another of them, of one height in a list.

        Where stories have no element of their own, a part goes on to the next one's.
        """
        page, links, all_rows = self._page, self.links, self._rows
        if len(links) == 1:
            return [_alone(page, links[0], all_rows)]
        tops: list[int] = record_tops(page.measures, np.array([link.row for link in links])).tolist()
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

    @cached_property
    def is_accepted(self) -> bool:
        links = self.links
        if len(set(map(without_count, links))) < MIN_VARIETY * len(links) and not self._has_headings():
            return False
        shapes = sum(_SHAPES[url_shape(link.url)] for link in links) / len(links)
        length = min(1.5, max(-1.5, (median(link.weight for link in links) - 25.0) / 15.0))
        headings = sum(link.is_heading for link in links) / len(links)
        framed = sum(link.is_framed for link in links) / len(links)
        score = shapes + length + headings - 1.5 * framed
        needed = ACCEPTED if len(links) >= MIN_LIST else LONE
        if score < needed - _MOST_BESIDE:
            return False
        if score < needed:
            n_beside = sum((item.date is not None) + (item.summary is not None) for item in self.items)
            score += _BESIDE * n_beside / len(self.items)
        return score >= needed

    def _has_headings(self) -> bool:
        """Take the headings of the items for titles where the links say *read more*; False without them."""
        headings = [item.heading for item in self.items]
        if len(set(headings)) < max(MIN_LIST, MIN_VARIETY * len(headings)) or None in headings:
            return False
        for item, heading in zip(self.items, headings, strict=True):
            item.link.title = heading or ""
            item.link.weight = weight_of(item.link.title)
            item.link.is_heading = True
        return True


def _names_channel(page: ListPage, links: list[TitleLink], rows: list[int], number: int) -> bool:
    """Tell whether a linked heading stands above a box of links, or of headings of a lower level."""
    own, row, first, stop = links[number], rows[number], number, number + 1
    while stop - first == 1 and row > 0:
        row = page.parent[row]
        first, stop = bisect_left(rows, row), bisect_left(rows, page.end[row])
    beside = [link for link in links[first:stop] if link.url != own.url]
    headings = [link for link in beside if link.is_heading]
    if headings:
        level = _level(page, own)
        return number == first and len(headings) >= MIN_LIST and all(_level(page, link) > level for link in headings)
    measures = page.measures
    return len(beside) >= MIN_LIST and 2 * measures.link_chars[row] >= measures.chars[row]


def _level(page: ListPage, link: TitleLink) -> int:
    """Return the level of a linked heading, 1..6; 7 where no element states one."""
    node = page.measures.nodes[link.row]
    tags = (str(one.tag) for one in chain(node.iterancestors(*_HEADINGS), node.iterdescendants(*_HEADINGS)))
    return int(next(tags, "h7")[1])


def _listed(lists: list[_List]) -> list[tuple[StoryItem, int]]:
    """Return the stories in document order, each with the number of its list; of those with one address, the one that
    shows most.

    Where its title holds that of a heading, the heading is the title: *Read more about* stands before it for those who
    hear the page read.
    """
    best: dict[str, tuple[StoryItem, int]] = {}
    headings: dict[str, str] = {}
    for number, found in enumerate(lists):
        for item in found.items:
            other = best.get(item.link.url)
            if other is None or _shown(item) > _shown(other[0]):
                best[item.link.url] = item, number
            if item.link.is_heading:
                headings.setdefault(item.link.url, item.link.title)
    for url, (item, _) in best.items():
        if (heading := headings.get(url)) and heading in item.link.title:
            item.link.title = heading
    ordered = sorted(best.values(), key=lambda one: one[0].link.row)
    groups = {number: group for group, number in enumerate(dict.fromkeys(number for _, number in ordered), 1)}
    return [(item, groups[number]) for item, number in ordered]


def _shown(item: StoryItem) -> tuple[int, float]:
    """Return how much a record shows: its date, its summary, the length of its title."""
    return (item.date is not None) + (item.summary is not None), item.link.weight
