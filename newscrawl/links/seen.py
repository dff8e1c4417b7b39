"""Addresses judged lately, in bounded memory: a navigation bar is judged once, not once a page."""

from __future__ import annotations


class RecentUrls:
    """Remembers the last ``capacity`` to ``2 * capacity`` different addresses; older ones may come back as new.

    Two generations: when the young one is full it becomes the old one; what is seen again moves back to the young.
    Addresses are kept as 64-bit hashes: for a million of them the chance of any mix-up is about 1 in 37 million.
    """

    def __init__(self, capacity: int = 250_000) -> None:
        self.capacity = capacity
        self._young: set[int] = set()
        self._old: set[int] = set()

    def add(self, url: str) -> bool:
        """Remember the address; False if it was known."""
        key = hash(url)
        if key in self._young:
            return False
        known = key in self._old
        if len(self._young) >= self.capacity:
            self._old, self._young = self._young, set()
        self._young.add(key)
        return not known

    def __contains__(self, url: str) -> bool:
        key = hash(url)
        return key in self._young or key in self._old
