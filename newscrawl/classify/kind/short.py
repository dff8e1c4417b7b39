"""Short pages at a story's address: a story, or the reason why there is none (gone, log-in, consent, notice).

A page without a story has no date. Its shape shows it: the ``title`` names a story that the page does not have, a form
stands in place of the text, or links home and a search do. Names of elements and words of languages only add to that.
``SIGNS`` has the weight of each sign, in log-odds against a story.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from newscrawl.classify.kind.titles import absence_named
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.text import fold, similarity
from newscrawl.outcomes import Rejection
from newscrawl.page.lines import weight_of
from newscrawl.page.statements import gather
from newscrawl.page.tags import KIND_OF

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document

MAX_LETTERS: Final = 800.0
"""Most letters of a text that may explain why there is no story."""
MIN_TITLE: Final = 12.0
"""Least letters of a title that may be a story's; scripts of syllables and ideographs need fewer characters."""
MAX_LINKS: Final = 500
"""Links of a notice that are looked at; a page of more is a list."""
MAX_ADDRESS: Final = 500
"""Characters of an address that are read: marks in a host cost a time quadratic in their number."""
SAME: Final = 0.4
"""Least similarity of two titles that are one."""
BRIEF: Final = 250.0
"""Most letters of a notice."""
FEW: Final = 25.0
"""Most letters beside a form if the form is the page's content."""
NEAR: Final = 4
"""Lines below the heading that may hold a dateline."""
MAX_DATELINE: Final = 60
"""Characters."""
MAX_LABEL: Final = 24
"""Most letters beside the date: a weekday, *published on*, a place."""
MIN_BUTTONS: Final = 2
"""Least buttons of a choice."""

SIGNS: Final[Mapping[str, float]] = {
    "another title": 1.0,  # the title names a story that is not on the page
    "little beside it": 1.0,  # below the heading that stands in its place
    "heading": 2.0,  # what such pages are called
    "form": 2.0,  # a form with nothing beside it
    "password": 1.0,  # (a weight) # nosec B105
    "choice": 1.0,
    "home": 1.0,
    "search": 1.0,
    "name": 1.0,  # of an element around the heading
    "unindexed": 0.5,
    "picture": -2.0,  # or a player
    "declared": -1.0,  # an article, by its markup
}
"""Log odds against a story."""
ENOUGH: Final = 2.0
"""Log-odds from which there is no story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """Reason why a page has no story, with its signs."""

    reason: Rejection
    signs: tuple[str, ...]


_NAMES: Final[Mapping[Rejection, re.Pattern[str]]] = {
    Rejection.SOFT_404: re.compile(
        r"(?<![a-z\d])(?:error-?page|(?:error|page)?-?(?:404|410)|(?:page-)?not-?found)(?![a-z\d])"
    ),
    Rejection.LOGIN: re.compile(r"(?<![a-z])(?:log-?in|sign-?in|auth)(?:-(?:page|wall|form|box|main))?(?![a-z])"),
    Rejection.CONSENT: re.compile(r"(?<![a-z])(?:consent|gdpr|cookie-?wall|cmp)(?:-[a-z]+)?(?![a-z])"),
    Rejection.NOTICE: re.compile(r"(?<![a-z])(?:paywall|maintenance|geo-?block(?:ed)?|unavailable)(?![a-z])"),
}
"""Names that content systems give such pages or their message."""
_TITLE_PARTS: Final = re.compile(r"\s[–—·-]\s|[|_»«]|(?<=[\u3000-\u9fff])-(?=[\u3000-\u9fff])")
_IMAGE: Final = frozenset(("img",))
_SHOWN: Final = ("figure", "video", "audio", "iframe")
_LOOKED_AT: Final = (*_SHOWN, "input", "button", "textarea", "select", "a", "time")
_SEARCHES: Final = frozenset("s q query search search_query keyword keywords kw wd searchword".split())
_PRESSED: Final = frozenset(("submit", "button", "image", "reset"))
_UNTYPED: Final = _PRESSED | {"hidden", "checkbox", "radio"}


def absent_story(document: Document, verdict: Verdict) -> Absence | None:
    """Return why a page at a story's address has no story; None for all other pages.

    :param verdict: which of its lines are text.
    """
    if verdict.weight >= MAX_LETTERS or not len(verdict.features):
        return None
    page = Shape(document, verdict)
    if page.heading < 0 or page.is_dated():
        return None
    signs = dict.fromkeys(page.signs())
    if sum(SIGNS[sign] for sign in signs) < ENOUGH:
        return None
    return Absence(reason=page.reason(signs), signs=tuple(signs))


def shows_story(document: Document, verdict: Verdict) -> bool:
    """Tell whether a short page has its own title as a heading, and a date, a sentence or a picture right below it.

    A flash or a picture may stand among so many links that everything else suggests a list.
    """
    line, features = verdict.headline, verdict.features
    if verdict.weight >= MAX_LETTERS or line < 0 or not features.is_heading[line]:
        return False
    page = Shape(document, verdict)
    if page.heading != line or features.link_share[line] > SAME:
        return False
    is_text = verdict.is_body & features.is_prose
    return page.is_dated() or page.shows_picture() or bool(is_text[page.lines[:NEAR]].any())


def is_dateline(text: str) -> bool:
    """Tell whether a line is a day, and little beside it."""
    found = next(find_dates(text), None) if len(text) <= MAX_DATELINE else None
    return found is not None and sum(map(str.isalpha, text[: found.start] + text[found.end :])) <= MAX_LABEL


class Shape:
    """Content of a page from its own heading to the next heading or the first list of links."""

    def __init__(self, document: Document, verdict: Verdict) -> None:
        self.document, self.verdict, self.measures = document, verdict, document.measures
        self.evidence = document.once(gather)
        features = verdict.features
        is_own = features.is_heading & (features.link_share < SAME) & ~verdict.is_boilerplate
        headings = is_own.nonzero()[0].tolist()
        parts = _TITLE_PARTS.split(self.evidence.title)
        name = max(parts, key=weight_of)
        self.title = fold(name) if weight_of(name) >= MIN_TITLE else ""
        """Longest part of the title, folded; empty if it is too short for a story."""
        self.heading = self._heading(headings, frozenset(filter(None, map(fold, parts))))
        self.text = features.lines.text(self.heading) if self.heading >= 0 else ""
        lines = list[int]()
        for line in range(
            self.heading + 1, len(features)
        ):  # up to the next heading, or the second of two links in a row
            if features.is_heading[line] or (features.is_links[line] and lines and features.is_links[lines[-1]]):
                break
            lines.append(line)
        starts = features.lines.start
        self.lines = lines
        self.start = int(starts[self.heading]) if self.heading >= 0 else 0
        after = lines[-1] + 1 if lines else self.heading + 1
        self.end = int(starts[after]) if after < len(features) else len(self.measures)

    def _heading(self, headings: Sequence[int], parts: Collection[str]) -> int:
        """Return the line of the page's own heading: one of the title's parts, else the first; -1 where it has none."""
        texts = self.verdict.features.lines.texts(headings)
        named = (line for line, text in zip(headings, texts, strict=True) if fold(text) in parts)
        line = next(named, -1)
        if line >= 0 or self.verdict.headline < 0:
            return line if line >= 0 else next(iter(headings), -1)
        shown = fold(self.verdict.features.lines.text(self.verdict.headline))
        is_site = shown in map(fold, self.evidence.metas.get("og:site_name", ()))
        is_own = not headings or not self.title or (not is_site and _is_same(shown, self.title))
        return self.verdict.headline if is_own else headings[0]

    def signs(self) -> Iterator[str]:
        """Yield the names of ``SIGNS`` that the page has."""
        if self._names_another_story():
            yield "another title"
            if self.letters < BRIEF:
                yield "little beside it"
        if self.called is not None:
            yield "heading"
        asks = self.asks
        if asks is not None:
            yield "password" if asks is Rejection.LOGIN else "choice"
            if self.letters < FEW:
                yield "form"
        if self._leads_home():
            yield "home"
        if any(map(is_search, self.below["input"])):
            yield "search"
        if self.named is not None:
            yield "name"
        if any("noindex" in content.lower() for content in self.evidence.metas.get("robots", ())):
            yield "unindexed"
        if self.shows_picture():
            yield "picture"
        if self.evidence.articles or "article" in " ".join(self.evidence.metas.get("og:type", ())).lower():
            yield "declared"

    def shows_picture(self) -> bool:
        return any(self.below[tag] for tag in _SHOWN)

    def is_dated(self) -> bool:
        """Tell whether the page states a day, or shows one in a line of its own; its address proves nothing."""
        return self.states_day or any(map(is_dateline, self.verdict.features.lines.texts(self.lines[:NEAR])))

    @property
    def states_day(self) -> bool:
        """Tell whether the page declares its day for machines, or has a ``time`` below the heading."""
        return self.evidence.states_date or bool(self.below["time"])

    @property
    def is_titled(self) -> bool:
        """Tell whether the heading and the page's title are one, or part of each other."""
        heading = fold(self.text)
        return bool(self.title and heading) and (heading in self.title or self.title in heading)

    def reason(self, signs: Mapping[str, object]) -> Rejection:
        """Return the kind of page that stands in place of a story."""
        stated = self.called or self.asks or self.named
        if stated is not None:
            return stated
        return Rejection.SOFT_404 if {"home", "search"} & signs.keys() else Rejection.NOTICE

    @cached_property
    def letters(self) -> float:
        """Letters of the lines below the heading, links left out."""
        return float(self.verdict.features.free[self.lines].sum()) if self.lines else 0.0

    @cached_property
    def called(self) -> Rejection | None:
        """Return the reason that the heading states."""
        return absence_named(self.text)

    @cached_property
    def named(self) -> Rejection | None:
        """Return the reason that the names of elements around the heading state."""
        row, names = self.start, list[str]()
        while row >= 0:
            node = self.measures.nodes[row]
            names.append(f"{node.get('class') or ''} {node.get('id') or ''}")
            row = int(self.measures.parent[row])
        around = " ".join(names).lower().replace("_", "-")
        return next((reason for reason, pattern in _NAMES.items() if pattern.search(around)), None)

    @cached_property
    def asks(self) -> Rejection | None:
        """Return what the forms below the heading ask for."""
        return asked_by((*self.below["input"], *self.below["button"]))

    @cached_property
    def below(self) -> Mapping[str, Sequence[HtmlElement]]:
        """The elements from the heading to the last line below it, by tag; those without a row, too."""
        nodes = self.measures.nodes
        found: defaultdict[str, list[HtmlElement]] = defaultdict(list)
        first = nodes[self.start]
        after = next((nodes[row] for row in range(self.end, len(nodes)) if not self.measures.is_text(row)), None)
        is_below = False
        asked = (str(node.tag) if node is not None and node.tag in KIND_OF else "*" for node in (first, after))
        for node in self.measures.body.iter(*_LOOKED_AT, *asked):  # lxml refuses to look for some tags of broken pages
            if node is after:
                break
            if is_below:
                found[str(node.tag)].append(node)
            is_below |= node is first
        return found

    def _leads_home(self) -> bool:
        """Tell whether a link leads to the home page of its own host."""
        base = self.evidence.base or self.document.url or "http://page.invalid/page"
        for link in self.below["a"][:MAX_LINKS]:
            with suppress(ValueError):  # a host like "[x"
                parts, own = urlsplit(urljoin(base, (link.get("href") or "#")[:MAX_ADDRESS])), urlsplit(base)
                is_root = parts.path in {"", "/"} and not parts.query and not parts.fragment
                if is_root and parts.hostname == own.hostname:
                    return True
        return False

    def _names_another_story(self) -> bool:
        """Tell whether the title names a story, and neither the heading nor any other line of the page does."""
        if self.verdict.is_body[: self.heading].any():  # a heading within a text
            return False
        metas, heading = self.evidence.metas, fold(self.text)
        stated = [fold(text) for name in ("og:title", "twitter:title") for text in metas.get(name, ())]
        stated += [fold(str(node.get("headline") or "")) for node in self.evidence.articles]
        if not self.title or any(_is_same(heading, known) for known in (self.title, *filter(None, stated))):
            return False
        return not any(self.title in fold(text) for text in self._shown())

    def _shown(self) -> Iterator[str]:
        """Yield all lines of the page, the names of its pictures, and the name of its site."""
        yield from self.verdict.features.lines.shown
        images = self.measures.rows_of(_IMAGE).tolist()
        yield from (self.measures.nodes[row].get("alt") or "" for row in images)
        yield from self.evidence.metas.get("og:site_name", ())


def _is_same(first: str, second: str) -> bool:
    return first in second or second in first or similarity(first, second) > SAME


def asked_by(fields: Iterable[HtmlElement]) -> Rejection | None:
    """Return what fields and buttons ask for: a password, or only a choice between buttons."""
    kinds = [(str(field.tag), (field.get("type") or "text").lower()) for field in fields]
    if ("input", "password") in kinds:
        return Rejection.LOGIN
    n_buttons = sum(tag == "button" or kind in _PRESSED for tag, kind in kinds)
    is_choice = n_buttons >= MIN_BUTTONS and all(tag == "button" or kind in _UNTYPED for tag, kind in kinds)
    return Rejection.CONSENT if is_choice else None


def is_search(field: HtmlElement) -> bool:
    """Tell whether a field is that of a search, by its type or name."""
    return (field.get("name") or "").lower() in _SEARCHES or field.get("type") == "search"
