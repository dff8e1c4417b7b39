"""Scrapy's AutoThrottle for harvests that ask again: most of their answers are 304."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy.extensions.throttle import AutoThrottle

if TYPE_CHECKING:
    from scrapy.core.downloader import Slot
    from scrapy.http import Response

NOT_MODIFIED: Final = 304


class RevisitThrottle(AutoThrottle):
    """Learns from 304 as from 200. Scrapy takes it for an error, after which the delay never falls: a second harvest,
    of which next to all answers are 304, kept the delay of its start and took four times as long as the first.
    """

    def _adjust_delay(self, slot: Slot, latency: float, response: Response) -> None:
        if response.status == NOT_MODIFIED:
            response = response.replace(status=200)
        super()._adjust_delay(slot, latency, response)
