"""What all crawls of a process share: how often Python looks for reference cycles."""

from __future__ import annotations

import gc
from typing import ClassVar, Final

from scrapy import signals

from newscrawl.console.program import leave_quickly
from newscrawl.signals import Component, hears

#: New objects after which Python looks for cycles while a crawl runs; Python's own number is far lower.
GC_THRESHOLD: Final = 50_000


class GarbageExtension(Component):
    """Lets Python look for reference cycles less often: in a crawl that costs a tenth of the time and finds little.

    Modules, models and the index of a replay stay until the end; each full collection would go through them. The
    pages' trees hang on no cycle.
    """

    _running: ClassVar[int] = 0
    _before: ClassVar[tuple[int, int, int]] = (0, 0, 0)

    @hears(signals.spider_opened)
    def opened(self) -> None:
        cls = type(self)
        cls._running += 1
        if cls._running == 1:
            leave_quickly()
            cls._before = gc.get_threshold()
            gc.freeze()
            gc.set_threshold(GC_THRESHOLD, *cls._before[1:])

    @hears(signals.spider_closed)
    def closed(self) -> None:
        cls = type(self)
        cls._running -= 1
        if not cls._running:
            gc.set_threshold(*cls._before)
            gc.unfreeze()
