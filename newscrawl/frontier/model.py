"""What the frontier hands about: states, rows to queue, rows leased."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """``frontier.state``."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"  # not answered, or answered with an error; ``scrapy frontier requeue`` asks again


class Kind(StrEnum):
    """``frontier.kind``: how often an address is worth asking for again depends on it."""

    HUB = "hub"
    FEED = "feed"
    SITEMAP = "sitemap"
    ARTICLE = "article"


#: Bytes of a request's fingerprint that are kept: no two of a trillion addresses share them.
FINGERPRINT_BYTES = 16
#: Priorities are SQL's 64-bit integers.
MAX_PRIORITY = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A worker's place in a crawl."""

    crawl_id: int
    worker_id: int
    pass_number: int
    is_new_pass: bool
    """The harvest before was finished, or there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedRow:
    """A row of ``frontier`` as a worker gets it."""

    id: int
    host_id: int
    fingerprint: bytes
    url: str
    priority: int
    request: str
    kind: str | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedHost:
    id: int
    host: str


def clamp(priority: int) -> int:
    """Return the priority as the database can hold it."""
    return max(-MAX_PRIORITY, min(MAX_PRIORITY, priority))
