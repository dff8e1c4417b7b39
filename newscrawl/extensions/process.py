"""What all crawls of a process share: a core of their own, and how often Python looks for reference cycles."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import random
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from newscrawl.console.program import leave_quickly
from newscrawl.signals import Component

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


CLAIMS = "newscrawl-core"
_WAITED = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True, slots=True)
class OwnCore:
    """A core that this process is held to, and that no other worker of the machine (or container) holds."""

    core: int
    allowed: frozenset[int]  # cores of the process before
    claim: socket.socket

    @classmethod
    def take(cls, claims: str = CLAIMS) -> Self | None:
        """Hold all threads of the process, and those that they start, to a core that is free.

        :param claims: begin of the names of the claims: abstract Unix sockets, which the kernel gives up with the
            process, however that ends.

        None where the process has but one core, or the user has given it one, where the others are taken, and on
        systems other than Linux.
        """
        if sys.platform != "linux" or not _WAITED.exists():
            return None
        allowed = frozenset(os.sched_getaffinity(0))
        if len(allowed) < 2:
            return None
        # By chance: workers in containers do not see each other's claims, and would all begin with the first.
        for core in random.sample(sorted(allowed), len(allowed)):
            claim = socket.socket(socket.AF_UNIX)
            try:
                claim.bind(f"\0{claims}-{core}")
            except OSError:
                claim.close()
            else:
                _hold_threads(frozenset({core}))
                return cls(core, allowed, claim)
        return None

    def release(self) -> None:
        """Give the core up; the process may run on all it could before."""
        _hold_threads(self.allowed)
        self.claim.close()


def seconds_waited() -> float:
    """Return how long the calling thread was ready to run since its start, and its core was not free. Linux."""
    return int(_WAITED.read_text("ascii").split()[1]) / 1e9


def _hold_threads(cores: frozenset[int]) -> None:
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):  # it ended in the meantime, or its cores were taken away
            os.sched_setaffinity(int(thread), cores)


logger = logging.getLogger(__name__)

#: A core is looked at each time so many seconds have passed.
LOOK_SECONDS = 10.0
#: It is given up where the event loop waited for it for more than this share of them …
CROWDED = 0.4
#: … and asked for again after this time. Seconds.
PAUSE_SECONDS = 120.0


class OfProcess(Component):
    """Something that crawls of one process share: the first to open begins it, the last to close ends it."""

    _running: ClassVar[int] = 0

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)

    def opened(self) -> None:
        cls = type(self)
        cls._running += 1
        if cls._running == 1:
            cls.begin()

    def closed(self) -> None:
        cls = type(self)
        cls._running -= 1
        if not cls._running:
            cls.end()

    @classmethod
    def begin(cls) -> None:
        raise NotImplementedError

    @classmethod
    def end(cls) -> None:
        raise NotImplementedError


class OwnCoreExtension(OfProcess):
    """Holds the process to a core of its own. Setting ``NEWSCRAWL_OWN_CORE``.

    Only one of the event loop and the writer's thread can run Python at a time. On two cores each waits for the
    other to be woken, and a crawl takes half as long again. Where other programs keep the core busy, the process may
    run on all cores again. Rendering crawls are left alone: the browser would be held to the same core.
    """

    _core: ClassVar[OwnCore | None] = None
    _watch: ClassVar[asyncio.Task[None] | None] = None

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCRAWL_OWN_CORE"):
            raise NotConfigured("NEWSCRAWL_OWN_CORE is off")
        if crawler.settings.getbool("NEWSCRAWL_RENDER_SCRIPTS"):
            raise NotConfigured("the browser needs the other cores")
        super().__init__(crawler)

    @classmethod
    def begin(cls) -> None:
        cls._core = OwnCore.take()
        cls._watch = asyncio.get_running_loop().create_task(cls._watching())

    @classmethod
    def end(cls) -> None:
        if cls._watch is not None:
            cls._watch.cancel()
            cls._give_up()

    @classmethod
    def _give_up(cls) -> None:
        if cls._core is not None:
            cls._core.release()
            cls._core = None

    @classmethod
    async def _watching(cls) -> None:
        while True:
            if cls._core is None:
                await asyncio.sleep(PAUSE_SECONDS)
                cls._core = OwnCore.take()
                continue
            began, waited = time.monotonic(), seconds_waited()
            await asyncio.sleep(LOOK_SECONDS)
            share = (seconds_waited() - waited) / (time.monotonic() - began)
            logger.debug("Core %d was waited for %.0f %% of the time", cls._core.core, 100 * share)
            if share > CROWDED:
                cls._give_up()


#: New objects after which Python looks for cycles while a crawl runs; Python's own number is far lower.
GC_THRESHOLD: Final = 50_000


class GarbageExtension(OfProcess):
    """Lets Python look for reference cycles less often: in a crawl that costs a tenth of the time and finds little.

    Modules, models and the index of a replay stay until the end; each full collection would go through them. The
    pages' trees hang on no cycle.
    """

    _before: ClassVar[tuple[int, int, int]] = (0, 0, 0)

    @classmethod
    def begin(cls) -> None:
        leave_quickly()
        cls._before = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(GC_THRESHOLD, *cls._before[1:])

    @classmethod
    def end(cls) -> None:
        gc.set_threshold(*cls._before)
        gc.unfreeze()
