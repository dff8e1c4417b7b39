"""An article's text with its structure, as an article keeps it."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from newscrawl.dom.document import Document
    from newscrawl.items import Article
    from newscrawl.methods.base import Extraction

FIELDS: Final[Mapping[str, str]] = MappingProxyType({"markdown": "articleBodyMarkdown", "html": "articleBodyHtml"})
"""Format, as ``Extraction`` names it → field of ``Article``."""


def format_names(value: str) -> tuple[str, ...]:
    """Return the formats that a setting names, separated by commas.

    :raises UserError: for one that is not known.
    """
    found = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    unknown = [name for name in found if name not in FIELDS]
    if unknown:
        raise UserError(f"unknown format {unknown[0]!r} of the text; accepted: {', '.join(FIELDS)}")
    return found


def with_formats(article: Article, extraction: Extraction, document: Document, formats: Collection[str]) -> Article:
    """Return the article with its text in these formats, too."""
    if not formats:
        return article
    shown = extraction if extraction.document is not None else replace(extraction, document=document)
    fields = {FIELDS[name]: getattr(shown, name) for name in formats}
    return replace(article, **fields)
