"""One pass over a page that collects every candidate the fields are chosen from."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from lxml import etree

from newscrawl.page.hints import is_named
from newscrawl.page.jsonld import Node, article_nodes, parse_scripts, text_of
from newscrawl.page.measures import TEXT
from newscrawl.page.places import NOWHERE, YEAR, PageLines, Places
from newscrawl.urls.canonical import base_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document
    from newscrawl.page.places import Line

MAX_SCRIPTS: Final = 40
CLOSE: Final = 4
"""Lines after the headline in which a bare name is a byline."""
MAX_CONTENT_CHARS: Final = 5_000
"""Longer meta contents are cut; no fact is that long."""

# Steps along attributes are the fastest: XPath tests a predicate on each element, and ``//`` visits texts too.
MIN_TITLE_BYTES: Final = 12
"""Bytes of a link that may be a headline: four characters of Chinese."""
MAX_LISTED_CHARS: Final = 150
"""Characters of a line that has headline and date of another story."""
MAX_TAGS: Final = 20
MAX_TAG: Final = 60
"""Characters."""
_ITEMS: Final = etree.XPath("/descendant::*/@itemprop/..")
_SIGNED: Final = etree.XPath("/descendant::*/@rel[. = 'author']/..")
_MICRODATA: Final = {
    (True, True): etree.XPath(f"{_ITEMS.path} | {_SIGNED.path}"),
    (True, False): _ITEMS,
    (False, True): _SIGNED,
    (False, False): None,
}
"""Whether the page may hold items, and a link to an author → what finds them; both cost a sort."""
_RELATED_TO_AUTHOR: Final = (*(b"rel=" + mark + b"author" for mark in (b"", b"'", b'"')), b"rel =", b"rel= ")
_ITEM_TYPES: Final = etree.XPath("/descendant::*/@itemtype")
_MARK: Final = re.compile(
    r"author|byline|user-?name|date|datum|time|publi|posted|meta|info|source|stamp|sub-?title|entry-header",
    re.IGNORECASE,
)
_MAX_MARKED: Final = 400
_TITLED: Final = etree.XPath("/descendant::*/@title[contains(., '19') or contains(., '20')]")
MAX_STAMP_CHARS: Final = 40
"""Characters of a ``title`` that is a date."""
STAMP: Final = re.compile(r"1\d{9}(?:\d{3})?|(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:. +Z-]*)?")
"""A moment as scripts are given it: seconds, milliseconds, ISO 8601."""
_MOMENT: Final = re.compile(rb"=[\"']?(?:1\d{9}|(?:19|20)\d\d-\d\d-\d\d)")
"""How such a value of an attribute begins."""
_OTHER_ATTRIBUTES: Final = frozenset(("content", "title", "value", "href", "src", "id", "class"))
"""Attributes that hold moments of any kind, or are read elsewhere."""
_DATED: Final = re.compile(
    r"^(?!.*(?:expir|event|updat|modif|chang|birth)).*(?:date|datum|time|publi|posted|stamp|epoch|utc|(?:^|[-_])ts\b)",
    re.IGNORECASE | re.DOTALL,
)
"""A name of a moment, other than that of an event or a change."""
_MAX_STAMPS: Final = 8
"""Attributes that moments are read off."""


@dataclass(kw_only=True)
class Evidence:
    """What a page says about itself. What needs a walk over the body is collected when it is first asked for."""

    document: Document
    lines: PageLines
    url: str | None
    base: str | None
    """What the page's references are relative to."""
    html_lang: str = ""
    metas: dict[str, list[str]] = field(default_factory=dict)
    """Name, property or itemprop of a ``meta`` in lower case → its contents, in page order."""
    links: dict[str, list[str]] = field(default_factory=dict)
    """``rel`` of a ``link`` → addresses as written."""
    title: str = ""
    scripts: list[HtmlElement] = field(default_factory=list)
    """Scripts that are not JSON-LD."""
    nodes: list[Node] = field(default_factory=list)
    """Every node of the JSON-LD scripts."""
    articles: list[Node] = field(default_factory=list)
    """The nodes that may describe the page's article, best type first."""
    times: list[HtmlElement] = field(default_factory=list)
    places: Places = NOWHERE
    """Where author, date and source may stand; to be set before ``marked`` is asked for."""

    @property
    def states_date(self) -> bool:
        """Whether the page declares its date of publication for machines."""
        names = ("article:published_time", "datepublished", "pubdate", "publishdate")
        return any(name in self.metas for name in names) or any(node.get("datePublished") for node in self.articles)

    def meta(self, *names: str) -> tuple[str, str] | None:
        """Return the first non-empty content among ``names``, in their order, and the name it stood under."""
        for name in names:
            for content in self.metas.get(name, ()):
                if content:
                    return content, name
        return None

    def said(self, *keys: str) -> str | None:
        """Return the first text that an article's node of the JSON-LD gives for one of ``keys``, in their order."""
        values = (text_of(node.get(key)) for node in self.articles for key in keys)
        return next(filter(None, values), None)

    def contents(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the contents of the ``meta`` elements of these names that are not empty, as what ``meta`` states."""
        return ((content, "meta") for name in names for content in self.metas.get(name, ()) if content)

    def link_of(self, line: Line) -> str | None:
        """Return the address, as written, of the link that a line begins in; None where it begins in none."""
        element = self.document.measures.nodes[self.lines.starts[line.number]]
        link = element if element.tag == "a" else next(element.iterancestors("a"), None)
        return link.get("href") if link is not None else None

    def below_headline(self) -> Iterator[Line]:
        """Yield the lines right below the headline that may hold date, name and source."""
        for number in self.places.header:
            if 0 < number - self.places.headline <= CLOSE and not self.lines[number].tag:
                yield self.lines[number]

    @cached_property
    def microdata(self) -> list[HtmlElement]:
        """The elements with a microdata property or ``rel=author``."""
        root, document = self.document.root, self.document
        is_signed = document.may_hold(b"author") and document.may_hold(*_RELATED_TO_AUTHOR)
        find = _MICRODATA[document.may_hold(b"itemprop"), is_signed]
        found = find(root)[:_MAX_MARKED] if find is not None and root is not None else []
        return [element for element in found if not _is_of_part(element)]

    @cached_property
    def item_types(self) -> list[str]:
        """The types that microdata states, in lower case, without name space."""
        root = self.document.root
        types = _ITEM_TYPES(root)[:_MAX_MARKED] if root is not None and self.document.may_hold(b"itemtype") else []
        return [item_type(value) for value in types]

    @cached_property
    def related(self) -> list[tuple[HtmlElement, str]]:
        """The links of the body that state a relation, with it as written."""
        return [(link, rel) for link in self.document.by_tag["a"] if (rel := link.get("rel"))]

    @cached_property
    def tags(self) -> list[tuple[str, str]]:
        """``rel`` and text of the links that name what the page is about, by the microformat ``rel="tag"``."""
        found = [link for link, rel in self.related if "tag" in rel.split(" ")]
        if len(found) > MAX_TAGS:  # a cloud of all the site's
            return []
        texts = ((link.get("rel", "").lower(), " ".join(link.text_content().split())) for link in found)
        return [(rel, text) for rel, text in texts if 0 < len(text) <= MAX_TAG]

    @cached_property
    def marked(self) -> list[HtmlElement]:
        """The elements of ``microdata``, and those near the bylines whose class or id says author, date or the like."""
        known = set(self.microdata)
        return [*self.microdata, *(node for node in self._near if node not in known)]

    @cached_property
    def line_of(self) -> dict[HtmlElement, int]:
        """First line that stands in an element of ``times`` or ``marked``."""
        noted = {*self.times, *self.microdata, *(element for element, _ in self.stamped)}
        lines = dict(self._near)
        if noted and len(self.lines):
            measures = self.document.measures
            for row in measures.rows_among(noted).tolist():
                lines[measures.nodes[row]] = self.lines.of_row(row)
        return lines

    @cached_property
    def stamped(self) -> list[tuple[HtmlElement, str]]:
        """The elements whose ``title`` states a year, or that state a moment for scripts, with it.

        Their text is often too short for a full date. A name says that the moment is one of publication, that of the
        attribute or of the element.
        """
        root = self.document.root
        if root is None:
            return []
        found = [
            (title.getparent(), str(title))
            for title in _TITLED(root)
            if len(title) <= MAX_STAMP_CHARS and YEAR.search(title)
        ]
        for name in sorted(self.document.names_before(_MOMENT) - _OTHER_ATTRIBUTES)[:_MAX_STAMPS]:
            for element in islice(root.iterfind(f".//*[@{name}]"), _MAX_MARKED):
                said, tag = element.get(name, ""), str(element.tag)
                is_dated = _DATED.search(f"{name} {tag}") or is_named(element, _DATED)
                if is_dated and STAMP.fullmatch(said) and (name, tag) != ("datetime", "time"):
                    found.append((element, said))
        return found

    @cached_property
    def enclosing(self) -> frozenset[HtmlElement]:
        """The elements that the text begins in."""
        start = self.places.body_start
        if not start < self.places.body_end:
            return frozenset()
        return frozenset(self.document.measures.nodes[self.lines.starts[start]].iterancestors())

    def in_comment(self, element: HtmlElement) -> bool:
        """Tell whether an element stands among what is named comments, where the text itself does not."""
        around = islice(chain((element,), element.iterancestors()), _LOOKED_AT)
        return any(node not in self.enclosing and is_named(node, _COMMENT) for node in around if node.tag != "body")

    @cached_property
    def _near(self) -> dict[HtmlElement, int]:
        """Elements near the bylines by class or id. Reading the names of the whole page costs more than all else."""
        near: dict[HtmlElement, int] = {}
        measures, starts = self.document.measures, self.lines.starts
        for span in filter(None, (self.places.header, self.places.tail)):
            number, n_lines = span.start, len(self.lines)
            start = starts[number - 1] + 1 if number > 0 else 0
            stop = starts[span.stop] if span.stop < n_lines else min(len(measures), starts[span.stop - 1] + 2)
            nodes, tags = measures.nodes[start:stop], measures.tags[start:stop]
            for row, (node, tag) in enumerate(zip(nodes, tags, strict=True), start):
                if tag != TEXT and is_named(node, _MARK) and node not in near:
                    while number + 1 < span.stop and starts[number] < row:
                        number += 1
                    near[node] = number
        return near


_COMMENT: Final = re.compile(r"comment|reply|pinglun", re.IGNORECASE)
_OTHER_PART: Final = re.compile(
    r"related|sidebar|teaser|recommend|social|share|newsletter|popular|latest|widget|bio\b", re.IGNORECASE
)
_FOOTER: Final = re.compile(r"footer", re.IGNORECASE)
_OWN_FOOTER: Final = re.compile(r"(?:entry|post|article|story|content|meta)[-_]*footer", re.IGNORECASE)
_LOOKED_AT: Final = 9
"""Elements around one that may say what it belongs to."""


def in_other_part(evidence: Evidence, element: HtmlElement, *, is_above: bool = False) -> bool:
    """Tell whether an element stands beside the article.

    The footer of an ``article`` element belongs to it: as HTML defines it, it says who wrote the article. What stands
    between headline and text is in no footer, whatever its name. What the text begins in is no other part.
    """
    in_footer = False
    for ancestor in islice(chain((element,), element.iterancestors()), _LOOKED_AT):
        if ancestor.tag in {"body", "article", "main"}:
            return in_footer and ancestor.tag != "article"
        if ancestor in evidence.enclosing:
            continue
        if ancestor.tag == "aside" or is_named(ancestor, _OTHER_PART):
            return True
        if is_named(ancestor, _COMMENT):
            return True
        if (ancestor.tag == "footer" or is_named(ancestor, _FOOTER)) and not is_named(ancestor, _OWN_FOOTER):
            in_footer = not is_above
    return in_footer


_META_NAMES: Final = ("property", "name", "itemprop", "http-equiv")


def gather(document: Document) -> Evidence:
    """Collect the candidates of ``document``. O(nodes). To be called through :meth:`Document.once`."""
    lines, base = document.once(PageLines), document.once(base_address)
    evidence = Evidence(document=document, lines=lines, url=document.url, base=base)
    if document.root is None:
        return evidence
    evidence.html_lang = document.root.get("lang") or document.root.get("xml:lang") or ""
    by_tag = document.by_tag
    for element in by_tag["meta"]:
        content = element.get("content") or element.get("value")
        if content is None:
            continue
        text = " ".join(content[:MAX_CONTENT_CHARS].split())
        for attribute in _META_NAMES:
            name = element.get(attribute)
            if name and not (attribute == "itemprop" and _is_of_part(element)):
                evidence.metas.setdefault(name.strip().lower(), []).append(text)
    for element in by_tag["link"]:
        href = (element.get("href") or "").strip()
        for rel in (element.get("rel") or "").lower().split() if href else ():
            evidence.links.setdefault(rel, []).append(href)
    linked_data: list[str] = []
    for element in by_tag["script"]:
        if "ld+json" not in (element.get("type") or "").lower():
            evidence.scripts.append(element)
        elif len(linked_data) < MAX_SCRIPTS and element.text:
            linked_data.append(element.text)
    evidence.times = by_tag["time"]
    titles = (" ".join((element.text_content() or "").split()) for element in by_tag["title"])
    evidence.title = next(filter(None, titles), "")  # later ones are titles of inline SVG
    evidence.nodes = parse_scripts(linked_data)
    evidence.articles = article_nodes(evidence.nodes)
    return evidence


def lines_of_other_stories(evidence: Evidence, places: Places) -> frozenset[int]:
    """Return the lines of lists of other stories: siblings that begin with a link each, and state a time each.

    Of a thread the posts are siblings, too, but the first one holds the text.
    """
    siblings: defaultdict[HtmlElement, dict[HtmlElement, None]] = defaultdict(dict)
    nodes, lines = evidence.document.measures.nodes, evidence.lines
    near = (n for n in lines.years(MAX_LISTED_CHARS) if n in places.header or n in places.tail)
    dated = [nodes[lines.starts[number]] for number in near]
    for element in {*evidence.times[:_MAX_MARKED], *dated}:
        for item in islice(chain((element,), element.iterancestors()), _LOOKED_AT):
            parent = item.getparent()
            if parent is not None:
                siblings[parent][item] = None
    measures = evidence.document.measures
    listed: set[int] = set()
    for items in siblings.values():
        if len(items) > 1 and _are_stories(items):
            ends = [(row, int(measures.end[row]) - 1) for row in measures.rows_among(items).tolist()]
            spans = [range(lines.of_row(first), lines.of_row(last) + 1) for first, last in ends]
            is_list = len({span.start for span in spans}) == len(spans)
            if is_list and not any(places.headline in span or places.body_start in span for span in spans):
                listed.update(chain.from_iterable(spans))
    return frozenset(listed)


def _are_stories(items: Iterable[HtmlElement]) -> bool:
    """Tell whether the text of each element begins with a link, numbers left out, and each to an address of its own.

    A short text is no headline, and a link to a site's home page none to a story.
    """
    seen: set[str | None] = {None}
    for item in items:
        links = ((link.get("href"), " ".join(link.text_content().split())) for link in item.iter("a"))
        address, text = next((link for link in links if link[1]), (None, ""))
        if address in seen or len(text.encode()) < MIN_TITLE_BYTES or _HOME.fullmatch(address or ""):
            return False
        parts, chars = list[str](), len(text) + _MAX_NUMBERING
        for part in item.itertext():
            parts.append(part)
            chars -= len(part.strip())
            if chars <= 0:  # an element may hold half the page
                break
        shown = " ".join("".join(parts).split())
        if not (shown.startswith(text) or shown.lstrip("0123456789. ").startswith(text)):
            return False
        seen.add(address)
    return True


_MAX_NUMBERING: Final = 20
"""Characters that number an item of a list, before its text."""


_HOME: Final = re.compile(r"(?:https?:)?//[^/]*/?|/?")


_PARTS: Final = frozenset("imageobject videoobject audioobject mediaobject comment usercomments answer review".split())
"""Types of items that have authors and dates of their own."""
_SCOPES: Final = etree.XPath("ancestor::*[@itemscope][position() < 3]")


def _is_of_part(element: HtmlElement) -> bool:
    """Tell whether a microdata property belongs to a part of what the page is about, such as a picture or a comment."""
    if not element.get("itemprop"):
        return False
    scopes = _SCOPES(element)
    is_part = len(scopes) > 1 or (scopes and scopes[-1].get("itemprop"))
    return bool(is_part) and item_type(scopes[-1].get("itemtype") or "") in _PARTS


def item_type(value: str) -> str:
    """Return a type of microdata in lower case, without name space."""
    return value.strip().rstrip("/").rsplit("/", 1)[-1].lower()
