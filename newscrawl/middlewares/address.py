"""Refuses addresses that are not on the public web, before a request leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.utils.httpobj import urlparse_cached

from newscrawl.middlewares.outcome import RefusedError
from newscrawl.net.addresses import is_local_name, literal_address, may_connect, parse_networks
from newscrawl.outcomes import Rejection

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from newscrawl.net.addresses import Network


class AddressMiddleware:
    """Refuse schemes other than http and https, and literal or local private addresses.

    ``newscrawl.net.resolver.SafeResolver`` does not see the names that a proxy looks up. Setting
    ``NEWSCRAWL_ALLOW_NETS``. Stats ``newscrawl/rejected/scheme``, ``newscrawl/rejected/address``.
    """

    def __init__(self, allowed: tuple[Network, ...]) -> None:
        self.allowed = allowed

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        in_replay = bool(crawler.settings["NEWSCRAWL_REPLAY"])  # no address is connected to
        return cls(parse_networks("0.0.0.0/0,::/0" if in_replay else crawler.settings["NEWSCRAWL_ALLOW_NETS"]))

    def process_request(self, request: Request) -> None:
        parts = urlparse_cached(request)
        if parts.scheme not in ("http", "https"):
            raise RefusedError(Rejection.SCHEME, parts.scheme)
        host = parts.hostname or ""
        if not host:
            raise RefusedError(Rejection.BAD_URL, "no host")
        address = literal_address(host)
        if address is not None and not may_connect(address, self.allowed):
            shown = host if host == str(address) else f"{host} ({address})"
            raise RefusedError(Rejection.ADDRESS, f"{shown} is not public (see NEWSCRAWL_ALLOW_NETS)")
        if address is None and is_local_name(host) and not self.allowed:
            raise RefusedError(Rejection.ADDRESS, f"{host} is not public (see NEWSCRAWL_ALLOW_NETS)")
