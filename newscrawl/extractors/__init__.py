"""The library: ``extract(html, url).text``. Works without Scrapy, and reads a page as a crawl does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import NoneType

from newscrawl.methods.base import DEFAULT_METHOD, Extraction, Extractor, Needs, get_extractor, names
from newscrawl.read.model import RawPage, Reading, Wants
from newscrawl.read.read import reader_for

__all__ = ["DEFAULT_METHOD", "Extraction", "Extractor", "Needs", "Reading", "extract", "get_extractor", "names"]


def extract(html: bytes | str, url: str | None = None, method: str = DEFAULT_METHOD) -> Reading:
    """Read one page: ``.text``, ``.markdown``, ``.html``, ``.confidence``, ``.blocks``, ``.article``, ``.links`` …

    The page counts as fetched now: "3 hours ago" is counted back from it, no date is later.

    :param html: bytes are decoded by the charset decision of :mod:`newscrawl.page.charset`.
    :param method: a name of :func:`names`.
    :raises UserError: for an unknown method; nothing in ``html`` raises.
    :raises TypeError: for what is neither bytes nor text, as the body of a page that never came.
    """
    for name, value, kinds in (("html", html, (bytes, str)), ("url", url, (str, NoneType)), ("method", method, (str,))):
        if not isinstance(value, kinds):
            accepted = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"{name} is of type {type(value).__name__}; accepted: {accepted}")
    page = RawPage(body=html, url=url, fetched_at=datetime.now(UTC))
    reading = reader_for(Wants(method=method, any_type=True, blocks=True, comments=True)).read(page, keep=True)
    # as a crawl's, whose articles have comments only where a setting asks for them
    return reading if reading.article is None else replace(reading, article=replace(reading.article, comments=()))
