"""Counts answers that keep the crawler out, and keeps their pages from being taken for articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.http.request import NO_CALLBACK

from newscrawl.middlewares.outcome import OutcomeReporter
from newscrawl.net.challenge import blocked_by
from newscrawl.outcomes import Rejection

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class BlockedMiddleware:
    """Sees an answer after the retry middleware (550), so that only the last answer of each address counts.

    Stats ``newscrawl/blocked/<status>``, ``newscrawl/blocked/challenge`` and ``newscrawl/blocked/consent``. A page that
    only tests the reader, or only asks for consent, ends as ``rejected``/``blocked``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.reporter = OutcomeReporter(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

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
            self.reporter.refuse(request, Rejection.BLOCKED, kind, status=response.status)
        return response
