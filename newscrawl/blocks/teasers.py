"""Prose that announces other pages: what stands below a heading, or a line, that links to another page of the site."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.dom.line_features import WIDE_WEIGHT
from newscrawl.dom.measures import TEXT
from newscrawl.urls.base import base_address
from newscrawl.urls.canonical import canonicalize, stated_canonicals
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.blocks.body import Body
    from newscrawl.dom.document import Document
    from newscrawl.dom.line_features import LineFeatures
    from newscrawl.dom.lines import Lines
    from newscrawl.dom.measures import Bools, Measures

MIN_HEADLINE_WEIGHT: Final = 10.0
"""Shorter link texts outside headings are names of sections. Letters."""
HEADLINE_LINK_SHARE: Final = 0.6
DATED_LINK_SHARE: Final = 0.3
"""Less is enough beside a day and labels, of at most so much text, in so many lines."""
MAX_LABELS: Final = 40.0
MAX_DATED: Final = 300
DAY_DIGITS: Final = 6
LINE_LEVEL: Final = 7
"""Level of a headline that is a line of link text without a heading element: below ``h6``."""
MIN_ITEMS: Final = 3
"""So many announcements make a list; fewer inside an article are boxes."""
MAX_ITEM_LINES: Final = 2
"""Lines of prose below a headline without a heading element; more are the text of an article."""


_PLAIN_HOST: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Teasers:
    is_teaser: Bools
    """For each line of the page: prose that belongs to a headline which links elsewhere."""
    n_items: int
    """Headlines outside boilerplate that link to another page of the site and have prose below them."""


@dataclass(frozen=True, slots=True)
class _Headline:
    line: int
    level: int
    is_foreign: bool


def find_teasers(document: Document, body: Body) -> Teasers:
    """Tell the page's own prose from announcements of other pages."""
    features = body.features
    n = len(features)
    prose: Bools = features.is_prose & ~body.is_boilerplate
    is_teaser = np.zeros(n, dtype=np.bool_)
    if not np.count_nonzero(prose):
        return Teasers(is_teaser=is_teaser, n_items=0)
    headlines = _headlines(document, body, [0, *np.cumsum(prose).tolist()])
    anywhere = _is_hub(document)
    items = _items(headlines, prose, lambda first, stop: _is_echoed(features.lines, first, stop, anywhere=anywhere))
    for first, stop in items:
        is_teaser[first:stop] = prose[first:stop]
    return Teasers(is_teaser=is_teaser, n_items=len(items))


def _headlines(document: Document, body: Body, n_before: list[int]) -> list[_Headline]:
    """Return headings, and lines that are one link, in page order; of lines that are links, those next to prose.

    :param n_before: lines of prose before each line.
    """
    features = body.features
    is_linked = features.link_share > HEADLINE_LINK_SHARE
    if _is_hub(document):
        _add_dated(is_linked, features)
    is_headline = features.is_heading | (is_linked & (features.weight >= MIN_HEADLINE_WEIGHT))
    own = _own_addresses(document)
    lines = features.lines
    tags = lines.measures.tags
    sites = frozenset(map(site_of, own))

    def leads_away(line: int) -> bool:
        is_own = line == body.headline or not is_linked[line]
        return not is_own and _links_within(document, lines, line, own, sites)

    found = []
    for _, group in groupby(np.flatnonzero(is_headline & ~body.is_boilerplate).tolist(), n_before.__getitem__):
        between = list(group)
        plain = [line for line in between if not features.is_heading[line]]
        ends = {next(filter(leads_away, plain), -1)}
        if ends != {-1}:  # of links with no prose between them the first ends what stands above, the last owns the next
            ends.add(next(filter(leads_away, reversed(plain)), -1))
        for line in between:
            if features.is_heading[line]:
                is_foreign = leads_away(line)
                level = 0 if line == body.headline and not is_foreign else int(tags[lines.block[line]][1])
                found.append(_Headline(line, level, is_foreign))
            elif line in ends:
                found.append(_Headline(line, LINE_LEVEL, is_foreign=True))
    return found


def _is_hub(document: Document) -> bool:
    return document.url is not None and url_shape(document.url) is UrlKind.HUB


def _add_dated(is_linked: Bools, features: LineFeatures) -> None:
    """Count lines as links in which but a day and a few labels stand beside the link (*[City] A headline Date: …*),
    where there are several. Only asked where the address is a hub's: in articles, lists of others look like that.
    """
    share = features.link_share
    likely = ~is_linked & ~features.is_heading & (share > DATED_LINK_SHARE)
    likely &= features.weight * share >= 2 * MIN_HEADLINE_WEIGHT
    lines = features.lines
    measures = lines.measures
    found = []
    for line in np.flatnonzero(likely)[:MAX_DATED].tolist():
        rows = lines.rows[lines.first[line] : lines.first[line + 1]].tolist()
        free = "".join(measures.texts[row] for row in rows if _link_above(measures, row) < 0)
        letters = sum(WIDE_WEIGHT if char >= "\u2e80" else 1.0 for char in free if char.isalpha())
        if letters <= MAX_LABELS and sum(map(str.isdigit, free)) >= DAY_DIGITS:
            found.append(line)
    if len(found) >= MIN_ITEMS:
        is_linked[found] = True


def _links_within(document: Document, lines: Lines, line: int, own: frozenset[str], sites: frozenset[str]) -> bool:
    """Tell whether the line's link goes to another page of the same site.

    :param own: addresses of the page.
    :param sites: those they are on.
    """
    row = _link_of(lines, line, anywhere=_is_hub(document))
    href = (lines.measures.nodes[row].get("href") or "") if row >= 0 else ""
    if not href or href[0] == "#":
        return False
    url = canonicalize(href, document.once(base_address))
    if url is None:
        return document.url is None and ":" not in href
    return url not in own and (not own or site_of(url) in sites)


def _link_of(lines: Lines, line: int, *, anywhere: bool) -> int:
    """Return the row of the link that the line begins with, -1 where it begins with none.

    :param anywhere: the longest of its links instead: in a list, a date or the section may come first; in an article,
        such a line names its author and sections.
    """
    measures = lines.measures
    if not anywhere:
        return _link_above(measures, int(lines.start[line]))
    end = int(lines.start[line + 1]) if line + 1 < len(lines) else len(measures)
    texts = (at for at in range(int(lines.start[line]), end) if measures.tags[at] == TEXT)
    links = dict.fromkeys(row for at in texts if (row := _link_above(measures, at)) >= 0)
    return max(links, key=lambda row: int(measures.chars[row]), default=-1)


def _link_above(measures: Measures, row: int) -> int:
    """Return the row of the link that a row stands in, -1 where it stands in none."""
    while row >= 0 and measures.tags[row] != "a":
        row = int(measures.parent[row])
    return row


def _own_addresses(document: Document) -> frozenset[str]:
    """Return the page's address and the one it calls canonical."""
    own = canonicalize(document.url or "")
    return frozenset(stated_canonicals(document)) | ({own} if own else set())


def site_of(url: str) -> str:
    """Return the part of the host that one publisher holds, by its shape: ``bbc.co.uk`` of ``news.bbc.co.uk``.

    >>> site_of("http://news.bbc.co.uk/1/"), site_of("https://finance.example.org/")
    ('bbc.co.uk', 'example.org')
    """
    plain = _PLAIN_HOST.match(url)
    labels = (plain[1] if plain else urlsplit(url).hostname or "").split(".")
    is_two_level = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3:] if is_two_level else labels[-2:])


def _is_echoed(lines: Lines, first: int, stop: int, *, anywhere: bool) -> bool:
    """Tell whether a headline's link leads where a second link below it does, too: *read more*."""
    measures = lines.measures
    end = int(lines.start[stop]) if stop < len(lines) else len(measures)
    row = _link_of(lines, first, anywhere=anywhere)
    href = measures.nodes[row].get("href") if row >= 0 else None
    if not href:
        return False
    after = int(lines.start[first + 1]) if first + 1 < len(lines) else end
    return any(measures.tags[at] == "a" and measures.nodes[at].get("href") == href for at in range(after, end))


def _items(headlines: list[_Headline], prose: Bools, is_echoed: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """Return the line spans of the announcements' prose.

    A heading of lower rank (a byline, a subheading) does not end an announcement. Below the page's own headline and
    text, a linked heading of lower rank, or a line of link text with little prose below it, is a box in an article
    unless such boxes repeat, or a second link below the prose leads on to the same page.

    :param is_echoed: tells so of a span of lines.
    """
    n_prose = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(prose, dtype=np.int32))).tolist()
    stops = [*(headline.line for headline in headlines[1:]), len(prose)][: len(headlines)]
    items: list[tuple[int, int]] = []
    boxes: list[tuple[int, int]] = []
    governing: _Headline | None = None
    for headline, stop in zip(headlines, stops, strict=True):
        below = n_prose[stop] - n_prose[headline.line]
        if headline.is_foreign:
            owner = governing if governing is not None and not governing.is_foreign else None
            is_box = owner is not None and headline.level > owner.level and n_prose[headline.line] > n_prose[owner.line]
            if is_box or headline.level == LINE_LEVEL:
                if below <= MAX_ITEM_LINES:
                    (items if below and is_echoed(headline.line, stop) else boxes).append((headline.line, stop))
                continue
            governing = headline
        elif governing is None or not governing.is_foreign or headline.level <= governing.level:
            governing = headline
        if governing.is_foreign:
            items.append((headline.line, stop))
    found = [span for span in items if n_prose[span[1]] > n_prose[span[0]]]
    repeated = [span for span in boxes if n_prose[span[1]] > n_prose[span[0]]]
    return sorted(found + repeated) if len(repeated) >= MIN_ITEMS else found
