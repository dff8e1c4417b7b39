"""Requests leased and not yet asked for, host by host, best first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy import Request

    from newscrawl.storage.records import PageRecord


@dataclass(slots=True, kw_only=True, eq=False)
class Lease:
    """A leased request, from the database until it has ended."""

    row_id: int
    host_id: int
    host: str
    fingerprint: bytes
    priority: int
    request: Request
    is_out: bool = False
    """The engine has it."""
    is_held: bool = False
    """It waits for others, as a part of an article does."""
    has_failed: bool = False
    """The spider stumbled over it."""
    endings: list[PageRecord] | None = None
    """Outcomes to be written when the engine has let go of it."""

    @property
    def order(self) -> tuple[int, int]:
        """Highest priority first, then the oldest."""
        return (-self.priority, self.row_id)


class HostBuffer:
    """The leases that wait, in a heap for each host."""

    def __init__(self) -> None:
        self._heaps: defaultdict[str, list[tuple[tuple[int, int], Lease]]] = defaultdict(list)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, lease: Lease) -> None:
        heappush(self._heaps[lease.host], (lease.order, lease))
        self._size += 1

    def pop(self, active: Mapping[str, int], most: int) -> Lease | None:
        """Return the best request of the host that is asked least, none of a host asked ``most`` times at once.

        :param active: host → requests under way.
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

    def counts(self) -> dict[str, int]:
        """Return host → requests that wait."""
        return {host: len(heap) for host, heap in self._heaps.items()}

    def take_out(self, hosts: Iterable[str] | None = None) -> list[Lease]:
        """Take out all that waits, or all of these hosts."""
        chosen = list(self._heaps) if hosts is None else [host for host in hosts if host in self._heaps]
        leases = [lease for host in chosen for _, lease in sorted(self._heaps.pop(host), key=lambda pair: pair[0])]
        self._size -= len(leases)
        return leases

    def reorder(self, priorities: Mapping[bytes, int]) -> None:
        """Give new priorities, by fingerprint, to those that wait."""
        for lease in self.take_out():
            lease.priority = priorities.get(lease.fingerprint, lease.priority)
            self.push(lease)
