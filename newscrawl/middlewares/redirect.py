"""Scrapy's redirect middlewares, with an outcome for each URL that redirects; and pages that only lead on."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Request

from newscrawl.middlewares.outcome import refuse_answer, report_end
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.urls.canonical import absolute, host_of
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings


MAX_CHARS: Final = 16_384
"""A longer page has more to say than where to go."""
MAX_SHOWN: Final = 160
"""Characters of text beside it, such as *You are being redirected*."""
_UNSEEN: Final = re.compile(
    r"<(script|style|noscript|head|title|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>?",
    re.DOTALL | re.IGNORECASE,
)
_REFRESH: Final = re.compile(
    r"<meta\b(?=[^>]{0,400}?http-equiv\s*=\s*[\"']?refresh)[^>]{0,400}?content\s*=\s*(?:\"([^\"]{1,4000})\"|'([^']{1,4000})')",
    re.IGNORECASE,
)
_CONTENT: Final = re.compile(r"\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'\s]+)", re.IGNORECASE)
_MAX_DELAY: Final = 100
"""Seconds, as those of Scrapy's refreshes."""
_QUOTED: Final = r"([\"'`])((?:(?!\{0})[^\n<>]){{1,2000}})\{0}"
_SCRIPTED: Final = re.compile(
    r"(?<![\w$])(?:(?:window|document|self|top|parent|globalThis)\s*(?:\.\s*|\[\s*[\"'](?=location))){0,2}"
    r"location(?:[\"']\s*\])?\s*(?:(?:\.\s*|\[\s*[\"'])href(?:[\"']\s*\])?\s*)?(?:=\s*|\.\s*(?:replace|assign)\s*\(\s*)"
    rf"(?:{_QUOTED.format(1)}|([A-Za-z_$][\w$]{{0,40}})\s*[;)\n}}])"
)
"""How a script leads on: to an address that it writes there, or that a variable holds."""
_HANDLER: Final = re.compile(r"""\son(?!load\b)[a-z]{2,20}\s*=\s*(?:"[^"]*"|'[^']*')""", re.IGNORECASE)
"""What a reader's click does."""
_ESCAPES: Final = re.compile(r"\\(?:/|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")


def forwarded_to(text: str, url: str) -> str | None:
    """Return the address on the same site that a page without a text of its own leads to; None for other pages.

    >>> forwarded_to('<script>location.replace("/b.html")</script>', "http://example.org/a.html")
    'http://example.org/b.html'
    """
    if len(text) > MAX_CHARS or not ("location" in text or "refresh" in text.lower()):
        return None
    if len("".join(html.unescape(_UNSEEN.sub(" ", text)).split())) > MAX_SHOWN:
        return None
    found = _REFRESH.search(text)
    target = _of_refresh(found[1] or found[2]) if found else None
    if target is None:
        text = _HANDLER.sub("", text)
        scripted = _SCRIPTED.search(text)
        if scripted and scripted[3]:
            scripted = re.search(rf"(?<![\w$.]){re.escape(scripted[3])}\s*=\s*{_QUOTED.format(1)}", text)
        target = _ESCAPES.sub(_unescaped, scripted[2]) if scripted else None
    address = absolute(html.unescape(target), url) if target else None
    is_other = address is not None and address.partition("#")[0] != url.partition("#")[0]
    return address if address and is_other and same_site(address, url) else None


def _of_refresh(content: str) -> str | None:
    found = _CONTENT.match(html.unescape(content))
    return found[2] if found and int(found[1]) < _MAX_DELAY else None


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else "/"


#: ``request.meta`` key: what the redirects that led here set, host → name → value.
COOKIES = "newscrawl_cookies"
#: Hosts whose cookies are kept, cookies of one host, characters of one.
MAX_HOSTS = 10_000
MAX_COOKIES = 20
MAX_COOKIE_CHARS = 4_000
#: Scrapy looks for a refresh in the first 4,096 characters. Only in UTF-16 and UTF-32 is the word not that of ASCII.
_REFRESH_BYTES = 4 * 4096
_PAIR = re.compile(r"\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([^;\r\n]*)")


class ReportedRedirectMiddleware(RedirectMiddleware):
    """``redirected`` for each step, ``rejected``/``redirect_loop`` after ``REDIRECT_MAX_TIMES`` of them.

    Cookies are off. A host that redirects in a circle to set one (a consent page that leads back at once, a session)
    gets the cookies of its redirects from then on. Stat ``newscrawl/redirect/cookie_hosts``.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._kept: dict[str, dict[str, str]] | None = None if settings.getbool("COOKIES_ENABLED") else {}

    def process_request(self, request: Request) -> None:
        if self._kept and (cookies := self._kept.get(host_of(request.url))):
            request.headers.setdefault("Cookie", _header(cookies))

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        result = _reported(self.crawler, request, response, super().process_response)
        if isinstance(result, Request) and self._kept is not None:
            self._bring_cookies(request, response, result, self._kept)
        return result

    def _bring_cookies(
        self, request: Request, response: Response, result: Request, kept: dict[str, dict[str, str]]
    ) -> None:
        """Note the cookies of a redirect; if it leads back to where it came from, send them there."""
        noted: dict[str, dict[str, str]] = dict(request.meta.get(COOKIES, {}))
        pairs = (
            _PAIR.match(one.decode("latin-1")[:MAX_COOKIE_CHARS]) for one in response.headers.getlist("Set-Cookie")
        )
        if found := {pair[1]: pair[2].strip() for pair in pairs if pair}:
            host = host_of(request.url)
            noted[host] = dict(list((noted.get(host, {}) | found).items())[:MAX_COOKIES])
        if not noted:
            return
        result.meta[COOKIES] = noted
        own = noted.get(host_of(result.url))
        if own and result.url in {request.url, *request.meta.get("redirect_urls", ())}:
            result.headers["Cookie"] = _header(own)
            if host_of(result.url) not in kept and len(kept) < MAX_HOSTS:
                self.crawler.stats.inc_value("newscrawl/redirect/cookie_hosts")
                kept[host_of(result.url)] = own


class ReportedMetaRefreshMiddleware(MetaRefreshMiddleware):
    """Scrapy's ``<meta http-equiv="refresh">``, and pages that only lead on by a script; both end in an outcome."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        head = response.body[:_REFRESH_BYTES]
        if b"refresh" in head.lower() or b"\0" in head:  # Scrapy's look takes longer: it decodes the page
            result = _reported(self.crawler, request, response, super().process_response)
            if isinstance(result, Request):
                return result
        is_short = len(response.body) <= MAX_CHARS and isinstance(response, HtmlResponse)
        if not is_short or request.meta.get("dont_redirect", False) or request.method == "HEAD":
            return response
        return _reported(self.crawler, request, response, self._forward)

    def _forward(self, request: Request, response: Response) -> Request | Response:
        target = forwarded_to(response.text, response.url)
        if target is None:
            return response
        return self._redirect(self._redirect_request_using_get(request, response, target), request, "script")


def _header(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def _reported(
    crawler: Crawler,
    request: Request,
    response: Response,
    redirect: Callable[[Request, Response], Request | Response],
) -> Request | Response:
    status = response.status
    try:
        result = redirect(request, response)
    except IgnoreRequest as error:
        report_end(crawler, request, Outcome.REJECTED, Rejection.REDIRECT_LOOP, status=status, detail=str(error))
        raise
    except ValueError as error:  # no address, such as one with a port above 65,535
        refuse_answer(crawler, request, Rejection.BAD_URL, str(error), status)
    if isinstance(result, Request):
        report_end(crawler, request, Outcome.REDIRECTED, status=status, detail=result.url)
    return result
