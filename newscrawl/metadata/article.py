"""A page's text and facts, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from newscrawl.items import Article

if TYPE_CHECKING:
    from datetime import datetime

    from newscrawl.metadata import Metadata


class Answer(Protocol):
    """What an article needs of :class:`newscrawl.methods.base.Extraction`."""

    @property
    def text(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def confidence(self) -> float: ...


def make_article(
    url: str | None,
    extraction: Answer,
    metadata: Metadata,
    *,
    encoding: str,
    site: str | None,
    fetched_at: datetime,
) -> Article:
    """Return the article of one page; parts are joined, and equal texts told, later.

    :param url: the page's address; None where it is not known.
    :param fetched_at: aware.
    """
    return Article(
        url=url or "",
        articleBody=extraction.text,
        pages=(url,) if url else (),
        method=extraction.method,
        confidence=extraction.confidence,
        encoding=encoding,
        site=site,
        fetchedAt=fetched_at,
        **metadata.article_fields(),
    )
