"""What pages told of their kind, kept with their outcomes: a crawl that is killed knows its sites as before.

While a crawl runs, each transaction adds a row with all that its pages told, packed. At its end one row of a site
takes their place, with what is evidence of the site, and no page is judged again.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, insert, select, update

from newscrawl.items import (
    ARTICLE,
    Article,
    Author,
    BodyImage,
    Comment,
    FieldKind,
    Image,
    Page,
    PageType,
    Reservation,
    Update,
)
from newscrawl.links.next_page import Continuation
from newscrawl.outcomes import Outcome
from newscrawl.read.memory import pack_lines, unpack_lines
from newscrawl.read.model import Reading
from newscrawl.sites.kinds import contradiction
from newscrawl.sites.memory import Drift
from newscrawl.sites.settle import PageEnd, end_of
from newscrawl.sites.shown import Asks, KindEvidence, Said, SiteEvidence, address_key, pack_site, unpack_site
from newscrawl.store.articles import mark_gone
from newscrawl.store.columns import among, stored_url
from newscrawl.store.engine import execute_many, upsert
from newscrawl.store.records import PageRecord, SideRecord
from newscrawl.store.schema import held_pages, pages, site_kinds
from newscrawl.store.site_memory import add_drift, site_drifts, unsettle

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from newscrawl.sites.kinds import Contradiction, PageKind

#: How a page came that waited for its site's word.
HELD: Final = "held"
#: Reason of what is noticed of a site that contradicts itself.
KINDS: Final = "kinds"
_NAMES: Final = tuple(field.name for field in fields(KindEvidence))
#: First byte of a row: pages that may be judged again, or the evidence of a site.
_PAGES: Final = b"p"
_SITE: Final = b"s"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage(SideRecord):
    """A page as evidence of its site."""

    site: str
    url: str
    asked: str | None = None
    evidence: KindEvidence
    links: tuple[int, ...] = ()
    held: Mapping[str, Any] | None = None
    """The page as :func:`held_of` writes it, where it may turn out to be an article."""
    is_held: bool = False
    """Read from the database: the page is held there."""
    is_bare: bool = False
    """A text was looked for in vain."""
    is_door: bool = False
    """A feed or sitemap: it announces stories, and is no page."""
    is_probe: bool = False
    """The answer to an address that cannot be."""
    end: PageEnd | None = None
    """Read from the database: how the page has ended."""

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[KnownPage]) -> Sequence[Any]:
        last = sorted({record.url: record for record in records}.values(), key=attrgetter("site"))
        rows = [
            {"site": site, "packed": _PAGES + zlib.compress(_json(list(map(_plain, of))))}
            for site, of in groupby(last, attrgetter("site"))
        ]
        execute_many(connection, _NEW, rows)
        held = [(page.url, page.held) for page in last if page.held is not None]
        rows_held = [{"key": address_key(url), "packed": zlib.compress(_json(page))} for url, page in held]
        upsert(connection, held_pages, sorted(rows_held, key=itemgetter("key")), "key")
        return [None] * len(records)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _plain(page: KnownPage) -> list[Any]:
    told = [getattr(page.evidence, name) for name in _NAMES]
    return [page.url, page.asked, [page.is_bare, page.is_door, page.is_probe], page.links, told]


def site_evidence(connection: Connection, site: str) -> tuple[SiteEvidence, list[KnownPage]]:
    """Return what a site has shown, and its pages that may be judged again."""
    evidence, known = _unpacked(connection.execute(_OF_SITE, {"b_site": site}))
    rows = connection.execute(_ENDS, {"b_urls": [stored_url(url) for url in known]})
    ends = {row.url: PageEnd(row.outcome, row.reason) for row in rows}
    held = set(connection.execute(select(held_pages.c.key)).scalars())
    return evidence, [
        replace(page, site=site, end=ends.get(stored_url(url)), is_held=address_key(url) in held)
        for url, page in known.items()
    ]


_NEW: Final = insert(site_kinds)
_OF_SITE: Final = select(site_kinds.c.id, site_kinds.c.packed).where(site_kinds.c.site == bindparam("b_site"))
_ENDS: Final = select(pages.c.url, pages.c.outcome, pages.c.reason).where(among(pages.c.url, "b_urls"))


def _unpacked(rows: Iterable[Any]) -> tuple[SiteEvidence, dict[str, KnownPage]]:
    """Return what the rows of a site say together; of a page the last counts."""
    evidence, known = SiteEvidence(), dict[str, KnownPage]()
    for row in sorted(rows, key=attrgetter("id")):
        if row.packed[:1] == _SITE:
            evidence = unpack_site(row.packed[1:])
        else:
            found = map(_known, json.loads(zlib.decompress(row.packed[1:])))
            known |= {page.url: page for page in found}
    for page in known.values():
        show(evidence, page)
    return evidence, known


def show(site: SiteEvidence, page: KnownPage) -> bool:
    """Take note of a page; tell whether anything of it is kept."""
    if page.is_probe:
        site.missing |= {page.evidence.text} - {0}
        return True
    if page.is_door:
        return site.observe_list(address_key(page.url), page.evidence.announced)
    return site.observe(page.url, page.evidence, page.links, asked=page.asked)


def _known(values: Sequence[Any]) -> KnownPage:
    url, asked, (is_bare, is_door, is_probe), links, told = values
    plain = dict(zip(_NAMES, told, strict=False))  # rows of earlier versions lack the last fields
    plain |= {"page_type": PageType(plain["page_type"]), "announced": tuple(map(tuple, plain["announced"]))}
    plain |= {"said": plain["said"] and Said(plain["said"]), "asks": plain["asks"] and Asks(plain["asks"])}
    plain["instead"] = plain.get("instead") and PageType(plain["instead"])
    evidence = KindEvidence(**plain | {name: tuple(plain[name]) for name in ("titles", "places")})
    return KnownPage(
        site="",
        url=url,
        asked=asked,
        evidence=evidence,
        links=tuple(links),
        is_bare=is_bare,
        is_door=is_door,
        is_probe=is_probe,
    )


def close_site(connection: Connection, site: str, run_id: int | None = None) -> Contradiction | None:
    """Keep what a site has shown in one row: its pages are not judged again.

    Return how the site contradicts itself, unless that was noticed before.
    """
    rows = connection.execute(_OF_SITE.with_for_update(), {"b_site": site}).all()
    if not any(row.packed[:1] == _PAGES for row in rows):
        return None  # also where another worker has just done so
    evidence, known = _unpacked(rows)
    let_go(connection, list(known))
    connection.execute(delete(site_kinds).where(site_kinds.c.id.in_([row.id for row in rows])))
    execute_many(connection, _NEW, [{"site": site, "packed": _SITE + pack_site(evidence)}])
    found = contradiction(evidence)
    told = select(site_drifts.c.id).where(site_drifts.c.host == site, site_drifts.c.reason == KINDS)
    if found is None or connection.execute(told).first() is not None:
        return None
    drift = Drift(host=site, reason=KINDS, old=found.articles, new=found.others, n_pages=found.n_pages)
    add_drift(connection, drift, run_id)
    return found


def held_page(connection: Connection, url: str) -> Mapping[str, Any] | None:
    """Return the page and the article that are held of an address."""
    query = select(held_pages.c.packed).where(held_pages.c.key == address_key(url))
    found = connection.execute(query).scalar()
    page: Mapping[str, Any] | None = json.loads(zlib.decompress(found)) if found else None
    return page


def let_go(connection: Connection, urls: Sequence[str]) -> None:
    """Forget what is held of addresses whose kind is known."""
    keys = sorted(map(address_key, urls))
    if keys:
        connection.execute(delete(held_pages).where(held_pages.c.key.in_(keys)))


def end_otherwise(connection: Connection, kinds: Mapping[str, tuple[PageKind, str]]) -> None:
    """Note that pages are none of the articles, or of another type, than they ended as; their articles are gone."""
    if not kinds:
        return
    now = datetime.now(UTC)
    names = ("outcome", "page_type", "page_type_confidence", "reason", "detail")
    rows = [
        {
            "b_url": stored_url(url),
            "page_type": kind.page_type.value,
            "page_type_confidence": kind.confidence,
            "detail": why,
        }
        | end_of(kind)._asdict()
        for url, (kind, why) in kinds.items()
    ]
    query = update(pages).where(pages.c.url == bindparam("b_url")).values({name: bindparam(name) for name in names})
    execute_many(connection, query, rows)
    mark_gone(connection, [PageRecord(url=url, outcome=Outcome.NOT_ARTICLE, fetched_at=now) for url in kinds])
    unsettle(connection, [stored_url(url) for url in kinds])


# --- a page that waits for its site's word, as JSON holds it -------------------------------------------------

_RECORDS: Final[Mapping[str, type[Any]]] = {
    "authors": Author,
    "comments": Comment,
    "images": BodyImage,
    "mainImage": Image,
    "reservations": Reservation,
    "updates": Update,
}


def held_of(page: Page, reading: Reading) -> dict[str, Any]:
    """Return a page and the article that it may be, as JSON holds them."""
    assert reading.article is not None  # noqa: S101
    return {
        "url": page.url,
        "requested_url": page.requested_url,
        "fetched_at": page.fetched_at.isoformat(),
        "status": page.status,
        "depth": page.depth,
        "parent": page.referer,
        "site": page.site,
        "validators": page.validators,
        "body_hash": page.body_hash,
        "archived": page.archived,
        "robots": sorted(reading.robots),
        "continuation": reading.continuation,
        "encoding": reading.encoding,
        "encoding_source": reading.encoding_source,
        "article": plain_article(reading.article),
        "lines": base64.b64encode(pack_lines(reading.lines)).decode() if reading.lines else "",
    }


def page_of_held(held: Mapping[str, Any], kind: PageKind, site_says: str) -> Page:
    """Return the page that :func:`held_of` wrote, as the article that its site says it is."""
    page = Page(
        url=held["url"],
        requested_url=held["requested_url"],
        fetched_at=datetime.fromisoformat(held["fetched_at"]),
        status=held["status"],
        depth=held["depth"],
        found={"found": HELD, "parent": held["parent"]},
        site=held["site"],
        validators=held["validators"],
        body_hash=held["body_hash"],
        archived=held.get("archived", {}),  # pages that are held from before have none
        page_type=PageType.ARTICLE,
        article=article_of_plain(held["article"]),
    )
    page.reading = Reading(
        url=page.url,
        fetched_at=page.fetched_at,
        page_type=PageType.ARTICLE,
        page_type_confidence=kind.confidence,
        robots=frozenset(held["robots"]),
        continuation=Continuation(*held["continuation"]),
        encoding=held["encoding"],
        encoding_source=held["encoding_source"],
        article=page.article,
        lines=unpack_lines(base64.b64decode(held["lines"])) if held.get("lines") else (),
        site_says=site_says,
    )
    return page


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
