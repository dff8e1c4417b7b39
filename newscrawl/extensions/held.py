"""Pages that wait for their site's word, as JSON holds them."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.frontier.model import HELD
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
from newscrawl.read.memory import pack_lines, unpack_lines
from newscrawl.read.model import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.sites.kinds import PageKind

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
