"""What a query asks that the full-text index has no terms for: confidence, and topics of focused crawls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import exists, not_, select

from newscrawl.storage.focused import focused_pages
from newscrawl.storage.schema import articles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from newscrawl.search.query import Query

#: Articles that meet the conditions up to which they are looked up one by one, else with the days that they are of.
FEW: Final = 5000


def conditions(query: Query) -> list[ColumnElement[bool]]:
    """Return what must hold of an article's row; nothing for most queries."""
    found: list[ColumnElement[bool]] = []
    if query.confidence_below is not None:
        found.append(articles.c.confidence < query.confidence_below)
    if query.confidence_above is not None:
        found.append(articles.c.confidence > query.confidence_above)
    if query.topics:
        found.append(_is_relevant(query.topics))
    if query.excluded_topics:
        found.append(not_(_is_relevant(query.excluded_topics)))
    return found


def _is_relevant(topics: Sequence[str]) -> ColumnElement[bool]:
    f = focused_pages.c
    return exists().where(f.url == articles.c.url, f.topic.in_(topics), f.probability >= f.threshold)


def few_of(connection: Connection, query: Query) -> list[int] | None:
    """Return the articles that meet the conditions; None where there are no conditions, or many articles."""
    f = focused_pages.c
    found = select(articles.c.id).where(*conditions(query))
    if query.topics:  # from the topic's pages to the articles: the other way round all articles would be read
        relevant = select(f.url).where(f.topic.in_(query.topics), f.probability >= f.threshold)
        found = found.where(articles.c.url.in_(relevant))
    elif query.confidence_below is None and query.confidence_above is None:
        return None
    ids = list(connection.execute(found.limit(FEW + 1)).scalars())
    return ids if len(ids) <= FEW else None
