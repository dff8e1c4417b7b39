"""Articles as a feed with their full text: Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from lxml.builder import ElementMaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from newscrawl.store.export import Revision

ATOM_TYPE: Final = "application/atom+xml; charset=utf-8"
JSON_TYPE: Final = "application/feed+json; charset=utf-8"
_ATOM: Final = "http://www.w3.org/2005/Atom"
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Return the text without the characters that XML 1.0 has no form for."""
    return _NO_XML.sub("", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHead:
    """What a feed says of itself."""

    title: str
    key: str
    """Tells this feed from others, now and later: its identifier is made of it."""
    address: str | None = None
    """Address of the feed itself."""
    home: str | None = None
    """The page that shows the same articles."""
    updated: datetime = _EPOCH
    """Time of the feed if no article says when it changed."""

    @property
    def identifier(self) -> str:
        return uuid.uuid5(uuid.NAMESPACE_URL, f"newscrawl:{self.key}").urn


def atom(articles: Iterable[Mapping[str, Any]], head: FeedHead) -> bytes:
    """Return the feed of the articles, in their order.

    :param articles: plain values by field name, as :func:`newscrawl.serve.search.search.full_articles` gives them.
    """
    make = ElementMaker(namespace=_ATOM, nsmap={None: _ATOM})
    rows = list(articles)
    feed = make.feed(
        make.title(xml_text(head.title)),
        make.id(head.identifier),
        make.updated(max((_moment(_updated(row)) for row in rows), default=head.updated).isoformat()),
        make.author(make.name(xml_text(head.title))),
        make.generator("newscrawl"),
    )
    for relation, address in (("self", head.address), ("alternate", head.home)):
        if address:
            feed.append(make.link(rel=relation, href=xml_text(address)))
    feed.extend(_entry(make, row) for row in rows)
    return etree.tostring(feed, xml_declaration=True, encoding="utf-8")


def _entry(make: ElementMaker, row: Mapping[str, Any]) -> etree._Element:
    entry = make.entry(
        make.title(xml_text(row["headline"] or row["url"])),
        make.id(xml_text(row.get("id") or row["url"])),
        make.link(rel="alternate", href=xml_text(row["url"])),
        make.updated(_moment(_updated(row)).isoformat()),
    )
    if row["datePublished"]:
        entry.append(make.published(_moment(row["datePublished"]).isoformat()))
    entry.extend(make.author(make.name(xml_text(author["name"]))) for author in row["authors"])
    entry.extend(make.category(term=xml_text(word)) for word in row["keywords"])
    if row["description"]:
        entry.append(make.summary(xml_text(row["description"])))
    content = make.content(xml_text(body_html(row)), type="html")
    if row["inLanguage"]:
        content.set(f"{_XML}lang", xml_text(row["inLanguage"]))
    entry.append(content)
    return entry


def json_feed(articles: Iterable[Mapping[str, Any]], head: FeedHead) -> bytes:
    """Return articles as a JSON Feed; arguments are those of :func:`atom`."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": head.title,
        "home_page_url": head.home,
        "feed_url": head.address,
        "items": [_present(_item(row)) for row in articles],
    }
    return json.dumps(_present(feed), ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": row["url"],
        "url": row["url"],
        "title": row["headline"],
        "content_html": body_html(row),
        "content_text": row["articleBody"],
        "summary": row["description"],
        "image": row["mainImage"] and row["mainImage"]["url"],
        "date_published": row["datePublished"] and _moment(row["datePublished"]).isoformat(),
        "date_modified": row["dateModified"] and _moment(row["dateModified"]).isoformat(),
        "authors": [{"name": author["name"]} for author in row["authors"]] or None,
        "tags": row["keywords"] or None,
        "language": row["inLanguage"],
    }


def body_html(row: Mapping[str, Any]) -> str:
    """Return the text as clean HTML: as it was kept, else its paragraphs."""
    if row["articleBodyHtml"]:
        return str(row["articleBodyHtml"])
    return "\n".join(f"<p>{html.escape(line)}</p>" for line in row["articleBody"].split("\n") if line.strip())


def edit_entry(edit: Revision) -> dict[str, Any]:
    """Return what a site changed of an article as an entry of a feed.

    Its time is when the text before was seen last, which no later visit changes.
    """
    headline = edit["nextHeadline"] or edit["url"]
    lines = [f"{sign} {text}" for sign, text in (("-", edit["headline"]), ("+", edit["nextHeadline"])) if text]
    lines = [*(lines if edit["headline"] != edit["nextHeadline"] else []), *edit["diff"]]
    names = {"-": "del", "+": "ins"}
    marked = [(names[line[0]], html.escape(line[2:])) for line in lines if line[:1] in names]
    return {
        "id": uuid.uuid5(uuid.NAMESPACE_URL, f"{edit['url']} {edit['nextRevision']}").urn,
        "url": edit["url"],
        "headline": f"{headline} ({', '.join(edit['changed'])})",
        "dateModified": edit["fetchedAt"],
        "datePublished": None,
        "authors": [],
        "keywords": edit["changed"],
        "description": None,
        "inLanguage": None,
        "articleBody": "",
        "articleBodyHtml": "".join(f"<p><{name}>{text}</{name}></p>" for name, text in marked) or "<p></p>",
    }


def _updated(row: Mapping[str, Any]) -> str | datetime:
    moment: str | datetime = row["dateModified"] or row["datePublished"] or row["firstFetchedAt"]
    return moment


def _moment(value: str | datetime) -> datetime:
    """Return the moment with its offset; one that states none is UTC."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
