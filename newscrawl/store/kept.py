"""Which article, stored before, says the same? Articles kept so far: in the database, and earlier in the batch.

Only kept articles are compared with, never their duplicates: a cluster cannot drift away from its first article.
Across sites a text that is nearly the same hides nothing: it joins the cluster. Of two, the one that the other names
as canonical is the first.
What is gone is not compared with: the same text at another address is an article of its own then.
All look-ups of a batch are a handful of indexed queries; memory does not grow with the number of pages.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, insert, or_, select

from newscrawl.extract.simhash import MIN_CHARS, band_keys, hamming, url_key
from newscrawl.languages.text import squeeze
from newscrawl.store.columns import among
from newscrawl.store.engine import execute_many
from newscrawl.store.resemble import MAX_DISTANCE, SHORT_CHARS, is_near_duplicate, is_same_document, same_headline
from newscrawl.store.schema import articles, simhash_bands
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy import Connection, Select

#: Nearest candidates that are compared by their texts; more share a SimHash only by a form or a flaw.
MAX_COMPARED = 16

#: SQL's integers are signed.
_SIGN = 1 << 63
_ALL_BITS = (1 << 64) - 1


def to_signed(simhash: int | None) -> int | None:
    """Return the 64 bits as two's complement; None for none."""
    return simhash - (1 << 64) if simhash is not None and simhash & _SIGN else simhash


def to_unsigned(stored: int | None) -> int | None:
    return None if stored is None else stored & _ALL_BITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An article kept: what is compared."""

    url: str
    order: int  # place in time among the kept
    cluster_id: str
    content_hash: str
    url_key: str
    canonical_url: str | None
    headline: str | None
    body: str
    simhash: int | None


class KeptArticles:
    """The kept articles that could match a batch; grows as the batch is judged."""

    def __init__(self, found: Iterable[Kept] = ()) -> None:
        self._by_hash: dict[str, list[Kept]] = defaultdict(list)
        self._by_key: dict[str, list[Kept]] = defaultdict(list)
        self._by_band: dict[int, list[Kept]] = defaultdict(list)
        self._next = 0
        for kept in found:
            self._index(kept)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    @classmethod
    def load(cls, connection: Connection, batch: list[dict[str, Any]]) -> KeptArticles:
        """Fetch from the database what could match one of the rows (with ``simhash``, unsigned)."""
        found = _same_content_ids(connection, batch)
        found |= _first_ids(connection, "url_key", {row["url_key"] for row in batch})
        found |= _near_ids(connection, {row["simhash"] for row in batch if row["simhash"] is not None})
        if not found:
            return cls()
        names = ("url", "cluster_id", "content_hash", "url_key", "canonical_url", "headline")
        columns = (
            *(articles.c[name] for name in names),
            articles.c.id.label("order"),
            articles.c.article_body.label("body"),
        )
        there = articles.c.id.in_(found), articles.c.gone_at.is_(None)
        query = select(*columns, articles.c.simhash).where(*there).order_by(articles.c.id)
        rows = connection.execute(query).mappings()
        return cls(Kept(**{**row, "simhash": to_unsigned(row["simhash"])}) for row in rows)

    def add(self, row: dict[str, Any], cluster_id: str) -> None:
        """Take in an article of the batch that is kept."""
        names = ("url", "content_hash", "url_key", "canonical_url", "headline", "simhash")
        given = {name: row[name] for name in names}
        self._index(Kept(order=self._next, cluster_id=cluster_id, body=row["article_body"], **given))

    def _index(self, kept: Kept) -> None:
        self._next = max(self._next, kept.order + 1)
        if kept.content_hash:
            self._by_hash[kept.content_hash].append(kept)
        self._by_key[kept.url_key].append(kept)
        for key in band_keys(kept.simhash) if kept.simhash is not None else ():
            self._by_band[key].append(kept)

    def match(self, row: dict[str, Any]) -> tuple[Kept, str] | None:
        """Return the first article kept that the row repeats, and how; None if it is new."""
        own = {kept.url for kept in self.naming(row)} | {row["url"]}
        for kind, candidates in (
            ("content", self._same_content(row)),
            ("canonical_url", self._same_canonical(row)),
            ("near", [kept for kept in self._near(row) if _may_hide(kept, row)]),
        ):
            others = [kept for kept in candidates if kept.url not in own]
            if others:
                return min(others, key=lambda kept: kept.order), kind
        return None

    def naming(self, row: dict[str, Any]) -> list[Kept]:
        """Return the articles kept of other sites that say the same, and name the row's address as canonical."""
        said = [*self._same_content(row), *self._near(row)]
        return [kept for kept in said if _names(kept.canonical_url, row["url"]) and not same_site(kept.url, row["url"])]

    def beside(self, row: dict[str, Any]) -> Kept | None:
        """Return the first article kept of another site that says nearly the same."""
        return min(self._near(row), key=lambda kept: kept.order, default=None)

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

    def _same_canonical(self, row: dict[str, Any]) -> list[Kept]:
        """Return those of the same site that call the same address their own, if their texts agree."""
        candidates = [kept for kept in self._by_key.get(row["url_key"], []) if same_site(kept.url, row["url"])]
        return [kept for kept in candidates[:MAX_COMPARED] if is_same_document(kept.body, row["article_body"])]

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


def _may_hide(kept: Kept, row: dict[str, Any]) -> bool:
    """Tell whether a row that is nearly the same is a duplicate: of its own site, or by its own word."""
    return same_site(kept.url, row["url"]) or _names(row["canonical_url"], kept.url)


def _names(canonical: str | None, url: str) -> bool:
    return canonical is not None and url_key(canonical) == url_key(url)


def _same_content_ids(connection: Connection, batch: list[dict[str, Any]]) -> set[int]:
    """Return the first kept articles of each hash, and for short texts all with a headline of the batch."""
    hashes = {row["content_hash"] for row in batch if row["content_hash"]}
    short = [row for row in batch if row["content_hash"] in hashes and len(row["article_body"]) < 2 * SHORT_CHARS]
    first = _first_ids(connection, "content_hash", hashes)
    if not short:
        return first
    headlines = {row["headline"] for row in short if row["headline"] is not None}
    return first | _first_ids(connection, "content_hash", {row["content_hash"] for row in short}, headlines)


def _first_ids(connection: Connection, column: str, values: set[Any], headlines: set[str] | None = None) -> set[int]:
    """Return ids of the first ``MAX_COMPARED`` kept articles with each value.

    :param headlines: if given, only articles with one of them, or with none, count.
    """
    given: dict[str, Any] = {"values": list(values)}
    if headlines is not None:
        given["headlines"] = list(headlines)
    query = _first(column, with_headlines=headlines is not None)
    return set(connection.execute(query, given).scalars())


@cache
def _first(name: str, *, with_headlines: bool) -> Select[int]:
    """Return the query, which takes longer to build than to answer."""
    column = articles.c[name]
    place = func.row_number().over(partition_by=column, order_by=articles.c.id).label("place")
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


def index_bands(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Index the kept ones among the rows."""
    bands = [
        {"key": key, "article_id": row["id"], "simhash": to_signed(row["simhash"])}
        for row in rows
        if row["duplicate_of"] is None and row["simhash"] is not None
        for key in band_keys(row["simhash"])
    ]
    execute_many(connection, _NEW_BANDS, bands)


def forget_bands(connection: Connection, ids: Collection[int] | Select[int]) -> None:
    """Forget the SimHashes of articles, whose texts are others now, or gone."""
    connection.execute(delete(simhash_bands).where(simhash_bands.c.article_id.in_(ids)))
