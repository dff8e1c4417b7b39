"""The links of a page that may be the titles of stories, grouped by the form they are written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.extract.facts.language import choose_language
from newscrawl.extract.facts.moments import DateContext, is_day_first
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.text import fold_space
from newscrawl.page.forms import LinkForms
from newscrawl.page.hints import BOILERPLATE_TAGS
from newscrawl.page.lines import line_features, weight_of
from newscrawl.page.rows import inside
from newscrawl.page.statements import gather
from newscrawl.urls.canonical import absolute, base_address, host_of
from newscrawl.urls.domains import assumed_zone, same_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints

MIN_CHARS: Final = 4
"""Shorter link texts are page numbers, buttons and names of channels, unless they are headings."""
MIN_WEIGHT: Final = 10.0
"""Least text of a title, in letters; an ideograph counts 2.5."""
MIN_HEADING: Final = 4.0
"""Least text of a title in a heading."""
MIN_LINE_SHARE: Final = 0.4
"""Least share of its line that a title fills, unless the line begins with it. Links in sentences fill less."""
MAX_LINKS: Final = 2_000
"""Links that are looked at: the first ones."""
MAX_DATE: Final = 60
"""Characters of a text that may be nothing but a date."""
DATE_SHARE: Final = 0.8

MAX_COUNT: Final = 25.0
"""Longer texts with a number are titles. Letters."""
_DIGIT: Final = re.compile(r"\d")
_COUNTED: Final = re.compile(r"\D*\d{1,5}\D*")
"""A text with one number: *12 comments*."""
_LINK: Final = frozenset("a")
_TIME: Final = frozenset(("time",))
_IMAGE: Final = frozenset(("img", "picture"))


@dataclass(slots=True)
class TitleLink:
    row: int
    url: str
    title: str
    weight: float
    is_heading: bool
    is_framed: bool
    """Whether the link stands in an element that is never the list: ``nav``, ``footer`` and the like."""


class ListPage:
    """What the steps share: columns of the measures as lists, which Python reads faster; what dates are read by.

    :param in_full: False: it does not matter which days the dates are, and a page's language is not asked for.
    """

    def __init__(self, document: Document, url: str | None, fetched_at: datetime, *, in_full: bool = True) -> None:
        self.url = url or ""
        self.base = document.once(base_address) or url
        self.measures = document.measures
        self.features = document.once(line_features)
        self.end: list[int] = self.measures.end.tolist()
        self.parent: list[int] = self.measures.parent.tolist()
        self.starts: list[int] = self.features.lines.start.tolist()
        self.links: list[int] = self.measures.rows_of(_LINK).tolist()
        self.times: list[int] = self.measures.rows_of(_TIME).tolist()
        self.images: list[int] = self.measures.rows_of(_IMAGE).tolist()
        self.forms = document.once(LinkForms)
        self._document, self._fetched_at, self._in_full = document, fetched_at, in_full

    @cached_property
    def context(self) -> DateContext:
        """What dates are read by."""
        evidence = self._document.once(gather)
        found = choose_language(evidence, None) if self._in_full else None
        language = found[0] if found else None
        return DateContext(
            fetched_at=self._fetched_at,
            zone=assumed_zone(None, self.url, language),
            language=language,
            day_first=is_day_first(language, evidence.html_lang, self.url),
        )


def title_links(page: ListPage) -> list[TitleLink]:
    """Return the links to pages of the same site whose text may be a title, in document order."""
    rows = _long_links(page)
    framed = inside(page.measures.rows_of(BOILERPLATE_TAGS), page.measures.end)[rows].tolist()
    nodes, own = page.measures.nodes, page.url
    has_host = bool(own and host_of(own))
    found = []
    for row, is_framed, (title, is_heading) in zip(rows.tolist(), framed, _titles(page, rows), strict=True):
        weight = weight_of(title)
        href = nodes[row].get("href") if weight >= (MIN_HEADING if is_heading else MIN_WEIGHT) else None
        if not href or href[0] == "#":
            continue
        address = absolute(href, page.base)
        if address is None or (has_host and not same_site(own, address)):
            continue
        address = address.partition("#")[0]
        may_be_date = not is_heading and len(title) <= MAX_DATE and _DIGIT.search(title)
        dates = find_dates(title) if may_be_date else ()
        is_date = sum(one.end - one.start for one in dates) > DATE_SHARE * len(title)  # one, or two, and nothing else
        if address != own and not is_date:
            found.append(TitleLink(row, address, title, weight, is_heading, is_framed))
    return found


def _long_links(page: ListPage) -> Ints:
    """Return the rows of links with some text, or in headings, which are no part of a sentence.

    A link with a picture in a line of nothing but links is a card.
    """
    measures, features, lines = page.measures, page.features, page.features.lines
    rows = measures.rows_of(_LINK)
    chars = measures.chars[rows]
    line = lines.start.searchsorted(rows, side="right")  # the first one that begins behind the link's tag
    begins = np.append(lines.start, len(measures))[line] < measures.end[rows]
    is_long = (chars >= MIN_CHARS) | (begins & np.append(features.is_heading, False)[line])
    is_own = begins | (chars >= MIN_LINE_SHARE * np.append(lines.chars, 0)[line - 1])
    images = measures.rows_of(_IMAGE)
    has_image = images.searchsorted(measures.end[rows]) > images.searchsorted(rows)
    is_own |= has_image & np.append(features.is_links, False)[line - 1]
    found: Ints = rows[is_long & is_own & (chars > 0)][:MAX_LINKS]
    return found


def _titles(page: ListPage, rows: Ints) -> Iterator[tuple[str, bool]]:
    """Yield the title in each link and whether it is a heading: its heading, else its first line that may be one."""
    features, lines = page.features, page.features.lines
    first, stop = lines.rows.searchsorted(rows), lines.rows.searchsorted(page.measures.end[rows])
    begun = lines.first.searchsorted(first, side="right") - 1
    ended = lines.first.searchsorted(stop - 1, side="right") - 1
    headings = features.is_heading
    bounds = zip(first.tolist(), stop.tolist(), begun.tolist(), ended.tolist(), strict=True)
    for piece, after, line, last in bounds:
        if line == last:
            yield fold_space("".join(lines.pieces[piece:after])), bool(headings[line])
            continue
        own = range(line, last + 1)
        titled = (number for number in own if headings[number])
        long = (number for number in own if features.weight[number] >= MIN_WEIGHT)
        chosen = next(chain(titled, long), line)
        yield lines.text(chosen), bool(headings[chosen])


def groups_of(page: ListPage, links: list[TitleLink]) -> list[list[TitleLink]]:
    """Return the links by form, in document order, of each address the longest."""
    addresses, is_heading = [link.url for link in links], [link.is_heading for link in links]
    groups = []
    for group in page.forms.groups([link.row for link in links], addresses, is_heading):
        longest: dict[str, TitleLink] = {}
        for link in (links[place] for place in group):
            if link.url not in longest or link.weight > longest[link.url].weight:
                longest[link.url] = link
        groups.append(sorted(longest.values(), key=lambda link: link.row))
    return groups


def without_count(link: TitleLink) -> str:
    """Return a link's title, for *12 comments* and *7 comments* the same."""
    is_count = not link.is_heading and link.weight <= MAX_COUNT and _COUNTED.fullmatch(link.title)
    return _DIGIT.sub("", link.title) if is_count else link.title
