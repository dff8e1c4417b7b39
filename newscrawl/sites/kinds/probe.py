"""Hosts that answer whatever they are asked for: one address that cannot be tells what they say then."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from newscrawl.items import PageType
from newscrawl.sites.kinds.judge import MAX_ABSENT, MIN_REPEATED
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.sites.kinds.evidence import KindEvidence
    from newscrawl.sites.kinds.judge import PageKind
    from newscrawl.sites.kinds.site import SiteEvidence

PROBE: Final = "probe"
"""How such an address was found."""


def suspects(site: SiteEvidence, judged: Iterable[tuple[str, KindEvidence, PageKind]]) -> dict[str, str]:
    """Return host → address of a page that is taken for an article, though others show the same short text."""
    found: dict[str, str] = {}
    for url, evidence, kind in judged:
        is_repeated = evidence.text and site.counts.texts[evidence.text] >= MIN_REPEATED
        if is_repeated and evidence.letters < MAX_ABSENT and kind.page_type is PageType.ARTICLE:
            host = host_of(url)
            found[host] = min(url, found.get(host, url))
    return found


def probe_address(url: str) -> str:
    """Return an address beside this one that cannot be, the same at each call.

    >>> probe_address("https://a.example/2024/05/story.html")
    'https://a.example/2024/05/nothing-cc8844b3c5d6320e.html'
    """
    path = urlsplit(url).path
    _, dot, ending = path.rpartition("/")[2].rpartition(".")
    name = f"nothing-{blake2b(host_of(url).encode(), digest_size=8).hexdigest()}"
    if path.endswith("/") and len(path) > 1:
        return urljoin(url, f"../{name}/")
    return urljoin(url, f"{name}{dot}{ending if dot else ''}")
