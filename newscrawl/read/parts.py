"""One article made of its parts, and whether two pages are parts of one article."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from newscrawl.extract.simhash import with_text
from newscrawl.items import ARTICLE, FieldKind
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold, similarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newscrawl.items import Article, Author


_SEPARATORS: Final = {"articleBodyMarkdown": "\n\n", "articleBodyHtml": "\n"}
"""Field of ``Article`` → separator of paragraphs."""
_PARAGRAPH: Final = re.compile(r"<p>.*</p>|[^\s#>|`*+<-].*")
"""Paragraph that can be left out without harm to its surroundings."""
MIN_REPEATED: Final = 20
"""Shorter paragraphs may come again. Characters."""


def body_fields(article: Article) -> dict[str, Any]:
    """Return the fields that go with the article's text, by name."""
    return {name: getattr(article, name) for name, field in ARTICLE.items() if field.is_of_body}


def joined_fields(parts: Sequence[Article], body: str) -> dict[str, Any]:
    """Return the fields that go with the text of the whole, by name, without what parts repeat.

    A text that a part lacks is None.

    :param body: the text of the whole, made of paragraphs of the parts in their order.
    """
    return {name: _whole(parts, name, body) for name in body_fields(parts[0])}


def _whole(parts: Sequence[Article], name: str, body: str) -> Any:
    kind, values = ARTICLE[name].kind, [getattr(part, name) for part in parts]
    if kind is FieldKind.RECORDS:
        return tuple(_placed(parts, name, body))
    if kind in {FieldKind.COUNT, FieldKind.NUMBER}:
        return None if None in values else sum(values)
    return _joined(values, _SEPARATORS.get(name, "\n"))


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
            place += paragraphs[place : place + 1] == [paragraph]  # else the whole does not have it
            places.append(place)
        for record in getattr(part, name):
            if record.url not in seen:
                seen.add(record.url)
                yield replace(record, position=places[min(record.position, len(places) - 1)])


MIN_REPEATED_CHARS: Final = 12
"""A shorter paragraph may stand twice in a text, e.g. in a dialogue."""
SAME_HEADLINE: Final = 0.5
"""Similarity of two parts' headlines below which the second is another article."""
_PAGE_LINE: Final = WordPattern(
    r"\W*(?:{~links.page}\s*\d+\s*{links.page_end}|\d+\s*/\s*\d+|{~links.pages_in_all}\s*\d+\s*{links.page_end}"
    r"|{links.page}\s+\d+(?:\s+{links.page_of}\s+\d+)?|{links.next,links.previous}|{links.continued}.{0,30})\W*",
    re.IGNORECASE,
)
_HEADLINE_NUMBER: Final = WordPattern(
    r"(?<!\s)\s*+(?:[(（\[【]\s*\d{1,2}(?:\s*/\s*\d{1,2})?\s*[)）\]】]|{~links.page}\s*\d{1,2}\s*{links.page_end}"
    r"|{links.page} \d{1,2}|(?<=\s)\d{1,2}(?:/\d{1,2})?)\s*$",
    re.IGNORECASE,
)
"""Page number behind the headline. A number without a mark or space before it is part of the headline."""
_NUMBER: Final = re.compile(r"\d+")


def is_other_article(article: Article, other: Article) -> bool:
    """Tell whether two pages with addresses of one series are articles of their own, as daily posts are.

    They are if they state different days of publication, if their headlines differ in a number other than the
    page's, or if the headlines are not alike.
    """
    if article.datePublished and other.datePublished and article.datePublished.date() != other.datePublished.date():
        return True
    if not article.headline or not other.headline:
        return False
    first, second = (fold(_HEADLINE_NUMBER.sub("", text)) for text in (article.headline, other.headline))
    if _NUMBER.findall(first) != _NUMBER.findall(second):
        return True
    if first.startswith(second) or second.startswith(first):
        return False
    return similarity(first, second) < SAME_HEADLINE


def join_articles(parts: Sequence[Article]) -> Article:
    """Return one article of parts in reading order: the first one's facts, all texts, ``pages`` of all.

    :raises ValueError: for no part.
    """
    if not parts:
        raise ValueError("no part to join")
    pages = tuple(dict.fromkeys(url for part in parts for url in part.pages or (part.url,)))
    body = join_bodies([part.articleBody for part in parts], headline=parts[0].headline)
    fields = joined_fields(parts, body)
    return with_text(combine(parts), body, pages=pages, **fields)


def combine(parts: Sequence[Article]) -> Article:
    """Return the first part with what only later parts state: source, and people named at the end."""
    first = parts[0]
    authors: dict[str, Author] = {}
    for part in parts:
        for author in part.authors:
            authors.setdefault(fold(author.name), author)
    source = next((part.source for part in parts if part.source), None)
    return replace(
        first, authors=tuple(authors.values()), source=source, confidence=min(part.confidence for part in parts)
    )


def join_bodies(bodies: Iterable[str], *, headline: str | None = None) -> str:
    """Return the texts one after the other, without repetitions.

    Left out: paragraphs (of ``MIN_REPEATED_CHARS`` or more) that came before, the headline and page labels at the head
    of a later part, and closing lines that the next part closes with too.
    """
    texts = [[line for line in body.split("\n") if line.strip()] for body in bodies]
    title = fold(headline or "")
    lines: list[str] = []
    seen: set[str] = set()
    for index, text in enumerate(texts):
        kept = _without_closing(text, texts[index + 1]) if index + 1 < len(texts) else text
        if index:
            kept = _without_opening(kept, lines, title)
        for line in kept:
            folded = fold(line)
            if index and len(folded) >= MIN_REPEATED_CHARS and folded in seen:
                continue
            lines.append(line)
        seen.update(fold(line) for line in kept)
    return "\n".join(lines)


def _without_closing(text: list[str], following: list[str]) -> list[str]:
    """Drop page labels at the end, and the last lines that the following text ends with too."""
    closing = {fold(line) for line in following[-3:]}
    end = len(text)
    while end > 1 and (_PAGE_LINE.fullmatch(text[end - 1]) or (fold(text[end - 1]) in closing and text != following)):
        end -= 1
    return text[:end]


def _without_opening(text: list[str], before: list[str], title: str) -> list[str]:
    """Drop the headline, page labels, and the longest run of lines that the text before ends with."""
    start = 0
    while start < len(text) and (
        _PAGE_LINE.fullmatch(text[start]) or (title and fold(_HEADLINE_NUMBER.sub("", text[start])) == title)
    ):
        start += 1
    text = text[start:]
    folded = [fold(line) for line in text]
    tail = [fold(line) for line in before[-len(text) :]] if text else []
    for length in range(min(len(folded), len(tail)), 0, -1):
        if folded[:length] == tail[-length:] and any(len(line) >= MIN_REPEATED_CHARS // 2 for line in folded[:length]):
            return text[length:]
    return text
