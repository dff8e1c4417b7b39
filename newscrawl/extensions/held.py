"""Pages that wait for their site's word, as JSON holds them."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import TYPE_CHECKING, Any

from newscrawl.frontier.model import HELD
from newscrawl.items import Page, PageType
from newscrawl.links.next_page import Continuation
from newscrawl.read.memory import pack_lines, unpack_lines
from newscrawl.read.model import Reading
from newscrawl.store.kinds import article_of_plain, plain_article

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.sites.kinds.judge import PageKind


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
