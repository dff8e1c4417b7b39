"""Looks at an answer: can it be unpacked, what is its charset."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import HtmlResponse, XmlResponse

from newscrawl.middlewares.outcome import RefusedError, refuse_answer, report_end
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.page.charset import decide_encoding, is_binary
from newscrawl.page.packed import UnpackError, unpack
from newscrawl.signals import ENCODING, Component
from newscrawl.spiders.responses import content_type, kind_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


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
