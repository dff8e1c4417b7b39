"""Conditional requests: a page that has not changed is not sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from newscrawl.frontier.model import VALIDATORS

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

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
