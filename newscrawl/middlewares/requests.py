"""Looks at a request before it leaves: is its address public, is its page known, was it answered before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.utils.httpobj import urlparse_cached

from newscrawl.components import Component
from newscrawl.frontier.model import VALIDATORS
from newscrawl.middlewares.outcome import RefusedError
from newscrawl.net.addresses import is_local_name, literal_address, may_connect, parse_networks
from newscrawl.outcomes import Rejection
from newscrawl.spiders.news import NewsSpider

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

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


class KnownPageMiddleware(Component):
    """Refuse an address if this run asked for it without the parameters that change nothing.

    The crawl learns which parameters these are after it has queued such requests.

    Stat ``newscrawl/rejected/duplicate``.
    """

    def process_request(self, request: Request) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, NewsSpider) or "?" not in request.url:
            return
        if request.meta.keys() & {"redirect_urls", "retry_times"}:
            return  # it is the one that was let through
        if request.meta.get("newscrawl", {}).get("found") not in {"link", "feed", "sitemap"}:
            return
        plain = spider.site.clean_url(request.url)
        if plain != request.url and not spider.recent.add(plain):
            raise RefusedError(Rejection.DUPLICATE, f"the same page as {plain}")


_HEADERS = {"If-None-Match": "etag", "If-Modified-Since": "last_modified"}


class ConditionalMiddleware:
    """Asks with the validators that the last answer gave.

    Stats ``newscrawl/recrawl/conditional`` (requests), ``newscrawl/recrawl/not_modified`` (answers 304).
    """

    def __init__(self, stats: StatsCollector) -> None:
        self.stats = stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.stats)

    def process_request(self, request: Request) -> None:
        validators = request.meta.get(VALIDATORS)
        if not validators:
            return
        if validators.get("url") != request.url:  # a redirect takes headers and meta along
            for header in _HEADERS:
                request.headers.pop(header, None)
            request.meta.pop(VALIDATORS)
            return
        for header, name in _HEADERS.items():
            if validators.get(name):
                request.headers[header] = validators[name]
        self.stats.inc_value("newscrawl/recrawl/conditional")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status == 304 and VALIDATORS in request.meta:
            self.stats.inc_value("newscrawl/recrawl/not_modified")
        return response
