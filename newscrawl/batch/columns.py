"""The columns of a batch of articles: names as in the database's table, kinds that every format can keep."""

from __future__ import annotations

from typing import Final

#: Column → ``text``, ``number``, ``moment`` (UTC), ``texts`` (list), ``facts`` (text → text), ``authors``.
COLUMNS: Final[dict[str, str]] = {
    "url": "text",
    "canonical_url": "text",
    "headline": "text",
    "article_body": "text",
    "date_published": "text",
    "date_published_raw": "text",
    "date_published_utc": "moment",
    "date_modified": "text",
    "date_modified_raw": "text",
    "date_modified_utc": "moment",
    "authors": "authors",
    "in_language": "text",
    "main_image": "text",
    "description": "text",
    "source": "text",
    "section": "text",
    "keywords": "texts",
    "pages": "texts",
    "field_sources": "facts",
    "page_type": "text",
    "method": "text",
    "confidence": "number",
    "encoding": "text",
    "content_hash": "text",
    "site": "text",
    "fetched_at": "moment",
    "url_key": "text",
}
#: Fields of one of ``authors``.
AUTHOR_FIELDS: Final = ("name", "nameRaw", "role")
