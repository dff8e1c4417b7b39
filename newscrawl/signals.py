"""Base of components, and the signals that they send each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from newscrawl.outcomes import REJECTIONS, UNASKED, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler  # noqa: TID251 (for the type checker)


Method = TypeVar("Method", bound="Callable[..., Any]")
#: Attribute of a component's method: the signals that call it.
_HEARD: Final = "heard_signals"


def hears(*heard: object) -> Callable[[Method], Method]:
    """Have a :class:`Component` called by these signals: a decorator of its methods."""

    def mark(method: Method) -> Method:
        setattr(method, _HEARD, heard)
        return method

    return mark


class Component:
    """A middleware, pipeline or extension that Scrapy makes of the crawler alone."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        for name, method in (pair for cls in type(self).__mro__ for pair in vars(cls).items()):
            for signal in getattr(method, _HEARD, ()):
                crawler.signals.connect(getattr(self, name), signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)


# Keys of a request's ``meta``: what one download knows or learns.

FETCHED_AT: Final = "newscrawl_fetched_at"
"""When an archive's answer was fetched, if it says so."""

ARCHIVED: Final = "newscrawl_archived"
"""Where the answer is recorded. The article's ``fieldSources`` have the same keys: ``archive``, ``archiveOffset`` and
``archiveDigest``.
"""

ENCODING: Final = "newscrawl_encoding"
"""The ``EncodingDecision`` for the answer."""

VALIDATORS: Final = "newscrawl_validators"
"""The address, and ``etag`` and ``last_modified`` of its last answer, by which the request is conditional."""

# Scrapy's signals are objects.

url_outcome = object()
"""A URL ended without a page: ``url``, ``outcome``, ``reason``, ``status``, ``detail`` (see ``newscrawl.outcomes``).

A part of an article also says ``joined_into``: the URL of the page with which it is stored.
"""

links_rejected = object()
"""Links were not followed: ``refused`` (``newscrawl.links.model.RefusedLink``), ``page_url``."""

source_read = object()
"""A feed, sitemap or list was read: ``url``, ``door`` (``newscrawl.store.coverage.DOORS``), and ``stories``: the
addresses it names, each with its stated day or time, or None. Feeds and sitemaps also send ``titles``: address →
title."""

page_judged = object()
"""A focused crawl judged a page: ``page``, ``fetched`` (FetchedPage), ``relevance`` (None: no article)."""


def end_url(
    crawler: Crawler,
    url: str,
    outcome: Outcome,
    reason: str | None = None,
    *,
    status: int | None = None,
    detail: str | None = None,
    **more: Any,
) -> None:
    """Count how a URL ended that gave no page to be stored, and send ``url_outcome``.

    Stats ``newscrawl/outcome/<outcome>``, ``newscrawl/rejected/<reason>`` for refusals, ``newscrawl/failed/<reason>``
    for failures, and ``newscrawl/http_error/<status>``. The outcomes of pages are counted where these are stored.

    :param more: what else is known of its end: ``referer``, ``joined_into``, ``validators``.
    """
    crawler.stats.inc_value(f"newscrawl/outcome/{outcome}")
    if outcome in (Outcome.REJECTED, *UNASKED) or (outcome is Outcome.FAILED and reason in REJECTIONS):
        crawler.stats.inc_value(f"newscrawl/rejected/{reason}")
    elif outcome is Outcome.FAILED:
        crawler.stats.inc_value(f"newscrawl/failed/{reason}")
    elif outcome is Outcome.HTTP_ERROR:
        crawler.stats.inc_value(f"newscrawl/http_error/{status}")
    ended = {"outcome": outcome, "reason": reason, "status": status, "detail": detail or None}
    crawler.signals.send_catch_log(url_outcome, url=url, **ended, **more)
