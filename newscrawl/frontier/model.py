"""What the modules of the frontier hand each other: memberships, leased rows, leased hosts, what is put off."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy.exceptions import IgnoreRequest

#: Key of a request's ``meta``: ``url``, ``etag`` and ``last_modified`` of the last answer, for a conditional request.
VALIDATORS = "newscrawl_validators"
#: As ``Membership`` has it, beside the delay between two requests. Seconds.
PATIENCE_SECONDS = 60.0
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
    patience_seconds: float = PATIENCE_SECONDS
    """A crawl does not stay open for hosts that rest for longer: what waits there is left for the next run."""


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


class PostponedError(IgnoreRequest):
    """The request has left the downloader unsent, as its host asked to be left alone."""
