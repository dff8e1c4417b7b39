"""The plain facts, each chosen from what the page states: a table of them, and what chooses them.

Its rights are among them: is it free, under which licence, whose is it. What it reserves against the mining of texts
or the training of models is told as the page, its headers or its host state it: data, and no judgement of what it binds
whom to.
"""

from __future__ import annotations

import re
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lxml import etree

from newscrawl.items import Image, Reservation
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.text import fold, folded_words
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
    stated: list[tuple[str | None, str]] = []
    for name in ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"):
        origin = "opengraph" if name.startswith("og:") else "meta"
        stated += [(content, origin) for content in evidence.metas.get(name, ())]
    stated += [(href, "link") for href in evidence.links.get("image_src", ())]
    for node in evidence.articles:
        value = node.get("image")
        stated += [(_image_url(one), "json-ld") for one in (value if isinstance(value, list) else [value])]
    for url, origin in stated:
        address = _referred(url, evidence) if url and url not in logos else None
        if address and not _is_sign(address):
            return Image(url=address), origin
    return None


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
    found = next(
        (found for found in _sections(evidence) if fold(found[0]) not in folded_words("pages.no_section")), None
    )
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
    title, home = fold(evidence.title), folded_words("pages.home")
    for node in evidence.nodes:
        items = node.get("itemListElement")
        if str(node.get("@type", "")).lower() == "breadcrumblist" and isinstance(items, list):
            names = [text_of(item.get("name")) or text_of(item.get("item")) for item in items if isinstance(item, dict)]
            crumbs = (name for name in reversed(names[1:]) if name and len(name) <= MAX_CRUMB_CHARS)  # home is first
            yield from ((name, "json-ld") for name in crumbs if fold(name) not in title)
    yield from ((text, "rel-tag") for rel, text in evidence.tags if "category" in rel)
    for links in _ways(evidence):
        ways = [text for text in links if 1 < len(text) <= MAX_CRUMB_CHARS and fold(text) not in home]
        yield from ((text, "visible") for text in reversed(ways) if fold(text) not in title)


def choose_keywords(evidence: Evidence) -> tuple[tuple[str, ...], str] | None:
    """Return the article's keywords, in the order of the page, without repetitions."""
    metas = ("news_keywords", "article:tag", "og:article:tag", "keywords", "parsely-tags", "tags")
    stated: list[tuple[list[Any], str]] = [(evidence.metas.get(name, []), "meta") for name in metas]  # by trust
    for node in evidence.articles:
        value = node.get("keywords")
        stated.append((value if isinstance(value, list) else [value], "json-ld"))
    stated.append(([text for rel, text in evidence.tags if "category" not in rel], "rel-tag"))
    for raw, origin in stated:
        texts = [text for text in raw if text and isinstance(text, str)]
        distinct: dict[str, str] = {}
        for text in texts:
            parts = _KEYWORD_SPLIT.split(text)
            if len(parts) == 1 and HAN_LETTER.search(text):
                parts = _WHITE.split(text)  # Chinese keywords are often separated by spaces
            for word in map(str.strip, parts):
                if len(word) <= MAX_KEYWORD_CHARS and fold(word):
                    distinct.setdefault(fold(word), word)
        if texts:
            return (tuple(distinct.values())[:MAX_KEYWORDS], origin) if distinct else None
    return None


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


def _ways(evidence: Evidence) -> Iterator[Sequence[str]]:
    """Yield the texts of the links of the way to a page, as far as its elements' names, its lines and attributes say.

    Of what is named for the way, the first element counts that holds few links.
    """
    document = evidence.document
    _, elements, classes = document.measures.shown
    named = {name for name in {*classes} if name and _NAME.search(name)}
    yield _first_way(node for node, name in zip(elements, classes, strict=True) if name in named) if named else ()
    yield _lined(evidence)
    if document.root is not None and document.may_hold(b"readcrumb"):
        yield _first_way(_TOLD(document.root))


def _first_way(named: Iterable[HtmlElement]) -> Sequence[str]:
    ways = (
        _texts((link for link in node.iter("a") if not _ROOT.fullmatch(link.get("href") or "")), _MAX_LINKS + 1)
        for node in islice(named, _MAX_NAMED)
    )
    return next((links for links in ways if 1 <= len(links) <= _MAX_LINKS), [])


def _lined(evidence: Evidence) -> Sequence[str]:
    """Return the links' texts of the first line around the headline whose parts are set apart by signs of a way."""
    lines, measures, home = evidence.lines, evidence.document.measures, folded_words("pages.home")
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
        if len(ways) >= 2 or (ways and fold(ways[0]) not in home and fold(parts[0]) in home):
            return ways
    return []


def _texts(links: Iterable[HtmlElement], most: int = 100) -> list[str]:
    """Return the texts of the first links that have one, which on broken pages stand in each other."""
    found = (text for link in islice(links, 100) if (text := " ".join(link.text_content().split())))
    return list(islice(found, most))


MAX_RIGHTS_CHARS: Final = 200
"""Characters of a licence's name, a holder's name, or a directive."""
RIGHTS_HEADERS: Final = ("tdm-reservation", "tdm-policy")
"""Headers beside ``X-Robots-Tag`` that reserve rights (W3C, TDM Reservation Protocol, §4)."""
_FREE: Final = {"true": True, "free": True, "false": False, "locked": False, "metered": False, "paid": False}
_TIER_METAS: Final = ("article:content_tier", "isaccessibleforfree", "og:article:content_tier")
_LICENSE_METAS: Final = ("dcterms.license", "dc.rights.license", "license", "dcterms.rights", "dc.rights")
_HOLDER_METAS: Final = (
    "dcterms.rightsholder", "dc.rightsholder", "copyrightholder", "copyright-holder", "article:copyright", "copyright",
)  # fmt: skip
_HOLDER_SIGN: Final = re.compile(r"^(?:copyright|\(c\)|©|[\s\d,–-])+", re.IGNORECASE)
_AI_WORD: Final = re.compile(r"(?<![\w-])(?:noai|noimageai|noml)(?![\w-])", re.IGNORECASE)
_DEED: Final = re.compile(r"(?<=/)(?:deed|legalcode)(?:\.\w{2,8})?/?$")
"""What an address of Creative Commons has behind that of the licence: its text, or a summary, in a language."""
_RSL: Final = "application/rsl+xml"


def choose_access(evidence: Evidence) -> tuple[bool, str] | None:
    """Return whether all of the article can be read without paying; None where nothing says so."""
    stated: list[tuple[Any, str]] = [(node.get("isAccessibleForFree"), "json-ld") for node in evidence.articles]
    meta = evidence.meta(*_TIER_METAS)
    stated += [(meta[0], "meta")] if meta else []
    for value, origin in stated:
        free = value if isinstance(value, bool) else _FREE.get(str(value).rpartition("/")[2].strip().lower())
        if free is not None:
            return free, origin
    return None


def choose_license(evidence: Evidence) -> tuple[str, str] | None:
    """Return the address of the licence, else its name: of JSON-LD, a link, Dublin Core, or Creative Commons."""
    found: list[tuple[str | None, str]] = []
    for node in evidence.articles:
        value = node.get("license")
        address: Any = value.get("url") or value.get("@id") if isinstance(value, dict) else None
        found.append((address if isinstance(address, str) and "://" in address else text_of(value), "json-ld"))
    named = evidence.document.by_tag["link"] if "license" in evidence.links else []
    linked = [(link, link.get("rel") or "") for link in named if link.get("type") != _RSL]
    for link, rel in (*linked, *evidence.related):
        if "license" in rel.lower().split():
            found.append((absolute(link.get("href") or "about:blank", evidence.base), "link"))
    stated = evidence.meta(*_LICENSE_METAS)
    if stated and not _HOLDER_SIGN.match(stated[0]):
        found.append((stated[0], "meta"))
    text, origin = next(((text, origin) for text, origin in found if text), ("", ""))
    if "//creativecommons.org/" in text:
        text = _DEED.sub("", text)
    return (text if origin == "link" else text[:MAX_RIGHTS_CHARS], origin) if text else None


def choose_holder(evidence: Evidence) -> tuple[str, str] | None:
    """Return the name of the copyright's holder."""
    stated = [(text_of(node.get("copyrightHolder")), "json-ld") for node in evidence.articles]
    meta = evidence.meta(*_HOLDER_METAS)
    stated += [(_HOLDER_SIGN.sub("", meta[0]).strip(), "meta")] if meta else []
    return next(((text[:MAX_RIGHTS_CHARS], origin) for text, origin in stated if text and "://" not in text), None)


def page_reservations(
    evidence: Evidence, robots_headers: Iterable[str] = (), headers: Iterable[tuple[str, str]] = ()
) -> tuple[Reservation, ...]:
    """Return what a page and the headers of its answer reserve, each source once.

    :param robots_headers: values of ``X-Robots-Tag``.
    :param headers: those of :data:`RIGHTS_HEADERS`, in lower case, with their values.
    """
    stated: list[tuple[str, str]] = []
    for name, contents in evidence.metas.items():
        if "bot" in name or name == "ai":  # googlebot, robots
            stated += [("meta", word.lower()) for content in contents for word in _AI_WORD.findall(content)]
    for header in robots_headers:
        stated += [("x-robots-tag", word.lower()) for word in _AI_WORD.findall(header)]
    answer = dict(headers)
    if answer.get("tdm-reservation", "").strip() == "1":
        stated.append(("tdmrep", answer.get("tdm-policy", "").strip() or "header"))
    if "1" in map(str.strip, evidence.metas.get("tdm-reservation", ())):
        policy = evidence.meta("tdm-policy")
        stated.append(("tdmrep", policy[0] if policy else "meta"))
    for link in evidence.document.by_tag["link"]:
        if (link.get("type") or "").strip().lower() == _RSL:
            stated.append(("rsl", absolute(link.get("href") or "about:blank", evidence.base) or "link"))
    found: dict[str, dict[str, None]] = {}
    for source, value in stated:
        found.setdefault(source, {})[value[:MAX_RIGHTS_CHARS]] = None
    return tuple(Reservation(source=source, value=", ".join(values)) for source, values in found.items())


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
