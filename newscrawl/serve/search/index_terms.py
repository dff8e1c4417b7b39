"""A query as the two databases write it: which terms of the index an article must have, and which not; and what it asks
that the index has no terms for: confidence, and topics of focused crawls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import exists, not_, select

from newscrawl.serve.search.facts import AUTHOR, HEADLINE, language_term, site_term, source_term
from newscrawl.serve.search.tables import article_places
from newscrawl.serve.search.terms import is_spaceless
from newscrawl.store.focused import focused_pages
from newscrawl.store.schema import articles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from newscrawl.serve.search.query import Query

#: Articles that meet the conditions up to which they are looked up one by one, else with the days that they are of.
FEW: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the index can tell of a query; the texts of those found tell the rest."""

    required: tuple[tuple[str, ...], ...] = ()  # one of each of these
    excluded: tuple[tuple[str, ...], ...] = ()  # not all of any of these

    @classmethod
    def of(cls, query: Query, *, titled: bool = False) -> Needs:
        """:param titled: the words stand in headline or author; of a pair of characters both, as no pair is marked."""
        words = dict.fromkeys(term for phrase in query.phrases for term in phrase.terms)
        required: list[tuple[str, ...]] = [(term,) for term in words if not titled or is_spaceless(term)]
        if titled:
            single = dict.fromkeys(one for term in words for one in (term if is_spaceless(term) else (term,)))
            required += [(HEADLINE + one, AUTHOR + one) for one in single]
        required += [(AUTHOR + term,) for name in query.authors for term in name.terms]
        required += [tuple(map(site_term, query.sites))] if query.sites else []
        required += [(source_term(query.source.runs),)] if query.source else []
        required += [(language_term(query.language),)] if query.language else []
        excluded = [phrase.terms for phrase in query.excluded if phrase.is_exact]
        excluded += [tuple(AUTHOR + term for term in name.terms) for name in query.excluded_authors if name.is_exact]
        excluded += [(site_term(name),) for name in query.excluded_sites]
        return cls(required=tuple(required), excluded=tuple(excluded))

    def fts5(self) -> str:
        """Return the query of SQLite's FTS5; something must be required."""
        wanted = " AND ".join(f"({' OR '.join(map(_fts5, one))})" for one in self.required)
        unwanted = " OR ".join(f"({' AND '.join(map(_fts5, all_of))})" for all_of in self.excluded)
        return f"({wanted}) NOT ({unwanted})" if unwanted else wanted

    def tsquery(self) -> str:
        parts = [f"({'|'.join(map(_lexeme, one))})" for one in self.required]
        parts += [f"!({'&'.join(map(_lexeme, all_of))})" for all_of in self.excluded]
        return "&".join(parts)


def _fts5(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _lexeme(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def conditions(query: Query) -> list[ColumnElement[bool]]:
    """Return what must hold of an article's row in ``article_places``; nothing for most queries."""
    confidence = article_places.c.confidence
    found: list[ColumnElement[bool]] = []
    if query.confidence_below is not None:
        found.append(confidence < query.confidence_below)
    if query.confidence_above is not None:
        found.append(confidence > query.confidence_above)
    if query.topics:
        found.append(_is_relevant(query.topics))
    if query.excluded_topics:
        found.append(not_(_is_relevant(query.excluded_topics)))
    return found


def _is_relevant(topics: Sequence[str]) -> ColumnElement[bool]:
    f, a = focused_pages.c, articles.c
    relevant = f.url == a.url, f.topic.in_(topics), f.probability >= f.threshold
    return exists().where(a.id == article_places.c.article_id, *relevant).correlate(article_places)


def few_of(connection: Connection, query: Query) -> list[int] | None:
    """Return the articles that meet the conditions; None where there are no conditions, or many articles."""
    f, number = focused_pages.c, article_places.c.article_id
    found = select(number).where(*conditions(query)).limit(FEW + 1)
    if query.topics:  # from the topic's pages to the articles: the other way round all articles would be read
        relevant = select(f.url).where(f.topic.in_(query.topics), f.probability >= f.threshold)
        found = found.where(number.in_(select(articles.c.id).where(articles.c.url.in_(relevant))))
    elif query.confidence_below is None and query.confidence_above is None:
        return None
    ids = list(connection.execute(found).scalars())
    return ids if len(ids) <= FEW else None
