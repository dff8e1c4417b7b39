"""Feeds: what a site says is new. RSS and Atom are parsed by feedparser, which is given bytes, never an address."""

from __future__ import annotations

import json
import re
import sys
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any

from newscrawl.links.model import ListedEntry
from newscrawl.links.sitemap import parse_date
from newscrawl.page.charset import decode
from newscrawl.urls.canonical import base_of, canonicalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.html import HtmlElement

#: Bytes of one feed worth reading.
MAX_BYTES = 8 * 2**20
MAX_ENTRIES = 2_000
_MAX_TITLE = 1_000
_MAX_LABEL, _MAX_LABELS = 60, 30
_MAX_TEXT, _MAX_MARKUP = 4_000, 40_000
_TEXTS = ("content_text", "content_html", "summary")
_MARKUP = re.compile(r"<[^<>]*>")
MAX_TAGS = 20_000
"""Start tags outside of CDATA, ``<>`` too: ten an entry. The parser needs up to 80 µs for each."""
_TAG = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<(?=[A-Za-z>])", re.DOTALL)
_ENTRY_END = re.compile(rb"</(?:\w+:)?(?:item|entry)\s*>")
_BLANK = re.compile(rb"\s{100,}+")
"""White space that the parser's own patterns would need quadratic time for."""
_CROWDED = re.compile(
    rb"(<[A-Za-z][^\s<>/=]*+)(?:\s++[^\s=<>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"']*+))?+){100,}+"
)
"""A start tag of more attributes than any has, for which the parser needs quadratic time."""
_REFERENCE = re.compile(rb"&#(0*+[1-9][0-9]{3,}+|[xX]0*+[1-9a-fA-F][0-9a-fA-F]{2,}+);?")
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"})


def parse_feed(body: bytes, url: str, headers: Mapping[str, str] | None = None) -> Iterator[ListedEntry]:
    """Yield the entries that link somewhere, in the feed's order; what is no feed yields nothing."""
    content_type = next((v for k, v in (headers or {}).items() if k.lower() == "content-type"), None)
    text, _ = decode(body[:MAX_BYTES], content_type)
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        yield from islice(_json_entries(text.lstrip("\ufeff"), url), MAX_ENTRIES)
        return
    import feedparser  # noqa: PLC0415  (slow to load, and a reader of pages never needs it)

    kind = (content_type or "application/xml").partition(";")[0]
    try:
        parsed = feedparser.parse(
            _bound(text.encode("utf-8", "replace")),  # told the charset, the parser asks no detector of its own
            response_headers={"content-location": url, "content-type": f"{kind}; charset=utf-8"},
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        return  # the parser stumbled: on markup that is no feed, as a rule
    for entry in parsed.entries[:MAX_ENTRIES]:
        link = canonicalize(_link(entry), url)
        if link is not None:
            yield ListedEntry(
                url=link,
                title=(entry.get("title") or "").strip()[:_MAX_TITLE] or None,
                labels=_labels([tag.get("label") or tag.get("term") for tag in entry.get("tags") or ()]),
                text=_text([entry.get("summary"), *(part.get("value") for part in entry.get("content") or ())]),
                published=parse_date(entry.get("published")),
                changed=parse_date(dict.get(entry, "updated")),
            )


def _labels(tags: Any) -> tuple[str, ...]:
    """Return tags and categories as they are written, each once."""
    found = [tag.strip() for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return tuple(dict.fromkeys(tag for tag in found if 0 < len(tag) <= _MAX_LABEL))[:_MAX_LABELS]


def _text(texts: Iterable[str | None]) -> str:
    """Return the longest of an entry's texts without its tags."""
    longest = max((text or "" for text in texts), key=len)[:_MAX_MARKUP]
    return unescape(_MARKUP.sub(" ", longest)).strip()[:_MAX_TEXT]


def _json_entries(text: str, url: str) -> Iterator[ListedEntry]:
    """Yield the entries of a JSON Feed, version 1 or 1.1; what is none yields nothing."""
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            said = {key: value for key, value in item.items() if isinstance(value, str)}
            identity = said.get("id", "")
            named = (
                said.get("url")
                or said.get("external_url")
                or (identity if "://" in identity or identity.startswith("/") else "")
            )
            link = canonicalize(named or "about:blank", url)
            if link is not None:
                yield ListedEntry(
                    url=link,
                    title=said.get("title", "").strip()[:_MAX_TITLE] or None,
                    labels=_labels(item.get("tags")),
                    text=_text([said.get(name, "") for name in _TEXTS]),
                    published=parse_date(said.get("date_published")),
                    changed=parse_date(said.get("date_modified")),
                )


def _bound(body: bytes) -> bytes:
    """Return what is worth parsing: ``MAX_ENTRIES`` entries, ``MAX_TAGS`` tags. The parser needs time for each."""
    body = _CROWDED.sub(rb"\1", _REFERENCE.sub(_possible, _BLANK.sub(b"\n", body).lstrip()))
    last = next(islice(_ENTRY_END.finditer(body), MAX_ENTRIES - 1, None), None)
    body = body[: last.end()] if last else body
    tags = (tag.start() for tag in _TAG.finditer(body) if tag.end() - tag.start() == 1)
    return body[: next(islice(tags, MAX_TAGS, None), None)]


def _possible(match: re.Match[bytes]) -> bytes:
    """Return a reference to a character; one that names none, which the parser raises at, becomes U+FFFD."""
    digits = match[1].lstrip(b"xX0")[:8]
    number = int(digits, 16 if match[1][:1] in b"xX" else 10)
    return match[0] if number < 0xD800 or 0xDFFF < number <= sys.maxunicode else b"&#65533;"


def _link(entry: Any) -> str:
    """The entry's page; an enclosure or a bare ``guid`` only where nothing else links."""
    link = entry.get("link") or ""
    if not link and str(entry.get("id", "")).startswith(("http://", "https://")):
        link = entry["id"]
    return str(link) or "about:blank"


def feed_links(root: HtmlElement, url: str, *, own: bool = True) -> tuple[str, ...]:
    """Addresses of the feeds a page offers by ``<link rel="alternate">``; those of comments left out.

    :param own: False leaves out feeds below the page's own address: an article's holds its comments, in any language.
    """
    below = "" if own else url.partition("?")[0].rstrip("/") + "/"
    base = base_of(root, url)
    found: dict[str, None] = {}
    for link in root.iter("link"):
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        if kind in _FEED_TYPES and "alternate" in (link.get("rel") or "").lower().split():
            feed = canonicalize(link.get("href") or "about:blank", base)
            if feed is None or "comment" in (feed + (link.get("title") or "")).lower():
                continue
            if not (below and feed.startswith(below)):
                found[feed] = None
    return tuple(found)


def looks_like(body: bytes) -> str | None:
    """``"sitemap"`` or ``"feed"`` by the first element of an XML answer, or a JSON Feed's version; else None."""
    head = body[:2048].lower()
    if b"<urlset" in head or b"<sitemapindex" in head:
        return "sitemap"
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "feed" if b"jsonfeed.org/version" in head.replace(b"\\/", b"/") else None
    return "feed" if b"<rss" in head or b"<rdf:rdf" in head or b"<feed" in head else None
