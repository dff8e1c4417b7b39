"""What components share: how Scrapy makes one, and the signals by which they tell each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from scrapy.crawler import Crawler  # noqa: TID251 (for the type checker)


class Component:
    """A middleware, pipeline or extension that Scrapy makes of the crawler alone."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)


FETCHED_AT: Final = "newscrawl_fetched_at"
"""Key of a request's ``meta``: when an archive's answer was fetched, if it says so."""

ARCHIVED: Final = "newscrawl_archived"
"""Key of a request's ``meta``: where the answer is recorded, as ``fieldSources`` of its article says it: ``archive``,
``archiveOffset`` and ``archiveDigest``.
"""

# Scrapy's signals are objects.

url_outcome = object()
"""A URL ended without a page: ``url``, ``outcome``, ``reason``, ``status``, ``detail`` (see ``newscrawl.outcomes``).

A part of an article also says ``joined_into``: the URL of the page with which it is stored.
"""

links_rejected = object()
"""Links were not followed: ``refused`` (``newscrawl.links.model.RefusedLink``), ``page_url``."""

source_read = object()
"""A feed, sitemap or list was read: ``url``, ``door`` (``newscrawl.sites.coverage.DOORS``), and ``stories``: the
addresses it names, each with the day or time that it states, or None. Feeds and sitemaps say ``titles``, too: address →
title."""

page_judged = object()
"""A focused crawl judged a page: ``page``, ``fetched`` (FetchedPage), ``relevance`` (None: no article)."""
