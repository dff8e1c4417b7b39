"""Who speaks for whom: what a page says of an address of another site is a claim, and changes nothing there."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import tldextract


def same_site(url: str, other: str) -> bool:
    """Tell whether two addresses are on hosts that one owner registered, or on one host.

    >>> same_site("https://www.example.co.uk/a", "http://m.example.co.uk/b")
    True
    >>> same_site("https://a.github.io/", "https://b.github.io/"), same_site("http://10.0.0.1/", "http://10.0.0.2/")
    (False, False)
    """
    hosts = _host(url), _host(other)
    if hosts[0] == hosts[1]:
        return bool(hosts[0])
    domain = registered_domain(hosts[0])
    return bool(domain) and domain == registered_domain(hosts[1])


@lru_cache(maxsize=8192)
def registered_domain(host: str) -> str:
    """``example.co.uk`` of ``news.example.co.uk``; ``""`` for addresses and bare names."""
    return str(_extractor()(host).top_domain_under_public_suffix)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


@lru_cache(maxsize=1)
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # noqa: PLC0415 (large, and few pages name another host)

    return tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)
