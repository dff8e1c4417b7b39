"""Full-text search: from a query to articles, on SQLite and PostgreSQL alike.

The index says which articles have a term, and each article's day is a term too. Articles are asked for from the newest
day back, in windows of days that grow until there are enough: a common word costs no more than a rare one. Their order
is in a table of its own, and only the rows of those that may be told are read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import TextClause, cast, column, func, literal, literal_column, select, table, text
from sqlalchemy.dialects.postgresql import TSQUERY

from newscrawl.fields import KEPT_ARTICLE
from newscrawl.search.facts import EARLIEST, day_terms, first_place, names_of
from newscrawl.search.matching import matches, needs_text, score, snippet
from newscrawl.search.query import Query, Sort
from newscrawl.storage.columns import among
from newscrawl.storage.records import field_value
from newscrawl.storage.schema import article_places, articles
from newscrawl.storage.search_index import TABLE, VECTOR
from newscrawl.storage.search_terms import Needs, conditions, few_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, RowMapping

    from newscrawl.search.matching import Pieces

#: Matches that are counted; where there are more, the total is one more than that, and said to be capped.
MAX_COUNTED: Final = 200
#: Articles whose texts are looked into for phrases.
MAX_READ: Final = 500
#: Newest matches that are ranked, of those with the words in headline or author, and of all.
RANKED: Final = 50
#: Articles of the first window; the next has so many for each root of their number; each further one spans so many
#: times the days before it.
_FIRST_WINDOW: Final = 400
_ROOTS: Final = 16
_GROWTH: Final = 4
#: After so many windows all older matches are fetched at once, unless they are more than these.
_WINDOWS_FIRST: Final = 2
_MOST: Final = 20_000
#: Articles whose rows are looked at together.
_LOOKED_AT: Final = 100
_CHUNK: Final = 40

_FTS = table(TABLE, column("rowid"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An article found."""

    article_id: int
    url: str
    headline: str | None
    site: str | None
    source: str | None
    authors: tuple[str, ...]
    date_published: str | None
    """ISO 8601 with the offset that the page states."""
    language: str | None
    duplicate_of: str | None
    confidence: float
    snippet: Pieces
    """Text around the first match in pieces: the text, and whether it is a match. Plain text, never HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    total: int
    is_capped: bool
    """There are more: ``total`` is how many were counted."""
    hits: tuple[Hit, ...]


def search(connection: Connection, query: Query, *, limit: int = 20, offset: int = 0) -> Found:
    """Return the articles that match, ``limit`` of them after the first ``offset``."""
    last = offset + limit
    by_text = needs_text(query)
    ids = _newest(connection, query, Needs.of(query))
    reading = _Reading(connection, query)
    enough = last + 1 if by_text else max(last, MAX_COUNTED) + 1
    found = list(islice(reading.matching(ids) if by_text else ids, enough))
    ordered = found
    if query.sort is Sort.RANK and query.phrases:
        best = _ranked(connection, query, found)
        ordered = [*best, *(one for one in found if one not in set(best))]
    return Found(
        total=min(len(found), enough - 1),
        is_capped=len(found) == enough or reading.is_exhausted,
        hits=_hits(connection, query, ordered[offset:last]),
    )


class _Reading:
    """Looks into texts, up to a limit."""

    def __init__(self, connection: Connection, query: Query) -> None:
        self.connection = connection
        self.query = query
        self.n_read = 0
        self.is_exhausted = False

    def matching(self, ids: Iterable[int]) -> Iterator[int]:
        """Yield those whose texts match."""
        for row in _rows(self.connection, ids, "headline", "authors", "article_body"):
            self.n_read += 1
            if matches(self.query, row["headline"], names_of(row["authors"]), row["article_body"]):
                yield row["id"]
            if self.n_read >= MAX_READ:
                self.is_exhausted = True
                return


def _ranked(connection: Connection, query: Query, newest: Sequence[int]) -> list[int]:
    """Return the best of the newest matches and of the newest with the words in headline or author."""
    titled = islice(_newest(connection, query, Needs.of(query, titled=True)), RANKED)
    candidates = dict.fromkeys(chain(newest[:RANKED], titled))
    scores = []
    for row in _rows(connection, candidates, "headline", "authors", "article_body"):
        given = query, row["headline"], names_of(row["authors"]), row["article_body"]
        if matches(*given):
            scores.append((-score(*given), row["id"]))
    order = {one: place for place, one in enumerate(newest)}
    return [one for _, one in sorted(scores, key=lambda pair: (pair[0], order.get(pair[1], len(order))))]


# --- which articles, newest first --------------------------------------------------------------------------


def _newest(connection: Connection, query: Query, needs: Needs) -> Iterator[int]:
    """Yield the ids of articles with the terms that meet the conditions, the newest first."""
    first = max(query.first_day or EARLIEST, EARLIEST)
    last = min(query.last_day or date.max, datetime.now(UTC).date() + timedelta(days=2))
    chosen = conditions(query)
    few = few_of(connection, query)
    if few is not None:
        found = _between(connection, needs, first, last, few=few) if few else []
        yield from found if query.duplicates else _kept(connection, found, articles.c.duplicate_of.is_(None))
        return
    if not query.duplicates:
        chosen.append(articles.c.duplicate_of.is_(None))
    for found in _by_window(connection, needs, first, last):
        yield from _kept(connection, found, *chosen) if chosen else found


def _by_window(connection: Connection, needs: Needs, first: date, last: date) -> Iterator[list[int]]:
    """Yield the ids of articles with the terms, in lists, the newest first.

    The newest days are looked into, then many more: the root of the number of articles. Where there were few matches,
    all older ones are fetched at once: they are about as few as the articles looked into. So the longest way grows with
    the root of the number of articles.
    """
    n_all = connection.execute(select(func.max(articles.c.id))).scalar() or 0
    n_found = n_looked_into = 0
    growth = max(_GROWTH, round(_ROOTS * math.sqrt(n_all) / _FIRST_WINDOW))
    for number, (start, end) in enumerate(_windows(connection, first, last, growth)):
        if number >= _WINDOWS_FIRST and needs.required and n_found * n_all <= _MOST * n_looked_into:
            found = _between(connection, needs, first, end, most=_MOST)
            if len(found) <= _MOST:
                yield found
                return
        found = _between(connection, _of_days(needs, start, end), start, end)
        yield found
        n_found += len(found)
        n_looked_into = _FIRST_WINDOW if not n_looked_into else n_looked_into * (1 + growth)


def _windows(connection: Connection, first: date, last: date, growth: int) -> Iterator[tuple[date, date]]:
    """Yield days from and to that together are all from first to last, the newest first, each time many more."""
    published = articles.c.date_published_utc
    until = datetime(last.year, last.month, last.day, tzinfo=UTC) + timedelta(days=1)
    known = select(published).where(published <= until).order_by(published.desc()).limit(1)
    newest = connection.execute(known).scalar()
    some = connection.execute(known.offset(_FIRST_WINDOW)).scalar()
    span = timedelta(days=2)
    start = last - span
    if newest is not None:
        start = some.date() if some is not None else first
        span = newest.date() - start + timedelta(days=1)
    while first < start <= last:
        yield start, last
        last = start - timedelta(days=1)
        span = min(growth * span, timedelta(days=100_000))
        start = last - min(span, last - EARLIEST)
        growth = _GROWTH
    if first <= last:
        yield first, last


def _of_days(needs: Needs, start: date, end: date) -> Needs:
    """Return the needs with the days; without them where all days are meant and something else is needed."""
    if start == EARLIEST and needs.required:
        return needs
    return replace(needs, required=(tuple(day_terms(start, end)), *needs.required))


def _between(
    connection: Connection, needs: Needs, start: date, end: date, *, most: int | None = None, few: Sequence[int] = ()
) -> list[int]:
    """Return the ids of the articles with the terms from start to end, newest first.

    :param most: where there are more, some are returned: one more than that.
    :param few: among these alone.
    """
    places = article_places.c
    found = select(places.place, places.article_id)
    if needs.excluded and not needs.required:  # an index has no "all but these"
        needs = replace(needs, required=(tuple(day_terms(start, end)),))
    if needs.required:
        has = _has_sqlite if connection.dialect.name == "sqlite" else _has_postgres
        # PostgreSQL would make the terms of articles anew where it takes few of them to be of these days
        terms = select(_FTS.c.rowid).where(has(needs)).cte("terms").prefix_with("MATERIALIZED", dialect="postgresql")
        found = found.join(terms, terms.c.rowid == places.article_id)
    given: dict[str, Any] = {}
    if few or not needs.required:
        found, given = found.where(among(connection.dialect.name, places.article_id, "few")), {"few": list(few)}
    earliest, latest = first_place(start) if start > EARLIEST else 0, first_place(end + timedelta(days=1))
    found = found.where(places.place >= earliest, places.place < latest).limit(None if most is None else most + 1)
    placed = ((row.place, row.article_id) for row in connection.execute(found, given))
    return [number for _, number in sorted(placed, reverse=True)]


def _kept(connection: Connection, ids: Iterable[int], *chosen: ColumnElement[bool]) -> Iterator[int]:
    """Yield those of the articles that meet the conditions, in their order."""
    waiting = iter(ids)
    meeting = select(articles.c.id).where(among(connection.dialect.name, articles.c.id, "some"), *chosen)
    while some := list(islice(waiting, _LOOKED_AT)):
        met = set(connection.execute(meeting, {"some": some}).scalars())
        yield from (one for one in some if one in met)


def _has_sqlite(needs: Needs) -> TextClause:
    return text(f"{TABLE} MATCH :expression").bindparams(expression=needs.fts5())


def _has_postgres(needs: Needs) -> ColumnElement[bool]:
    return literal_column(VECTOR).op("@@", is_comparison=True)(cast(literal(needs.tsquery()), TSQUERY))


# --- their rows --------------------------------------------------------------------------------------------


def _rows(connection: Connection, ids: Iterable[int], *names: str) -> Iterator[RowMapping]:
    """Yield columns of the articles, a few at a time, in the order of the ids."""
    waiting = iter(ids)
    columns = [articles.c[name] for name in ("id", *names)]
    while some := list(islice(waiting, _CHUNK)):
        found = connection.execute(select(*columns).where(articles.c.id.in_(some))).mappings()
        rows = {row["id"]: row for row in found}
        yield from (rows[one] for one in some if one in rows)


def _hits(connection: Connection, query: Query, ids: Sequence[int]) -> tuple[Hit, ...]:
    same = ("url", "headline", "site", "source", "date_published", "duplicate_of", "confidence")
    return tuple(
        Hit(
            article_id=row["id"],
            authors=tuple(names_of(row["authors"])),
            language=row["in_language"],
            snippet=snippet(query, row["article_body"]),
            **{name: row[name] for name in same},
        )
        for row in _rows(connection, ids, *same, "authors", "in_language", "article_body")
    )


def full_articles(connection: Connection, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return the articles whole, by field name as exports have them, in the order of the ids."""
    columns = [field.column for field in KEPT_ARTICLE.values()]
    return [
        {name: field_value(field, row[field.column]) for name, field in KEPT_ARTICLE.items()}
        for row in _rows(connection, ids, *columns)
    ]
