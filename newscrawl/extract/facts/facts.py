"""The plain facts, each chosen from what the page states: a table of them, and what chooses them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lxml import etree

from newscrawl.extract.facts.rights import choose_access, choose_holder, choose_license
from newscrawl.items import Image, Update
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.clock import clock_beside, moment_of
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.extract.facts.cues import FactPage
    from newscrawl.extract.facts.moments import Dated
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


def choose_updates(page: FactPage, published: Dated | None) -> tuple[tuple[Update, ...], str] | None:
    """Return the entries of a live blog, as ``LiveBlogPosting`` states them, else as the text shows them."""
    for node in page.evidence.articles:
        listed: Any = node.get("liveBlogUpdate")
        entries = [listed] if isinstance(listed, dict) else listed if isinstance(listed, list) else []
        updates = [update for entry in entries[:MAX_UPDATES] if isinstance(entry, dict) and (update := _update(entry))]
        if updates:
            return tuple(updates), "json-ld"
    shown = _shown_updates(page, published)
    return (tuple(shown), "visible") if shown else None


MIN_UPDATES: Final = 4
"""Times of day in lines of one form that make a text a live blog."""
MIN_UPDATE_CHARS: Final = 40
"""Characters of an entry's text: programmes of a day have less."""
_DATE_CHARS: Final = 30
"""Characters behind a time in which a day of its own stands, as beside posts that are quoted."""
_IN_ORDER: Final = 0.75
"""Share of times that follow each other, and of entries that have a text."""
_TIME_LINE: Final = WordPattern(
    r"\W{0,3}([01]?\d|2[0-3])\s?(?:[:：]|(?<=\d\d)\.|{~dates.hour})\s?([0-5]\d)(?![\d:.])\s?{~dates.minute}?"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?{dates.clock})?(?:\s?[A-Z]{2,4}\b)?[\s|:–—-]*",
    re.IGNORECASE,
)


def _shown_updates(page: FactPage, published: Dated | None) -> list[Update]:
    """Return the entries that the text shows below, or behind, times of day in elements of one form."""
    evidence = page.evidence
    lines, places, nodes = evidence.lines, evidence.places, evidence.document.measures.nodes
    first = max(places.headline + 1, places.body_start - 1)
    forms: dict[tuple[str, str | None], list[tuple[int, re.Match[str]]]] = {}
    for number in range(first, places.body_end):
        text = lines.texts[number]
        found = None if text[:1].isalpha() else _TIME_LINE.match(text)
        is_of_day = found is not None and next(find_dates(found.string[found.end() :][:_DATE_CHARS]), None) is None
        if found is not None and is_of_day and number not in places.others:
            node = nodes[lines.starts[number]]
            forms.setdefault((str(node.tag), node.get("class")), []).append((number, found))
    heads = max(forms.values(), key=len, default=[])
    if len(heads) < MIN_UPDATES or not _in_order([60 * int(time[1]) + int(time[2]) for _, time in heads]):
        return []
    ends = [*(number for number, _ in heads[1:]), places.body_end]
    told = [_shown_update(page, head, end, published) for head, end in zip(heads, ends, strict=True)]
    updates = [update for update in told if update is not None]
    return updates[:MAX_UPDATES] if len(updates) >= max(MIN_UPDATES, _IN_ORDER * len(heads)) else []


def _in_order(minutes: list[int]) -> bool:
    """Tell whether most times are later than the one before, or earlier."""
    steps = list(pairwise(minutes))
    later = sum(one <= other for one, other in steps)
    is_of_day = min(minutes) > 0  # a transcript begins with 00:00
    return is_of_day and max(later, len(steps) - later) >= _IN_ORDER * len(steps) and len(set(minutes)) >= MIN_UPDATES


def _shown_update(page: FactPage, head: tuple[int, re.Match[str]], end: int, published: Dated | None) -> Update | None:
    """Return the entry of a time and of the lines up to the next; None where they are no text."""
    lines, (number, time) = page.evidence.lines, head
    own = time.string[time.end() :].strip()
    told = [own, *(lines.texts[below] for below in range(number + 1, end) if not lines[below].linked)]
    text = " ".join(filter(None, told))[:MAX_UPDATE_CHARS]
    if len(text) < MIN_UPDATE_CHARS:
        return None
    title = next((lines.texts[below] for below in range(number + 1, end) if lines[below].tag), None)
    clock = clock_beside(time.string, 0, 0, page.language, page.dates.zone)
    day = published.moment.date() if published is not None and clock is not None else None
    moment = moment_of(day, clock) if day is not None else None
    return Update(text=text, headline=title, datePublished=moment.isoformat() if moment is not None else None)


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
_NAME: Final = re.compile(
    r"crumb|topic-?path|pankuzu|(?:^|[\s_-])(?:location|position|weizhi|dqwz|mbx|path)(?:$|[\s_-])", re.IGNORECASE
)
"""Class of what holds the way."""
_TOLD: Final = etree.XPath(
    "/descendant::*/@itemtype[contains(., 'Breadcrumb')]/.. | /descendant::*/@aria-label[contains(., 'readcrumb')]/.."
)
"""What says so to machines, or to those who do not see the page."""
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
    for find in (_marked, _lined, _told):
        links = find(evidence)
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
    return _first_way(node for node, name in zip(elements, classes, strict=True) if name and _names_way(name))


@lru_cache(maxsize=8192)
def _names_way(name: str) -> bool:
    return _NAME.search(name) is not None


def _told(evidence: Evidence) -> Sequence[str]:
    """Return those of the first element whose attributes say that it holds the way."""
    document = evidence.document
    return _first_way(_TOLD(document.root) if document.root is not None and document.may_hold(b"readcrumb") else ())


def _first_way(named: Iterable[HtmlElement]) -> Sequence[str]:
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


#: Field → what chooses its value, with where that stands. Facts that need more than the page's statements (headline,
#: authors, dates, source, language, updates) are chosen in :mod:`newscrawl.extract.facts.extract`.
PLAIN_FACTS: Final[Mapping[str, Callable[[Evidence], tuple[Any, str] | None]]] = MappingProxyType(
    {
        "canonicalUrl": choose_canonical,
        "mainImage": choose_image,
        "description": choose_description,
        "section": choose_section,
        "keywords": choose_keywords,
        "license": choose_license,
        "copyrightHolder": choose_holder,
        "isAccessibleForFree": choose_access,
    }
)
