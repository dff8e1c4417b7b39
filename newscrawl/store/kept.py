"""Which articles say the same, and which of them is the first? Articles kept: in the database, and in the batch.

Only kept articles are compared with, never their duplicates: a cluster cannot drift away from its first article.
Across sites a text that is nearly the same hides nothing: it joins the cluster. The first is not the one that came
first, but the first by :func:`order_of`: then it is the same in whatever order a crawl came by them.
What is gone is not compared with: the same text at another address is an article of its own then.
All look-ups of a batch are a handful of indexed queries; memory does not grow with the number of pages.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC
from functools import cache
from heapq import nsmallest
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, or_, select

from newscrawl.extract.simhash import MIN_CHARS, band_keys, hamming, url_key
from newscrawl.languages.text import squeeze
from newscrawl.store.columns import among
from newscrawl.store.engine import execute_many
from newscrawl.store.resemble import MAX_DISTANCE, SHORT_CHARS, is_near_duplicate, is_same_document, same_headline
from newscrawl.store.schema import articles, simhash_bands
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sqlalchemy import Connection, Select

#: Nearest candidates that are compared by their texts; more share a SimHash only by a form or a flaw.
MAX_COMPARED = 16

#: Sorts after all dates.
UNDATED: Final = "~"
#: SQL's integers are signed.
_SIGN = 1 << 63
_ALL_BITS = (1 << 64) - 1


def to_signed(simhash: int | None) -> int | None:
    """Return the 64 bits as two's complement; None for none."""
    return simhash - (1 << 64) if simhash is not None and simhash & _SIGN else simhash


def to_unsigned(stored: int | None) -> int | None:
    return None if stored is None else stored & _ALL_BITS


Order = tuple[bool, str, int, str]


def order_of(row: Mapping[str, Any]) -> Order:
    """Return what articles that say the same are ordered by: one at its own address, the earliest, the shortest URL.

    One that names another address as canonical comes after all that do not, one without a date after all with one.
    """
    url, canonical, published = row["url"], row["canonical_url"], row["date_published_utc"]
    is_elsewhere = canonical is not None and url_key(canonical) != url_key(url)
    moment = published.astimezone(UTC).isoformat(timespec="seconds") if published is not None else UNDATED
    return is_elsewhere, moment, len(url), url


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An article kept: what is compared."""

    url: str
    order: Order
    cluster_id: str
    content_hash: str
    url_key: str
    canonical_url: str | None
    headline: str | None
    body: str
    simhash: int | None


class Match(NamedTuple):
    """The articles kept that say the same as another one."""

    first: Kept | None
    kind: str | None
    """How it repeats the first: ``content``, ``canonical_url``, ``near``; None where both are kept, on two sites."""
    repeating: frozenset[str]
    """Addresses of those after it that repeat it."""
    beside: frozenset[str]
    """Addresses of those after it, on other sites, that say nearly the same."""


class KeptArticles:
    """The kept articles that could match a batch; grows as the batch is judged."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._by_hash: dict[str, list[Kept]] = defaultdict(list)
        self._by_key: dict[str, list[Kept]] = defaultdict(list)
        self._by_band: dict[int, list[Kept]] = defaultdict(list)
        for row in rows:
            self.add(row)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    @classmethod
    def load(cls, connection: Connection, batch: list[dict[str, Any]], *, but: Collection[str] = ()) -> KeptArticles:
        """Fetch from the database what could match one of the rows (with ``simhash``, unsigned).

        :param but: addresses of articles that are not looked for.
        """
        hashes = {row["content_hash"] for row in batch if row["content_hash"]}
        found = _first_ids(connection, "content_hash", hashes)
        # of short texts, all with a headline of the batch: the first ones of a hash may be a site's own words
        short = [row for row in batch if row["content_hash"] in hashes and len(row["article_body"]) < 2 * SHORT_CHARS]
        if short and len(found) >= MAX_COMPARED:  # else those of each hash were found, all of them
            headlines = {row["headline"] for row in short if row["headline"] is not None}
            found |= _first_ids(connection, "content_hash", {row["content_hash"] for row in short}, headlines)
        found |= _first_ids(connection, "url_key", {row["url_key"] for row in batch})
        found |= _near_ids(connection, {row["simhash"] for row in batch if row["simhash"] is not None})
        if not found:
            return cls()
        rows = connection.execute(_KEPT, {"ids": list(found)}).mappings()
        return cls(row | {"simhash": to_unsigned(row["simhash"])} for row in map(dict, rows) if row["url"] not in but)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in an article that is kept."""
        kept = Kept(order=order_of(row), body=row["article_body"], **{name: row[name] for name in _SAID})
        if kept.content_hash:
            self._by_hash[kept.content_hash].append(kept)
        self._by_key[kept.url_key].append(kept)
        for key in band_keys(kept.simhash) if kept.simhash is not None else ():
            self._by_band[key].append(kept)

    def match(self, row: dict[str, Any]) -> Match:
        """Return the first article kept that the row repeats, or the first one beside it; and those after the row."""
        order, near = order_of(row), self._near(row)
        same_key = [kept for kept in self._by_key.get(row["url_key"], []) if same_site(kept.url, row["url"])]
        others = {
            "content": self._same_content(row),
            # those of the same site that call the same address their own, if their texts agree
            "canonical_url": [
                kept for kept in same_key[:MAX_COMPARED] if is_same_document(kept.body, row["article_body"])
            ],
            "near": [kept for kept in near if _may_hide(kept, row, is_first=kept.order < order)],
        }
        repeating = frozenset(kept.url for of in others.values() for kept in of if kept.order > order)
        beside = frozenset(kept.url for kept in near if kept.order > order) - repeating
        for kind, candidates in (*others.items(), (None, near)):
            earlier = [kept for kept in candidates if kept.order < order]
            if earlier:
                return Match(min(earlier, key=attrgetter("order")), kind, repeating, beside)
        return Match(None, None, repeating, beside)

    def _same_content(self, row: dict[str, Any]) -> list[Kept]:
        """Return those with an equal text; a short one may be a site's own words under different news."""
        candidates = self._by_hash.get(row["content_hash"], []) if row["content_hash"] else []
        if not candidates:
            return []
        n_chars = len(squeeze(row["article_body"]))
        if n_chars >= SHORT_CHARS:
            return candidates
        if n_chars >= MIN_CHARS:
            return [kept for kept in candidates if same_headline(kept.headline, row["headline"])]
        return [kept for kept in candidates if squeeze(kept.headline or "") == squeeze(row["headline"] or "")]

    def _near(self, row: dict[str, Any]) -> list[Kept]:
        value = row["simhash"]
        if value is None:
            return []
        nearest = {
            (hamming(value, kept.simhash), kept.order): kept
            for key in band_keys(value)
            for kept in self._by_band.get(key, ())
            if kept.simhash is not None and hamming(value, kept.simhash) <= MAX_DISTANCE
        }
        candidates = [nearest[place] for place in sorted(nearest)[:MAX_COMPARED]]
        said = row["article_body"], row["headline"]
        return [kept for kept in candidates if is_near_duplicate(kept.body, said[0], kept.headline, said[1])]


_SAID: Final = ("url", "cluster_id", "content_hash", "url_key", "canonical_url", "headline", "simhash")
_KEPT: Final = select(*(articles.c[name] for name in (*_SAID, "date_published_utc", "article_body"))).where(
    among(articles.c.id, "ids"), articles.c.gone_at.is_(None), articles.c.duplicate_of.is_(None)
)


def _may_hide(kept: Kept, row: dict[str, Any], *, is_first: bool) -> bool:
    """Tell whether the later of two that are nearly the same is a duplicate: of its own site, or by its own word."""
    canonical, url = (row["canonical_url"], kept.url) if is_first else (kept.canonical_url, row["url"])
    is_named = canonical is not None and url_key(canonical) == url_key(url)
    return is_named or same_site(kept.url, row["url"])


def _first_ids(connection: Connection, column: str, values: set[Any], headlines: set[str] | None = None) -> set[int]:
    """Return ids of the first ``MAX_COMPARED`` kept articles with each value.

    :param headlines: if given, only articles with one of them, or with none, count.
    """
    if not values:
        return set()
    given: dict[str, Any] = {"values": list(values)}
    if headlines is not None:
        given["headlines"] = list(headlines)
    query = _first(column, with_headlines=headlines is not None)
    return set(connection.execute(query, given).scalars())


@cache
def _first(name: str, *, with_headlines: bool) -> Select[int]:
    """Return the query, which takes longer to build than to answer."""
    column = articles.c[name]
    first = articles.c.date_published_utc.asc().nulls_last(), func.length(articles.c.url), articles.c.url
    place = func.row_number().over(partition_by=column, order_by=first).label("place")
    wanted = among(column, "values")
    there = articles.c.duplicate_of.is_(None), articles.c.gone_at.is_(None)
    ranked = select(articles.c.id, place).where(*there, wanted)
    if with_headlines:
        same = among(articles.c.headline, "headlines")
        ranked = ranked.where(or_(same, articles.c.headline.is_(None)))
    rows = ranked.subquery()
    return select(rows.c.id).where(rows.c.place <= MAX_COMPARED)


_BANDED: Final = select(simhash_bands.c.key, simhash_bands.c.article_id, simhash_bands.c.simhash).where(
    among(simhash_bands.c.key, "keys")
)


def _near_ids(connection: Connection, simhashes: set[int]) -> set[int]:
    """Return ids of the kept articles nearest to each value: within ``MAX_DISTANCE``, with a key in common."""
    wanted = {key for value in simhashes for key in band_keys(value)}
    if not wanted:
        return set()
    by_key: dict[int, dict[int, int]] = defaultdict(dict)
    for key, article_id, stored in connection.execute(_BANDED, {"keys": list(wanted)}):
        by_key[key][article_id] = stored & _ALL_BITS
    near: set[int] = set()
    for value in simhashes:
        sharing = {one: kept for key in band_keys(value) if key in by_key for one, kept in by_key[key].items()}
        distances = [((value ^ kept).bit_count(), one) for one, kept in sharing.items()]
        near.update(one for distance, one in nsmallest(MAX_COMPARED, distances) if distance <= MAX_DISTANCE)
    return near


_NEW_BANDS: Final = insert(simhash_bands)


def index_bands(connection: Connection, rows: list[dict[str, Any]], *, anew: bool = False) -> None:
    """Index the kept ones among the rows.

    :param anew: what is indexed of them counts no more: their texts were others, or they were kept.
    """
    if anew:
        old = simhash_bands.c.article_id.in_([row["id"] for row in rows])
        connection.execute(delete(simhash_bands).where(old))
    bands = [
        {"key": key, "article_id": row["id"], "simhash": to_signed(row["simhash"])}
        for row in rows
        if row["duplicate_of"] is None and row["simhash"] is not None
        for key in band_keys(row["simhash"])
    ]
    execute_many(connection, _NEW_BANDS, bands)
