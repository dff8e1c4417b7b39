"""The worker behind the scheduler: it joins the crawl, leases, says that it lives, and leaves."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from newscrawl.exceptions import StorageError
from newscrawl.frontier.leases import HeldHosts
from newscrawl.frontier.leasing import LeaseAttempt, Order, Supply, is_worth_asking
from newscrawl.frontier.membership import Pulse, beat, join, leave, seconds_late
from newscrawl.frontier.model import HarvestSpider, crawl_name
from newscrawl.frontier.revisits import EVERYTHING, began_again, is_wider, next_due, wake
from newscrawl.frontier.waiting import empty_slots, wake_engine

if TYPE_CHECKING:
    from scrapy import Spider

    from newscrawl.frontier.leases import Lease
    from newscrawl.frontier.model import Membership
    from newscrawl.frontier.scheduler import FrontierScheduler

logger = logging.getLogger(__name__)

#: Requests leased at once in fair order.
BATCH = 100
#: How often a worker without work looks for some. Seconds.
POLL_SECONDS = 0.2
#: Least time between two leases while something still waits here. Seconds.
PAUSE_SECONDS = 0.1
#: … and no host that runs low is known to have more queued. Seconds.
DRY_PAUSE_SECONDS = 1.0
#: Least number of requests between two leases of a serial crawl while something still waits here.
PAUSE_REQUESTS = 10
#: Longest time between two signs of life. Seconds.
BEAT_SECONDS = 1.0
#: Hosts leased at most, as a multiple of the requests that may be under way.
HOSTS_PER_REQUEST = 4


class Worker:
    """Keeps the scheduler's buffer filled. Nothing here waits for the database on the event loop.

    ``refill`` is called whenever something may have changed. What it does depends on the first state that holds:

    ============ ============================= =========================================================
    state        holds while                   what ``refill`` does
    ============ ============================= =========================================================
    closing      ``is_closing``                nothing more is leased; ``close`` returns all leases
    leasing      ``supplying`` is a task       nothing: ``refill`` is called again at its end
    returning    ``_must_order``               leases, to give back ``_returned`` rows or leaving hosts
    drained      ``_drained_at`` = ``n_queued`` nothing: ``may_find_more`` is False, and the crawl may end
    passed over  a request came, better than   leases as under *dry*, though enough waits here
                 all that wait of its host
    stocked      every host has requests here  nothing
    empty        ``_empty_at`` = ``n_queued``  looks every ``POLL_SECONDS``, without writing, before it leases
    starved      the buffer is empty           leases at once
    low          a host not in ``_dry`` has    leases ``PAUSE_SECONDS`` after the last time
                 few requests left here
    dry          otherwise                     leases ``DRY_PAUSE_SECONDS`` after the last time
    serial       ``options.is_serial``         leases if starved, or if passed over, ``PAUSE_REQUESTS`` after the last
                                               time; in every state, only between two requests
    ============ ============================= =========================================================

    What leads from one to another:

    * A lease that brings rows fills the buffer. One that brings none leads to *empty*, and to *drained* if the crawl
      has nothing left anywhere. A host that gives fewer rows than it was asked for joins ``_dry``.
    * A request that is queued raises ``n_queued``, which ends *empty* and *drained*, and its host leaves ``_dry``.
    * A beat that returned requests of dead workers ends *empty* and *drained* and clears ``_dry``. One that tells
      that this worker was taken for dead does so too, and clears buffer, ledger and hosts.
    * A host that asks to wait, is wanted by other workers or is leased by one leads to *returning*, and so does a
      beat that asks the worker to drain: from then on leases bring nothing, until it may work again.
    """

    member: Membership

    def __init__(self, scheduler: FrontierScheduler) -> None:
        self.scheduler = scheduler
        self.options = scheduler.options
        self.storage = scheduler.storage
        self.hosts = HeldHosts()
        self.is_closing = False
        self.is_alone = True
        self.supplying: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._n_orders = self._n_stocked = 0
        self._last_order = 0.0
        self._empty_at = -1
        self._drained_at = -1
        self._must_order = self._is_passed_over = False
        self._dry: frozenset[int] = frozenset()
        self._fresh: set[str] = set()
        self._returned: tuple[int, ...] = ()
        self._released: dict[int, str] = {}
        self._postponed: dict[str, float] = {}

    # --- life --------------------------------------------------------------------------------------------

    async def open(self, spider: Spider) -> None:
        name = crawl_name(spider)
        action = partial(
            join,
            name=name,
            lease_seconds=self.options.lease_seconds,
            grace_seconds=self.options.delay_seconds,
            late_seconds=seconds_late(name),
        )
        self.member, n_recovered = await self.storage.call(action)
        self.scheduler.stats.inc_value("newscrawl/frontier/recovered", n_recovered)
        await self._queue_due(spider)
        state = "begins" if self.member.is_new_pass else "goes on"
        logger.info("Crawl %r: pass %d %s", name, self.member.pass_number, state)
        self._beating = asyncio.ensure_future(self._beat())

    async def _queue_due(self, spider: Spider) -> None:
        """Queue what is due again; all hubs, feeds and sitemaps if this run wants more than earlier ones."""
        if not isinstance(spider, HarvestSpider):
            return
        mode, site, wanted = spider.mode, spider.site, spider.wanted
        before = None
        self.scheduler.is_wider = await self.storage.read(partial(is_wider, site=site, wanted=wanted))
        if mode == "again":
            before = await self.storage.read(partial(began_again, site=site, channels=wanted.channels))
        action = partial(wake, member=self.member, mode=mode, all_sources=self.scheduler.is_wider, before=before)
        self.scheduler.stats.inc_value("newscrawl/recrawl/woken", await self.storage.call(action))
        due = await self.storage.read(partial(next_due, member=self.member)) if mode not in EVERYTHING else None
        if due is not None:
            at = due.astimezone().isoformat(" ", "minutes")
            logger.info(
                "Addresses known from before are asked again when due, the next at %s; -a mode=all: all now", at
            )

    async def close(self, reason: str) -> None:
        self.is_closing = True
        if self._timer is not None:
            self._timer.cancel()
        if self._beating is not None:
            self._beating.cancel()
        if tasks := [task for task in (self._beating, self.supplying) if task is not None]:
            await asyncio.wait(tasks)
        self.scheduler.let_go()
        waiting = sorted(filter(self.is_postponed, self._postponed))
        if waiting and reason == "finished":
            logger.warning("Left for the next run, as they asked to wait: %s", ", ".join(waiting))
        engine = self.scheduler.crawler.engine
        rests = self.hosts.rests(self.hosts, engine.downloader) if engine is not None else {}
        action = partial(leave, member=self.member, rests=rests, is_finished=reason == "finished")
        try:
            n_returned = await self.storage.call(action)
        except StorageError:
            return  # said, and the crawl stopped, by the storage; the leases expire
        self.scheduler.stats.inc_value("newscrawl/frontier/returned", n_returned)
        self.scheduler.count()

    # --- leases ------------------------------------------------------------------------------------------

    def may_find_more(self) -> bool:
        """Tell whether more may come: False once a lease has shown that nothing is left, and no other is due."""
        is_ordering = self._must_order or self.supplying is not None
        return not self.is_closing and (is_ordering or self._drained_at != self.scheduler.n_queued)

    def note_queued(self, host: str, priority: int) -> None:
        self._fresh.add(host)
        self._is_passed_over |= self.scheduler.buffer.is_behind(host, priority)

    def postpone(self, host: str, seconds: float) -> None:
        """Give a host back that asked to be left alone for long, with all that waits here for it.

        If all else is done before it may be asked again, the crawl ends, and the next run goes on with it.
        """
        if not self.is_postponed(host):
            logger.warning("%s asks to wait %.0f s: it is put off, if need be to the next run", host, seconds)
        self._postponed[host] = time.monotonic() + seconds
        self._put_off(host)
        empty_slots(self.scheduler.crawler, host)
        self.refill()

    def _put_off(self, host: str) -> None:
        self.give_back(self.scheduler.buffer.take_out([host]))
        self.hosts.tell_to_leave(host)

    def is_postponed(self, host: str) -> bool:
        return self._postponed.get(host, 0.0) > time.monotonic()

    def give_back(self, leases: list[Lease]) -> None:
        """Queue requests again that wait here, at the next lease."""
        self.scheduler.stats.inc_value("newscrawl/frontier/postponed", len(leases))
        self._returned += self.scheduler.ledger.drop(leases)
        self._must_order = True

    def refill(self) -> None:
        """Lease more if it is time, or set a timer for when it is."""
        is_busy = self.supplying is not None or self.is_closing or self.storage.error is not None
        if is_busy or not self._is_hungry():
            return
        wait = self._last_order + self._pause() - time.monotonic()
        if wait <= 0:
            self.supplying = asyncio.ensure_future(self._supply())
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _is_hungry(self) -> bool:
        if self.options.is_serial and self.scheduler.is_under_way():
            return False
        if self._must_order or not self.may_find_more():
            return self._must_order
        waiting = self.scheduler.buffer.counts()
        if self.options.is_serial:
            n_given = self._n_stocked - len(self.scheduler.buffer)
            return not waiting or (self._is_passed_over and n_given >= PAUSE_REQUESTS)
        if self.options.is_strict:
            return len(self.scheduler.buffer) + len(self.scheduler.ledger.out) < self.options.concurrency
        if self._is_passed_over or sum(waiting.values()) * 2 <= BATCH:
            return True
        return any(name not in waiting for _, name in self.hosts.asked())

    def _pause(self) -> float:
        """Return the least time between two leases."""
        if self._empty_at == self.scheduler.n_queued:
            return POLL_SECONDS
        if self.options.is_serial or not len(self.scheduler.buffer):
            return 0.0
        return PAUSE_SECONDS if self._runs_low() else DRY_PAUSE_SECONDS

    def _runs_low(self) -> bool:
        """Tell whether little waits of a host that has more queued, as far as is known; of others' work nothing is."""
        if self.options.is_strict or not self.is_alone:
            return True
        waiting, hosts = self.scheduler.buffer.counts(), self.hosts.asked()
        full = [name for host_id, name in hosts if host_id not in self._dry]
        if any(2 * waiting.get(name, 0) * len(full) <= BATCH for name in full):
            return True
        return any(waiting.get(name, 0) <= self.options.host_concurrency for name in self._fresh)

    def _ring(self) -> None:
        self._timer = None
        self.refill()

    async def _supply(self) -> None:
        n_queued = self.scheduler.n_queued
        supply: Supply | None = None
        try:
            # after an empty lease, look first, without writing, whether there is anything
            is_found, is_open = True, True
            if self._empty_at == n_queued and not self._must_order:
                look = partial(is_worth_asking, member=self.member, is_strict=self.options.is_strict)
                is_found, is_open = await self.storage.read(look)
            if is_found:
                supply = await self.storage.call(LeaseAttempt(self._order()))
            else:
                supply = Supply(is_open=is_open)
        except StorageError:
            pass  # said, and the crawl stopped, by the storage
        finally:
            self.supplying = None
            self._last_order = time.monotonic()
        if supply is None:
            self.hosts.add(self._released)  # they could not be given back: their requests would wait for ever
        else:
            self._take_in(supply, n_queued)
        if not self.is_closing:
            wake_engine(self.scheduler.crawler)
            self.refill()

    def _order(self) -> Order:
        scheduler, ledger = self.scheduler, self.scheduler.ledger
        self._n_orders += 1
        self._must_order = self._is_passed_over = False
        returned, self._returned = self._returned, ()
        released = self._idle_hosts()
        engine = scheduler.crawler.engine
        rests = self.hosts.rests(released, engine.downloader) if engine is not None else {}
        self._released = dict(zip(released, self.hosts.names(released), strict=True))
        self.hosts.remove(released)
        waiting = scheduler.buffer.counts()
        hosts = self.hosts.asked()
        fresh, self._fresh = self._fresh, set()
        known_dry = self._dry if self.is_alone and waiting and not returned else frozenset()
        self._dry = known_dry - {host_id for host_id, name in hosts if name in fresh}
        batch = BATCH
        if self.options.is_strict:
            batch = max(0, self.options.concurrency - len(ledger.out) - len(scheduler.buffer))
        return Order(
            member=self.member,
            batch=batch,
            per_host={host_id: waiting.get(name, 0) for host_id, name in hosts},
            max_hosts=HOSTS_PER_REQUEST * self.options.concurrency,
            is_alone=self.is_alone,
            released=rests,
            returned=returned,
            is_strict=self.options.is_strict,
            known=frozenset(lease.row_id for lease in ledger.by_fingerprint.values()),
            dry=self._dry,
        )

    def _idle_hosts(self) -> list[int]:
        """Return the hosts to give back: those told to leave, and those without work if other workers may want them."""
        busy = {lease.host_id for lease in self.scheduler.ledger.out}
        leaving = [host_id for host_id in self.hosts.leaving() if host_id not in busy]
        if self.is_alone and len(self.hosts) * 2 <= HOSTS_PER_REQUEST * self.options.concurrency:
            return leaving
        waiting = self.scheduler.buffer.counts()
        return leaving + [
            host_id for host_id, name in self.hosts.asked() if name not in waiting and host_id not in busy
        ]

    def _take_in(self, supply: Supply, n_queued: int) -> None:
        self.hosts.add(supply.hosts)
        self.hosts.add({host_id: self._released[host_id] for host_id in supply.kept})  # could not be given back
        self._dry = self._dry - supply.hosts.keys() | supply.dry
        self._drained_at = -1
        if supply.rows:
            is_all = self.is_alone and supply.dry and self.hosts.keys() <= self._dry
            self._empty_at = n_queued if is_all else -1
            names = dict(self.hosts.asked())
            self.scheduler.receive(supply.rows, names)
            self._n_stocked = len(self.scheduler.buffer)
            for host in filter(self.is_postponed, supply.hosts.values()):
                self._put_off(host)  # it asked to wait while it was leased
            return
        self._empty_at = n_queued
        if not supply.is_open and n_queued == self.scheduler.n_queued:
            self._drained_at = n_queued

    # --- signs of life -----------------------------------------------------------------------------------

    async def _beat(self) -> None:
        lease, grace = self.options.lease_seconds, self.options.delay_seconds
        seconds = min(BEAT_SECONDS, lease / 4)
        while True:
            n_orders, n_ended = self._n_orders, self.scheduler.count()
            action = partial(beat, member=self.member, lease_seconds=lease, grace_seconds=grace, n_ended=n_ended)
            try:
                pulse = await asyncio.wrap_future(self.storage.post(action))
            except StorageError:
                return
            self._heed(pulse, is_current=n_orders == self._n_orders and self.supplying is None)
            await asyncio.sleep(seconds)

    def _heed(self, pulse: Pulse, *, is_current: bool) -> None:
        was_alone, self.is_alone = self.is_alone, pulse.n_workers <= 1
        if not self.is_alone:
            self.scheduler.stats.set_value("newscrawl/frontier/joined", 1)
        if pulse.n_returned or not was_alone:
            self._dry = frozenset()  # what others had, or queued, may be there
        if pulse.n_returned:
            self.scheduler.stats.inc_value("newscrawl/frontier/recovered", pulse.n_returned)
            self._empty_at = self._drained_at = -1
        if is_current and (lost := self.hosts.keys() - pulse.hosts):  # another worker has them
            self._returned += self.scheduler.ledger.drop(self.scheduler.buffer.take_out(self.hosts.names(lost)))
            self.hosts.remove(lost)
            self._must_order = True
        if pulse.was_buried:
            logger.warning("Silent for more than NEWSCRAWL_LEASE_SECONDS: others took the leases of this worker")
            self.scheduler.buffer.take_out()
            self.scheduler.ledger.drop(self.scheduler.ledger.by_fingerprint.values())
            self.hosts.clear()
            self._empty_at = self._drained_at = -1  # it was all queued again
        if pulse.is_to_drain:
            self._drain()
        elif not self.options.is_strict:
            self._pass_on(pulse)
        self.refill()

    def _drain(self) -> None:
        """Give back all that waits here, and each host when its last answer is there."""
        self.hosts.let_leave(len(self.hosts), {lease.host_id for lease in self.scheduler.ledger.out})
        self._returned += self.scheduler.ledger.drop(self.scheduler.buffer.take_out())
        self._must_order = bool(self.hosts or self._returned)

    def _pass_on(self, pulse: Pulse) -> None:
        """Pass hosts on: to workers that have fewer, or to make room for hosts that wait for their turn."""
        held = len(self.hosts.asked())
        surplus = 0
        if not self.is_alone:
            surplus = held - max(1, -(-pulse.n_hosts // pulse.n_workers))
        elif pulse.n_waiting and not self.options.is_serial and held >= HOSTS_PER_REQUEST * self.options.concurrency:
            surplus = min(self.hosts.had_their_turn(), pulse.n_waiting)
        if surplus > 0:
            ledger = self.scheduler.ledger
            chosen = self.hosts.let_leave(surplus, {lease.host_id for lease in ledger.out})
            self._returned += ledger.drop(self.scheduler.buffer.take_out(self.hosts.names(chosen)))
        if self.hosts.leaving() or self._returned:
            self._must_order = True
