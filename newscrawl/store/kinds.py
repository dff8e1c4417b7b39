"""What pages told of their kind, kept with their outcomes: a crawl that is killed knows its sites as before."""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, LargeBinary, Table, Text, bindparam, select, update

from newscrawl.items import ARTICLE, Article, Author, BodyImage, FieldKind, Image, PageType, Reservation, Update
from newscrawl.outcomes import Outcome
from newscrawl.sites.kinds.evidence import Asks, KindEvidence, Said, address_key
from newscrawl.store.articles import mark_gone
from newscrawl.store.columns import storable_row
from newscrawl.store.engine import execute_many, upsert
from newscrawl.store.records import PageRecord, SideRecord, stored_url
from newscrawl.store.schema import articles, metadata, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from newscrawl.sites.kinds.judge import PageKind

page_kinds = Table(
    "page_kinds",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("site", Text, nullable=False),  # registrable domain
    Column("url", Text, nullable=False),
    Column("asked", Text),  # address that led to it, if another did
    Column("page_type", Text, nullable=False),  # by the page alone
    Column("confidence", Float, nullable=False),
    Column("odds", Float, nullable=False),
    Column("said", Text),
    Column("is_told", Boolean, nullable=False),
    Column("letters", Float, nullable=False),
    Column("is_called", Boolean),
    Column("is_titled", Boolean, nullable=False),
    Column("asks", Text),
    Column("is_signed", Boolean, nullable=False),
    Column("says_missing", Boolean, nullable=False),
    Column("text", BigInteger, nullable=False),
    Column("titles", LargeBinary, nullable=False),  # keys of eight bytes, as all that follow
    Column("places", LargeBinary, nullable=False),
    Column("announced", LargeBinary, nullable=False),
    Column("links", LargeBinary, nullable=False),  # of a sample of pages
    Column("held", Text),  # JSON: the page and its article, until the site tells whether it is one
    Index(None, "site"),
)

_RECORDS: Final[Mapping[str, type[Any]]] = {
    "authors": Author,
    "images": BodyImage,
    "mainImage": Image,
    "reservations": Reservation,
    "updates": Update,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage(SideRecord):
    """A page as evidence of its site."""

    site: str
    url: str
    asked: str | None = None
    evidence: KindEvidence
    links: tuple[int, ...] = ()
    held: Mapping[str, Any] | None = None
    """The page and its article as :func:`plain_article` writes it, where it may turn out to be one."""
    is_stored: bool = False
    """Read from the database: its article is stored, and there."""

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[KnownPage]) -> Sequence[Any]:
        last = {record.url: record for record in records}
        upsert(connection, page_kinds, list(map(_row, last.values())), "key")
        return [None] * len(records)


def _row(page: KnownPage) -> dict[str, Any]:
    known = page.evidence
    row = {
        "key": address_key(page.url),
        "site": page.site,
        "url": stored_url(page.url),
        "asked": stored_url(page.asked) if page.asked else None,
        "page_type": known.page_type.value,
        "confidence": known.confidence,
        "odds": known.odds,
        "said": known.said and known.said.value,
        "is_told": known.is_told,
        "letters": known.letters,
        "is_called": known.is_called,
        "is_titled": known.is_titled,
        "asks": known.asks and known.asks.value,
        "is_signed": known.is_signed,
        "says_missing": known.says_missing,
        "text": known.text,
        "titles": _packed(known.titles),
        "places": _packed(known.places),
        "announced": _packed([key for pair in known.announced for key in pair]),
        "links": _packed(page.links),
    }
    return storable_row(row | {"held": json.dumps(page.held, ensure_ascii=False) if page.held is not None else None})


def known_pages(connection: Connection, site: str) -> Iterator[KnownPage]:
    """Yield what is known of a site's pages; what is held of them is read by :func:`held_page`."""
    there = articles.c.url.is_not(None) & articles.c.gone_at.is_(None)
    names = [column for column in page_kinds.c if column.name != "held"]
    joined = page_kinds.outerjoin(articles, articles.c.url == page_kinds.c.url)
    query = select(*names, page_kinds.c.held.is_not(None).label("is_held"), there.label("is_stored"))
    for row in connection.execute(query.select_from(joined).where(page_kinds.c.site == site)):
        yield _known(row)


def _known(row: Any) -> KnownPage:
    announced = _unpacked(row.announced)
    evidence = KindEvidence(
        page_type=PageType(row.page_type),
        confidence=row.confidence,
        odds=row.odds,
        said=Said(row.said) if row.said else None,
        is_told=row.is_told,
        titles=_unpacked(row.titles),
        places=_unpacked(row.places),
        announced=tuple(zip(announced[::2], announced[1::2], strict=True)),
        letters=row.letters,
        is_called=row.is_called,
        is_titled=row.is_titled,
        asks=Asks(row.asks) if row.asks else None,
        is_signed=row.is_signed,
        says_missing=row.says_missing,
        text=row.text,
    )
    return KnownPage(
        site=row.site,
        url=row.url,
        asked=row.asked,
        evidence=evidence,
        links=_unpacked(row.links),
        held={} if row.is_held else None,
        is_stored=bool(row.is_stored),
    )


def held_page(connection: Connection, url: str) -> Mapping[str, Any] | None:
    """Return the page and the article that are held of an address."""
    query = select(page_kinds.c.held).where(page_kinds.c.key == address_key(url))
    found = connection.execute(query).scalar()
    return json.loads(found) if found else None


def let_go(connection: Connection, urls: Sequence[str]) -> None:
    """Forget what is held of addresses whose kind is known."""
    if urls:
        query = update(page_kinds).where(page_kinds.c.key == bindparam("b_key")).values(held=None)
        execute_many(connection, query, [{"b_key": address_key(url)} for url in urls])


def take_out(connection: Connection, kinds: Mapping[str, PageKind]) -> None:
    """Note that stored articles are none: their pages are of another type, and the articles gone."""
    if not kinds:
        return
    now = datetime.now(UTC)
    names = ("outcome", "page_type", "page_type_confidence", "reason", "detail")
    rows = [
        {
            "b_url": stored_url(url),
            "outcome": Outcome.REJECTED.value if kind.absence else Outcome.NOT_ARTICLE.value,
            "page_type": kind.page_type.value,
            "page_type_confidence": kind.confidence,
            "reason": str(kind.absence or kind.page_type),
            "detail": kind.reason,
        }
        for url, kind in kinds.items()
    ]
    query = update(pages).where(pages.c.url == bindparam("b_url")).values({name: bindparam(name) for name in names})
    execute_many(connection, query, rows)
    mark_gone(connection, [PageRecord(url=url, outcome=Outcome.NOT_ARTICLE, fetched_at=now) for url in kinds])


def plain_article(article: Article) -> dict[str, Any]:
    """Return the fields of an article that say something, as JSON holds them."""
    values = {name: known.plain(getattr(article, name)) for name, known in ARTICLE.items() if name != "pageType"}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
        if value not in (None, "", [], {})
    }


def article_of_plain(values: Mapping[str, Any]) -> Article:
    """Return the article that :func:`plain_article` wrote."""
    return Article(**{name: _value(ARTICLE[name].kind, name, value) for name, value in values.items()})


def _value(kind: FieldKind, name: str, value: Any) -> Any:
    if kind in {FieldKind.MOMENT, FieldKind.ZONED_MOMENT}:
        return datetime.fromisoformat(value)
    if kind is FieldKind.RECORD:
        return _RECORDS[name](**value)
    if kind is FieldKind.RECORDS:
        return tuple(_RECORDS[name](**record) for record in value)
    return tuple(value) if kind is FieldKind.TEXTS else value


def _packed(keys: Sequence[int]) -> bytes:
    return array("q", keys).tobytes()


def _unpacked(octets: bytes) -> tuple[int, ...]:
    keys = array("q")
    keys.frombytes(octets)
    return tuple(keys)
