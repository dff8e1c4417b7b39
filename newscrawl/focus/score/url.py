"""What of an address its link's score may use: its pattern, its words, its day."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from newscrawl.urls.shape import ARTICLE_WORDS, HUB_WORDS, OTHER_WORDS, UrlKind, url_shape

_DIGITS: Final = re.compile(r"\d+")
_NAMED: Final = HUB_WORDS | ARTICLE_WORDS | OTHER_WORDS
_SEPARATORS: Final = re.compile(r"[-_/.?&=+%]+")
MAX_SEGMENTS: Final = 6


def url_pattern(url: str) -> str:
    """Return the address with all that names one page masked: pages of one pattern are made by one template.

    >>> url_pattern("http://e.org/tag/iphone/page/2/"), url_pattern("http://e.org/2014/08/some-title/")
    ('e.org/tag/*/page/#/', 'e.org/#/#/*/')
    """
    head, _, query = url.partition("#")[0].partition("://")[2].partition("?")  # as urlsplit, in less time
    host, *segments = head.split("/")
    masked = [_masked(segment, is_first=place == 0) for place, segment in enumerate(segments[:MAX_SEGMENTS])]
    if masked and masked[-1] and "#" not in masked[-1]:
        stem, dot, extension = segments[-1].rpartition(".")
        masked[-1] = f"*{dot}{extension}" if dot and len(extension) <= 6 and stem else "*"
    names = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    return "/".join((host, *masked)) + ("?" + "&".join(names[:5]) if names else "")


def _masked(segment: str, *, is_first: bool) -> str:
    if not segment:
        return ""
    masked = _DIGITS.sub("#", segment)
    if masked != segment:
        return masked if len(masked) <= 20 and "%" not in segment else "*"
    return segment if (is_first and len(segment) <= 20) or segment.lower() in _NAMED else "*"


_PAGE_PATH: Final = re.compile(
    r"/(?:page|pages|p|pn|list|index)[-_/]?\d{1,5}(?:\.\w{2,5})?/?$|/index(?:\.\w{2,5})?$", re.IGNORECASE
)
_PAGE_SUFFIX: Final = re.compile(r"[-_]\d{1,4}(?=(?:\.\w{2,5})?$)")
_PAGE_NAMES: Final = frozenset("page p paged pageno pageindex pg pn start offset from".split())


@lru_cache(maxsize=1 << 14)
def shape_of(url: str) -> UrlKind:
    """As ``url_shape``; a site's navigation is asked for on every page."""
    return url_shape(url)


@lru_cache(maxsize=1 << 14)
def hash_of(url: str) -> int:
    """Return a hash of an address that is the same in every run."""
    return zlib.crc32(url.encode("utf-8", "replace"))


@lru_cache(maxsize=8192)
def list_of(url: str) -> str:
    """Return the address without what numbers a page of a list: the pages of one list have the same.

    >>> list_of("http://e.org/tag/x/page/3/"), list_of("http://e.org/news/index_2.html"), list_of("http://e.org/l?page=4")
    ('e.org/tag/x', 'e.org/news', 'e.org/l')
    """
    head, _, query = url.partition("://")[2].partition("?")
    path = _PAGE_PATH.sub("", _PAGE_SUFFIX.sub("", head.rstrip("/"))).rstrip("/")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0].lower() not in _PAGE_NAMES]
    return path + ("?" + "&".join(kept) if kept else "")


@lru_cache(maxsize=8192)
def url_words(url: str) -> str:
    """Return the words of the path and query, unescaped, as text.

    >>> url_words("http://e.org/tags/%E6%89%8B%E6%9C%BA/cell-phones.html")
    'tags 手机 cell phones'
    """
    head, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    stem, dot, extension = head.rpartition(".")
    if dot and extension.isalnum() and len(extension) <= 5:
        head = stem
    return " ".join(_SEPARATORS.sub(" ", f"{unquote(head)} {unquote(query)}").split())
