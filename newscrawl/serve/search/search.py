"""Full-text search: from a query to articles, on SQLite and PostgreSQL alike.

The index says which articles have a term, and each article's day is a term too. Articles are asked for from the newest
day back, in windows of as many as should have enough matches by those before: a common word costs no more than a rare
one, whose articles are all fetched at once. The database orders and sifts them by a narrow table of its own, and hands
over the ids of those that may be told alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import BigInteger, TextClause, cast, column, func, literal, literal_column, select, table, text
from sqlalchemy.dialects.postgresql import TSQUERY

from newscrawl.serve.search.facts import EARLIEST, UNDATED, day_of, day_terms, first_place, names_of
from newscrawl.serve.search.index_terms import Needs, conditions, few_of
from newscrawl.serve.search.matching import matches, needs_text, score, snippet
from newscrawl.serve.search.query import FIELDS_ACCEPTED, Phrase, Query, Sort
from newscrawl.serve.search.tables import TABLE, VECTOR, article_places
from newscrawl.store.columns import among
from newscrawl.store.export import KEPT_ARTICLE
from newscrawl.store.records import field_value
from newscrawl.store.schema import articles, sites

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import CTE, ColumnElement, Connection, Row, RowMapping, Select

    from newscrawl.serve.search.matching import Pieces

#: Matches that are counted; where there are more, the total is one more than that, and said to be capped.
MAX_COUNTED: Final = 200
#: Articles that are counted where nothing but days, confidence and copies narrow them: the table of places is enough.
MAX_PLACES: Final = 20_000
#: Articles whose texts are looked into for phrases.
MAX_READ: Final = 500
#: Newest matches that are ranked, of those with the words in headline or author, and of all.
RANKED: Final = 50
#: Articles of the first window; a further one has so many times what should be needed by the matches before.
_FIRST_WINDOW: Final = 400
_MARGIN: Final = 1.5
#: Where a window has no match at all, the next is so many times as large.
_GROWTH: Final = 16
#: All older matches are fetched at once where so many are expected, unless there are more than the second number.
_EXPECTED: Final = 5_000
_MOST: Final = 20_000
#: Window, as one in this many of all articles, above which all older matches are fetched at once.
_SHARE: Final = 8
_CHUNK: Final = 40
#: Stored sites that are named beside one that is not.
MAX_NAMED: Final = 10

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
    date_published: str | None  # ISO 8601 with the offset that the page states
    language: str | None
    duplicate_of: str | None
    confidence: float
    snippet: Pieces
    """Text around the first match in pieces: the text, and whether it is a match. Plain text, never HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    total: int
    is_capped: bool  # there are more: ``total`` is how many were counted
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    """Where nothing is found: what of the query is on no article at all. Or that some articles are not indexed yet."""


def search(connection: Connection, query: Query, *, limit: int = 20, offset: int = 0) -> Found:
    """Return the articles that match, ``limit`` of them after the first ``offset``."""
    last = offset + limit
    by_text = needs_text(query)
    enough = last + 1 if by_text else max(last, MAX_COUNTED) + 1
    ids = _newest(connection, query, Needs.of(query), MAX_READ if by_text else enough)
    found, n_read = _matching(connection, query, ids, enough) if by_text else (list(ids), 0)
    ordered = found
    if query.sort is Sort.RANK and query.phrases:
        best = _ranked(connection, query, found)
        ordered = list(dict.fromkeys((*best, *found)))
    total, is_capped = min(len(found), enough - 1), len(found) == enough or n_read == MAX_READ
    if is_capped and not by_text and (counted := _counted(connection, query)) is not None:
        total, is_capped = min(counted, MAX_PLACES), counted > MAX_PLACES
    return Found(
        total=total,
        is_capped=is_capped,
        hits=_hits(connection, query, ordered[offset:last]),
        notes=() if found else tuple(_notes(connection, query)),
    )


def _notes(connection: Connection, query: Query) -> Iterator[str]:
    for name in query.not_fields:
        yield f"{name}: is no field, and was searched for as a word; {FIELDS_ACCEPTED}"
    said = [(f"site:{name}", Query(sites=(name,))) for name in query.sites]
    said += [(_named(phrase), Query(phrases=(phrase,))) for phrase in query.phrases]
    said += [(f"topic:{name}", Query(topics=(name,))) for name in query.topics]
    said += [(f"author:{' '.join(name.runs)}", Query(authors=(name,))) for name in query.authors]
    said += [(f"source:{' '.join(query.source.runs)}", Query(source=query.source))] if query.source else []
    said += [(f"lang:{query.language}", Query(language=query.language))] if query.language else []
    for part, alone in said:
        kept = replace(alone, duplicates=True)
        if next(_newest(connection, kept, Needs.of(kept), 1), None) is None:
            yield f"no stored article has {part}{_stored_sites(connection, alone.sites)}"


def _named(phrase: Phrase) -> str:
    return f"the {'word' if len(phrase.runs) == 1 else 'words'} {' '.join(phrase.runs)!r}"


def _stored_sites(connection: Connection, wanted: Sequence[str]) -> str:
    names = list(connection.execute(select(sites.c.name).order_by(sites.c.name)).scalars()) if wanted else []
    near = get_close_matches(wanted[0], names) if wanted else []
    return f"; stored are: {', '.join(near or names[:MAX_NAMED])}" if names else ""


def _matching(connection: Connection, query: Query, ids: Iterable[int], enough: int) -> tuple[list[int], int]:
    """Return those whose texts match, as many as are enough, and how many texts were looked into."""
    found: list[int] = []
    n_read = 0
    for row in _rows(connection, ids, *_TEXTS):
        n_read += 1
        if matches(query, *_texts(row)):
            found.append(row["id"])
        if len(found) == enough:
            break
    return found, n_read


def _ranked(connection: Connection, query: Query, newest: Sequence[int]) -> list[int]:
    """Return the best of the newest matches and of the newest with the words in headline or author."""
    titled = _newest(connection, query, Needs.of(query, titled=True), RANKED)
    candidates = dict.fromkeys(chain(newest[:RANKED], titled))
    rows = (row for row in _rows(connection, candidates, *_TEXTS) if matches(query, *_texts(row)))
    scores = [(-score(query, *_texts(row)), row["id"]) for row in rows]
    order = {one: place for place, one in enumerate(newest)}
    return [one for _, one in sorted(scores, key=lambda pair: (pair[0], order.get(pair[1], len(order))))]


_TEXTS: Final = ("headline", "authors", "article_body")


def _texts(row: RowMapping) -> tuple[str | None, list[str], str]:
    return row["headline"], names_of(row["authors"]), row["article_body"]


# --- which articles, newest first --------------------------------------------------------------------------


def _newest(connection: Connection, query: Query, needs: Needs, most: int) -> Iterator[int]:
    """Yield the ids of articles with the terms that meet the conditions, the newest first, ``most`` at most."""
    first, last = _bounds(query)
    few = few_of(connection, query)
    chosen = [] if few is not None else conditions(query)
    if not query.duplicates:
        chosen.append(article_places.c.is_kept)
    asked = _Asked(connection, chosen, few or ())
    if few is not None or not (needs.required or needs.excluded):
        yield from asked.between(needs, first, last, most) if few != [] else ()
    else:
        yield from _by_window(asked, needs, first, last, most)


def _bounds(query: Query) -> tuple[date, date]:
    """Return the first and last day that articles may have; undated ones are of none that is named."""
    is_any_day = query.first_day is None and query.last_day is None
    first = UNDATED if is_any_day else max(query.first_day or EARLIEST, EARLIEST)
    return first, min(query.last_day or date.max, datetime.now(UTC).date() + timedelta(days=2))


def _counted(connection: Connection, query: Query) -> int | None:
    """Return how many articles match, up to one more than ``MAX_PLACES``; None where terms of the index narrow them."""
    needs = Needs.of(query)
    few = few_of(connection, query)
    if needs.required or needs.excluded:
        return None
    number = article_places.c.article_id
    chosen = conditions(query) if few is None else [among(number, "few")]
    if not query.duplicates:
        chosen.append(article_places.c.is_kept)
    (first, last), place = _bounds(query), article_places.c.place
    of_days = place >= first_place(first), place < first_place(last + timedelta(days=1))
    some = select(number).where(*of_days, *chosen).limit(MAX_PLACES + 1).subquery()
    given = {} if few is None else {"few": list(few)}
    return connection.execute(select(func.count()).select_from(some), given).scalar_one()


def _by_window(asked: _Asked, needs: Needs, first: date, last: date, most: int) -> Iterator[int]:
    """Yield the ids of articles with the terms, the newest first, ``most`` at most.

    The newest days are looked into. How many matches they have tells how many more are to be.
    """
    n_all = asked.connection.execute(select(func.max(article_places.c.article_id))).scalar() or 0
    last = min(last, asked.day_below(last, 0) or first)
    size, n_found, n_looked_into, is_few = _FIRST_WINDOW, 0, 0, bool(needs.required)
    while last >= first and n_found < most:
        is_rare = n_looked_into and n_found * n_all <= _EXPECTED * n_looked_into
        if is_few and (is_rare or size * _SHARE > n_all):
            found = asked.of_few(needs, first, last, most - n_found)
            if found is not None:
                yield from found
                return
            is_few = False
        start = asked.day_below(last, size) or first
        if last - start > timedelta(days=31):
            start = start.replace(day=1)  # each month is one term then
        start = max(first, start)
        found = asked.between(_of_days(needs, start, last), start, last, most - n_found)
        yield from found
        n_found += len(found)
        n_looked_into, last = n_looked_into + size, start - timedelta(days=1)
        lacking = _MARGIN * min(most - n_found, MAX_COUNTED)
        size = max(n_looked_into, round(n_looked_into * (lacking / n_found if n_found else _GROWTH)))


def _of_days(needs: Needs, start: date, end: date) -> Needs:
    """Return the needs with the days; without them where all days are meant and something else is needed."""
    if start <= EARLIEST and needs.required:
        return needs
    return replace(needs, required=(tuple(day_terms(start, end)), *needs.required))


#: With a sign, so that articles are looked up by their numbers: the terms decide, and few of them are.
_PLACE: Final = literal_column("(+article_places.place)", BigInteger)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Asks the database for ids of articles that meet the conditions."""

    connection: Connection
    chosen: Sequence[ColumnElement[bool]]
    few: Sequence[int]  # among these alone, if there are any

    def between(self, needs: Needs, start: date, end: date, most: int) -> list[int]:
        """Return the ids of the articles with the terms from start to end, newest first, ``most`` at most."""
        if needs.excluded and not needs.required:  # an index has no "all but these"
            needs = replace(needs, required=(tuple(day_terms(start, end)),))
        terms = self._terms(needs) if needs.required else None
        return [row[0] for row in self._ordered(terms, start, end, most)]

    def of_few(self, needs: Needs, start: date, end: date, most: int) -> list[int] | None:
        """Do so where few articles of all days have the terms, else return None."""
        terms = self._terms(needs, _MOST + 1)
        n_terms = select(func.count()).select_from(terms).scalar_subquery()
        rows = [tuple(row) for row in self._ordered(terms, start, end, most, n_terms)]
        n_there = rows[0][1] if rows else self.connection.execute(select(n_terms)).scalar_one()
        return None if n_there > _MOST else [row[0] for row in rows]

    def _ordered(
        self, terms: CTE | None, start: date, end: date, most: int, *also: ColumnElement[Any]
    ) -> Sequence[Row[Any]]:
        number = article_places.c.article_id
        found, given = select(number, *also), dict[str, Any]()
        place: ColumnElement[Any] = article_places.c.place
        if terms is not None:
            place, found = _PLACE, self._of_terms(found, number, terms)
        if self.few:
            place, given = _PLACE, {"few": list(self.few)}
            found = found.where(among(number, "few"))
        earliest, latest = first_place(start) if start > UNDATED else 0, first_place(end + timedelta(days=1))
        found = found.where(place >= earliest, place < latest, *self.chosen)
        return self.connection.execute(found.order_by(place.desc(), number.desc()).limit(most), given).all()

    def _of_terms(self, found: Select[Any], number: ColumnElement[int], terms: CTE) -> Select[Any]:
        if self.connection.dialect.name == "sqlite":
            return found.join(terms, terms.c.rowid == number)
        # as an array: PostgreSQL would take the articles for so many that it reads the whole table
        return found.where(number == func.any(func.array(select(terms.c.rowid).scalar_subquery())))

    def _terms(self, needs: Needs, most: int | None = None) -> CTE:
        has: ColumnElement[bool] | TextClause
        if self.connection.dialect.name == "sqlite":
            has = text(f"{TABLE} MATCH :expression").bindparams(expression=needs.fts5())
        else:
            has = literal_column(VECTOR).op("@@", is_comparison=True)(cast(literal(needs.tsquery()), TSQUERY))
        having = select(_FTS.c.rowid).where(has).limit(most)
        # PostgreSQL would make the terms of articles anew where it takes few of them to be of these days
        return having.cte("terms").prefix_with("MATERIALIZED", dialect="postgresql")

    def day_below(self, last: date, n: int) -> date | None:
        """Return the day until which there are n articles, from a day back; None where there are fewer."""
        place = article_places.c.place
        below = select(place).where(place < first_place(last + timedelta(days=1))).order_by(place.desc())
        found = self.connection.execute(below.limit(1).offset(n)).scalar()
        return None if found is None else day_of(found)


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
