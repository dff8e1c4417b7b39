"""The links of a page, in its markup and its scripts: canonical, once each, with position; its word to robots."""

from __future__ import annotations

import html
import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from newscrawl.classify.blocks.classify import STORY_WEIGHT, places_in
from newscrawl.languages.text import fold_space
from newscrawl.links.model import Link, LinkPosition
from newscrawl.page.measures import TEXT
from newscrawl.page.segment import BlockLabel
from newscrawl.urls.canonical import base_address, canonicalize
from newscrawl.urls.series import next_in_script, same_host
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement

    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints, Measures
    from newscrawl.page.segment import Block

    _Found = tuple[int, HtmlElement, str, LinkPosition, int]

MAX_DISTANCE: Final = 2
"""A block of related links is next to the main text if at most this many blocks after or before one of it; blocks
of related links that follow one another count as one."""


def block_positions(blocks: Sequence[Block]) -> list[LinkPosition]:
    """Return the position of a link in each block: in-body for main text, adjacent for related links near it."""
    places: list[int] = []  # a run of related links has one number
    for number, block in enumerate(blocks):
        is_run = number > 0 and block.label is BlockLabel.RELATED and blocks[number - 1].label is BlockLabel.RELATED
        places.append(0 if not places else places[-1] + (not is_run))
    main = np.array([place for place, block in zip(places, blocks, strict=True) if block.label is BlockLabel.MAIN])
    positions = []
    for place, block in zip(places, blocks, strict=True):
        if block.label is BlockLabel.MAIN:
            positions.append(LinkPosition.IN_BODY)
        elif block.label is BlockLabel.RELATED and len(main) and np.abs(main - place).min() <= MAX_DISTANCE:
            positions.append(LinkPosition.ADJACENT)
        else:
            positions.append(LinkPosition.ELSEWHERE)
    return positions


def link_positions(
    rows: Ints, blocks: Sequence[Block], document: Document, verdict: Verdict
) -> list[tuple[LinkPosition, int]]:
    """Return the position and the block's index (-1: none) of the links at ``rows`` of the measures.

    A main block may hold more than the body (a whole column): there, only links on the body's lines and pictures
    between them are in the body, links to stories are adjacent, what stands below in parts named as boilerplate
    is elsewhere.

    :param blocks: labelled, at least one.
    """
    of_block = block_positions(blocks)
    places = places_in(blocks, rows, document.measures.end[rows]).tolist()
    return [
        (LinkPosition.ELSEWHERE, -1)
        if place < 0
        else (close if of_block[place] is LinkPosition.IN_BODY else of_block[place], blocks[place].index)
        for place, close in zip(places, _closeness(rows, document, verdict), strict=True)
    ]


def _closeness(rows: Ints, document: Document, body: Verdict) -> list[LinkPosition]:
    """Return what each link would be if its block is main text."""
    lines = body.features.lines
    numbers = body.is_body.nonzero()[0]
    if not len(numbers):
        return [LinkPosition.ELSEWHERE] * len(rows)
    line = np.minimum(lines.start.searchsorted(rows), len(lines) - 1)
    starts_before = np.maximum(lines.start.searchsorted(rows, side="right") - 1, 0)
    measures = document.measures
    number = measures.line[rows]
    # A link's text is on the line that is open where the link begins, or on the next one if the link holds blocks.
    own = np.where(measures.line[lines.start[starts_before]] == number, starts_before, line)
    is_picture = measures.chars[rows] == 0
    between = (rows >= lines.start[numbers[0]]) & (rows <= lines.start[numbers[-1]])
    in_body = np.where(is_picture, between, body.is_body[own])
    is_story = body.features.is_links & (body.features.weight >= STORY_WEIGHT)
    aside = (body.is_boilerplate & ~is_story)[own] & (lines.start[own] > lines.start[numbers[-1]])
    return [
        LinkPosition.IN_BODY if inside else LinkPosition.ELSEWHERE if far else LinkPosition.ADJACENT
        for inside, far in zip(in_body.tolist(), aside.tolist(), strict=True)
    ]


MAX_ANCHOR_CHARS: Final = 300
MAX_AGAIN: Final = 3
"""Other places of an address that are kept."""
_LINK: Final = frozenset("a")
_RANK: Final = {LinkPosition.IN_BODY: 0, LinkPosition.ADJACENT: 1, LinkPosition.ELSEWHERE: 2}


def extract_links(document: Document, blocks: Sequence[Block] = (), verdict: Verdict | None = None) -> tuple[Link, ...]:
    """Return every address that an ``a`` or ``area`` of the page links to, in order of first appearance, then those
    of lists that stand in its scripts, unless its own address is an article's.

    An address linked more than once keeps its best position; it is ``nofollow`` only if all its links are.
    Addresses that are not http(s), and links to nothing but a part of the page, are left out.

    :param blocks: labelled by ``verdict``; without both every link is elsewhere.
    """
    if document.root is None:
        return ()
    base = document.once(base_address)
    found: dict[str, Link] = {}
    for row, node, anchor, position, block in _anchors(document, blocks, verdict):
        href = node.get("href")
        if not href or href[0] == "#":
            continue
        url = canonicalize(href, base, encoding=document.encoding)
        if url is None or ("#" in href and "?" in href and _is_own_part(node, href, url, document.url)):
            continue
        nofollow = "nofollow" in (node.get("rel") or "").lower()
        link = Link(url=url, anchor=anchor, position=position, block=block, row=row, nofollow=nofollow)
        found[url] = _better(found[url], link) if url in found else link
    if document.url and url_shape(document.url) is not UrlKind.ARTICLE:
        for href, anchor in scripted_links(document, base):
            url = canonicalize(href, base, encoding=document.encoding)
            if url is not None and href[0] != "#" and url not in found:
                found[url] = Link(url=url, anchor=anchor, position=LinkPosition.ELSEWHERE)
    return tuple(found.values())


def _is_own_part(node: HtmlElement, href: str, url: str, page: str | None) -> bool:
    """Tell whether a link leads to the post it stands in, by its own number: ``/topic/7/?post=266#266``."""
    fragment = href.rpartition("#")[2]
    number = fragment.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")
    if not number.isdecimal() or page is None:
        return False
    path, _, query = url.partition("?")
    if path != page.partition("?")[0]:
        return False
    values = {pair.partition("=")[2] for pair in query.split("&")}
    return number in values and any(element.get("id") == fragment for element in node.iterancestors())


def _anchors(document: Document, blocks: Sequence[Block], verdict: Verdict | None) -> Iterator[_Found]:
    measures = document.measures
    rows = measures.rows_of(_LINK)
    if blocks and verdict is not None and len(rows):
        places = link_positions(rows, blocks, document, verdict)
    else:
        places = [(LinkPosition.ELSEWHERE, -1)] * len(rows)
    nodes = measures.nodes
    for row, end, (position, block) in zip(rows.tolist(), measures.end[rows].tolist(), places, strict=True):
        node = nodes[row]
        yield row, node, _anchor_text(measures, row, end) or _stand_in(node), position, block
    # What runs across a page, and what a browser without scripts shows, is no text, but its links lead on.
    for node in chain(document.by_tag["area"], _inside(document, "marquee"), _inside(document, "noscript")):
        anchor = fold_space(node.text_content())[:MAX_ANCHOR_CHARS] or _stand_in(node)
        yield -1, node, anchor, LinkPosition.ELSEWHERE, -1


def _inside(document: Document, tag: str) -> Iterator[HtmlElement]:
    """Yield the links inside elements of a tag, however deep these stand in one another, once."""
    walked = set()
    for holder in document.by_tag[tag]:
        if holder not in walked:
            for node in holder.iter("a", tag):
                if node.tag == tag:
                    walked.add(node)
                else:
                    yield node


def _anchor_text(measures: Measures, row: int, end: int) -> str:
    if end == row + 1:
        return ""
    if end == row + 2 and measures.tags[row + 1] is TEXT:
        return fold_space(measures.texts[row + 1])[:MAX_ANCHOR_CHARS]
    return fold_space(" ".join(measures.texts[row:end]))[:MAX_ANCHOR_CHARS]


def _stand_in(node: HtmlElement) -> str:
    """Return what names a link without text: its title, label, or the alternative text of its image."""
    image = next(node.iter("img"), None)
    words = node.get("title") or node.get("aria-label") or node.get("alt") or ""
    return fold_space(words or ("" if image is None else image.get("alt") or ""))[:MAX_ANCHOR_CHARS]


def _better(first: Link, second: Link) -> Link:
    """Join two links to one address."""
    best, other = (second, first) if _RANK[second.position] < _RANK[first.position] else (first, second)
    again = first.again if len(first.again) >= MAX_AGAIN else (*first.again, (other.row, other.anchor))
    anchor, nofollow = best.anchor or first.anchor or second.anchor, first.nofollow and second.nofollow
    return best._replace(anchor=anchor, nofollow=nofollow, again=again)


#: The name this crawler answers to in ``<meta name=…>`` and ``X-Robots-Tag: name: …``.
ROBOT_NAMES = frozenset({"robots", "newscrawl"})
_KNOWN = frozenset({"noindex", "nofollow", "none", "all", "index", "follow", "noarchive", "nosnippet"})
_AGENT = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(?!\s*\d)(.*)", re.DOTALL)


def robots_directives(metas: Iterable[HtmlElement], headers: str | Iterable[str] | None = None) -> frozenset[str]:
    """Return the directives for us in lower case, ``none`` spelt out as ``noindex`` and ``nofollow``.

    :param metas: the page's ``meta`` elements.
    :param headers: values of ``X-Robots-Tag``; those for other robots are skipped.
    """
    values = [headers] if isinstance(headers, str) else list(headers or ())
    found: set[str] = set()
    for value in values:
        agent = _AGENT.match(value)
        if agent is None or agent[1].lower() in _KNOWN | {"unavailable_after"}:
            found |= _words(value)
        elif agent[1].lower() in ROBOT_NAMES:
            found |= _words(agent[2])
    for meta in metas:
        name = meta.get("name")
        if name and name.strip().lower() in ROBOT_NAMES:
            found |= _words(meta.get("content") or "")
    if "none" in found:
        found |= {"noindex", "nofollow"}
    return frozenset(found)


def _words(value: str) -> set[str]:
    return {word for word in re.split(r"[\s,;]+", value.lower()) if word in _KNOWN}


MAX_SCRIPT_CHARS: Final = 4_000_000
MAX_LINKS: Final = 1_000
"""Links of one page that are read from scripts."""
_MARKUP: Final = re.compile(
    r"""<a\s(?:[^<>]{0,300}?\s)?href\s*=\s*(["'])(?P<href>[^"'<>{}$+\s]{1,1000})\1(?!\s*\+)[^<>]{0,300}(?:>(?P<text>[^<]{0,200}))?""",
    re.IGNORECASE,
)
"""A link whose address is written out: no part of it is put together by the script."""
_TITLE: Final = re.compile(r"""\stitle\s*=\s*(["'])(?P<title>[^"'<>]{1,200})\1""", re.IGNORECASE)
_DATA: Final = re.compile(
    r'"(?:url|link|href|permalink|canonical_?url|web_?url|share_?url|article_?url|detail_?url|news_?url|path|uri|loc)"'
    r'\s*:\s*"(?P<href>(?:https?:)?/[^"\\<>{}$+\s]{1,1000})"',
    re.IGNORECASE,
)
_ADDRESSES: Final = (
    "data-url", "data-href", "data-next-url", "data-next", "data-load-url", "data-ajax-url", "data-link", "hx-get"
)  # fmt: skip
"""Attributes with the address that a click on an element leads to."""
_LEADING: Final = tuple(map(str.encode, (*_ADDRESSES, "onclick", "javascript:", "<iframe", "<frame")))
_MORE: Final = ("more", "load", "next")
"""Parts of the names that markup gives to a button which loads more of a list."""
_BEGINNINGS: Final = ("/", "./", "../", "?", "http://", "https://")
_CLICKED: Final = re.compile(
    r"""(?:\blocation\b[\w.]*\s*[=(]|\b(?:open|go|nav|to|link|jump|show|view)\w*\s*\()\s*(["'])(?P<href>[^"'<>{}$+\s]{2,1000})\1""",
    re.IGNORECASE,
)
"""A script of a click that opens an address."""
_UNICODE: Final = re.compile(r"\\u00(2[26f7]|3[ce])", re.IGNORECASE)


def scripted_links(document: Document, base: str | None) -> Iterator[tuple[str, str]]:
    """Return address as written and text of the links in a page's scripts, clicks and frames, up to ``MAX_LINKS``.

    Links written as markup, whatever they lead to; addresses that stand in data as an article's, where they have an
    article's form. So are those of sections of character data, which browsers do not show in HTML.
    """
    root = document.root
    if root is None:
        return iter(())
    links = chain.from_iterable(_links(text, base) for text in _texts(root))
    clicked = chain(_clicked(root, base), _framed(root, base)) if document.may_hold(*_LEADING) else ()
    return islice(chain(clicked, links), MAX_LINKS)


def _clicked(root: HtmlElement, base: str | None) -> Iterator[tuple[str, str]]:
    """Yield address and text of what a click leads to: by a script, or by an attribute of a button or of a story."""
    for element in root.iter(etree.Element):
        href = element.get("href") or ""
        script = element.get("onclick") or (href if href[:11].lower() == "javascript:" else "")
        match = _CLICKED.search(script) if script else None
        address = match["href"] if match else next(filter(None, map(element.get, _ADDRESSES)), "")
        if address.startswith(_BEGINNINGS) and (match or _is_way(element, address, base)):
            yield address, fold_space(element.text_content())[:MAX_ANCHOR_CHARS]


def _is_way(element: HtmlElement, address: str, base: str | None) -> bool:
    """Tell whether an address in an attribute loads more of a list or is an article's."""
    if element.tag == "button":
        names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('rel') or ''}".lower()
        return any(word in names for word in _MORE)
    url = canonicalize(address, base)
    return url is not None and url_shape(url) is UrlKind.ARTICLE


def _framed(root: HtmlElement, base: str | None) -> Iterator[tuple[str, str]]:
    """Yield the pages of the same host that a page shows in frames."""
    for frame in root.iter("iframe", "frame"):
        url = canonicalize(frame.get("src") or "", base)
        if url is not None and base is not None and same_host(url, base):
            yield url, fold_space(frame.get("title") or "")[:MAX_ANCHOR_CHARS]


def _texts(root: HtmlElement) -> Iterator[str]:
    for script in root.iter("script"):
        text = script.text or ""
        if len(text) <= MAX_SCRIPT_CHARS and not script.get("src"):
            yield text
    for comment in root.iter(etree.Comment):
        text = comment.text or ""
        if text.startswith("[CDATA["):
            yield text


def _links(text: str, base: str | None) -> Iterator[tuple[str, str]]:
    following = next_in_script(text)
    if following is not None:
        yield following, ""
    if "\\" in text:
        text = _UNICODE.sub(lambda match: chr(int(match[1], 16)), text)
        text = text.replace("\\/", "/").replace('\\"', '"').replace("\\'", "'")
    if "<a" in text or "<A" in text:
        for match in _MARKUP.finditer(text):
            title = _TITLE.search(f" {match[0]}")
            label = fold_space(match["text"] or "") or (title["title"] if title else "")
            yield html.unescape(match["href"]), html.unescape(label)
    for match in _DATA.finditer(text) if '"' in text else ():
        address = canonicalize(match["href"], base)
        if address is not None and url_shape(address) is UrlKind.ARTICLE:
            yield match["href"], ""
