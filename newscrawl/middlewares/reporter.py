"""Reports how a URL ended that never became a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from newscrawl.outcomes import Outcome, Rejection
from newscrawl.signals import url_outcome

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class RefusedError(IgnoreRequest):
    """A request or an answer is refused, for a reason that is counted."""

    def __init__(self, reason: Rejection, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


class OutcomeReporter:
    """Counts an ending and sends ``newscrawl.signals.url_outcome``; what nobody waits for (robots.txt) is left out.

    Stats ``newscrawl/rejected/<reason>`` for refusals, ``newscrawl/failed/<reason>`` for failures, and the status
    for HTTP errors, ``newscrawl/http_error/<status>``; ``newscrawl/seeds/private``: pages to start from that have no
    public address.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    def ended(
        self,
        request: Request,
        outcome: Outcome,
        reason: str | None = None,
        *,
        status: int | None = None,
        detail: str = "",
    ) -> None:
        if request.callback is NO_CALLBACK:
            return
        stats = self.crawler.stats
        if reason == Rejection.ADDRESS and request.meta.get("newscrawl", {}).get("found") == "seed":
            stats.inc_value("newscrawl/seeds/private")
        if outcome in (Outcome.REJECTED, Outcome.ROBOTS) or reason in _REJECTIONS:
            stats.inc_value(f"newscrawl/rejected/{reason}")
        elif outcome is Outcome.FAILED:
            stats.inc_value(f"newscrawl/failed/{reason}")
        elif outcome is Outcome.HTTP_ERROR:
            stats.inc_value(f"newscrawl/http_error/{status}")
        self.crawler.signals.send_catch_log(
            url_outcome,
            url=request.url,
            outcome=outcome,
            reason=reason,
            status=status,
            detail=detail or None,
            referer=request.meta.get("newscrawl", {}).get("parent"),
        )

    def refused(self, request: Request, error: RefusedError, status: int | None = None) -> None:
        self.ended(request, Outcome.REJECTED, str(error.reason), status=status, detail=error.detail)


_REJECTIONS = frozenset(map(str, Rejection))
