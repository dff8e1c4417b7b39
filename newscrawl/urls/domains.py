"""Who speaks for whom: what a page says of an address of another site is a claim, and changes nothing there."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    import tldextract


def same_site(url: str, other: str) -> bool:
    """Tell whether two addresses are on hosts that one owner registered, or on one host.

    >>> same_site("https://www.example.co.uk/a", "http://m.example.co.uk/b")
    True
    >>> same_site("https://a.github.io/", "https://b.github.io/"), same_site("http://10.0.0.1/", "http://10.0.0.2/")
    (False, False)
    """
    hosts = host_of(url), host_of(other)
    if hosts[0] == hosts[1]:
        return bool(hosts[0])
    domain = registered_domain(hosts[0])
    return bool(domain) and domain == registered_domain(hosts[1])


def site_of(url: str) -> str:
    """Return what an address's host and its neighbours share: what one owner registered, else the host.

    >>> site_of("http://a.b.example.org/x"), site_of("http://127.0.0.1:80/"), site_of("http://news.site.com.cn/")
    ('example.org', '127.0.0.1', 'site.com.cn')
    """
    host = host_of(url)
    return registered_domain(host) or host


@lru_cache(maxsize=8192)
def registered_domain(host: str) -> str:
    """``example.co.uk`` of ``news.example.co.uk``; ``""`` for addresses and bare names."""
    return str(_extractor()(host).top_domain_under_public_suffix)


@lru_cache(maxsize=1)
def _extractor() -> tldextract.TLDExtract:
    import tldextract  # noqa: PLC0415 (large, and few pages name another host)

    return tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)
