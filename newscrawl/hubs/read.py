"""A list page as records: what stands in links of one form, with what stands beside each.

No list is known by its name. A list's links have titles, all of them different; they lead to addresses that look like
those of articles; dates, sentences, headings and pictures stand beside them. Menus, clouds of tags, footers and links
to the day's most read stories have few of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Final

from newscrawl.hubs.items import Fields, items_of
from newscrawl.hubs.links import groups_of, open_page, title_links, weight_of
from newscrawl.hubs.model import HubReading, HubRecord
from newscrawl.joining.next_page import next_page
from newscrawl.metadata.dates import DateContext, is_day_first
from newscrawl.metadata.gather import gather
from newscrawl.metadata.language import choose_language
from newscrawl.urls.domains import assumed_zone
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from newscrawl.dom.document import Document
    from newscrawl.hubs.items import Item
    from newscrawl.hubs.links import Group, Page
    from newscrawl.metadata.dates import Dated

ACCEPTED: Final = 1.5
"""Score of a form whose links are stories."""
LONE: Final = 3.5
"""Of a form with fewer than ``MIN_LIST`` links."""
MIN_LIST: Final = 3
MIN_VARIETY: Final = 0.7
"""Share of a list's links with a text of their own; *read more* has none."""
BOX_SHARE: Final = 0.5
"""Titles without date and text, on a page most of whose stories have them, are those of a box beside the list."""

_SHAPES: Final = {UrlKind.ARTICLE: 2.0, UrlKind.UNKNOWN: 0.0, UrlKind.HUB: -2.0, UrlKind.OTHER: -2.5}


def read_hub(document: Document, url: str | None, *, fetched_at: datetime | None = None) -> HubReading:
    """Return the stories that a page lists, and its next page; nothing for a page without a list. Never raises for
    what is in the page.

    :param url: the page's address; only links to its site are stories.
    :param fetched_at: when the page was fetched (aware; now where unknown): relative dates are read against it.
    """
    records = read_records(document, url, fetched_at or datetime.now(UTC))
    following = next_page(document, hub=True) if records else None
    return HubReading(records=records, next_page=following.url if following else None)


def read_records(document: Document, url: str | None, fetched_at: datetime) -> tuple[HubRecord, ...]:
    """Return the stories that a page lists, in document order, without looking for the next page."""
    page = open_page(document, url)
    links = title_links(page) if len(page.measures) else []
    if not links:
        return ()
    rows = [link.row for link in links]
    fields = Fields(page, _context(document, url, fetched_at))
    lists = [found for group in groups_of(page, links) if (found := _List(page, group, rows, fields)).is_accepted]
    return _records(_without_boxes(lists), fields)


def _context(document: Document, url: str | None, fetched_at: datetime) -> DateContext:
    evidence = document.once(gather)
    found = choose_language(evidence, None)
    language = found[0] if found else None
    return DateContext(
        fetched_at=fetched_at,
        zone=assumed_zone(None, url, language),
        language=language,
        day_first=is_day_first(language, evidence.html_lang, url),
    )


class _List:
    """The links of one form with what speaks for their being stories; what is dear is asked for last."""

    def __init__(self, page: Page, group: Group, rows: list[int], fields: Fields) -> None:
        self.group = group
        self._page = page
        self._rows = rows
        self._fields = fields

    @cached_property
    def items(self) -> list[Item]:
        return items_of(self._page, self.group.links, self._rows)

    @cached_property
    def dates(self) -> list[Dated | None]:
        return [self._fields.date(item) for item in self.items]

    @cached_property
    def summaries(self) -> list[str | None]:
        return [self._fields.summary(item) for item in self.items]

    @cached_property
    def is_rich(self) -> bool:
        """Tell whether most stories have a date or a sentence beside them."""
        shown = sum(bool(date or summary) for date, summary in zip(self.dates, self.summaries, strict=True))
        return 2 * shown >= len(self.items)

    @cached_property
    def is_accepted(self) -> bool:
        links = self.group.links
        if self.group.n_titles < MIN_VARIETY * len(links) and not self._has_headings():
            return False
        score = self._cheap_score()
        needed = ACCEPTED if len(links) >= MIN_LIST else LONE
        if score < needed - _MOST_BESIDE:
            return False
        if score < needed:
            score += _BESIDE * _share(self.dates) + _BESIDE * _share(self.summaries)
        return score >= needed

    def _has_headings(self) -> bool:
        """Take the headings of the items for titles where the links say *read more*; False without them."""
        headings = [self._fields.heading(item) for item in self.items]
        if len(set(headings)) < max(MIN_LIST, MIN_VARIETY * len(headings)) or None in headings:
            return False
        for item, heading in zip(self.items, headings, strict=True):
            item.link.title = heading or ""
            item.link.weight = weight_of(item.link.title)
            item.link.is_heading = True
        return True

    def _cheap_score(self) -> float:
        links = self.group.links
        shapes = sum(_SHAPES[url_shape(link.url)] for link in links) / len(links)
        length = min(1.5, max(-1.5, (median(link.weight for link in links) - 25.0) / 15.0))
        headings = sum(link.is_heading for link in links) / len(links)
        framed = sum(link.is_framed for link in links) / len(links)
        return shapes + length + headings - 1.5 * framed


_BESIDE: Final = 1.5
_MOST_BESIDE: Final = 2 * _BESIDE


def _share(values: list[Dated | None] | list[str | None]) -> float:
    return sum(value is not None for value in values) / len(values)


def _without_boxes(lists: list[_List]) -> list[_List]:
    """Leave out bare titles beside a list that shows more of its stories, where they are the fewer."""
    n_rich = sum(len(found.items) for found in lists if found.is_rich)
    n_all = sum(len(found.items) for found in lists)
    if n_rich < max(MIN_LIST, BOX_SHARE * n_all):
        return lists
    return [found for found in lists if found.is_rich]


@dataclass(frozen=True, slots=True)
class _Placed:
    found: _List
    number: int
    item: Item


def _records(lists: list[_List], fields: Fields) -> tuple[HubRecord, ...]:
    """Return the stories in document order; of those with one address, the one that shows most."""
    placed = [_Placed(found, number, item) for found in lists for number, item in enumerate(found.items)]
    best: dict[str, _Placed] = {}
    for one in placed:
        other = best.get(one.item.link.url)
        if other is None or _shown(one) > _shown(other):
            best[one.item.link.url] = one
    ordered = sorted(best.values(), key=lambda one: one.item.link.row)
    groups = {key: number for number, key in enumerate(dict.fromkeys(id(one.found) for one in ordered), 1)}
    return tuple(_record(one, place, groups[id(one.found)], fields) for place, one in enumerate(ordered, 1))


def _shown(one: _Placed) -> tuple[int, float]:
    """Return how much a record shows: its date, its summary, the length of its title."""
    shown = (one.found.dates[one.number] is not None) + (one.found.summaries[one.number] is not None)
    return shown, one.item.link.weight


def _record(one: _Placed, place: int, group: int, fields: Fields) -> HubRecord:
    item = one.item
    dated = one.found.dates[one.number]
    return HubRecord(
        place=place,
        group=group,
        title=item.link.title,
        url=item.link.url,
        date=None if dated is None else _iso(dated),
        summary=one.found.summaries[one.number],
        image=fields.image(item),
        section=fields.section(item),
    )


def _iso(dated: Dated) -> str:
    return dated.moment.isoformat() if dated.has_time else dated.moment.date().isoformat()
