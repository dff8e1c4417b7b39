"""What a list page says: its records, and where the list goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HubRecord:
    """One story that a list announces. What the list does not show is None."""

    place: int
    """Number in the page's order, from 1."""
    group: int
    """Number of the list on the page, from 1: records of one list are written alike."""
    title: str
    url: str
    """Absolute, as the link has it, without a fragment."""
    date: str | None = None
    """ISO 8601: a day, or a time with its offset where the list shows one."""
    summary: str | None = None
    image: str | None = None
    section: str | None = None
    """Text of the record's link to a channel or category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubReading:
    records: tuple[HubRecord, ...] = ()
    """In document order; each address once."""
    next_page: str | None = None
    """Where the list goes on."""
