"""The facts of a page, and where each came from."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

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
