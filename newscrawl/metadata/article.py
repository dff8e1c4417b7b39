"""The facts of a page, and the article that they make with its text."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol

from newscrawl.items import Article

if TYPE_CHECKING:
    from datetime import datetime

    from newscrawl.items import Author, Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The fields of ``Article`` that are facts about the text, under the same names.

    ``replace(article, **metadata.article_fields())`` puts them into an article.
    """

    headline: str | None = None
    authors: tuple[Author, ...] = ()
    source: str | None = None
    datePublished: datetime | None = None  # noqa: N815
    """Aware, and never later than the fetch."""
    datePublishedRaw: str | None = None  # noqa: N815
    dateModified: datetime | None = None  # noqa: N815
    dateModifiedRaw: str | None = None  # noqa: N815
    inLanguage: str | None = None  # noqa: N815
    canonicalUrl: str | None = None  # noqa: N815
    mainImage: Image | None = None  # noqa: N815
    description: str | None = None
    section: str | None = None
    keywords: tuple[str, ...] = ()
    fieldSources: dict[str, str] = field(default_factory=dict)  # noqa: N815
    """Field name → where its value came from; only fields that have a value."""

    def article_fields(self) -> dict[str, Any]:
        """Return the facts as keyword arguments for ``Article``."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


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
