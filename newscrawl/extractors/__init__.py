"""Extraction methods behind one signature. Works without Scrapy: ``extract(html, url).text``."""

from __future__ import annotations

from dataclasses import replace

from newscrawl.dom.document import Document
from newscrawl.methods.base import Extraction, Extractor, Needs
from newscrawl.methods.registry import DEFAULT_METHOD, get_extractor, names
from newscrawl.reading.script_data import filled

__all__ = ["DEFAULT_METHOD", "Extraction", "Extractor", "Needs", "extract", "get_extractor", "names"]


def extract(html: bytes | str, url: str | None = None, method: str = DEFAULT_METHOD) -> Extraction:
    """Extract the main text of one page.

    :param html: bytes are decoded by the charset decision of :mod:`newscrawl.dom.charset`.
    :param method: a name of :func:`names`.
    :raises UserError: for an unknown method; nothing in ``html`` raises.
    """
    document = Document.from_html(html, url)
    extraction = filled(document, get_extractor(method).extract(document))
    return replace(extraction, page=document, document=extraction.document or document)
