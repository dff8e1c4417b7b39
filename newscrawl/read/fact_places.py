"""The places at which a page shows its facts, as selectors that rules take: for site memory to count."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.extract.facts.authors import people_in
from newscrawl.extract.facts.dates import date_in_texts
from newscrawl.extract.facts.extract import RULE
from newscrawl.languages.text import fold
from newscrawl.page.statements import gather, in_other_part
from newscrawl.page.tags import HEADINGS, KIND_OF
from newscrawl.read.rules import said_by
from newscrawl.sites.memory.facts import FACTS, FactPlace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.extract.facts.dates import DateContext
    from newscrawl.items import Article
    from newscrawl.page.document import Document

MAX_TRIED: Final = 3
"""Places of a fact that a page is searched for, beside those already known."""
MAX_SEARCHED: Final = 50
"""Elements that are looked at for them."""
MAX_ELEMENTS: Final = 8
"""More elements than these are no place of one article's fact."""
MAX_CHARS: Final = 200
"""A longer text is no place of one fact."""
MAX_CLIMBED: Final = 3
"""Elements that may name the place of a text: the one it stands in, and those around it."""
MAX_WORDS: Final = 3
"""Classes of an element that name it."""
_SAME_SECONDS: Final = 60
"""Dates are the same if they differ by less: what readers see states no seconds."""
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_-]{0,49}")
"""A name that stays the same from page to page: one without digits. Longer ones are kept by no memory."""
_MARKED_UP: Final = ("itemprop", "rel")
_SELECTOR: Final = re.compile(r'([a-z0-9]+)((?:\.[A-Za-z_-]+)*)(?:#([A-Za-z_-]+))?(?:\[([a-z]+)="([A-Za-z]+)"\])?')


def selector_of(element: HtmlElement) -> str | None:
    """Return a CSS selector of an element by its own names; None where it has none that other pages share."""
    tag, get = element.tag, element.get
    if tag not in KIND_OF:
        return None
    words = [word for word in (get("class") or "").split() if _WORD.fullmatch(word)][:MAX_WORDS]
    own = get("id") if tag not in HEADINGS else None  # theirs are for links to parts of one article
    name = "".join(f".{word}" for word in words) + (f"#{own}" if own and _WORD.fullmatch(own) else "")
    if name:
        return f"{tag}{name}"
    for attribute in _MARKED_UP:
        value = get(attribute) or ""
        if value.isalpha() and _WORD.fullmatch(value):
            return f'{tag}[{attribute}="{value}"]'
    return tag if tag == "time" else None  # an h1 without a name is found anyhow, and also heads a section


class _Names(NamedTuple):
    """A selector's parts."""

    tag: str
    first: str
    """The first class; to look for it in the attribute is cheaper than to take that apart."""
    words: frozenset[str]
    exact: tuple[tuple[str, str], ...]
    """Attributes and their values."""


@lru_cache(maxsize=4096)
def _names(selector: str) -> _Names | None:
    """Return the parts of a selector of :func:`selector_of`; CSS by XPath costs a page several times as much."""
    match = _SELECTOR.fullmatch(selector)
    if match is None or match[1] not in KIND_OF:
        return None
    tag, words, own, attribute, value = match.groups()
    exact = [(name, wanted) for name, wanted in (("id", own), (attribute, value)) if name and wanted]
    first, *others = words[1:].split(".")
    return _Names(tag, first, frozenset((first, *others)), tuple(exact))


def fact_places(
    document: Document, article: Article, context: DateContext, known: Mapping[str, Sequence[str]]
) -> tuple[FactPlace, ...]:
    """Return where the page shows the facts that were found of it, each place with whether it agrees.

    Known places are asked as a rule asks its selectors: in their order, up to the first that agrees. Where none does,
    the page is searched for another. Facts of rules say nothing.

    :param article: of :func:`newscrawl.extract.facts.extract.extract_metadata` for this document.
    :param known: places that earlier pages had, by field, the best one first.
    """
    page = _Page(document, article, context)
    found: list[FactPlace] = []
    for field, name in FACTS.items():
        if getattr(article, name) and article.fieldSources.get(name) != RULE:
            found += page.places(field, known.get(field, ()))
    return tuple(found)


class _Page:
    """A page whose facts are known."""

    def __init__(self, document: Document, article: Article, context: DateContext) -> None:
        self.measures = document.measures
        self.evidence = document.once(gather)
        self.article, self.context = article, context

    def places(self, field: str, known: Sequence[str]) -> Iterator[FactPlace]:
        for selector in known:
            says = self._agrees(field, selector)
            if says is not None:
                yield FactPlace(field, selector, says)
            if says:
                return
        tried = set(known)
        for selector in filter(None, map(self._named, islice(self._innermost(field), MAX_SEARCHED))):
            if selector not in tried:
                tried.add(selector)
                if self._agrees(field, selector):
                    yield FactPlace(field, selector, agrees=True)
                    return
                if len(tried) == len(known) + MAX_TRIED:
                    return

    def _agrees(self, field: str, selector: str) -> bool | None:
        """Tell whether a rule with this selector finds what was found without; None where it finds nothing."""
        rows = [*islice(self._rows(selector), MAX_ELEMENTS + 1)]
        if len(rows) > MAX_ELEMENTS or any(self.measures.chars[row] > MAX_CHARS for row in rows):
            return False
        texts = [*filter(None, (said_by(self.measures.nodes[row]) for row in rows))]
        if not texts:
            return None
        if sum(map(len, texts)) > MAX_CHARS:  # what is hidden has no characters, and is read
            return False
        if field == "headline":
            return fold(" ".join(texts)) == fold(self.article.headline or "")
        if field == "authors":
            return {author.name for author in people_in(texts)} == {author.name for author in self.article.authors}
        dated, known = date_in_texts(texts, RULE, self.context), self.article.datePublished
        return bool(dated and known and abs((dated.moment - known).total_seconds()) < _SAME_SECONDS)

    def _named(self, row: int) -> str | None:
        """Return the selector of an element, or of the innermost around it that has one; None of a long text."""
        for _ in range(MAX_CLIMBED):
            if row < 0 or self.measures.chars[row] > MAX_CHARS:
                return None
            selector = selector_of(self.measures.nodes[row])
            if selector is not None:
                return selector
            row = int(self.measures.parent[row])
        return None

    def _innermost(self, field: str) -> Iterator[int]:
        """Yield the rows of the innermost elements that may show a fact."""
        lines, places, measures = self.evidence.lines, self.evidence.places, self.measures
        if field == "headline":
            if places.headline >= 0:
                yield int(measures.parent[lines.starts[places.headline]])
            return
        times: list[int] = []
        said = ""
        if field == "authors":
            said = self.article.authors[0].name
            numbers = [number for number in places.around if said in lines.texts[number]]
        else:
            times = measures.rows_among(self.evidence.times[:MAX_TRIED]).tolist()
            numbers = sorted(set(places.around).intersection(lines.years(MAX_CHARS)))
        for row in chain(times, *(self._in(number, said) for number in numbers)):
            if not in_other_part(self.evidence, measures.nodes[row]):
                yield row

    def _in(self, number: int, text: str) -> Iterator[int]:
        """Yield the rows of the elements of a line's texts that hold ``text``."""
        lines, measures = self.evidence.lines, self.measures
        stop = lines.starts[number + 1] if number + 1 < len(lines) else len(measures)
        for row in range(lines.starts[number], stop):
            if measures.is_text(row) and text in measures.texts[row]:
                yield int(measures.parent[row])

    def _rows(self, selector: str) -> Iterator[int]:
        """Yield the rows of the elements that a selector matches."""
        names = _names(selector)
        if names is None:
            return
        nodes, first, exact = self.measures.nodes, names.first, names.exact
        for row in np.flatnonzero(self.measures.kinds == KIND_OF[names.tag]).tolist():
            element = nodes[row]
            if first:
                css = element.get("class")
                if css is None or first not in css or not names.words.issubset(css.split()):
                    continue
            if not exact or all(element.get(name) == value for name, value in exact):
                yield row
