"""Scrapy's redirect middlewares, with an outcome for the URL that was left and for the one that never arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Request

from newscrawl.middlewares.reporter import OutcomeReporter
from newscrawl.outcomes import Outcome, Rejection

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response


class ReportedRedirectMiddleware(RedirectMiddleware):
    """``redirected`` for each step, ``rejected``/``redirect_loop`` after ``REDIRECT_MAX_TIMES`` of them."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        return _reported(self.crawler, request, response, super().process_response)


class ReportedMetaRefreshMiddleware(MetaRefreshMiddleware):
    """The same for ``<meta http-equiv="refresh">``."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        return _reported(self.crawler, request, response, super().process_response)


def _reported(
    crawler: Crawler,
    request: Request,
    response: Response,
    redirect: Callable[[Request, Response], Request | Response],
) -> Request | Response:
    reporter = OutcomeReporter(crawler)
    status = response.status
    try:
        result = redirect(request, response)
    except IgnoreRequest as error:
        reporter.ended(request, Outcome.REJECTED, Rejection.REDIRECT_LOOP, status=status, detail=str(error))
        raise
    if isinstance(result, Request):
        reporter.ended(request, Outcome.REDIRECTED, status=status, detail=result.url)
    return result
