"""A query as the two databases write it: which terms of the index an article must have, and which not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.search.facts import AUTHOR, HEADLINE, language_term, site_term, source_term
from newscrawl.search.terms import is_spaceless

if TYPE_CHECKING:
    from newscrawl.search.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the index can tell of a query; the texts of those found tell the rest."""

    required: tuple[tuple[str, ...], ...] = ()
    """One of each of these."""
    excluded: tuple[tuple[str, ...], ...] = ()
    """Not all of any of these."""

    @classmethod
    def of(cls, query: Query, *, titled: bool = False) -> Needs:
        """:param titled: the words stand in headline or author; of a pair of characters, both characters."""
        words = dict.fromkeys(term for phrase in query.phrases for term in phrase.terms)
        required: list[tuple[str, ...]] = [(term,) for term in words]
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
        """Return the ``tsquery`` of PostgreSQL."""
        parts = [f"({'|'.join(map(_lexeme, one))})" for one in self.required]
        parts += [f"!({'&'.join(map(_lexeme, all_of))})" for all_of in self.excluded]
        return "&".join(parts)


def _fts5(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _lexeme(term: str) -> str:
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
