"""Which of the pages seen is the reference of another: the one of the most similar address, from a bounded store.

杨柳青, 李晓东, 耿光刚 (2015), §2.2 d, chooses by address among all pages. A site may have a million of them: here the
newest few of each address pattern and page cluster stay, which are the ones the choice falls on anyway.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from operator import eq
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

PER_PATTERN: Final = 3
"""Candidates kept for each pattern: one more than the target itself and a spare."""
MAX_PATTERNS: Final = 64
"""Patterns kept for each scheme and host; the one that went longest without a page makes room."""
MAX_HOSTS: Final = 256

T = TypeVar("T")

_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlParts:
    """What similarity looks at. The file name, the last part of the path, is not among it."""

    scheme: str
    host: str
    """Name of the host, with the port if one is given."""
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


def url_similarity(first: UrlParts, second: UrlParts) -> float:
    """Return how alike two addresses are, 0..1; 0.0 unless scheme and host are equal.

    The mean of equal leading directories / the greater number of directories, and equal query pairs / the greater
    number of pairs; the query is left out when neither address has one. 0/0 = 1: both stand in the root.
    """
    if (first.scheme, first.host) != (second.scheme, second.host):
        return 0.0
    leading = sum(takewhile(bool, map(eq, first.directories, second.directories)))
    directories = _share(leading, max(len(first.directories), len(second.directories)))
    if not first.query and not second.query:
        return directories
    pairs = _share(len(first.query & second.query), max(len(first.query), len(second.query)))
    return (directories + pairs) / 2


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePage(Generic[T]):
    url: str
    parts: UrlParts
    number: int
    """Order of arrival: the greater, the newer."""
    content: int
    """Hash of the page's content."""
    cluster: int | None
    value: T
    """What the method needs of the page."""


class ReferenceStore(Generic[T]):
    """Keeps candidates; memory grows with address patterns, up to a bound, never with pages."""

    def __init__(
        self, *, per_pattern: int = PER_PATTERN, max_patterns: int = MAX_PATTERNS, max_hosts: int = MAX_HOSTS
    ) -> None:
        self.per_pattern = per_pattern
        self.max_patterns = max_patterns
        self.max_hosts = max_hosts
        self._hosts: OrderedDict[Hashable, OrderedDict[Hashable, deque[ReferencePage[T]]]] = OrderedDict()
        self._added = 0

    def add(self, url: str | None, value: T, *, content: int, cluster: int | None = None) -> None:
        """Keep a page as a candidate; a candidate of the same address or content is replaced.

        :param url: None where it is not known: such pages are candidates for each other alone.
        :param cluster: number of the page's cluster, if clusters are kept.
        """
        url, parts = _split_known(url)
        patterns = _touch(self._hosts, (parts.scheme, parts.host), self.max_hosts, OrderedDict)
        kept = _touch(patterns, (directory_pattern(parts), cluster), self.max_patterns, deque)
        for candidate in [found for found in kept if found.content == content or (url and found.url == url)]:
            kept.remove(candidate)
        self._added += 1
        kept.append(
            ReferencePage(url=url, parts=parts, number=self._added, content=content, cluster=cluster, value=value)
        )
        if len(kept) > self.per_pattern:
            kept.popleft()

    def choose(self, url: str | None, *, content: int, cluster: int | None = None) -> ReferencePage[T] | None:
        """Return the candidate of the same scheme and host, and the most similar address that is not the page's own.

        Ties go to the newest. A page of the same content is the page itself, whatever its address (ours: print
        versions). Candidates of the cluster ``cluster`` go first where one is given (ours).
        """
        url, parts = _split_known(url)
        return max(
            (found for found in self._of_host(parts) if found.content != content and (found.url != url or not url)),
            key=lambda found: (
                cluster is not None and found.cluster == cluster,
                url_similarity(parts, found.parts),
                found.number,
            ),
            default=None,
        )

    def candidates(self) -> Iterator[ReferencePage[T]]:
        """Yield all pages kept."""
        for patterns in self._hosts.values():
            for kept in patterns.values():
                yield from kept

    def _of_host(self, parts: UrlParts) -> Iterator[ReferencePage[T]]:
        for kept in self._hosts.get((parts.scheme, parts.host), {}).values():
            yield from kept


def directory_pattern(parts: UrlParts) -> Hashable:
    """Return what the addresses of one template share: directories with digits folded, names of the query.

    >>> split = split_url("http://a.cn/news/2012-05/7/x.html?id=3")
    >>> split is not None and directory_pattern(split)
    (('news', '0-0', '0'), ('id',))
    """
    directories = tuple(_DIGITS.sub("0", directory) for directory in parts.directories)
    return directories, tuple(sorted({name for name, _ in parts.query}))


_UNKNOWN: Final = UrlParts(scheme="", host="", directories=(), query=frozenset())


def _split_known(url: str | None) -> tuple[str, UrlParts]:
    """Return the address without its fragment and its parts; ``""`` where there is none to go by."""
    bare = (url or "").partition("#")[0]
    parts = split_url(bare)
    return (bare, parts) if parts else ("", _UNKNOWN)


V = TypeVar("V")


def _touch(store: OrderedDict[Hashable, V], key: Hashable, limit: int, make: Callable[[], V]) -> V:
    """Return the value of ``key``, made if need be, as the newest of at most ``limit``."""
    if key in store:
        store.move_to_end(key)
    else:
        store[key] = make()
        if len(store) > limit:
            store.popitem(last=False)
    return store[key]
