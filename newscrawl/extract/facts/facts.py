"""The plain facts: canonical address, main image, description, keywords, and the section that the way here shows."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.items import Image, Update
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.statements import Evidence


MAX_KEYWORDS: Final = 40
MAX_KEYWORD_CHARS: Final = 60
MAX_DESCRIPTION_CHARS: Final = 1_000
_KEYWORD_SPLIT: Final = re.compile(r"[,，;；、|]")
_WHITE: Final = re.compile(r"\s+")


def choose_canonical(evidence: Evidence) -> tuple[str, str] | None:
    """Return the page's own canonical address, as ``rel=canonical``, OpenGraph or JSON-LD states it.

    A canonical that is the site's home page on an inner page is a template's mistake, and is left out.
    """
    stated = [(href, "link") for href in evidence.links.get("canonical", ())]
    stated += [(href, "opengraph") for href in evidence.metas.get("og:url", ())]
    for node in evidence.articles:
        entity: Any = node.get("mainEntityOfPage") or node.get("url")
        href = entity.get("@id") if isinstance(entity, dict) else entity
        if isinstance(href, str):
            stated.append((href, "json-ld"))
    inner = bool(urlsplit(evidence.url or "").path.strip("/")) if evidence.url else False
    for href, origin in stated:
        address = _referred(href, evidence)
        if address and not (inner and not urlsplit(address).path.strip("/") and not urlsplit(address).query):
            return address, origin
    return None


def choose_image(evidence: Evidence) -> tuple[Image, str] | None:
    """Return the main image as OpenGraph, Twitter or JSON-LD state it."""
    stated = evidence.meta("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
    if stated:
        address = _referred(stated[0], evidence)
        if address:
            return Image(url=address), "opengraph" if stated[1].startswith("og:") else "meta"
    for node in evidence.articles:
        value = node.get("image")
        stated_urls = map(_image_url, value if isinstance(value, list) else [value])
        address = _referred(next(filter(None, stated_urls), None), evidence)
        if address:
            return Image(url=address), "json-ld"
    return None


def _referred(href: str | None, evidence: Evidence) -> str | None:
    """Return the address that a reference means; an empty one, or a mark in the page alone, means none."""
    bare = (href or "").strip()
    return absolute(bare, evidence.base) if bare and not bare.startswith("#") else None


def _image_url(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl")
    return text_of(value)


def choose_description(evidence: Evidence) -> tuple[str, str] | None:
    """Return the summary the page states for itself."""
    stated = evidence.meta("og:description", "description", "twitter:description", "dc.description", "dcterms.abstract")
    if stated:
        return stated[0][:MAX_DESCRIPTION_CHARS], "opengraph" if stated[1].startswith("og:") else "meta"
    text = evidence.said("description")
    return (text[:MAX_DESCRIPTION_CHARS], "json-ld") if text else None


def choose_section(evidence: Evidence) -> tuple[str, str] | None:
    """Return the section (channel) of the article."""
    for node in evidence.articles:
        text = text_of(node.get("articleSection"))
        if text and len(text) <= MAX_KEYWORD_CHARS:
            return text, "json-ld"
    stated = evidence.meta(
        "article:section", "og:article:section", "section", "category", "parsely-section", "cxenseparse:category"
    )
    if stated and len(stated[0]) <= MAX_KEYWORD_CHARS:
        return stated[0], "meta"
    category = next((text for rel, text in evidence.tags if "category" in rel), "")
    found = _breadcrumb(evidence) or ((category, "rel-tag") if category else None)
    return found or shown_section(evidence)


def _breadcrumb(evidence: Evidence) -> tuple[str, str] | None:
    """Return the last breadcrumb that is neither the home page nor the article itself."""
    for node in evidence.nodes:
        items = node.get("itemListElement")
        if str(node.get("@type", "")).lower() != "breadcrumblist" or not isinstance(items, list):
            continue
        names = [text_of(item.get("name")) or text_of(item.get("item")) for item in items if isinstance(item, dict)]
        for name in reversed(names[1:]):
            if name and len(name) <= MAX_CRUMB_CHARS and fold(name) not in fold(evidence.title):
                return name, "json-ld"
    return None


MAX_UPDATES: Final = 1_000
"""Entries of a live blog that are kept."""
MAX_UPDATE_CHARS: Final = 50_000
_TAGS: Final = re.compile(r"<[^<>]{1,1000}>")


def choose_updates(evidence: Evidence) -> tuple[tuple[Update, ...], str] | None:
    """Return the entries of a live blog, as ``LiveBlogPosting`` states them."""
    for node in evidence.articles:
        listed: Any = node.get("liveBlogUpdate")
        entries = [listed] if isinstance(listed, dict) else listed if isinstance(listed, list) else []
        updates = [update for entry in entries[:MAX_UPDATES] if isinstance(entry, dict) and (update := _update(entry))]
        if updates:
            return tuple(updates), "json-ld"
    return None


def _update(entry: dict[str, Any]) -> Update | None:
    text = text_of(entry.get("articleBody")) or text_of(entry.get("description"))
    headline = text_of(entry.get("headline")) or text_of(entry.get("name"))
    if not text and not headline:
        return None
    shown = " ".join(_TAGS.sub(" ", (text or "")[:MAX_UPDATE_CHARS]).split())
    return Update(
        text=shown or headline or "",
        headline=headline,
        datePublished=text_of(entry.get("datePublished")) or text_of(entry.get("dateModified")),
        url=text_of(entry.get("url")),
    )


def choose_keywords(evidence: Evidence) -> tuple[tuple[str, ...], str] | None:
    """Return the article's keywords, in the order of the page, without repetitions."""
    for raw, origin in _stated_keywords(evidence):
        if not raw:
            continue
        words = [word for text in raw for word in _split(text) if len(word) <= MAX_KEYWORD_CHARS and fold(word)]
        distinct: dict[str, str] = {}
        for word in words:
            distinct.setdefault(fold(word), word)
        return (tuple(distinct.values())[:MAX_KEYWORDS], origin) if distinct else None
    return None


def _stated_keywords(evidence: Evidence) -> Iterator[tuple[list[str], str]]:
    """Yield lists of keywords in order of trust, each with its origin."""
    for name in ("news_keywords", "article:tag", "og:article:tag", "keywords", "parsely-tags", "tags"):
        yield list(filter(None, evidence.metas.get(name, ()))), "meta"
    for node in evidence.articles:
        value = node.get("keywords")
        yield [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)], "json-ld"
    yield [text for rel, text in evidence.tags if "category" not in rel], "rel-tag"


def _split(text: str) -> list[str]:
    parts = _KEYWORD_SPLIT.split(text)
    if len(parts) == 1 and HAN_LETTER.search(text):
        parts = _WHITE.split(text)  # Chinese keywords are often separated by spaces
    return [part.strip() for part in parts if part.strip()]


MAX_CRUMB_CHARS: Final = 30
_MAX_LINE: Final = 200
_MAX_LINKS: Final = 12
"""More links are a menu."""
_NAME: Final = re.compile(r"crumb|(?:^|[\s_-])(?:location|position|weizhi|dqwz|mbx|path)(?:$|[\s_-])", re.IGNORECASE)
"""Class of what holds the way."""
_BELOW: Final = 2
"""Lines below the headline that the way may stand on."""
_SEPARATOR: Final = re.compile(r"(?:(?<!\s)\s++)?(?:>++|»|›|→|▸|▶|::|／|＞)\s*+|(?<!\s)\s++[/|·-]\s++")
_SIGN: Final = re.compile(r"[>»›→▸▶＞／/]|::")
_ROOT: Final = re.compile(r"(?:https?:)?//[^/]*/?|/?(?:index\.\w{2,5})?")
"""The address of a home page."""
_LABEL: Final = re.compile(r"^[^:：]{0,20}[:：]\s*")


def shown_section(evidence: Evidence) -> tuple[str, str] | None:
    """Return the last link of the way that is neither the home page nor the article; None where none is shown."""
    title = fold(evidence.title)
    for links in (_marked(evidence), _lined(evidence)):
        ways = [text for text in links if 1 < len(text) <= MAX_CRUMB_CHARS and fold(text) not in _home()]
        name = next((text for text in reversed(ways) if fold(text) not in title), None)
        if name is not None:
            return name, "visible"
    return None


@cache
def _home() -> frozenset[str]:
    return frozenset(map(fold, words("pages.home")))


def _marked(evidence: Evidence) -> Sequence[str]:
    """Return the texts of the links in the first element that is named for the way."""
    _, elements, classes = evidence.document.measures.shown
    named = (node for node, name in zip(elements, classes, strict=True) if name and _NAME.search(name))
    ways = (_texts(link for link in node.iter("a") if not _ROOT.fullmatch(link.get("href") or "")) for node in named)
    return next((links for links in ways if 1 <= len(links) <= _MAX_LINKS), [])


def _lined(evidence: Evidence) -> Sequence[str]:
    """Return those of the first line around the headline whose parts are set apart by signs of a way."""
    lines, measures = evidence.lines, evidence.document.measures
    for number in range(min(len(lines), evidence.places.headline + _BELOW + 1)):
        text = lines.texts[number]
        if len(text) > _MAX_LINE or _SIGN.search(text) is None:
            continue
        parts = [part for part in _SEPARATOR.split(_LABEL.sub("", text)) if part]
        if len(parts) < 2:
            continue
        element = measures.nodes[lines.starts[number]]
        around = element if element.tag != "a" else element.getparent()
        linked = _texts(around.iter("a")) if around is not None else []
        ways = [part for part in parts if part in linked]
        if len(ways) >= 2 or (ways and fold(ways[0]) not in _home() and fold(parts[0]) in _home()):
            return ways
    return []


def _texts(links: Iterable[HtmlElement]) -> list[str]:
    return [text for link in links if (text := " ".join(link.text_content().split()))]
