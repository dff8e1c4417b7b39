"""One pass over a page that collects every candidate the fields are chosen from."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from lxml import etree

from newscrawl.dom.measures import TEXT
from newscrawl.metadata.jsonld import Node, article_nodes, parse_scripts, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from newscrawl.dom.document import Document

MAX_SCRIPTS: Final = 40
MAX_CONTENT_CHARS: Final = 5_000
"""Longer meta contents are cut; no fact is that long."""

_MARKED: Final = etree.XPath("//@itemprop/.. | //@rel[. = 'author']/..")
_MARK: Final = re.compile(
    r"author|byline|date|time|publi|posted|meta|info|source|stamp|sub-?title|entry-header", re.IGNORECASE
)
_MAX_MARKED: Final = 400


class Line(NamedTuple):
    """A visible line of the page."""

    text: str
    parts: tuple[str, ...]
    """Its text nodes, as they are."""
    row: int
    """Row of its first text in the page's measures."""
    tag: str
    """Tag of the innermost heading it stands in, else ``""``."""
    linked: bool
    """True if all of it lies inside links."""

    @property
    def spaced(self) -> str:
        """The text with two spaces where one text node ends: links and labels in one line are told apart by it."""
        if len(self.parts) == 1:
            return self.text
        return "  ".join(" ".join(part.split()) for part in self.parts)


@dataclass(slots=True, kw_only=True)
class Evidence:
    """What a page says about itself."""

    url: str | None
    html_lang: str = ""
    metas: dict[str, list[str]] = field(default_factory=dict)
    """Name, property or itemprop of a ``meta`` in lower case → its contents, in page order."""
    links: dict[str, list[str]] = field(default_factory=dict)
    """``rel`` of a ``link`` → addresses as written."""
    title: str = ""
    nodes: list[Node] = field(default_factory=list)
    """Every node of the JSON-LD scripts."""
    articles: list[Node] = field(default_factory=list)
    """Those of them that describe the page's own article, best first."""
    times: list[HtmlElement] = field(default_factory=list)
    marked: list[HtmlElement] = field(default_factory=list)
    """Elements with a microdata property or ``rel=author``; after :func:`gather_near`, those whose class says so."""
    lines: list[Line] = field(default_factory=list)
    line_of: dict[HtmlElement, int] = field(default_factory=dict)
    """First line that stands in an element of ``times`` or ``marked``."""

    def meta(self, *names: str) -> tuple[str, str] | None:
        """Return the first non-empty content among ``names``, in their order, and the name it stood under."""
        for name in names:
            for content in self.metas.get(name, ()):
                if content:
                    return content, name
        return None


def gather(document: Document) -> Evidence:
    """Collect the candidates of ``document``. O(nodes)."""
    evidence = Evidence(url=document.url)
    root = document.root
    if root is None:
        return evidence
    evidence.html_lang = root.get("lang") or root.get("xml:lang") or ""
    _read_head(root, evidence)
    evidence.marked = _MARKED(root)[:_MAX_MARKED]
    _read_lines(document, evidence)
    return evidence


def gather_near(document: Document, evidence: Evidence, spans: Iterable[range]) -> None:
    """Add to ``marked`` the elements in these spans of lines whose class or id says author, date or the like.

    Classes are looked at only where bylines stand: reading those of all elements costs more than all else here.
    """
    measures, lines = document.measures, evidence.lines
    known = set(evidence.marked)
    for span in spans:
        if not span:
            continue
        start = lines[span.start - 1].row + 1 if span.start > 0 else 0
        stop = lines[span.stop].row if span.stop < len(lines) else min(len(measures), lines[span.stop - 1].row + 2)
        number = span.start
        for row in range(start, stop):
            if measures.tags[row] is TEXT:
                continue
            node = measures.nodes[row]
            words = f"{node.get('class') or ''} {node.get('id') or ''}"
            if len(words) > 1 and node not in known and _MARK.search(words):
                while number + 1 < span.stop and lines[number].row < row:
                    number += 1
                known.add(node)
                evidence.marked.append(node)
                evidence.line_of[node] = number


def _read_head(root: HtmlElement, evidence: Evidence) -> None:
    scripts: list[str] = []
    for element in root.iter("meta", "link", "title", "script", "time"):
        tag = element.tag
        if tag == "meta":
            _read_meta(element, evidence)
        elif tag == "link":
            href = (element.get("href") or "").strip()
            for rel in (element.get("rel") or "").lower().split():
                if href:
                    evidence.links.setdefault(rel, []).append(href)
        elif tag == "script":
            if len(scripts) < MAX_SCRIPTS and "ld+json" in (element.get("type") or "").lower() and element.text:
                scripts.append(element.text)
        elif tag == "time":
            evidence.times.append(element)
        elif not evidence.title:  # later ones are titles of inline SVG
            evidence.title = " ".join((element.text_content() or "").split())
    evidence.nodes = parse_scripts(scripts)
    evidence.articles = _own_articles(evidence)


def _own_articles(evidence: Evidence) -> list[Node]:
    """Return the article nodes, those about other pages (teasers in the same script) left out.

    A node is about another page if it has an address of another path and a headline that is not in the title,
    while some other node is about this page.
    """
    nodes = article_nodes(evidence.nodes)
    if len(nodes) < 2:
        return nodes
    paths = {path for href in (evidence.url, *evidence.links.get("canonical", ())) if (path := _path(href))}
    title = _fold(evidence.title)

    def is_own(node: Node) -> bool:
        headline = _fold(text_of(node.get("headline")) or "")
        if headline and (headline in title or title.startswith(headline[:20])):
            return True
        addresses = (text_of(node.get("url")), text_of(node.get("mainEntityOfPage")), node.get("@id"))
        return any(_path(address) in paths for address in addresses if isinstance(address, str))

    own = [node for node in nodes if is_own(node)]
    return own + [node for node in nodes if node not in own and not node.get("headline")] if own else nodes


def _path(href: str | None) -> str:
    try:
        return urlsplit(href or "").path.strip("/")
    except ValueError:
        return ""


def _fold(text: str) -> str:
    return "".join(text.split()).casefold()


def _read_meta(element: HtmlElement, evidence: Evidence) -> None:
    content = element.get("content") or element.get("value")
    if content is None:
        return
    content = " ".join(content[:MAX_CONTENT_CHARS].split())
    for attribute in ("property", "name", "itemprop", "http-equiv"):
        name = element.get(attribute)
        if name:
            evidence.metas.setdefault(name.strip().lower(), []).append(content)


def _read_lines(document: Document, evidence: Evidence) -> None:
    measures = document.measures
    wanted = set(evidence.times)
    wanted.update(evidence.marked)
    row_of: dict[HtmlElement, int] = {}
    builder = _Lines()
    hidden, line_of = measures.hidden.tolist(), measures.line.tolist()
    link_chars, end, nodes = measures.link_chars.tolist(), measures.end.tolist(), measures.nodes
    for row, (tag, text) in enumerate(zip(measures.tags, measures.texts, strict=True)):
        if tag is TEXT:
            if not hidden[row]:
                builder.add(row, text, line_of[row], linked=link_chars[row] > 0)
        else:
            if tag in _HEADINGS:
                builder.open_heading(tag, end[row])
            if wanted and nodes[row] in wanted:
                row_of[nodes[row]] = row
    builder.flush()
    evidence.lines = builder.lines
    starts = [line.row for line in builder.lines]
    for element, row in row_of.items():
        # the line that holds the element's first text, or the one it stands in
        evidence.line_of[element] = max(0, bisect.bisect_right(starts, row + 1) - 1)


class _Lines:
    """Lines under construction."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._parts: list[str] = []
        self._first = self._current = self._heading_end = -1
        self._linked = True
        self._heading = ""

    def add(self, row: int, text: str, number: int, *, linked: bool) -> None:
        if number != self._current:
            self.flush()
            self._current = number
        if not self._parts:
            self._first, self._linked = row, True
        self._parts.append(text)
        self._linked = self._linked and linked

    def open_heading(self, tag: str, end: int) -> None:
        self.flush()
        self._heading, self._heading_end = tag, end

    def flush(self) -> None:
        parts = self._parts
        if not parts:
            return
        self._parts = []
        joined = "".join(parts)
        if not joined.isascii() and ("\u00ad" in joined or "\u200b" in joined):
            parts = [part.replace("\u00ad", "").replace("\u200b", "") for part in parts]  # soft hyphens
            joined = "".join(parts)
        text = " ".join(joined.split())
        if text:
            heading = self._heading if self._first < self._heading_end else ""
            self.lines.append(Line(text, tuple(parts), self._first, heading, self._linked))


_HEADINGS: Final = frozenset(("h1", "h2", "h3"))
