"""Links as a scorer sees them: what surrounds each on its page, and the page as the crawl judged it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.languages.text import fold_space
from newscrawl.page.tags import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.links.model import Link
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures

MAX_ITEM_CHARS: Final = 600
"""An element with more text than this is not a link's own entry in a list. Characters without white space."""
MAX_AROUND_CHARS: Final = 240
MAX_HEADING_CHARS: Final = 100
PATH_LEVELS: Final = 7
"""Elements of a tag path, from the link upwards; those above are the same on all pages of a template anyway."""
MAX_WRAPPER: Final = 2
HEADINGS_TRIED: Final = 4
_DIGITS: Final = re.compile(r"\d+")
_IS_ENTRY: Final = re.compile(r"(?:^|\s)(?:hentry|type-post|post|post-\d+)(?:\s|$)")
_TERM: Final = re.compile(r"(?:^|\s)(?:category|tag|product_cat|product_tag)-([^\W\d_][^\s]+)")
MAX_TERMS: Final = 30
"""Tags and categories of one post. WordPress (``post_class``) and Ghost write them into the classes of its element,
whether or not the theme shows them: ``<article class="post-7 hentry category-law-crime tag-jimmy-lai">``.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkContext:
    path: str = ""
    """Tags and first classes of the elements around the link, digits masked: ``div.list>li.item-#>a``."""
    around: str = ""
    """Text outside links in the link's own entry of a list, else next to the link; ``""`` if there is none."""
    heading: str = ""
    """The heading of the part of the page that the link stands in; ``""`` if there is none."""
    also: tuple[tuple[str, str], ...] = ()
    """Tag path and anchor of other places where the page links to the address."""
    terms: tuple[str, ...] = ()
    """Tags and categories of the post whose entry the link stands in, where the page's classes name them."""


def link_contexts(document: Document, links: Sequence[Link]) -> tuple[LinkContext, ...]:
    """Return the context of each link. O(links · depth) beside the page's measures."""
    surroundings = _Surroundings(document.measures, [link.row for link in links if link.row >= 0])
    return tuple(surroundings.context_of(link) if link.row >= 0 else LinkContext() for link in links)


class _Surroundings:
    def __init__(self, measures: Measures, rows: list[int]) -> None:
        self.measures = measures
        self.parent: list[int] = measures.parent.tolist()
        self.end: list[int] = measures.end.tolist()
        self.chars: list[int] = measures.chars.tolist()
        is_text = np.array([tag == "#text" for tag in measures.tags], dtype=np.bool_)
        outside = is_text & (measures.link_chars == 0) & (measures.chars > 0)
        self.free_rows: list[int] = outside.nonzero()[0].tolist()
        links = measures.links.tolist()
        self.headings = [
            row for row, tag in enumerate(measures.tags) if tag in HEADINGS and not links[row] and self.chars[row]
        ]
        self._paths: dict[int, tuple[str, ...]] = {-1: ()}
        self._terms = entries(measures)
        self._bounds = self._like_neighbours(rows)

    def context_of(self, link: Link) -> LinkContext:
        row = link.row
        also = tuple((">".join(self.path(place)), anchor) for place, anchor in link.again if place >= 0)
        return LinkContext(
            path=">".join(self.path(row)),
            around=self.around(row),
            heading=self.heading(row),
            also=also,
            terms=self.terms(row) if self._terms else (),
        )

    def terms(self, row: int) -> tuple[str, ...]:
        """Return the terms of the nearest post's element around a link."""
        above = row
        while above > 0 and above not in self._terms:
            above = self.parent[above]
        return self._terms.get(above, ())

    def path(self, row: int) -> tuple[str, ...]:
        missing: list[int] = []
        above = row
        while above not in self._paths and len(missing) <= PATH_LEVELS:  # never recursive: trees are deep
            missing.append(above)
            above = self.parent[above]
        path = self._paths.get(above, ())
        for step in reversed(missing):
            path = (*path[1 - PATH_LEVELS :], self._step(step))
            self._paths[step] = path
        return path

    def _step(self, row: int) -> str:
        name = (self.measures.nodes[row].get("class") or "").split(None, 1)[:1]
        tag = self.measures.tags[row]
        return f"{tag}.{_DIGITS.sub('#', name[0][:40])}" if name else tag

    def _like_neighbours(self, rows: list[int]) -> dict[int, tuple[int, int]]:
        """Return for each link the rows of the links before and after it that stand at the same tag path."""
        bounds: dict[int, tuple[int, int]] = {}
        last: dict[tuple[str, ...], int] = {}
        n = len(self.end)
        for row in sorted(set(rows)):
            path = self.path(row)
            before = last.get(path, -1)
            if before >= 0:
                bounds[before] = (bounds[before][0], row)
            bounds[row] = (before, n)
            last[path] = row
        return bounds

    def around(self, row: int) -> str:
        before, after = self._bounds[row]
        item, above = row, self.parent[row]
        while above > 0 and above > before and self.end[above] <= after and self.chars[above] <= MAX_ITEM_CHARS:
            item, above = above, self.parent[above]
        parts = self._free_text(item, self.end[item])
        if not parts and self.chars[self.parent[row]] > MAX_ITEM_CHARS:
            parts = self._beside(row)
        return fold_space(" ".join(parts))[:MAX_AROUND_CHARS]

    def _free_text(self, start: int, end: int) -> list[str]:
        texts = self.measures.texts
        first, stop = bisect_left(self.free_rows, start), bisect_left(self.free_rows, end)
        return [texts[row] for row in self.free_rows[first : min(stop, first + 20)]]

    def _beside(self, row: int) -> list[str]:
        """Return the words before and after a link that stands in running text."""
        texts, half = self.measures.texts, MAX_AROUND_CHARS // 2
        place = bisect_left(self.free_rows, row)
        before = [texts[near][-half:] for near in self.free_rows[max(0, place - 1) : place]]
        return before + [texts[near][:half] for near in self.free_rows[place : place + 1]]

    def heading(self, row: int) -> str:
        place = bisect_left(self.headings, row)
        for near in reversed(self.headings[max(0, place - HEADINGS_TRIED) : place]):
            part = self.parent[near]
            if part >= 0 and self.end[part] <= row and self.chars[part] <= MAX_WRAPPER * self.chars[near]:
                part = self.parent[part]  # what wraps the heading, with a date or a line below it, is its part's head
            if part >= 0 and self.end[part] > row:
                rows = range(near, self.end[near])
                return fold_space("".join(self.measures.texts[r] for r in rows))[:MAX_HEADING_CHARS]
        return ""


class SeenLink(NamedTuple):
    """A link as it stands on a fetched page."""

    link: Link
    context: LinkContext
    label: str = ""
    """Label of its block: main, related, other; ``""`` outside all blocks."""
    is_new: bool = True
    """Whether the address may still be queued; else it is only evidence for one already queued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A fetched page as a scorer sees it: judged by the crawler itself."""

    url: str
    is_article: bool
    relevance: float
    """Probability that the page is about the topic; 0 for a page that is no article."""
    subject: str = ""
    """Title of the page."""
    depth: int = 0
    links: Sequence[SeenLink] = ()


@lru_cache(maxsize=4096)
def terms_of_classes(classes: str) -> tuple[str, ...]:
    """Return the tags and categories in an element's classes; none for an element that is no post's.

    >>> terms_of_classes("post-7 post type-post hentry category-law-crime tag-jimmy-lai tag-1057")
    ('law crime', 'jimmy lai')
    >>> terms_of_classes("menu-item category-law")
    ()
    """
    if not _IS_ENTRY.search(classes):
        return ()
    found = dict.fromkeys(name for name in _TERM.findall(classes))
    return tuple(name.replace("-", " ") for name in found)[:MAX_TERMS]


def entries(measures: Measures) -> dict[int, tuple[str, ...]]:
    """Return row → tags and categories of each post's element that names some."""
    rows, _, classes = measures.shown
    return {
        row: terms
        for row, names in zip(rows.tolist(), classes, strict=True)
        if ("tag-" in names or "category-" in names or "product_" in names) and (terms := terms_of_classes(names))
    }


def page_terms(document: Document) -> tuple[str, ...]:
    """Return the tags and categories of the post that the page shows: of the post's element with most text."""
    measures = document.measures
    found = entries(measures)
    return found[max(found, key=lambda row: (int(measures.chars[row]), -row))] if found else ()
