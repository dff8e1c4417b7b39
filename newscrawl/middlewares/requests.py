"""Looks at a request before it leaves: is it allowed, is its address public, its page known, was it answered before."""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

from newscrawl.exceptions import StorageError
from newscrawl.frontier.model import VALIDATORS, PostponedError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.links.reserved import HostReservations
from newscrawl.middlewares.outcome import RefusedError, RobotsUnreachableError
from newscrawl.net.addresses import is_local_name, literal_address, may_connect, parse_networks
from newscrawl.outcomes import Rejection
from newscrawl.signals import Component
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.responses import found_by
from newscrawl.store.crawl import storage_of
from newscrawl.store.site_memory import read_robots, save_robots

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser


#: Characters of a host's name (RFC 1035, §2.3.4).
MAX_HOST_CHARS: Final = 253


class AddressMiddleware(Component):
    """Refuse schemes other than http and https, hosts that no name can be, and literal or local private addresses.

    Scrapy looks at the length of links alone; here redirects and robots.txt have no longer addresses, either.

    ``newscrawl.net.resolver.SafeResolver`` does not see the names that a proxy looks up. Setting
    ``NEWSCRAWL_ALLOW_NETS``. Stats ``newscrawl/rejected/url_too_long``, ``…/scheme``, ``…/bad_url``,
    ``…/address``.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        in_replay = crawler.settings["NEWSCRAWL_REPLAY"]  # no address is connected to
        self.allowed = parse_networks("0.0.0.0/0,::/0" if in_replay else crawler.settings["NEWSCRAWL_ALLOW_NETS"])
        self.most_chars = crawler.settings.getint("URLLENGTH_LIMIT")

    def process_request(self, request: Request) -> None:
        parts = urlparse_cached(request)
        if 0 < self.most_chars < len(request.url):
            raise RefusedError(Rejection.URL_TOO_LONG, f"{len(request.url):,} characters (URLLENGTH_LIMIT)")
        if parts.scheme not in ("http", "https"):
            raise RefusedError(Rejection.SCHEME, parts.scheme)
        if parts.netloc.count("@") > 1:
            raise RefusedError(Rejection.BAD_URL, "two names before the host")
        host = parts.hostname or ""
        if not 0 < len(host) <= MAX_HOST_CHARS:
            raise RefusedError(Rejection.BAD_URL, f"a host of {len(host)} characters")
        address = literal_address(host)
        if address is not None and not may_connect(address, self.allowed):
            shown = host if host == str(address) else f"{host} ({address})"
            raise RefusedError(Rejection.ADDRESS, f"{shown} is not public (see NEWSCRAWL_ALLOW_NETS)")
        if address is None and is_local_name(host) and not self.allowed:
            raise RefusedError(Rejection.ADDRESS, f"{host} is not public (see NEWSCRAWL_ALLOW_NETS)")


class KnownPageMiddleware(Component):
    """Refuse an address of a page that this run asks for by another.

    That is without the parameters that change nothing, or with the final slash that the host's redirects add. The crawl
    learns of both after it has queued such requests.

    Stat ``newscrawl/rejected/duplicate``.
    """

    def process_request(self, request: Request) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, NewsSpider):
            return
        if request.meta.keys() & {"redirect_urls", "retry_times"}:
            return  # it is the one that was let through
        if found_by(request).get("found") not in {"link", "feed", "sitemap"}:
            return
        plain = spider.gate.same_page(request.url)
        if plain is not None:
            raise RefusedError(Rejection.DUPLICATE, f"the same page as {plain}")


class WaitingMiddleware(Component):
    """Refuse a request on its way to the downloader whose host asked to wait meanwhile, or whose crawl stops.

    See :mod:`newscrawl.frontier.waiting`.
    """

    def process_request(self, request: Request) -> None:
        frontier = frontier_of(self.crawler)
        if frontier is not None and frontier.puts_off(self.crawler.engine.downloader.get_slot_key(request)):
            raise PostponedError


_HEADERS = {"If-None-Match": "etag", "If-Modified-Since": "last_modified"}


class ConditionalMiddleware(Component):
    """Asks with the validators that the last answer gave.

    Stats ``newscrawl/recrawl/conditional`` (requests), ``newscrawl/recrawl/not_modified`` (answers 304).
    """

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
        self.crawler.stats.inc_value("newscrawl/recrawl/conditional")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status == 304 and VALIDATORS in request.meta:
            self.crawler.stats.inc_value("newscrawl/recrawl/not_modified")
        return response


#: A robots.txt that is older is asked for again.
ROBOTS_AGE: Final = timedelta(days=1)
#: Seconds until a host is asked again whose server could not give its robots.txt.
ROBOTS_RETRY_SECONDS: Final = 1_800.0
#: Bytes of a robots.txt that are read. RFC 9309, §2.5, asks for at least as many; 5.7 MB of rules took 7 s to parse.
MAX_ROBOTS_BYTES: Final = 500 * 1024


class RememberedRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Scrapy's robots.txt, remembered from one run to the next: a host is asked for it once a day (RFC 9309, §2.4).

    A server's own error forbids all of the host until it is asked again (RFC 9309, §2.3.1.4). Stats
    ``newscrawl/robots/remembered``: hosts not asked; ``newscrawl/robots/unreachable``: those of such errors. Without a
    database, each run asks anew.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.storage = storage_of(crawler)
        self._rules: dict[str, asyncio.Future[RobotParser | None]] = {}
        self._put_off: set[str] = set()
        self._unreachable: dict[str, float] = {}
        self.reserved: dict[str, HostReservations] = {}
        """Host → what its robots.txt reserves; those that reserve nothing are left out."""

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """Return the rules: all requests to a host wait for one task, as Scrapy gives them to the first alone.

        :raises PostponedError: the host asks to wait, or the crawl stops: no page is fetched by unknown rules.
        """
        netloc = urlparse_cached(request).netloc
        if time.monotonic() > self._unreachable.get(netloc, math.inf):
            for known in (self._unreachable, self._rules, self._parsers):
                known.pop(netloc, None)
        if netloc not in self._rules:
            self._rules[netloc] = asyncio.ensure_future(self._read_rules(request))
        return await asyncio.shield(self._rules[netloc])

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        """Refuse a request to a host whose rules its server cannot give, for now; others as Scrapy does."""
        if urlparse_cached(request).netloc in self._unreachable:
            raise RobotsUnreachableError
        super().process_request_2(rp, request)

    async def _read_rules(self, request: Request) -> RobotParser | None:
        url = urlparse_cached(request)
        origin, text = f"{url.scheme}://{url.netloc}", None
        if self.storage is not None:
            with suppress(StorageError):
                text = await self.storage.read(
                    partial(read_robots, origin=origin, since=datetime.now(UTC) - ROBOTS_AGE)
                )
        if text is not None:
            self.crawler.stats.inc_value("newscrawl/robots/remembered")
            self._parsers[url.netloc] = Deferred()
            response = Response(f"{origin}/robots.txt", body=text.encode())
            self._note_reserved(text, url.netloc)
            await super()._parse_robots(response, url.netloc, request)
        rules = await super().robot_parser(request)
        if url.netloc in self._put_off:
            self._put_off.remove(url.netloc)
            del self._rules[url.netloc], self._parsers[url.netloc]  # it is asked for again
            raise PostponedError
        return rules

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, PostponedError):
            self._put_off.add(netloc)
        super()._robots_error(exc, netloc)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Remember what was read, but for errors of the server, which pass."""
        response = response.replace(body=worth_reading(response.body) if response.status < 500 else b"")
        if response.status >= 500:
            self.crawler.stats.inc_value("newscrawl/robots/unreachable")
            self._unreachable[netloc] = time.monotonic() + ROBOTS_RETRY_SECONDS
        if response.status == 200:
            self._note_reserved(response.body.decode("utf-8", "replace"), netloc)
        if self.storage is not None and response.status < 500:
            origin = f"{urlparse_cached(request).scheme}://{netloc}"
            body = response.body.decode("utf-8", "replace") if response.status == 200 else ""
            self.storage.post(partial(save_robots, origin=origin, body=body, now=datetime.now(UTC)))
        await super()._parse_robots(response, netloc, request)

    def _note_reserved(self, text: str, netloc: str) -> None:
        if told := HostReservations(text):
            self.reserved[netloc] = told


def worth_reading(body: bytes) -> bytes:
    """Return the whole lines among the first ``MAX_ROBOTS_BYTES``: a rule cut short would forbid more than it says."""
    return (
        body
        if len(body) <= MAX_ROBOTS_BYTES
        else body[: max(body.rfind(end, 0, MAX_ROBOTS_BYTES) for end in (b"\n", b"\r")) + 1]
    )
