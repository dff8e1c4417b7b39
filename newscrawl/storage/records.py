"""What is handed to the storage, and what it answers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Self

    from sqlalchemy import Connection

    from newscrawl.blocks.model import Block
    from newscrawl.items import Article, PageType
    from newscrawl.outcomes import Outcome
    from newscrawl.search.entry import IndexEntry

#: Longest URL kept whole; PostgreSQL's indexes take no more than 2,704 bytes.
MAX_URL_BYTES = 2000


class SideRecord:
    """What is written in one transaction with pages and links, and is not of the storage: the frontier's rows."""

    __slots__ = ()
    rank: ClassVar[int] = 0
    """Kinds of a lower rank are written first."""

    def judged(self, verdict: Verdict) -> Self:
        """Return the record as it is to be written, now that the page it goes with is judged."""
        return self

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[Any]:
        """Write all records of this class in a batch; return an answer for each."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRecord:
    """The outcome of one URL, with what its page gave.

    ``STORED`` with an article is a proposal: the storage may answer ``DUPLICATE``.
    """

    url: str
    outcome: Outcome
    fetched_at: datetime
    reason: str | None = None
    detail: str | None = None
    requested_url: str | None = None
    status: int | None = None
    page_type: PageType | None = None
    page_type_confidence: float = 0.0
    encoding: str | None = None
    encoding_source: str | None = None
    depth: int | None = None
    referer: str | None = None
    site: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    article: Article | None = None
    entry: IndexEntry | None = None
    """What the indexes hold of the article; made by the storage where it is not there."""
    n_blocks: int | None = None
    n_links: int | None = None
    body_hash: str | None = None
    """Of the answer's bytes."""
    blocks: tuple[Block, ...] = ()
    """Empty where blocks are not stored."""
    run_id: int | None = None
    also: tuple[SideRecord, ...] = ()
    """What must be written with the page, or not at all: the acknowledgement of its lease."""
    parts: tuple[PageRecord, ...] = ()
    """Records of pages joined into this one: written with it, or not at all."""

    @property
    def is_unchanged(self) -> bool:
        """Answered 304: the page is as it was at the last visit."""
        return self.status == 304 and self.article is None

    @property
    def is_gone(self) -> bool:
        return self.status in (404, 410)

    @property
    def may_change_articles(self) -> bool:
        """Articles are written by one process at a time."""
        return self.article is not None or self.is_gone


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """A link's target and where it was found; ``reason`` None if it was not refused."""

    url: str
    reason: str | None = None
    found_on: str | None = None
    anchor: str | None = None
    position: str | None = None
    run_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a record ended in the database."""

    outcome: Outcome
    duplicate_of: str | None = None
    """URL of the article kept."""
    duplicate_kind: str | None = None
    """``content``, ``canonical_url`` or ``near``."""
    revision: int | None = None
    """Of the stored article: 1 when new, one more with each changed text."""
    change: str | None = field(default=None, compare=False)
    """Of the stored article: ``new``, ``changed`` or ``unchanged``."""


def stored_url(url: str) -> str:
    """Return the URL as it stands in the database: one too long for an index is cut and marked with its hash."""
    if 4 * len(url) <= MAX_URL_BYTES:  # no character has more than four bytes
        return url
    octets = url.encode("utf-8", "replace")
    if len(octets) <= MAX_URL_BYTES:
        return url
    head = octets[: MAX_URL_BYTES - 40].decode("utf-8", "ignore")
    return f"{head}…{hashlib.blake2b(octets, digest_size=16).hexdigest()}"
