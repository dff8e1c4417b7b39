"""Leaves a host alone for as long as its ``Retry-After`` asks."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_STATUSES = (429, 503)
#: Scrapy looks at a slot's last request only if the slot has a delay: the least one that counts. Seconds.
_MIN_DELAY = 0.001


class RetryAfterExtension:
    """Listens to the downloader: when a middleware sees the answer, the host's next request has left already.

    The retry middleware asks again, ``RETRY_TIMES`` times; then the answer counts as an HTTP error.

    Settings ``NEWSCRAWL_RETRY_AFTER_ENABLED``, ``NEWSCRAWL_RETRY_AFTER_MAX_SECONDS`` (a longer wait is cut),
    ``NEWSCRAWL_RETRY_AFTER_DEFAULT_SECONDS`` (429 without a header). Stats ``newscrawl/retry_after/answers``,
    ``newscrawl/retry_after/seconds``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_RETRY_AFTER_ENABLED"):
            raise NotConfigured
        self.crawler = crawler
        self.longest = crawler.settings.getfloat("NEWSCRAWL_RETRY_AFTER_MAX_SECONDS")
        self.default = crawler.settings.getfloat("NEWSCRAWL_RETRY_AFTER_DEFAULT_SECONDS")
        crawler.signals.connect(self._answered, signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _answered(self, request: Request, response: Response) -> None:
        if response.status not in _STATUSES:
            return
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        seconds = retry_after_seconds(header, datetime.now(UTC))
        if seconds is None:
            seconds = self.default if response.status == 429 else 0.0
        if seconds > 0:
            self._leave_alone(request, min(seconds, self.longest))

    def _leave_alone(self, request: Request, seconds: float) -> None:
        """Tell the host's slot that its next request is due in so many seconds, others than this one too."""
        downloader = self.crawler.engine.downloader
        slot = downloader.slots.get(downloader.get_slot_key(request))
        if slot is None:
            return
        slot.delay = max(slot.delay, _MIN_DELAY)
        slot.lastseen = max(slot.lastseen, time.monotonic() + seconds - slot.delay)
        self.crawler.stats.inc_value("newscrawl/retry_after/answers")
        self.crawler.stats.inc_value("newscrawl/retry_after/seconds", round(seconds))
        logger.info("%s asks to wait: %.0f s", downloader.get_slot_key(request), seconds)


def retry_after_seconds(header: str, now: datetime) -> float | None:
    """Seconds that ``Retry-After`` asks to wait, 0 for a past date; None if it says nothing (RFC 9110, §10.2.3).

    >>> retry_after_seconds("120", datetime(2024, 3, 5, tzinfo=UTC))
    120.0
    >>> retry_after_seconds("Tue, 05 Mar 2024 00:01:00 GMT", datetime(2024, 3, 5, tzinfo=UTC))
    60.0
    >>> retry_after_seconds("Tue, 05 Mar 99999999999 00:01:00 GMT", datetime(2024, 3, 5, tzinfo=UTC)) is None
    True
    """
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())
