"""The plain facts, each chosen from what the page states: a table of them, and what chooses them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lxml import etree

from newscrawl.extract.facts.rights import choose_access, choose_holder, choose_license
from newscrawl.items import Image
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    """Return the main image as the page states it: the first that is not the site's own sign."""
    publishers = [publisher for node in evidence.articles if isinstance(publisher := node.get("publisher"), dict)]
    logos = {_image_url(node.get("logo")) for node in (*evidence.nodes, *publishers)}
    for url, origin in _stated_images(evidence):
        address = None if url in logos else _referred(url, evidence)
        if address and not _is_sign(address):
            return Image(url=address), origin
    return None


def _stated_images(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for name in ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"):
        origin = "opengraph" if name.startswith("og:") else "meta"
        yield from ((content, origin) for content in evidence.metas.get(name, ()) if content)
    yield from ((href, "link") for href in evidence.links.get("image_src", ()) if href)
    for node in evidence.articles:
        value = node.get("image")
        for url in map(_image_url, value if isinstance(value, list) else [value]):
            if url:
                yield url, "json-ld"


_SIGN_WORDS: Final = re.compile(
    r"logo|place[-_]?holder|default|blank|fav-?icon|no[-_]?(?:image|img|pic|photo)", re.IGNORECASE
)
"""Words of the name of a file that stands for a site, or for a picture that is not there."""
_PLAIN_WORDS: Final = frozenset(
    "open graph facebook twitter social share sharing image images img photo picture thumb thumbnail site website web "
    "main header post article news large small square wide white black dark light icon touch card cover".split()
)
"""Other words of such names."""


def _is_sign(address: str) -> bool:
    """Tell whether a picture's name says that it is the site's sign, or stands for one that is not there.

    >>> [_is_sign(f"https://demo.example.org/{name}") for name in ("logo-demo-1.png", "og-default.jpg", "sun_logo.png")]
    [True, True, False]
    """
    parts = urlsplit(address)
    stem = parts.path.rpartition("/")[2].rpartition(".")[0] or parts.path.rpartition("/")[2]
    if not _SIGN_WORDS.search(stem):
        return False
    others = re.findall(r"[^\W\d_]+", _SIGN_WORDS.sub(" ", stem).lower())
    return all(len(word) < 3 or word in _PLAIN_WORDS or word in parts.netloc for word in others)


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
    """Return the section (channel) of the article; what systems call it where nobody chose one is none."""
    found = next((found for found in _sections(evidence) if fold(found[0]) not in _no_section()), None)
    if found is None or "," not in found[0]:
        return found
    first, *others = (part.strip() for part in found[0].split(","))
    keywords = choose_keywords(evidence)
    tags = set(map(fold, keywords[0])) if keywords else set()
    return (first, found[1]) if all(fold(part) in tags for part in others) else found  # its tags stand behind it


def _sections(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield what may be the section, in order of trust."""
    stated = [(text, "json-ld") for node in evidence.articles if (text := text_of(node.get("articleSection")))]
    stated += evidence.contents(
        ("article:section", "og:article:section", "section", "category", "parsely-section", "cxenseparse:category")
    )
    yield from ((text, origin) for text, origin in stated if len(text) <= MAX_KEYWORD_CHARS)
    shown = _breadcrumb(evidence)
    if shown:
        yield shown
    yield from ((text, "rel-tag") for rel, text in evidence.tags if "category" in rel)
    shown = shown_section(evidence)
    if shown:
        yield shown


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
_MAX_NAMED: Final = 20
"""Elements named for the way that are looked at."""
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


@cache
def _no_section() -> frozenset[str]:
    return frozenset(map(fold, words("pages.no_section")))


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
    ways = (
        _texts((link for link in node.iter("a") if not _ROOT.fullmatch(link.get("href") or "")), _MAX_LINKS + 1)
        for node in islice(named, _MAX_NAMED)
    )
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


def _texts(links: Iterable[HtmlElement], most: int = 100) -> list[str]:
    """Return the texts of the first links that have one, which on broken pages stand in each other."""
    found = (text for link in islice(links, 100) if (text := " ".join(link.text_content().split())))
    return list(islice(found, most))


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
