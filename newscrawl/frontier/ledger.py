"""What this worker has leased, by address and by fingerprint, until each has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from scrapy import Request

    from newscrawl.frontier.buffer import Lease


class Ledger:
    """The leases of a worker; those it has asked for are *out* until the engine lets go of them."""

    def __init__(self) -> None:
        self._by_fingerprint: dict[bytes, Lease] = {}
        self._by_url: dict[str, Lease] = {}
        self._out: set[Lease] = set()

    def __len__(self) -> int:
        return len(self._by_fingerprint)

    def __iter__(self) -> Iterator[Lease]:
        return iter(list(self._by_fingerprint.values()))

    @property
    def n_out(self) -> int:
        """Return the number of requests the engine has."""
        return len(self._out)

    def add(self, lease: Lease) -> None:
        self._by_fingerprint[lease.fingerprint] = lease
        self._by_url[lease.request.url] = lease

    def remove(self, lease: Lease) -> None:
        if self._by_fingerprint.get(lease.fingerprint) is lease:
            del self._by_fingerprint[lease.fingerprint]
        if self._by_url.get(lease.request.url) is lease:
            del self._by_url[lease.request.url]
        self._out.discard(lease)

    def by_url(self, url: str) -> Lease | None:
        return self._by_url.get(url)

    def by_fingerprint(self, fingerprint: bytes) -> Lease | None:
        return self._by_fingerprint.get(fingerprint)

    def hand_out(self, lease: Lease) -> Request:
        """Return the request for the engine."""
        lease.is_out = True
        self._out.add(lease)
        return lease.request

    def take_back(self, lease: Lease, request: Request) -> None:
        """Let the lease wait with another request for the same address: it will be asked for again."""
        lease.request = request
        lease.is_out = False
        self._out.discard(lease)

    def let_go(self, in_progress: Container[Request]) -> list[Lease]:
        """Return the leases whose requests the engine has finished with; they are out no more."""
        finished = [lease for lease in self._out if lease.request not in in_progress]
        for lease in finished:
            lease.is_out = False
            self._out.discard(lease)
        return finished

    def hosts_out(self) -> set[int]:
        """Return ids of the hosts of which requests are out."""
        return {lease.host_id for lease in self._out}

    def held(self) -> list[Lease]:
        """Return the leases that wait for others."""
        return [lease for lease in self._by_fingerprint.values() if lease.is_held]
