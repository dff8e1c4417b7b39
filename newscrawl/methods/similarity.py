"""Similarity of two addresses: pages of one template mostly have addresses alike.

Source: 杨柳青, 李晓东, 耿光刚 (2015), 基于布局相似性的网页正文内容提取研究, §2.2 d.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlParts:
    """What similarity looks at. The file name, the last part of the path, is not among it."""

    scheme: str
    host: str
    """With the port, where one is given."""
    directories: tuple[str, ...]
    query: frozenset[tuple[str, str]]


@lru_cache(maxsize=4096)
def split_url(url: str) -> UrlParts | None:
    """Return the parts of an address; None for one that is not an address with a host."""
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return None
    if not parts.netloc:
        return None
    return UrlParts(
        scheme=parts.scheme.lower(),
        host=parts.netloc.lower(),
        directories=tuple(parts.path.split("/")[1:-1]),
        query=frozenset(query),
    )


def url_similarity(one: str, other: str) -> float:
    """Return how alike two addresses are, 0..1; 0.0 unless scheme and host are equal.

    The mean of equal leading directories / the greater number of directories, and equal query pairs / the greater
    number of pairs; the query is left out when neither address has one. 0/0 = 1: both stand in the root.

    >>> url_similarity("http://a.cn/news/2012/1.html", "http://a.cn/news/2013/2.html")
    0.5
    """
    first, second = split_url(one), split_url(other)
    if first is None or second is None:
        return 0.0
    return parts_similarity(first, second)


def parts_similarity(first: UrlParts, second: UrlParts) -> float:
    """Return :func:`url_similarity` of addresses already split."""
    if (first.scheme, first.host) != (second.scheme, second.host):
        return 0.0
    leading = sum(1 for _ in takewhile(_are_equal, zip(first.directories, second.directories, strict=False)))
    directories = _share(leading, max(len(first.directories), len(second.directories)))
    if not first.query and not second.query:
        return directories
    pairs = _share(len(first.query & second.query), max(len(first.query), len(second.query)))
    return (directories + pairs) / 2


def _are_equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
