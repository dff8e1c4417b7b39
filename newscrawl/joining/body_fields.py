"""What goes with the text of an article over several pages: Markdown, HTML, and what has a position in the text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from newscrawl.fields import ARTICLE, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.items import Article

_SEPARATORS: Final = {"articleBodyMarkdown": "\n\n", "articleBodyHtml": "\n"}
"""Field of ``Article`` → what stands between two paragraphs."""
_PARAGRAPH: Final = re.compile(r"<p>.*</p>|[^\s#>|`*+<-].*")
"""What may be left out without harm to what stands around it."""
MIN_REPEATED: Final = 20
"""Shorter paragraphs may come again. Characters."""


def body_fields(article: Article) -> dict[str, Any]:
    """Return the fields that go with the article's text, by name."""
    return {name: getattr(article, name) for name, field in ARTICLE.items() if field.is_of_body}


def joined_fields(parts: Sequence[Article], body: str) -> dict[str, Any]:
    """Return the fields that go with the text of the whole, by name; what came before is left out.

    A text that a part has not is None.

    :param body: the text of the whole, made of paragraphs of the parts in their order.
    """
    return {
        name: tuple(_placed(parts, name, body))
        if ARTICLE[name].kind is Kind.RECORDS
        else _joined([getattr(part, name) for part in parts], _SEPARATORS[name])
        for name in body_fields(parts[0])
    }


def _joined(bodies: Sequence[str | None], separator: str) -> str | None:
    kept: list[str] = []
    seen: set[str] = set()
    for body in bodies:
        if body is None:
            return None
        paragraphs = body.split(separator)
        kept += [paragraph for paragraph in paragraphs if paragraph not in seen]
        seen.update(part for part in paragraphs if len(part) >= MIN_REPEATED and _PARAGRAPH.fullmatch(part))
    return separator.join(kept)


def _placed(parts: Sequence[Article], name: str, body: str) -> Iterator[Any]:
    """Yield the records (``url``, ``position`` in paragraphs) of all parts at their new places, each address once."""
    paragraphs = body.split("\n")
    seen: set[str] = set()
    place = 0
    for part in parts:
        places = [place]
        for paragraph in filter(str.strip, part.articleBody.split("\n")):
            place += paragraphs[place : place + 1] == [paragraph]  # else it is left out of the whole
            places.append(place)
        for record in getattr(part, name):
            if record.url not in seen:
                seen.add(record.url)
                yield replace(record, position=places[min(record.position, len(places) - 1)])
