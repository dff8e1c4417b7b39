"""How long a host is left alone between two requests: what it asks for, and what its answers say."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.extensions.throttle import AutoThrottle

from newscrawl.frontier.scheduler import frontier_of
from newscrawl.signals import Component, hears

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

logger = logging.getLogger(__name__)

NOT_MODIFIED: Final = 304
TOO_MANY_REQUESTS: Final = 429
UNAVAILABLE: Final = 503
#: The wait after a 429 that does not say how long. Seconds.
RETRY_SECONDS: Final = 5.0
#: Scrapy looks at a slot's last request only if the slot has a delay: the least one that counts. Seconds.
_MIN_DELAY: Final = 0.001


class RevisitThrottle(AutoThrottle):
    """Scrapy's AutoThrottle, which learns from 304 as from 200.

    Scrapy takes a 304 for an error, after which the delay never falls. Next to all answers of a second harvest are
    304: it kept the delay of its start and took four times as long as the first.
    """

    def _adjust_delay(self, slot: Slot, latency: float, response: Response) -> None:
        if response.status == NOT_MODIFIED:
            response = response.replace(status=200)
        super()._adjust_delay(slot, latency, response)


class CrawlDelayExtension(Component):
    """Keeps the Crawl-delay of robots.txt as the least delay of the host; Scrapy reads it and does not keep it.

    AutoThrottle may slow down further. Settings ``NEWSCRAWL_CRAWL_DELAY_ENABLED``,
    ``NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS``; stats ``newscrawl/crawl_delay/hosts``, ``…/max_seconds``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCRAWL_CRAWL_DELAY_ENABLED") or not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        super().__init__(crawler)
        self.longest = settings.getfloat("NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS")
        self.agent = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        self.floors: dict[str, float] = {}

    @hears(signals.robots_parsed)
    def _read(self, robotparser: RobotParser, request: Request) -> None:
        asked = robotparser.crawl_delay(self.agent)
        if not asked or not asked > 0:  # NaN is none either
            return
        key = self.crawler.engine.downloader.get_slot_key(request)
        self.floors[key] = min(float(asked), self.longest)
        stats = self.crawler.stats
        stats.set_value("newscrawl/crawl_delay/hosts", len(self.floors))
        stats.max_value("newscrawl/crawl_delay/max_seconds", self.floors[key])
        logger.info("%s asks for a crawl delay of %s s; kept: %s s", key, asked, self.floors[key])
        self._slow_down(key)

    @hears(signals.response_downloaded)  # AutoThrottle, which hears it too, is older and called first
    def _keep(self, request: Request) -> None:
        self._slow_down(request.meta.get("download_slot", ""))

    def _slow_down(self, key: str) -> None:
        floor = self.floors.get(key)
        slot: Slot | None = self.crawler.engine.downloader.slots.get(key)
        if floor is not None and slot is not None:
            slot.delay = max(slot.delay, floor)
            slot.jitter = 0.0  # it would shorten the delay as often as not


class RetryAfterExtension(Component):
    """Leaves a host alone for as long as the ``Retry-After`` of a 429 or 503 asks.

    It listens to the downloader: when a middleware sees the answer, the host's next request has left already. The
    retry middleware asks again, ``RETRY_TIMES`` times; then the answer counts as an HTTP error. Settings
    ``NEWSCRAWL_RETRY_AFTER_ENABLED``, ``NEWSCRAWL_RETRY_AFTER_MAX_SECONDS``; stats ``newscrawl/retry_after/answers``,
    ``…/seconds``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_RETRY_AFTER_ENABLED"):
            raise NotConfigured
        super().__init__(crawler)
        self.longest = crawler.settings.getfloat("NEWSCRAWL_RETRY_AFTER_MAX_SECONDS")
        self._waited: defaultdict[str, float] = defaultdict(float)  # by host, since its last answer that was one

    @hears(signals.response_downloaded)
    def _answered(self, request: Request, response: Response) -> None:
        if response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
            self._waited.pop(self.crawler.engine.downloader.get_slot_key(request), None)
            return
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        seconds = retry_after_seconds(header, datetime.now(UTC))
        if seconds is None:
            seconds = RETRY_SECONDS if response.status == TOO_MANY_REQUESTS else 0.0
        if seconds > 0:
            self._leave_alone(request, min(seconds, self.longest))

    def _leave_alone(self, request: Request, seconds: float) -> None:
        """Tell the host's slot that its next request, whichever it is, is due in so many seconds.

        A host whose waits, with no other answer between them, add up to more than a crawl stays open for is put off.
        """
        downloader = self.crawler.engine.downloader
        host = downloader.get_slot_key(request)
        slot = downloader.slots.get(host)
        if slot is None:
            return
        frontier = frontier_of(self.crawler)
        self._waited[host] += seconds
        is_put_off = frontier is not None and self._waited[host] > frontier.worker.member.patience_seconds
        if frontier is not None and is_put_off:
            seconds = max(seconds, self._waited[host])
        slot.delay = max(slot.delay, _MIN_DELAY)
        slot.lastseen = max(slot.lastseen, time.monotonic() + seconds - slot.delay)
        self.crawler.stats.inc_value("newscrawl/retry_after/answers")
        self.crawler.stats.inc_value("newscrawl/retry_after/seconds", round(seconds))
        logger.info("%s asks to wait: %.0f s", host, seconds)
        if frontier is not None and is_put_off:
            frontier.worker.postpone(host, seconds)


def retry_after_seconds(header: str, now: datetime) -> float | None:
    """Return the seconds that ``Retry-After`` asks to wait, 0 for a past date; None if it says nothing.

    RFC 9110, §10.2.3.

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
