"""The plain facts: canonical address, main image, description, section, keywords."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.extract.facts.names import is_chinese_name
from newscrawl.items import Image
from newscrawl.languages.characters import HAN, HAN_LETTER
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of
from newscrawl.page.statements import is_named
from newscrawl.page.tags import HEADINGS
from newscrawl.urls.base import absolute

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    return _breadcrumb(evidence) or ((category, "rel-tag") if category else None)


def _breadcrumb(evidence: Evidence) -> tuple[str, str] | None:
    """Return the last breadcrumb that is neither the home page nor the article itself."""
    for node in evidence.nodes:
        items = node.get("itemListElement")
        if str(node.get("@type", "")).lower() != "breadcrumblist" or not isinstance(items, list):
            continue
        names = [text_of(item.get("name")) or text_of(item.get("item")) for item in items if isinstance(item, dict)]
        for name in reversed(names[1:]):
            if name and len(name) <= 30 and fold(name) not in fold(evidence.title):
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


MAX_SOURCE_CHARS: Final = 40
SOURCE_METAS: Final = ("source", "article:source", "contentsource", "mediaid", "og:source", "dc.source", "news_source",
                       "copyright-holder", "original-source", "weibo:article:source", "sourcename")  # fmt: skip
_LABEL: Final = WordPattern(
    rf"(?:(?:(?<![{HAN}])|(?<={{~zh:dates.day,zh:dates.hour,zh:dates.minute,zh:dates.second}}))"
    r"(?:{zh:people.source_before}\s*)?{zh:people.source}{zh:people.source_after}?"
    r"|(?<![^\W\d_]\s)\b{people.source})\s*[:：|｜]\s*"
)
"""What ends a longer name is none, of a picture (图片来源) or of anything else (Open Source: …)."""
_LABEL_WORD: Final = WordPattern("{people.source}")
"""Each label holds one of these: to look for them first is far cheaper."""
_LABEL_END: Final = re.compile(r"[:：|｜]")
_MARKING: Final = frozenset(("zh", "ja", "ko"))
"""Languages whose sites name the class of a source so; elsewhere it is that of a picture."""
_STOP: Final = WordPattern(
    r"\s{2,}|[|｜（）()【】\[\]<>。；;，,]|\s*{people.source_end}|\s\d|\d{4}(?:[-/.]|{~dates.year})"
)
_LINK: Final = re.compile(r"https?://\S+|www\.\S+")
_MARKUP: Final = re.compile(r"[=<>{}]|^\W*$")
_DELIVERED: Final = WordPattern(r"\d(?::\d{2}|{~dates.hour,dates.minute})\s*{dates.delivered}\s+")
_MAX_DATE_LINE: Final = 120
_NAME: Final = re.compile(rf"[《{HAN}A-Za-z·\-》]{{2,16}}")
_BUTTON: Final = WordPattern("{people.no_source}")
_NO_SOURCES: Final = frozenset(("div", "section", "article", "body", "main", *HEADINGS))
_SOURCE_MARK: Final = re.compile(r"(?:^|[\s_-])(?:source|media|laiyuan|from)|source$|sourceName", re.IGNORECASE)


def choose_source(evidence: Evidence, language: str | None) -> tuple[str, str] | None:
    """Return the source and where it was read, None where the page names none."""
    visible = _labelled(evidence)
    if visible is None and language in _MARKING:
        visible = _marked(evidence)
    if visible is None and language == "zh":
        visible = _beside_date(evidence)
    if visible is None and language == "ja":
        visible = _delivered(evidence)
    if visible:
        return visible, "visible"
    stated = evidence.meta(*SOURCE_METAS)
    named = _clean(stated[0]) if stated else None
    if named:
        return named, "meta"
    for node in evidence.articles:
        for key in ("sourceOrganization", "provider", "publisher"):
            name = text_of(node.get(key))
            if name and "://" not in name and len(name) <= 2 * MAX_SOURCE_CHARS:
                return name, f"json-ld {key}"
    return None


def _labelled(evidence: Evidence) -> str | None:
    lines, places = evidence.lines, evidence.places
    for index in places.around:
        text = lines[index].spaced
        if not _LABEL_END.search(text):
            continue
        named = source_in(text if len(text) <= 300 else text[-80:])
        is_label = named is None and len(text) <= MAX_SOURCE_CHARS and _LABEL.fullmatch(text.strip() + " ")
        if is_label and index + 1 < len(lines):
            named = _clean(lines[index + 1].text)  # the label and the name stand in cells of their own
        if named:
            return named
    return None


def _marked(evidence: Evidence) -> str | None:
    header = evidence.places.header
    for element in evidence.marked:
        if evidence.line_of.get(element) in header and is_source_mark(element):
            named = _clean(_LABEL.sub("", " ".join(element.text_content().split())))
            if named and not any(map(str.isdigit, named)):
                return named
    return None


def _beside_date(evidence: Evidence) -> str | None:
    """Return the name that follows the date in a line under the headline, as Chinese portals print their source."""
    for line in evidence.below_headline():
        text = line.spaced
        found = next(find_dates(text, "zh"), None) if len(text) <= _MAX_DATE_LINE else None
        if found is None or not found.has_time:
            continue
        words = text[found.end :].split()
        if words and _NAME.fullmatch(words[0]) and not is_chinese_name(words[0]) and not _BUTTON.search(words[0]):
            return words[0]
    return None


def _delivered(evidence: Evidence) -> str | None:
    """Return the press that Japanese portals print behind a time and *delivered*: ``22:15 配信 例示新聞``."""
    for line in evidence.below_headline():
        found = _DELIVERED.search(line.spaced) if len(line.spaced) <= _MAX_DATE_LINE else None
        named = _clean(line.spaced[found.end() :]) if found else None
        if named and not any(map(str.isdigit, named)):
            return named
    return None


def is_source_mark(element: HtmlElement) -> bool:
    """Tell whether an element's class or id says that it holds the source; a heading's id repeats what it says."""
    return is_named(element, _SOURCE_MARK) and element.tag not in _NO_SOURCES


def source_in(text: str) -> str | None:
    """Return the name after a source label in ``text``.

    >>> source_in("2024-03-05 10:20 来源：新京报 作者：张三")
    '新京报'
    """
    match = _LABEL.search(text) if _LABEL_END.search(text) and _LABEL_WORD.search(text) else None
    return _clean(text[match.end() : match.end() + 80]) if match else None


def _clean(text: str) -> str | None:
    text = _LINK.sub(" ", text).strip(" \t　:：-—|")
    stop = _STOP.search(text)
    name = (text[: stop.start()] if stop else text).strip(' \t　:：-—|“”"《》_/')
    name = f"《{name}" if "》" in name and "《" not in name else name  # 《科学》杂志
    return name if 1 < len(name) <= MAX_SOURCE_CHARS and not _MARKUP.search(name) else None
