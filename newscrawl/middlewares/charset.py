"""Gives an answer the charset of its bytes and, where its markup is HTML, the class of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.http import HtmlResponse, XmlResponse

from newscrawl.dom.charset import decide_encoding, is_binary
from newscrawl.middlewares.outcome import OutcomeReporter
from newscrawl.outcomes import Rejection
from newscrawl.spiders.responses import content_type, kind_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

#: ``request.meta`` key: the ``EncodingDecision`` for the answer.
ENCODING = "newscrawl_encoding"


class CharsetMiddleware:
    """After decompression (590): ``response.text`` and ``response.selector`` have the right charset.

    Pages sent as ``text/plain`` or XHTML become ``HtmlResponse``. The decision is in ``meta["newscrawl_encoding"]``.
    Binary files sent as pages are refused (``newscrawl/rejected/not_html``).
    """

    def __init__(self, reporter: OutcomeReporter) -> None:
        self.reporter = reporter

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(OutcomeReporter(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        if not response.body or isinstance(response, XmlResponse) or kind_of(response) != "html":
            return response
        decision = decide_encoding(response.body, content_type(response) or None)
        if is_binary(response.body, decision):
            self.reporter.refuse(request, Rejection.NOT_HTML, content_type(response)[:100], status=response.status)
        request.meta[ENCODING] = decision
        cls = response.__class__ if isinstance(response, HtmlResponse) else HtmlResponse
        decoded = response.replace(cls=cls, encoding=decision.encoding, headers=None)
        decoded.headers = response.headers  # to copy them takes longer than all else
        return decoded
