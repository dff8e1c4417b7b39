"""The facts of a page, and the article that they make with its text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from newscrawl.dedupe import content_hash

if TYPE_CHECKING:
    from datetime import datetime

    from newscrawl.items import Article


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
    facts: Article,
    *,
    encoding: str,
    site: str | None,
    fetched_at: datetime,
) -> Article:
    """Return the article of one page; parts are joined, and equal texts told, later.

    :param url: the page's address; None where it is not known.
    :param facts: of :func:`newscrawl.metadata.extract_metadata`.
    :param fetched_at: aware.
    """
    return replace(
        facts,
        url=url or "",
        articleBody=extraction.text,
        pages=(url,) if url else (),
        method=extraction.method,
        confidence=extraction.confidence,
        encoding=encoding,
        site=site,
        fetchedAt=fetched_at,
        contentHash=content_hash(extraction.text),
    )
