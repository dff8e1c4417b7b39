"""A page of a test, read as a crawl reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newscrawl.extract.facts.facts import RIGHTS_HEADERS
from newscrawl.read.model import RawPage, Wants, site_facts
from newscrawl.read.read import reader_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.read.model import Reading
    from newscrawl.sites.model import NewsSite


def read(
    body: bytes | str,
    url: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    fetched_at: datetime | None = None,
    site: NewsSite | None = None,
    wants: Wants | None = None,
) -> Reading:
    """Read one page. Never raises for what is in it.

    :param headers: of the answer; ``Content-Type`` and ``X-Robots-Tag`` are looked at.
    :param fetched_at: aware; "3 hours ago" is counted back from it, and no date is later. Now, where it is not given.
    :param wants: what is to be read; an article's text and facts by the default method, where it is not given.
    :raises UserError: for an unknown method, classifier or format.
    """
    named = {name.lower(): value for name, value in (headers or {}).items()}
    page = RawPage(
        body=body,
        url=url,
        fetched_at=fetched_at or datetime.now(UTC),
        content_type=named.get("content-type"),
        robots=tuple(filter(None, [named.get("x-robots-tag")])),
        rights=tuple((name, named[name]) for name in RIGHTS_HEADERS if name in named),
        site=site_facts(site, url),
    )
    return reader_for(wants or Wants()).read(page)
