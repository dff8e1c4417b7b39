"""Everything the database knows about one URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from newscrawl.storage.records import stored_url
from newscrawl.storage.schema import article_revisions, articles, links, pages, runs, sites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Select

#: Duplicates listed by name.
MAX_LISTED = 20

_ARTICLE_COLUMNS = (
    "url", "canonical_url", "headline", "date_published", "source", "authors", "method", "confidence", "revision",
    "duplicate_of", "duplicate_kind", "cluster_id", "field_sources", "first_fetched_at", "fetched_at", "content_hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Rows as mappings of column to value; None where there is none."""

    page: dict[str, Any] | None = None
    article: dict[str, Any] | None = None
    """Without its text; ``n_chars`` is its length."""
    n_revisions: int = 0
    """Earlier texts kept."""
    duplicates: tuple[str, ...] = ()
    """URLs of articles linked to this one, the first ``MAX_LISTED``."""
    link: dict[str, Any] | None = None
    run: dict[str, Any] | None = None
    """The run that asked for the URL last."""


def facts_of(connection: Connection, urls: Sequence[str]) -> Facts:
    """Look the URL up under each of its spellings, the first found counts."""
    spellings = [stored_url(url) for url in urls]
    page = _first(connection, select(pages), pages.c.url, spellings)
    if page is None:
        page = _first(connection, select(pages), pages.c.requested_url, spellings)
    article_urls = [*([page["url"]] if page else []), *spellings]
    columns = [articles.c[name] for name in _ARTICLE_COLUMNS]
    query = select(articles.c.id, *columns, func.length(articles.c.article_body).label("n_chars"))
    article = _first(connection, query, articles.c.url, article_urls)
    n_revisions, duplicates = 0, ()
    if article is not None:
        article_id, url = article.pop("id"), article["url"]
        revisions = select(func.count()).where(article_revisions.c.article_id == article_id)
        n_revisions = connection.execute(revisions).scalar_one()
        same = select(articles.c.url).where(articles.c.duplicate_of == url).order_by(articles.c.id).limit(MAX_LISTED)
        duplicates = tuple(connection.execute(same).scalars())
    link = _first(connection, select(links), links.c.url, spellings)
    known = page or link
    run = None
    if known is not None and known["run_id"] is not None:
        names = ("id", "spider", "site", "arguments", "started_at", "finished_at", "finish_reason")
        query = select(*(runs.c[name] for name in names))
        run = _first(connection, query, runs.c.id, [known["run_id"]])
    return Facts(page=page, article=article, n_revisions=n_revisions, duplicates=duplicates, link=link, run=run)


def harvested_sites(connection: Connection) -> list[dict[str, Any]]:
    """Return the rows of ``sites``."""
    return [dict(row) for row in connection.execute(select(sites).order_by(sites.c.name)).mappings()]


def _first(connection: Connection, query: Select[Any], column: Any, values: Sequence[Any]) -> dict[str, Any] | None:
    found = connection.execute(query.where(or_(*(column == value for value in values)))).mappings().all()
    rows = sorted(found, key=lambda row: values.index(row[column.name]))
    return dict(rows[0]) if rows else None
