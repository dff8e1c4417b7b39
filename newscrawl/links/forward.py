"""Where a page leads on that is nothing but a script, or a refresh for readers without scripts."""

from __future__ import annotations

import html
import re
from typing import Final

from newscrawl.urls.canonical import absolute
from newscrawl.urls.domains import same_site

MAX_CHARS: Final = 16_384
"""A longer page has more to say than where to go."""
MAX_SHOWN: Final = 160
"""Characters of text beside it, such as *You are being redirected*."""
_UNSEEN: Final = re.compile(
    r"<(script|style|noscript|head|title|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>?",
    re.DOTALL | re.IGNORECASE,
)
_REFRESH: Final = re.compile(
    r"<meta\b[^>]{0,200}?http-equiv\s*=\s*[\"']?refresh[\"']?[^>]{0,200}?content\s*=\s*(?:\"([^\"]{1,4000})\"|'([^']{1,4000})')",
    re.IGNORECASE,
)
_CONTENT: Final = re.compile(r"\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'\s]+)", re.IGNORECASE)
_MAX_DELAY: Final = 100
"""Seconds, as those of Scrapy's refreshes."""
_SCRIPTED: Final = re.compile(
    r"(?<![\w$])(?:(?:window|document|self|top|parent)\s*\.\s*){0,2}location\s*(?:\.\s*href\s*)?"
    r"(?:=\s*|\.\s*(?:replace|assign)\s*\(\s*)([\"'])((?:(?!\1)[^\n<>]){1,2000})\1"
)
_ESCAPES: Final = re.compile(r"\\(?:/|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")


def forwarded_to(text: str, url: str) -> str | None:
    """Return the address on the same site that a page without a text of its own leads to; None for other pages.

    >>> forwarded_to('<script>location.replace("/b.html")</script>', "http://example.org/a.html")
    'http://example.org/b.html'
    """
    if len(text) > MAX_CHARS or not ("location" in text or "refresh" in text.lower()):
        return None
    if len("".join(html.unescape(_UNSEEN.sub(" ", text)).split())) > MAX_SHOWN:
        return None
    found = _REFRESH.search(text)
    target = _of_refresh(found[1] or found[2]) if found else None
    if target is None:
        scripted = _SCRIPTED.search(text)
        target = _ESCAPES.sub(_unescaped, scripted[2]) if scripted else None
    address = absolute(html.unescape(target), url) if target else None
    is_other = address is not None and address.partition("#")[0] != url.partition("#")[0]
    return address if address and is_other and same_site(address, url) else None


def _of_refresh(content: str) -> str | None:
    found = _CONTENT.match(html.unescape(content))
    return found[2] if found and int(found[1]) < _MAX_DELAY else None


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else "/"
