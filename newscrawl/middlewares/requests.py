"""Looks at a request before it leaves, and at its answer before anyone reads it.

Is the address public, its page known, must it wait, was it answered before? Can the answer be unpacked, what is its
charset?
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Self

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import HtmlResponse, XmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached

from newscrawl.frontier.model import PostponedError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.links.sitemap import replayed_moment
from newscrawl.middlewares.outcome import RefusedError, refuse_answer, report_end
from newscrawl.net.addresses import NOT_PUBLIC, is_local_name, literal_address, may_connect, parse_networks
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.page.charset import decide_encoding, is_binary
from newscrawl.page.packed import UnpackError, unpack
from newscrawl.signals import ARCHIVED, ENCODING, FETCHED_AT, VALIDATORS, Component
from newscrawl.spiders.news import NewsSpider
from newscrawl.spiders.responses import content_type, found_by, kind_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

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
            raise RefusedError(Rejection.ADDRESS, f"{shown} {NOT_PUBLIC}")
        if address is None and is_local_name(host) and not self.allowed:
            raise RefusedError(Rejection.ADDRESS, f"{host} {NOT_PUBLIC}")


class KnownPageMiddleware(Component):
    """Refuse an address of a page that this run asks for by another, or one of a family that says nothing.

    The other address is without the parameters that change nothing, or with the final slash that the host's redirects
    add. The crawl learns of all this after it has queued such requests.

    Stats ``newscrawl/rejected/duplicate``, ``newscrawl/rejected/trap``.
    """

    def process_request(self, request: Request) -> None:
        spider = self.crawler.spider
        if not isinstance(spider, NewsSpider):
            return
        if request.meta.keys() & {"redirect_urls", "retry_times"}:
            return  # it is the one that was let through
        if found_by(request).get("found") not in {"link", "feed", "sitemap"}:
            return
        url, gate = request.url, spider.gate
        if plain := gate.same_page(url):
            raise RefusedError(Rejection.DUPLICATE, f"the same page as {plain}")
        if barren := gate.traps.barren(url, gate.site.url_kind(url), found_by(request).get("anchor", "")):
            raise RefusedError(Rejection.TRAP, barren)


class WaitingMiddleware(Component):
    """Refuse a request on its way to the downloader whose host asked to wait meanwhile, or whose crawl stops.

    See :mod:`newscrawl.frontier.waiting`.
    """

    def process_request(self, request: Request) -> None:
        frontier = frontier_of(self.crawler)
        if frontier is not None and frontier.puts_off(self.crawler.engine.downloader.get_slot_key(request)):
            raise PostponedError


class CaptureMiddleware(Component):
    """Answer a request for a page that an archive captured with the capture, asked of the archive as any page is asked.

    The answer has the page's own address, and the time of its capture as the time at which it was fetched. Delays,
    robots.txt and waits of the archive's host hold. Stat ``newscrawl/discovery/captures_replayed``.
    """

    async def process_request(self, request: Request) -> Response | None:
        capture = found_by(request).get("capture")
        if not capture:
            return None
        asked = Request(capture, callback=NO_CALLBACK, meta={"allow_offsite": True})
        answer = await self.crawler.engine.download_async(asked)
        memento = (answer.headers.get("Memento-Datetime") or b"").decode("latin-1")
        request.meta[FETCHED_AT] = replayed_moment(answer.url, memento)
        if ARCHIVED in asked.meta:
            request.meta[ARCHIVED] = asked.meta[ARCHIVED]
        for name in _OF_ARCHIVES:
            answer.headers.pop(name, None)
        self.crawler.stats.inc_value("newscrawl/discovery/captures_replayed")
        return answer.replace(url=request.url, request=request)


#: What an archive says of its own answer: the page's site would not know such a validator.
_OF_ARCHIVES = ("ETag", "Last-Modified", "Strict-Transport-Security")
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


class CharsetMiddleware(Component):
    """After decompression (590): ``response.text`` and ``response.selector`` have the right charset.

    Pages sent as ``text/plain`` or XHTML become ``HtmlResponse``. The decision is in ``meta["newscrawl_encoding"]``.
    Binary files sent as pages are refused (``newscrawl/rejected/not_html``).
    """

    def process_response(self, request: Request, response: Response) -> Response:
        if not response.body or isinstance(response, XmlResponse) or kind_of(response) != "html":
            return response
        decision = decide_encoding(response.body, content_type(response) or None, response.url)
        if is_binary(response.body, decision):
            refuse_answer(self.crawler, request, Rejection.NOT_HTML, content_type(response)[:100], response.status)
        request.meta[ENCODING] = decision
        cls = response.__class__ if isinstance(response, HtmlResponse) else HtmlResponse
        decoded = response.replace(cls=cls, encoding=decision.encoding, headers=None)
        decoded.headers = response.headers  # to copy them takes longer than all else
        return decoded


class ReportedCompressionMiddleware(HttpCompressionMiddleware):
    """``rejected``/``too_large`` for a bomb, ``failed``/``broken`` for what cannot be unpacked to its end."""

    crawler: Crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        middleware.crawler = crawler
        return middleware

    def _handle_encoding(self, body: bytes, content_encoding: list[bytes], max_size: int) -> tuple[bytes, list[bytes]]:
        """Unpack a body as archives do; Scrapy's own takes what came of a cut stream for the page."""
        layers, kept = self._split_encodings(content_encoding)
        encoding = ",".join(layer.decode("ascii") for layer in reversed(layers))
        return unpack(body, encoding, max_size or sys.maxsize - 1), kept

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            result: Request | Response = super().process_response(request, response)
        except UnpackError as error:
            reason = Rejection(str(error))
            outcome = Outcome.REJECTED if reason is Rejection.TOO_LARGE else Outcome.FAILED
            packing = (response.headers.get("Content-Encoding") or b"").decode("ascii", "replace")
            detail = f"{len(response.body)} bytes packed as {packing}"
            report_end(self.crawler, request, outcome, reason, status=response.status, detail=detail)
            raise RefusedError(reason, detail) from error
        return result
