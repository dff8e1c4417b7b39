"""The ends of requests that give no page: whoever refuses one reports it, and the outermost middleware the rest."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached

from newscrawl.frontier.model import PostponedError
from newscrawl.frontier.scheduler import frontier_of
from newscrawl.frontier.waiting import is_stopping
from newscrawl.links.model import RefusedLink
from newscrawl.net.addresses import NOT_PUBLIC
from newscrawl.net.resolver import installed_resolver
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.signals import Component, end_url, hears, links_rejected
from newscrawl.spiders.responses import BLOCKING_HEADERS, blocked_by, found_by

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)


class RobotsUnreachableError(Exception):
    """The server answers the request for robots.txt with an error of its own."""


_FAILURES: tuple[tuple[type[Exception], Outcome, str], ...] = (
    (RobotsUnreachableError, Outcome.FAILED, "robots_unreachable"),
    (ResponseDataLossError, Outcome.FAILED, Rejection.BROKEN),
    (DownloadCancelledError, Outcome.REJECTED, Rejection.TOO_LARGE),  # the handler cancels for nothing else
    (DownloadTimeoutError, Outcome.FAILED, "timeout"),
    (DownloadConnectionRefusedError, Outcome.FAILED, "connection_refused"),
    (CannotResolveHostError, Outcome.FAILED, "dns"),
    (UnsupportedURLSchemeError, Outcome.REFUSED, Rejection.SCHEME),
    (NotSupported, Outcome.REFUSED, Rejection.SCHEME),
    (DownloadFailedError, Outcome.FAILED, "connection"),
    (OSError, Outcome.FAILED, "connection"),
    (ValueError, Outcome.REFUSED, Rejection.BAD_URL),  # no handler can take the address apart
)


#: Hosts without an answer that are told apart.
_MOST_HOSTS: Final = 1_000
#: Hosts without an answer that the end of the crawl names.
_HOSTS_NAMED: Final = 10


class RefusedError(IgnoreRequest):
    """A request or an answer is refused, for a reason that is counted."""

    def __init__(self, reason: Rejection, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


def report_end(
    crawler: Crawler,
    request: Request,
    outcome: Outcome,
    reason: str | None = None,
    *,
    status: int | None = None,
    detail: str = "",
) -> None:
    """Report the end of a request (``newscrawl.signals.end_url``). Requests for robots.txt are left out.

    Stat ``newscrawl/seeds/private``: pages to start from that have no public address.
    """
    if request.callback is NO_CALLBACK:
        return
    found = found_by(request)
    if reason == Rejection.ADDRESS and found.get("found") == "seed":
        crawler.stats.inc_value("newscrawl/seeds/private")
    end_url(crawler, request.url, outcome, reason, status=status, detail=detail, referer=found.get("parent"))


def refuse_answer(crawler: Crawler, request: Request, reason: Rejection, detail: str, status: int) -> NoReturn:
    """Report an answer as rejected, and let no other component have it.

    :raises RefusedError: always.
    """
    report_end(crawler, request, Outcome.REJECTED, reason, status=status, detail=detail)
    raise RefusedError(reason, detail)


class SilentHosts:
    """Hosts that gave no answer. The log has a line for each host and reason, and one line for all at the end."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, request: Request, reason: str, why: str) -> None:
        """Count a request that failed; the first of its host and reason is said, and so is a host too many."""
        key = urlparse_cached(request).netloc, reason
        if key not in self._counts and len(self._counts) >= _MOST_HOSTS:
            key = "other hosts", "various"
        self._counts[key] += 1
        level = logging.WARNING if self._counts[key] == 1 else logging.DEBUG
        logger.log(level, "%s: %s (%s)", request.url, reason, why)

    def closed(self) -> None:
        if self._counts:
            named = (f"{host} {reason} ({n:,})" for (host, reason), n in self._counts.most_common(_HOSTS_NAMED))
            more = len(self._counts) - _HOSTS_NAMED
            rest = f"; and {more} more" if more > 0 else ""
            logger.warning("Requests without a usable answer, by host: %s%s", "; ".join(named), rest)


class FirstOfHost(logging.Filter):
    """Lets pass the first warning of a host's certificate; Scrapy writes one for each connection."""

    def __init__(self) -> None:
        super().__init__()
        self._hosts: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        host = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
        is_first = host not in self._hosts
        if is_first and len(self._hosts) < _MOST_HOSTS:
            self._hosts.add(host)
        return is_first


_CERTIFICATES: Final = FirstOfHost()


class OutcomeMiddleware(Component):
    """The downloader middleware next to the engine. Each URL ends once: here, in a ``Page``, or in a redirect.

    A page that only tests the reader, or only asks for consent, ends as ``rejected``/``blocked``. Stats
    ``newscrawl/blocked/<status>``, ``newscrawl/blocked/challenge``, ``newscrawl/blocked/consent``;
    ``newscrawl/seeds/disallowed``: pages to start from that robots.txt disallows.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.silent = SilentHosts()
        # Scrapy logs a line for each 404; here each is counted, stored, and shown by ``scrapy explain``
        logging.getLogger("scrapy.spidermiddlewares.httperror").setLevel(logging.WARNING)
        logging.getLogger("scrapy.core.downloader.tls").addFilter(_CERTIFICATES)
        crawler.signals.connect(self.silent.closed, signals.spider_closed)

    def process_response(self, request: Request, response: Response) -> Response:
        """Report an answer that gives no page: the last one of its address, as all retries are behind it."""
        if request.callback is not NO_CALLBACK and not 300 <= response.status < 400:
            headers = {name: (response.headers.get(name) or b"").decode("latin-1") for name in BLOCKING_HEADERS}
            if kind := blocked_by(response.status, headers, response.body):
                self.crawler.stats.inc_value(f"newscrawl/blocked/{kind}")
                if 200 <= response.status < 300:
                    refuse_answer(self.crawler, request, Rejection.BLOCKED, kind, response.status)
        if not 200 <= response.status < 300 and not self._is_handled(request, response.status):
            if response.status == 304:
                report_end(self.crawler, request, Outcome.DUPLICATE, "not_modified", status=304)
            else:
                report_end(self.crawler, request, Outcome.HTTP_ERROR, str(response.status), status=response.status)
        return response

    def process_request(self, request: Request) -> None:
        if "retry_times" in request.meta and self._is_left(request):
            raise PostponedError

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, PostponedError):  # it has not ended: the frontier has it again
            frontier = frontier_of(self.crawler)
            if frontier is not None:
                frontier.put_back(request.url)
            return
        if self._is_left(request):
            raise PostponedError from exception
        if isinstance(exception, RefusedError):
            report_end(self.crawler, request, Outcome.REFUSED, str(exception.reason), detail=exception.detail)
        elif isinstance(exception, IgnoreRequest):
            self._ignored(request, str(exception))
        elif isinstance(exception, CannotResolveHostError) and (refused := _refused_host(request)):
            detail = f"{refused} {NOT_PUBLIC}"
            self.silent.add(request, str(Rejection.ADDRESS), detail)
            report_end(self.crawler, request, Outcome.REFUSED, Rejection.ADDRESS, detail=detail)
            raise RefusedError(Rejection.ADDRESS, detail)
        else:
            outcome, reason = next(
                ((outcome, reason) for kind, outcome, reason in _FAILURES if isinstance(exception, kind)),
                (Outcome.FAILED, "error"),
            )
            detail = f"{type(exception).__name__}: {exception}"
            report_end(self.crawler, request, outcome, str(reason), detail=detail)
            if outcome is not Outcome.FAILED or reason != "error":
                self._silence(request, str(reason), exception)

    def _is_left(self, request: Request) -> bool:
        """Tell whether a page is a part of an article that is left for the next run, as the crawl stops."""
        frontier = frontier_of(self.crawler) if found_by(request).get("found") == "part" else None
        return frontier is not None and is_stopping(self.crawler)

    def _silence(self, request: Request, reason: str, exception: Exception) -> None:
        """Log one line instead of Scrapy's traceback, unless the spider wants the error."""
        is_robots = request.callback is NO_CALLBACK and urlparse_cached(request).path == "/robots.txt"
        if is_robots or (request.errback is None and request.callback is not NO_CALLBACK):
            self.silent.add(request, reason, str(exception))
            raise IgnoreRequest(reason) from exception

    def _ignored(self, request: Request, message: str) -> None:
        """Report a refusal of Scrapy's own, which only its message tells apart."""
        if "robots.txt" in message:
            if found_by(request).get("found") == "seed":
                self.crawler.stats.inc_value("newscrawl/seeds/disallowed")
            report_end(self.crawler, request, Outcome.ROBOTS, Rejection.ROBOTS)
        elif "offsite" in message:
            report_end(self.crawler, request, Outcome.REFUSED, Rejection.OFFSITE)
        else:
            report_end(self.crawler, request, Outcome.REFUSED, "ignored", detail=message)

    def _is_handled(self, request: Request, status: int) -> bool:
        """Tell whether the spider takes such answers itself, as HttpErrorMiddleware decides."""
        meta, settings = request.meta, self.crawler.settings
        if meta.get("handle_httpstatus_all") or settings.getbool("HTTPERROR_ALLOW_ALL"):
            return True
        spider: Any = self.crawler.spider
        own = spider.handle_httpstatus_list if hasattr(spider, "handle_httpstatus_list") else None
        codes = meta.get("handle_httpstatus_list") or own
        return status in (codes if codes is not None else map(int, settings.getlist("HTTPERROR_ALLOWED_CODES")))

    @hears(signals.item_error)
    def _item_failed(self, item: object, response: Response | None, failure: Failure) -> None:
        if response is not None and response.request is not None and hasattr(item, "requested_url"):
            detail = f"{type(failure.value).__name__}: {failure.value}"
            report_end(self.crawler, response.request, Outcome.FAILED, "error", status=response.status, detail=detail)

    @hears(signals.request_scheduled)
    def _scheduled(self, request: Request) -> None:
        """Report a redirect off the site, which Scrapy drops without a signal: its target is a link not followed."""
        offsite = self.crawler.get_downloader_middleware(OffsiteMiddleware)
        spider = self.crawler.spider
        if not request.meta.get("redirect_urls") or offsite is None or spider is None:
            return
        if request.meta.get("allow_offsite") or offsite.should_follow(request, spider):
            return
        self.crawler.stats.inc_value(f"newscrawl/rejected/{Rejection.OFFSITE}")
        self.crawler.signals.send_catch_log(
            links_rejected,
            refused=[RefusedLink(request.url, Rejection.OFFSITE)],
            page_url=request.meta["redirect_urls"][-1],
        )


def _refused_host(request: Request) -> str | None:
    """Say which host of the request, its own or its proxy's, has an address that the resolver refused."""
    resolver = installed_resolver()
    if resolver is None:
        return None
    host, proxy = urlparse_cached(request).hostname, urlsplit(request.meta.get("proxy") or "").hostname
    if proxy in resolver.refused:
        return f"the proxy {proxy}"
    return host if host in resolver.refused else None
