"""What the generator knows of a page: the article behind it, and what a crawl should make of its URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from hashlib import blake2b
from typing import Any

SHANGHAI = timezone(timedelta(hours=8))
#: When the recorded crawl began; every WARC-Date follows from it.
CRAWL_START = datetime(2025, 11, 20, 10, 0, tzinfo=SHANGHAI)
#: When the second edition was recorded: the next day.
SECOND_START = CRAWL_START + timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Node:
    """A piece of an article's body. ``kind``: p, h, ul, table, figure (its caption is no body text), gallery."""

    kind: str = "p"
    text: str = ""
    items: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of article text this node stands for."""
        if self.kind == "figure":
            return ()
        if self.kind == "table":
            return tuple(" ".join(row) for row in self.rows)
        return self.items or (self.text,)


@dataclass(kw_only=True)
class DemoArticle:
    url: str
    channel: str
    headline: str
    nodes: list[Node]
    published: datetime
    template: str
    authors: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    source: str | None = None
    keywords: tuple[str, ...] = ()
    date_tolerance_seconds: int = 60
    parts: list[list[Node]] = field(default_factory=list)
    """Bodies of the pages after the first."""
    paging: str = ""
    """``"link"`` (下一页), ``"rel"`` (rel=next) or ``"full"`` (全文阅读)."""
    duplicate_of: str | None = None
    near_duplicate_of: str | None = None
    canonical: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Oddities of the page: ``robots``, ``date_text``, ``charset``, ``header_charset`` …"""

    @property
    def text(self) -> str:
        nodes = self.nodes + [node for part in self.parts for node in part]
        return "\n".join(line for node in nodes for line in node.lines)

    @property
    def pages(self) -> list[str]:
        """URLs that make up the article, in reading order."""
        if self.paging == "full":
            return [self.url, part_url(self.url, "all")]
        return [self.url, *(part_url(self.url, i) for i in range(2, len(self.parts) + 2))]

    def truth(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "kind": "duplicate" if self.duplicate_of else "article",
            "outcome": ["stored", "duplicate"] if self.duplicate_of or self.near_duplicate_of else ["stored"],
            "channel": self.channel,
            "template": self.template,
            "headline": self.headline,
            "text": self.text,
            "date": self.published.isoformat(),
            "date_tolerance_seconds": self.date_tolerance_seconds,
            "authors": list(self.authors),
            "editors": list(self.editors),
            "source": self.source,
            "pages": self.pages,
            "duplicate_of": self.duplicate_of,
            "near_duplicate_of": self.near_duplicate_of,
        }


def part_url(url: str, part: int | str) -> str:
    """Return the address of a later page: ``…/doc-x.shtml`` → ``…/doc-x_2.shtml``."""
    stem, dot, extension = url.rpartition(".")
    return f"{stem}_{part}{dot}{extension}"


@dataclass(kw_only=True)
class Record:
    """One stored answer."""

    url: str
    body: bytes = b""
    status: str = "200 OK"
    headers: list[tuple[str, str]] = field(default_factory=lambda: [("Content-Type", "text/html")])
    truth: dict[str, Any] | None = None
    fetched_at: datetime | None = None
    """WARC-Date; None: the next second of the recorded crawl."""

    @property
    def validators(self) -> list[tuple[str, str]]:
        """What a conditional request can ask with; one page in forty has nothing, a third has no tag."""
        digest = blake2b(self.body, digest_size=8).hexdigest()
        turn = blake2b(self.url.encode(), digest_size=1).digest()[0] % 40
        changed = (self.fetched_at or CRAWL_START) - timedelta(hours=1)
        dated = ("Last-Modified", format_datetime(changed.astimezone(timezone.utc), usegmt=True))  # noqa: UP017
        if not self.status.startswith("200") or turn == 0:
            return []
        return [dated] if turn < 14 else [("ETag", f'"{digest}"'), dated]
