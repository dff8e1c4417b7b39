"""Requests that wait, wherever they are.

Waiting is a state of a host, and stopping one of the crawl. By both, each place that a request may be in lets go of it:

============================== ======================================== ============================================
a request that is              its host asks to wait                    the crawl stops
============================== ======================================== ============================================
queued in the database         rests with its host                      stays
leased, in the buffer          is given back (``Worker.postpone``)      is given back (``Worker.close``)
being leased                   is given back when it comes              is given back
on its way to the downloader   is refused by ``WaitingMiddleware``      likewise
in a slot of the downloader    is taken out (``empty_slots``)           likewise, of all slots (``SlotsExtension``)
with the server                is answered                              is broken off after ``ANSWER_SECONDS``
============================== ======================================== ============================================

What is refused, taken out or broken off ends with ``PostponedError``, which gives its lease back. A robots.txt is such
a request, too: the pages that wait for it end with it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from twisted.python.failure import Failure

from newscrawl.frontier.model import PostponedError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

ANSWER_SECONDS: Final = 3.0
"""How long a server may still answer when the crawl stops."""


def engine_slot(crawler: Crawler) -> Any:
    """Return what the engine has at hand, None before the spider is open. Scrapy has no public name for it."""
    return crawler.engine._slot if crawler.engine is not None else None


def wake_engine(crawler: Crawler) -> None:
    """Have the engine ask for requests now: by itself, it does so every five seconds."""
    slot = engine_slot(crawler)
    if slot is not None and slot.closing is None:
        slot.nextcall.schedule()


def is_stopping(crawler: Crawler) -> bool:
    """Tell whether the engine only finishes what it has at hand."""
    slot = engine_slot(crawler)
    return slot is not None and slot.closing is not None


def is_starting(crawler: Crawler) -> bool:
    """Tell whether the spider still yields its first requests. Scrapy has no public name for it."""
    return crawler.engine is not None and crawler.engine._start is not None


def empty_slots(crawler: Crawler, host: str | None = None) -> None:
    """Take the requests out of the downloader's slots, or out of one host's."""
    slots = crawler.engine.downloader.slots if crawler.engine is not None else {}
    for slot in [slots[name] for name in list(slots) if host in {None, name}]:
        while slot.queue:
            _, answer = slot.queue.popleft()
            answer.errback(Failure(PostponedError()))  # type: ignore[no-untyped-call]


class Downloads:
    """The requests with servers, which can be broken off: Scrapy itself waits until each is answered or too late."""

    def __init__(self, crawler: Crawler) -> None:
        handlers = crawler.engine.downloader.handlers
        self._ask = handlers.download_request_async
        self._tasks: set[asyncio.Future[Response]] = set()
        handlers.download_request_async = self._download  # type: ignore[method-assign] # the one place all pass

    async def _download(self, request: Request) -> Response:
        task = asyncio.ensure_future(self._ask(request))
        self._tasks.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            raise PostponedError from None
        finally:
            self._tasks.discard(task)

    def break_off(self) -> int:
        """End them all; return how many there were."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        return len(tasks)
