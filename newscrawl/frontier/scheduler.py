"""Scrapy's scheduler on the database."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached

from newscrawl.exceptions import UserError
from newscrawl.frontier.leases import HostBuffer, Lease, Ledger
from newscrawl.frontier.model import AGAIN, FrontierOptions, HarvestSpider, LeasedRow, clamp
from newscrawl.frontier.records import (
    NotSerialisableError,
    QueueRecord,
    RequestEnd,
    change_priorities,
    request_from_text,
    request_to_text,
)
from newscrawl.frontier.revisits import RevisitRecord
from newscrawl.frontier.waiting import engine_slot, is_starting, is_stopping
from newscrawl.frontier.worker import Worker
from newscrawl.outcomes import Outcome
from newscrawl.signals import VALIDATORS, end_url
from newscrawl.sites.revisit import SOURCES
from newscrawl.store.columns import FINGERPRINT_BYTES, State
from newscrawl.store.crawl import storage_of
from newscrawl.store.records import RecordEnd

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from concurrent.futures import Future

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred

    from newscrawl.store import PageRecord, Storage

logger = logging.getLogger(__name__)


class FrontierScheduler(BaseScheduler):
    """Requests in the database: queued, leased by this worker, done or failed.

    ``enqueue_request`` gives a request to the storage's writer before the page on which it was found. The transaction
    that stores the outcome also ends the request. If the process ends before it, the request is made again.
    Components reach the scheduler as ``crawler.engine.scheduler`` (``frontier_of(crawler)``).

    Settings ``NEWSCRAWL_FRONTIER``, ``NEWSCRAWL_FRONTIER_ORDER`` (``fair``: each host in its turn, best first;
    ``strict``: the best request of all, one lease at a time), ``NEWSCRAWL_FRONTIER_CRAWL``,
    ``NEWSCRAWL_LEASE_SECONDS``. Stats ``newscrawl/frontier/queued``, ``…/known`` (asked for before), ``…/leased``,
    ``…/done``, ``…/failed``, ``…/returned`` (leases given back), ``…/recovered`` (from workers that died),
    ``…/memory`` (requests that no database can hold), ``…/damaged``; ``newscrawl/recrawl/woken`` (addresses due
    again), ``…/retired`` (dead after repeated failures).
    """

    def __init__(self, crawler: Crawler, storage: Storage, options: FrontierOptions) -> None:
        assert crawler.stats is not None  # noqa: S101 (set before components are built)
        self.crawler = crawler
        self.stats = crawler.stats
        self.storage = storage
        self.options = options
        self.buffer = HostBuffer()
        self.ledger = Ledger()
        self.worker = Worker(self)
        self._memory: list[Request] = []
        self._memory_seen: set[bytes] = set()
        self._counts: Counter[str] = Counter()  # by stat; the writer's thread counts
        self._last_parent = ("", b"")
        self.is_wider = False  # a run that wants more than earlier ones needs the bodies of hubs, feeds and sitemaps
        self.mode: str | None = None
        """``-a mode=``: which known addresses are fetched; None for spiders that plan none."""
        self.n_queued = 0  # tells the worker whether something came after an empty lease

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """:raises UserError: without a database, or for a setting that is not accepted."""
        storage = storage_of(crawler)
        if storage is None:
            raise UserError("NEWSCRAWL_FRONTIER 'database' needs NEWSCRAWL_DATABASE; without one, set it to memory")
        return cls(crawler, storage, FrontierOptions.from_settings(crawler.settings))

    # --- what the engine calls ---------------------------------------------------------------------------

    def open(self, spider: Spider) -> Deferred[None]:
        self.spider = spider
        self.mode = spider.mode if isinstance(spider, HarvestSpider) else None
        self.crawler.signals.connect(self._stumbled, signals.spider_error)
        self.storage.is_prompt = self.options.is_serial
        if self.options.is_strict:
            self.storage.seconds = 0.0  # the next request depends on what the last page stored
        return deferred_from_coro(self.worker.open(spider))

    def close(self, reason: str) -> Deferred[None]:
        return deferred_from_coro(self.worker.close(reason))

    def has_pending_requests(self) -> bool:
        return bool(self._memory) or len(self.buffer) > 0 or self.worker.may_find_more()

    def enqueue_request(self, request: Request) -> bool:
        """Queue the request; the database knows whether its address is new.

        A retry of a request in progress keeps its lease. ``dont_filter`` requests an ended address again.
        """
        fingerprint = self.fingerprint(request)
        lease = self.ledger.by_fingerprint.get(fingerprint)
        if lease is not None and lease in self.ledger.out and request.dont_filter:
            lease.priority = clamp(request.priority)
            if self.worker.is_postponed(lease.host):
                self.worker.give_back([lease])
                return True
            lease.request = request
            self.ledger.out.discard(lease)
            self.buffer.push(lease)
            return True
        try:
            record = self._record(request, fingerprint)
        except NotSerialisableError as error:
            return self._remember(request, fingerprint, error)
        self.n_queued += 1
        self.worker.note_queued(record.host, record.priority)
        self.storage.post(record).add_done_callback(partial(self._tally, yes="frontier/queued", no="frontier/known"))
        self.stats.inc_value("scheduler/enqueued")
        return True

    def next_request(self) -> Request | None:
        """Return the best request that this worker has leased; None if it has none, or enough are in progress."""
        self.let_go()
        must_wait = self.options.is_serial and (self.worker.supplying is not None or self.is_under_way())
        if self.worker.is_closing or must_wait:
            return None
        if self._memory:
            first = max(self._memory, key=lambda request: request.priority)
            self._memory.remove(first)
            return first
        if self.options.is_strict and len(self.ledger.out) >= self.options.concurrency:
            return None
        most = self.spider.most_under_way if isinstance(self.spider, HarvestSpider) else None
        if most is not None and len(self._in_progress()) >= most:
            return None
        lease = self._best()
        while lease is not None and self.ledger.by_fingerprint.get(lease.fingerprint) is not lease:
            lease = self._best()  # it ended with another page
        if lease is not None:
            self.ledger.out.add(lease)
        self.worker.refill()
        if lease is None:
            return None
        self.stats.inc_value("scheduler/dequeued")
        return lease.request

    # --- what other components call ----------------------------------------------------------------------

    def reprioritise(self, priorities: Mapping[str, int]) -> Future[int]:
        """Give queued requests new priorities; after the commit the future returns how many changed.

        It covers all requests enqueued before it, and the next lease sees it. Addresses in progress, done, or unknown
        stay as they are. Each call is one transaction.

        :param priorities: URL → new priority.
        """
        found = {self.fingerprint(Request(url)): clamp(priority) for url, priority in priorities.items()}
        self.buffer.reorder(found)
        return self.storage.post(partial(change_priorities, crawl_id=self.worker.member.crawl_id, priorities=found))

    def coming(self, n: int) -> list[Request]:
        """Return the next ``n`` requests of a serial crawl, as far as they are leased."""
        return [lease.request for lease in self.buffer.first(n)] if self.options.is_serial else []

    def leases(self, url: str) -> bool:
        return self.ledger.by_url.get(url) is not None

    def end(self, url: str) -> RequestEnd | None:
        """End the lease of a page; return the record to write with the page's outcome (``PageRecord.also``).

        None for an address that this worker does not lease.
        """
        lease = self.ledger.by_url.get(url)
        if lease is None:
            return None
        self.ledger.remove(lease)
        self.stats.inc_value("newscrawl/frontier/done")
        return self._end_of(lease.row_id)

    def fail(self, end: RequestEnd, reason: str) -> None:
        """Note that the page of an ended address cannot be stored."""
        self.storage.post(replace(end, state=State.FAILED, reason=reason[:200]))

    def ended(self, record: PageRecord) -> bool:
        """Take the outcome of an address that became no page; False if this worker does not lease it.

        It is written once the engine has finished the request. Targets of redirects and entries of sitemaps are queued
        by then.
        """
        lease = self.ledger.by_url.get(record.url)
        if lease is None:
            return False
        lease.endings = [*(lease.endings or ()), record]
        if lease not in self.ledger.out:
            self._finish(lease)
        return True

    def visited(self, end: RequestEnd, record: PageRecord, verdict: RecordEnd | None = None) -> None:
        """Plan the next visit of an address that has ended, maybe long ago."""
        if self.mode is None:
            return
        visit = RevisitRecord(row_id=end.row_id, key=end.key, page=record, verdict=verdict)
        self.storage.post(visit).add_done_callback(partial(self._tally, yes="recrawl/retired"))

    def end_anywhere(self, url: str) -> RequestEnd:
        """Return the end of an address with another address's page, wherever it is leased or queued."""
        return RequestEnd(key=(self.worker.member.crawl_id, self.fingerprint(Request(url))))

    def put_back(self, url: str) -> None:
        """Queue an address in progress again, without an outcome."""
        lease = self.ledger.by_url.get(url)
        if lease is not None:
            self.worker.give_back([lease])

    def puts_off(self, host: str) -> bool:
        """Tell whether a host gets no more requests for now: it asked to wait, or the crawl stops."""
        return is_stopping(self.crawler) or self.worker.is_postponed(host)

    # --- leases ------------------------------------------------------------------------------------------

    def receive(self, rows: tuple[LeasedRow, ...], hosts: Mapping[int, str]) -> None:
        for row in rows:
            try:
                request = request_from_text(row.request, row.url, row.priority, self.spider)
            except ValueError as error:
                logger.warning("%s: its request %s", row.url, error)
                self.stats.inc_value("newscrawl/frontier/damaged")
                self.storage.post(replace(self._end_of(row.id), state=State.FAILED, reason="damaged request"))
                continue
            found = request.meta.get("newscrawl", {}).get("found")
            # conditional headers, unless everything is read anew
            is_whole = AGAIN in {self.mode, found} or (self.is_wider and row.kind in SOURCES)
            if (row.etag or row.last_modified) and not is_whole:
                known = {"url": request.url, "etag": row.etag, "last_modified": row.last_modified}
                request.meta[VALIDATORS] = known
            lease = Lease(
                row_id=row.id,
                host_id=row.host_id,
                host=hosts.get(row.host_id, ""),
                fingerprint=row.fingerprint,
                priority=row.priority,
                request=request,
            )
            before = self.ledger.by_fingerprint.get(row.fingerprint)
            if before is not None:  # queued again: this worker was taken for dead without knowing
                self.ledger.remove(before)
            self.ledger.add(lease)
            self.buffer.push(lease)
        self.stats.inc_value("newscrawl/frontier/leased", len(rows))

    def let_go(self) -> None:
        """End the leases whose requests the engine has finished with."""
        in_progress = self._in_progress()
        finished = [lease for lease in self.ledger.out if lease.request not in in_progress]
        self.ledger.out.difference_update(finished)
        for lease in finished:
            self._finish(lease)

    def is_under_way(self) -> bool:
        """Tell whether a request has not ended, or the spider still yields its first ones."""
        return bool(self.ledger.out or self._in_progress()) or is_starting(self.crawler)

    def _in_progress(self) -> Collection[Request]:
        """Return the engine's requests whose outcome is not stored yet."""
        slot = engine_slot(self.crawler)
        return slot.inprogress if slot is not None else ()

    def count(self) -> int:
        """Copy the counts of the writer's thread into the stats; return how many requests have ended here."""
        for name, number in list(self._counts.items()):
            self.stats.set_value(name, number)
        return sum(self.stats.get_value(f"newscrawl/frontier/{state}", 0) for state in (State.DONE, State.FAILED))

    def _finish(self, lease: Lease) -> None:
        if lease.has_failed and not lease.endings:
            lease.has_failed = False
            url = lease.request.url
            end_url(self.crawler, url, Outcome.FAILED, "error", detail="the spider failed")
            if self.ledger.by_url.get(url) is not lease:
                return  # a listener recorded it and ended the lease
        self.ledger.remove(lease)
        if not lease.endings:
            self.stats.inc_value("newscrawl/frontier/done")
            self.storage.post(self._end_of(lease.row_id))
            return
        first, *others = lease.endings
        end = self._end_of(lease.row_id).judged(first, RecordEnd(outcome=first.outcome))
        self.stats.inc_value(f"newscrawl/frontier/{end.state}")
        self.storage.post(replace(first, also=(*first.also, end)))
        self.visited(end, first)
        for other in others:
            self.storage.post(other)

    def _end_of(self, row_id: int) -> RequestEnd:
        return RequestEnd(row_id=row_id, worker_id=self.worker.member.worker_id)

    def _stumbled(self, response: Response) -> None:
        lease = self.ledger.by_url.get(getattr(response, "url", ""))
        if lease is not None:
            lease.has_failed = True

    def _best(self) -> Lease | None:
        if not len(self.buffer):
            return None
        if self.options.is_strict:
            return self.buffer.pop({}, 1)
        engine = self.crawler.engine
        assert engine is not None  # noqa: S101 (it is the engine that asks)
        downloader = engine.downloader
        active = Counter(downloader.get_slot_key(request) for request in downloader.active)
        return self.buffer.pop(active, self.options.host_concurrency + 1)

    # --- requests ----------------------------------------------------------------------------------------

    def fingerprint(self, request: Request) -> bytes:
        fingerprinter = self.crawler.request_fingerprinter
        assert fingerprinter is not None  # noqa: S101 (set before the engine is)
        return fingerprinter.fingerprint(request)[:FINGERPRINT_BYTES]

    def _record(self, request: Request, fingerprint: bytes) -> QueueRecord:
        member = self.worker.member
        info = request.meta.get("newscrawl")
        info = info if isinstance(info, dict) else {}
        found, parent = info.get("found"), info.get("parent") or info.get("hints", {}).get("from")
        if parent and self._last_parent[0] != parent:  # a page's links come together
            self._last_parent = (parent, self.fingerprint(Request(parent)))
        slot = None if request.meta.get("redirect_urls") else request.meta.get("download_slot")
        return QueueRecord(
            crawl_id=member.crawl_id,
            pass_number=member.pass_number,
            host=str(slot or urlparse_cached(request).hostname or ""),
            fingerprint=fingerprint,
            url=request.url,
            priority=clamp(request.priority),
            request=request_to_text(request, self.spider),
            again=request.dont_filter or (found == "seed" and member.is_new_pass),
            only_new=self.mode == "new",
            parent=self._last_parent[1] if parent else None,
        )

    def _remember(self, request: Request, fingerprint: bytes, error: NotSerialisableError) -> bool:
        if not request.dont_filter and fingerprint in self._memory_seen:
            return False
        logger.debug("Kept in memory only: %s (%s)", request, error)
        self._memory_seen.add(fingerprint)
        self.stats.inc_value("newscrawl/frontier/memory")
        self._memory.append(request)
        return True

    def _tally(self, future: Future[bool], *, yes: str, no: str = "") -> None:
        """Count what the database answered; called in the writer's thread, and only there."""
        if future.exception() is None and (stat := yes if future.result() else no):
            self._counts[f"newscrawl/{stat}"] += 1


def frontier_of(crawler: Crawler) -> FrontierScheduler | None:
    """Return the crawler's scheduler if it is the frontier; None before the spider is open, and for any other."""
    scheduler: Any = crawler.engine.scheduler if crawler.engine is not None else None
    # not isinstance: Scrapy's base class takes every scheduler for an instance of every other
    return scheduler if FrontierScheduler in type(scheduler).__mro__ else None
