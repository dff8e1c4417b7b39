"""A fetched page on its way through the pipelines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from newscrawl.items import Article, PageType
    from newscrawl.links.model import Link
    from newscrawl.reading.model import Reading


@dataclass(kw_only=True)
class Page:
    """What the page was read as, and how the crawl came by it. Changed in place: joined parts become one article."""

    url: str
    """Address of the answer, after redirects."""
    requested_url: str
    reading: Reading = field(repr=False)
    status: int = 200
    site: str | None = None
    depth: int = 0
    referer: str | None = None
    article: Article | None = field(default=None, repr=False)
    """That of the reading at first; the joined one where it is the first of several parts."""
    page_type: PageType
    links: tuple[Link, ...] = field(default=(), repr=False)
    """Those of the reading, until they are followed."""
    validators: Mapping[str, str] = field(default_factory=dict)
    """``etag`` and ``last_modified`` of the answer."""
    body_hash: str | None = None
    """Hex digest of the answer's bytes."""
    found_by: Mapping[str, str] = field(default_factory=dict)
    """Of a focused crawl: ``anchor``, ``path`` and ``score`` of the link that led here."""
    relevance: float | None = None
    """Of a focused crawl: the probability that the article is about the topic."""

    @property
    def fetched_at(self) -> datetime:
        return self.reading.fetched_at
