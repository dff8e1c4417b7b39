"""When and by whom, as the data of a page say of the article they hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATE_KEYS: Final = (
    "datePublished", "publishedAt", "published_at", "publishDate", "publish_date", "publishTime", "publish_time",
    "publicationDate", "pubDate", "pubdate", "pubTime", "pub_time", "published", "publishedTime", "published_time",
    "firstPublishedAt", "displayDate", "releaseTime", "ptime", "date", "createdAt", "created_at", "createTime",
    "create_time", "ctime",
)  # fmt: skip
AUTHOR_KEYS: Final = (
    "author", "authors", "byline", "bylines", "authorName", "author_name", "writer", "reporter", "creator",
)  # fmt: skip
NAME_KEYS: Final = ("name", "displayName", "display_name", "fullName", "title")
MAX_NAME: Final = 80
_DATED: Final = re.compile(r"(?:19|20)\d\d|\d{10}")


def script_facts(value: Mapping[str, Any], data: Any) -> dict[str, Any]:
    """Return the facts as JSON-LD has them, ``{}`` where the object states none.

    :param value: the object that holds the article's title.
    :param data: the data around it, in which references are looked up.
    """
    date = next((str(value[key]) for key in DATE_KEYS if _is_date(value.get(key))), None)
    names = next((found for key in AUTHOR_KEYS if (found := list(_names(value.get(key), data)))), [])
    if not date and not names:
        return {}
    facts: dict[str, Any] = {"@type": "Article"}
    if date:
        facts["datePublished"] = date
    if names:
        facts["author"] = [{"@type": "Person", "name": name} for name in names]
    return facts


def _is_date(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and bool(_DATED.match(str(value)))


def _names(value: Any, data: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value[:10]:
            if not isinstance(item, list):
                yield from _names(item, data)
    elif isinstance(value, dict):
        reference = value.get("__ref")
        known = data.get(reference) if isinstance(reference, str) and isinstance(data, dict) else value
        if isinstance(known, dict):
            name = next((known[key] for key in NAME_KEYS if isinstance(known.get(key), str)), "")
            yield from _names(name, data)
    elif isinstance(value, str) and 1 < len(value.strip()) <= MAX_NAME and "/" not in value:
        yield value.strip()
