"""What this worker has leased: requests that wait, requests under way, and hosts, which no other worker asks.

One worker alone asks a host, so that the host's delay and concurrency hold across workers.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from scrapy import Request
    from scrapy.core.downloader import Downloader

    from newscrawl.store.records import PageRecord

#: Time after which a worker with as many hosts as it can lease passes one on, if other hosts wait. Seconds.
TURN_SECONDS = 30.0


@dataclass(slots=True, kw_only=True, eq=False)
class Lease:
    """A leased request, from the database until it has ended."""

    row_id: int
    host_id: int
    host: str
    fingerprint: bytes
    priority: int
    request: Request
    has_failed: bool = False  # the spider stumbled over it
    endings: list[PageRecord] | None = None  # outcomes to be written when the engine has let go of it


class HostBuffer:
    """The leases that wait, in a heap for each host."""

    def __init__(self) -> None:
        self._heaps: defaultdict[str, list[tuple[tuple[int, int], Lease]]] = defaultdict(list)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, lease: Lease) -> None:
        # highest priority first, then the oldest
        heappush(self._heaps[lease.host], ((-lease.priority, lease.row_id), lease))
        self._size += 1

    def pop(self, active: Mapping[str, int], most: int) -> Lease | None:
        """Return the best request of the host with the fewest requests under way.

        :param active: host → requests under way.
        :param most: a host with so many requests under way is not asked.
        """
        best: tuple[int, tuple[int, int], str] | None = None
        for host, heap in self._heaps.items():
            n = active.get(host, 0)
            if n < most and (best is None or (n, heap[0][0]) < best[:2]):
                best = (n, heap[0][0], host)
        if best is None:
            return None
        heap = self._heaps[best[2]]
        lease = heappop(heap)[1]
        if not heap:
            del self._heaps[best[2]]
        self._size -= 1
        return lease

    def first(self, n: int) -> list[Lease]:
        """Return the ``n`` best requests."""
        return [lease for _, lease in nsmallest(n, (entry for heap in self._heaps.values() for entry in heap))]

    def is_behind(self, host: str, priority: int) -> bool:
        """Tell whether all that wait of a host are less urgent than a request of this priority."""
        heap = self._heaps.get(host)
        return heap is not None and -heap[0][0][0] < priority

    def counts(self) -> dict[str, int]:
        """Return host → requests that wait."""
        return {host: len(heap) for host, heap in self._heaps.items()}

    def take_out(self, hosts: Iterable[str] | None = None) -> list[Lease]:
        """Take out the leases that wait: all, or those of these hosts."""
        chosen = list(self._heaps) if hosts is None else [host for host in hosts if host in self._heaps]
        leases = [lease for host in chosen for _, lease in sorted(self._heaps.pop(host), key=lambda pair: pair[0])]
        self._size -= len(leases)
        return leases

    def reorder(self, priorities: Mapping[bytes, int]) -> None:
        for lease in self.take_out():
            lease.priority = priorities.get(lease.fingerprint, lease.priority)
            self.push(lease)


class Ledger:
    """The leases of a worker by address and by fingerprint. A lease is *out* while the engine has its request."""

    def __init__(self) -> None:
        self.by_fingerprint: dict[bytes, Lease] = {}
        self.by_url: dict[str, Lease] = {}
        self.out: set[Lease] = set()

    def add(self, lease: Lease) -> None:
        self.by_fingerprint[lease.fingerprint] = lease
        self.by_url[lease.request.url] = lease

    def remove(self, lease: Lease) -> None:
        if self.by_fingerprint.get(lease.fingerprint) is lease:
            del self.by_fingerprint[lease.fingerprint]
        if self.by_url.get(lease.request.url) is lease:
            del self.by_url[lease.request.url]
        self.out.discard(lease)

    def drop(self, leases: Iterable[Lease]) -> tuple[int, ...]:
        """Forget leases that some worker takes anew; return their rows."""
        dropped = list(leases)
        for lease in dropped:
            self.remove(lease)
        return tuple(lease.row_id for lease in dropped)


@dataclass(slots=True, kw_only=True)
class _Held:
    id: int
    name: str
    since: float
    is_leaving: bool = False  # nothing more is asked of it; it is given back when the last answer is there


class HeldHosts(dict[int, _Held]):
    """Hosts by id."""

    def add(self, hosts: Mapping[int, str]) -> None:
        for host_id, name in hosts.items():
            self[host_id] = _Held(id=host_id, name=name, since=time.monotonic())

    def remove(self, host_ids: Iterable[int]) -> None:
        for host_id in host_ids:
            self.pop(host_id, None)

    def names(self, host_ids: Iterable[int]) -> list[str]:
        return [self[host_id].name for host_id in host_ids if host_id in self]

    def asked(self) -> list[tuple[int, str]]:
        """Return (id, name) of the hosts that may be asked for more."""
        return [(host.id, host.name) for host in self.values() if not host.is_leaving]

    def leaving(self) -> list[int]:
        return [host.id for host in self.values() if host.is_leaving]

    def let_leave(self, n: int, busy: Collection[int]) -> list[int]:
        """Tell up to ``n`` hosts to leave, idle ones first; return their ids.

        :param busy: hosts that owe an answer.
        """
        staying = [host for host in self.values() if not host.is_leaving]
        chosen = sorted(staying, key=lambda host: (host.id in busy, host.since))[:n]
        for host in chosen:
            host.is_leaving = True
        return [host.id for host in chosen]

    def tell_to_leave(self, name: str) -> None:
        """Tell a host to leave: it asked to be left alone."""
        for host in self.values():
            host.is_leaving = host.is_leaving or host.name == name

    def had_their_turn(self) -> int:
        """Return the number of hosts held for ``TURN_SECONDS``."""
        until = time.monotonic() - TURN_SECONDS
        return sum(host.since < until for host in self.values())

    def rests(self, host_ids: Iterable[int], downloader: Downloader) -> dict[int, float]:
        """Return host id → seconds before it may be asked again: its delay after the last request."""
        found: dict[int, float] = {}
        for host_id in host_ids:
            held = self.get(host_id)
            slot = downloader.slots.get(held.name) if held else None
            due = slot.lastseen + slot.delay * (1 + slot.jitter) if slot and slot.lastseen else 0.0
            found[host_id] = max(0.0, due - time.monotonic())
        return found
