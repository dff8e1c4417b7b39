"""Looks at an answer: can it be unpacked, what is its charset, does it keep the crawler out."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final, Self

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import HtmlResponse, XmlResponse
from scrapy.http.request import NO_CALLBACK

from newscrawl.languages.patterns import WordPattern
from newscrawl.middlewares.outcome import RefusedError, refuse_answer, report_end
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.page.charset import decide_encoding, is_binary
from newscrawl.page.packed import UnpackError, unpack
from newscrawl.signals import ENCODING, Component
from newscrawl.spiders.responses import content_type, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


#: Statuses by which a server says that it does not want this crawler, or not so fast.
REFUSED: Final = frozenset({401, 403, 407, 429, 451})
#: Bytes looked at for the marks of a test page, which is short.
_HEAD_BYTES: Final = 32 * 1024
_TITLE_BYTES: Final = 2048
#: Most visible characters of a test page.
_MAX_VISIBLE: Final = 800

#: Strings in the scripts of test pages. Ordinary pages behind the same services do not have them.
_MARKS: Final = (
    b"_cf_chl_opt", b'id="main-iframe" src="/_Incapsula_Resource', b"captcha-delivery.com", b"px-captcha",
    b"AwsWafIntegration", b"awsWafCookieDomainList", b"sucuri_cloudproxy_js", b"sec-if-cpt-container", b"bm-verify=",
    b"__jsl_clearance", b"acw_sc__v2", b"TencentCaptcha(", b"aliyun_waf", b"/.within.website/x/cmd/anubis",
    b"ddos-guard/js-challenge",
)  # fmt: skip
_TITLES: Final = WordPattern("{pages.challenge}", re.IGNORECASE)
_CONSENT_TITLES: Final = WordPattern(
    r"\W*(?:{pages.consent}|.{0,20}{pages.consent_behind})\W*(?:$|\s[|–—-]\s)", re.IGNORECASE
)
_AGREE: Final = WordPattern(r"<(?:form|button|input|a)\b[^<>]{0,400}>[^<]{0,40}{pages.agree}", re.IGNORECASE)
_MAX_CONSENT: Final = 1_500
"""Visible characters of a page that asks for consent in place of an article."""
_TITLE: Final = re.compile(r"<title[^>]{0,200}>([^<]{0,200})", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(rb"<p(?:>|\s[^<>]*>)([^<]*)")
_UNSEEN: Final = re.compile(
    r"<(script|style|noscript|head)\b(?:(?!<\1\b).)*?</\1\s*>|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def blocked_by(status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return what kept the crawler out: the status as text, ``challenge``, ``consent``, or None.

    :param headers: names in lower case.
    :param body: unpacked.
    """
    if headers.get("cf-mitigated", "").lower() == "challenge" or headers.get("x-amzn-waf-action"):
        return "challenge"
    if _is_challenge(body[:_HEAD_BYTES]):
        return "challenge"
    if _asks_for_consent(body):
        return "consent"
    return str(status) if status in REFUSED else None


def _is_challenge(head: bytes) -> bool:
    # most pages need no closer look: their paragraphs alone have more text than a test page may have
    n_left = 4 * _MAX_VISIBLE  # bytes, white space included
    for paragraph in _PARAGRAPH.finditer(head):
        n_left -= paragraph.end(1) - paragraph.start(1)
        if n_left < 0:
            return False
    if not any(mark in head for mark in _MARKS):
        title = _TITLE.search(_decode(head[:_TITLE_BYTES]))
        if title is None or not _TITLES.search(title[1]):
            return False
    return len("".join(_UNSEEN.sub(" ", _decode(head)).split())) <= _MAX_VISIBLE


def _asks_for_consent(body: bytes) -> bool:
    """Tell whether a page only asks for consent: its title says so, it has a button, and little text."""
    title = _TITLE.search(_decode(body[:_TITLE_BYTES]))
    if title is None or len(body) > _HEAD_BYTES * 4 or not _CONSENT_TITLES.match(title[1]):
        return False
    text = _decode(body)
    return bool(_AGREE.search(text)) and len("".join(_UNSEEN.sub(" ", text).split())) <= _MAX_CONSENT


def _decode(head: bytes) -> str:
    """Return text that is good enough to read a title and to count characters."""
    try:
        return head.decode()
    except UnicodeDecodeError:
        return head.decode("gb18030", "replace")


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


class BlockedMiddleware(Component):
    """Sees an answer after the retry middleware (550), so that only the last answer of each address counts.

    Stats ``newscrawl/blocked/<status>``, ``newscrawl/blocked/challenge`` and ``newscrawl/blocked/consent``. A page that
    only tests the reader, or only asks for consent, ends as ``rejected``/``blocked``.
    """

    def process_response(self, request: Request, response: Response) -> Response:
        if request.callback is NO_CALLBACK or 300 <= response.status < 400:
            return response
        headers = {
            name: (response.headers.get(name) or b"").decode("latin-1")
            for name in ("cf-mitigated", "x-amzn-waf-action")
        }
        kind = blocked_by(response.status, headers, response.body)
        if kind is None:
            return response
        self.crawler.stats.inc_value(f"newscrawl/blocked/{kind}")
        if 200 <= response.status < 300:
            refuse_answer(self.crawler, request, Rejection.BLOCKED, kind, response.status)
        return response


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
