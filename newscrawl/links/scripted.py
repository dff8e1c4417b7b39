"""Links of lists that a page keeps in its scripts: as markup to be shown later, or as data."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from lxml import etree

from newscrawl.dom.text import fold_space
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.series import next_in_script
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_SCRIPT_CHARS: Final = 4_000_000
MAX_LINKS: Final = 1_000
"""Of one page."""
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
_UNICODE: Final = re.compile(r"\\u00(2[26f7]|3[ce])", re.IGNORECASE)


def scripted_links(root: HtmlElement, base: str | None) -> Iterator[tuple[str, str]]:
    """Yield address as written and text of the links in a page's scripts, up to ``MAX_LINKS``.

    Links written as markup, whatever they lead to; addresses that stand in data as an article's, where they have an
    article's form. So are those of sections of character data, which browsers do not show in HTML.
    """
    found = 0
    for text in _texts(root):
        for href, label in _links(text, base):
            found += 1
            if found > MAX_LINKS:
                return
            yield href, label


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
