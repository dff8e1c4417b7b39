"""The hosts a worker leases: only it asks them, so that their delay and concurrency hold across workers."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scrapy.core.downloader import Downloader

    from newscrawl.frontier.model import LeasedHost

#: A host is passed on after that time if others wait and the worker leases as many as it can. Seconds.
TURN_SECONDS = 30.0


@dataclass(slots=True, kw_only=True)
class _Held:
    id: int
    name: str
    since: float
    is_leaving: bool = False
    """Nothing more is asked of it; it is given back when the last answer is there."""


class HeldHosts:
    """Hosts by id and name."""

    def __init__(self) -> None:
        self._by_id: dict[int, _Held] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, hosts: Iterable[LeasedHost]) -> None:
        for host in hosts:
            self._by_id[host.id] = _Held(id=host.id, name=host.host, since=time.monotonic())

    def remove(self, host_ids: Iterable[int]) -> None:
        for host_id in host_ids:
            self._by_id.pop(host_id, None)

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(self._by_id)

    def names(self, host_ids: Iterable[int]) -> list[str]:
        return [self._by_id[host_id].name for host_id in host_ids if host_id in self._by_id]

    def asked(self) -> list[tuple[int, str]]:
        """Return (id, name) of the hosts that may be asked for more."""
        return [(host.id, host.name) for host in self._by_id.values() if not host.is_leaving]

    def leaving(self) -> list[int]:
        return [host.id for host in self._by_id.values() if host.is_leaving]

    def keep(self, host_ids: Iterable[int]) -> None:
        """Let hosts stay that were told to leave: more is needed of them here."""
        for host_id in host_ids:
            if host_id in self._by_id:
                self._by_id[host_id].is_leaving = False

    def let_leave(self, n: int, busy: Collection[int], needed: Collection[int]) -> list[int]:
        """Choose up to ``n`` hosts to pass on, those nobody waits for an answer of first; return their ids."""
        staying = [host for host in self._by_id.values() if not host.is_leaving and host.id not in needed]
        chosen = sorted(staying, key=lambda host: (host.id in busy, host.since))[:n]
        for host in chosen:
            host.is_leaving = True
        return [host.id for host in chosen]

    def had_their_turn(self) -> int:
        """Return the number of hosts held for ``TURN_SECONDS``."""
        until = time.monotonic() - TURN_SECONDS
        return sum(host.since < until for host in self._by_id.values())

    def rests(self, host_ids: Iterable[int], downloader: Downloader) -> dict[int, float]:
        """Return host id → seconds before it may be asked again: its delay after the last request."""
        found: dict[int, float] = {}
        for host_id in host_ids:
            held = self._by_id.get(host_id)
            slot = downloader.slots.get(held.name) if held else None
            due = slot.lastseen + slot.delay * (1 + slot.jitter) if slot and slot.lastseen else 0.0
            found[host_id] = max(0.0, due - time.monotonic())
        return found
