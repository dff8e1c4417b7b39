"""Articles over several pages: which page is needed next, whether two pages are parts of one, and their whole."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from newscrawl.extract.simhash import url_key, with_text
from newscrawl.items import ARTICLE, Article, FieldKind
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold, similarity
from newscrawl.links.next_page import ONE_PAGE, Continuation
from newscrawl.urls.domains import same_site
from newscrawl.urls.series import numbered_in, series_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newscrawl.items import Author


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
    found: dict[str, Any] = {}
    for name in body_fields(parts[0]):
        kind, values = ARTICLE[name].kind, [getattr(part, name) for part in parts]
        if kind is FieldKind.RECORDS:
            found[name] = tuple(_placed(parts, name, body))
        elif kind in {FieldKind.COUNT, FieldKind.NUMBER}:
            found[name] = None if None in values else sum(values)
        else:
            found[name] = _joined(values, _SEPARATORS.get(name, "\n"))
    return found


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


MAX_PARTS: Final = 50
MAX_CLOSED: Final = 5_000
"""Joined articles that are remembered, so that a late part is recognised."""

_NO_TEXT: Final = body_fields(Article(url=""))


@dataclass(slots=True, kw_only=True, eq=False)
class _Part:
    article: Article
    number: int
    others: Continuation


class ArticleParts:
    """The pages of one article, in whatever order they come. The caller fetches what is :meth:`missing`.

    :param article: article of the page that was found first, page 1 or a later one.
    :param others: what that page says about the other pages.
    :param requested_url: the address asked for, where a redirect led to ``article.url``.
    :param max_parts: most parts to join; :meth:`is_cut` tells whether there are more.
    """

    def __init__(
        self,
        article: Article,
        others: Continuation,
        *,
        requested_url: str | None = None,
        max_parts: int = MAX_PARTS,
    ) -> None:
        self.max_parts = max_parts
        self._parts: dict[str, _Part] = {}
        self._lost: set[str] = set()
        self._aliases: dict[str, str] = {}
        """Address asked for → address that answered."""
        self.whole: Article | None = None
        """The article of a page that has all of it."""
        self._take(article, others, requested_url or article.url)

    def missing(self) -> str | None:
        """Return the address of the page needed next; None if the article needs no more."""
        if self.whole is not None:
            return None
        for part in self._parts.values():
            whole = part.others.whole_url
            if whole is not None and url_key(whole) not in self._lost:
                return whole
        chain, following = self._chain()
        if chain:
            return following
        earlier = (part.others.earlier_url for part in self._parts.values())  # the first page is missing
        return next((url for url in earlier if url and url_key(url) not in self._lost | self._aliases.keys()), None)

    def add(self, article: Article, others: Continuation = ONE_PAGE, *, requested_url: str | None = None) -> bool:
        """Add the missing page. False if it is no part of the article; it then counts as lost."""
        asked_as = requested_url or article.url
        known = self._parts.values()
        if not same_site(asked_as, article.url) or any(is_other_article(part.article, article) for part in known):
            self.lose(asked_as)
            return False
        if any(part.others.whole_url and url_key(part.others.whole_url) == url_key(asked_as) for part in known):
            first = self._first() or next(iter(known))
            if len(fold(article.articleBody)) < len(fold(first.article.articleBody)):
                self.lose(asked_as)  # a teaser or a shop window
                return False
            self._aliases[url_key(asked_as)] = url_key(article.url)
            self.whole = article
            return True
        self._take(article, others, asked_as)
        return True

    def lose(self, url: str) -> None:
        """Note that a missing page will not come. The article goes on without it."""
        self._lost.add(url_key(url))

    def join(self) -> tuple[Article, bool]:
        """Return the article of the pages that came, listed in ``pages``, and whether no page is missing."""
        first = self._first() or next(iter(self._parts.values()))
        if self.whole is not None:
            pages = tuple(dict.fromkeys((first.article.url, self.whole.url)))
            article = combine([first.article, self.whole])
            return with_text(article, self.whole.articleBody, pages=pages, **body_fields(self.whole)), True
        chain, following = self._chain()
        rest = sorted((part for part in self._parts.values() if part not in chain), key=lambda part: part.number)
        article = join_articles([part.article for part in (*chain, *rest)])
        return article, bool(chain) and following is None and not self._ends_early(chain)

    def follows(self, url: str) -> bool:
        """Tell whether the first page leads to this page, or the page directly follows the last one that it leads to.

        A list may stand at the article's address without its number. It leads to pages of its own.
        True as long as the first page, or one on the way, has not come.
        """
        chain, _ = self._chain()
        if self.whole is not None or not chain or self._ends_early(chain):
            return True
        number = chain[-1].number
        for part in sorted((part for part in self._parts.values() if part not in chain), key=lambda part: part.number):
            if part.article.url == url:
                return part.number == number + 1
            number += part.number == number + 1
        return True

    @property
    def is_cut(self) -> bool:
        """Tell whether the article has more parts than are joined."""
        chain, _ = self._chain()
        return len(chain) == self.max_parts and chain[-1].others.next_url is not None

    @property
    def addresses(self) -> frozenset[str]:
        """Addresses of the pages that came, as they were asked for and as they answered, without their schemes."""
        return frozenset((*self._parts, *self._aliases, *self._aliases.values()))

    def _take(self, article: Article, others: Continuation, asked_as: str) -> None:
        _, number = series_of(asked_as, others.next_url)
        self._parts.setdefault(url_key(article.url), _Part(article=article, number=number, others=others))
        self._aliases[url_key(asked_as)] = url_key(article.url)

    def _ends_early(self, chain: list[_Part]) -> bool:
        """Tell whether the last part names a further page, which is lost or one too many."""
        following = chain[-1].others.next_url
        return following is not None and (len(chain) == self.max_parts or url_key(following) in self._lost)

    def _chain(self) -> tuple[list[_Part], str | None]:
        """Return the parts from the first on, and the address missing after them, or None."""
        part = self._first()
        chain: list[_Part] = []
        seen: set[str] = set()
        while part is not None and len(chain) < self.max_parts:
            chain.append(part)
            seen.add(url_key(part.article.url))
            following = part.others.next_url
            if following is None or url_key(following) in self._lost:
                break
            target = self._aliases.get(url_key(following), url_key(following))
            if target in seen:
                break  # a loop: the site links its last page to the first
            part = self._parts.get(target)
            if part is None:
                return chain, following if len(chain) < self.max_parts else None
        return chain, None

    def _first(self) -> _Part | None:
        """Return the page 1 that no other part leads to; else any page 1."""
        named = {url_key(part.others.next_url) for part in self._parts.values() if part.others.next_url}
        targets = {self._aliases.get(target, target) for target in named}
        heads = {url: part for url, part in self._parts.items() if part.number == 1}
        return next((part for url, part in heads.items() if url not in targets), None) or next(
            iter(heads.values()), None
        )


class Lateness(StrEnum):
    """Kind of a page whose article was joined before."""

    REPEATED = "repeated"
    BEYOND = "beyond"
    """It follows the last part that was joined."""


class JoinedArticles:
    """The latest joined articles, by series: they tell what a page is that comes later by itself."""

    def __init__(self) -> None:
        self._joined: OrderedDict[str, tuple[frozenset[str] | None, Article | None]] = OrderedDict()
        """Series → addresses, None where every later page of the series is in the article; and the article without its
        text, where it has more parts than are joined."""

    def note(self, key: str, parts: ArticleParts, article: Article) -> None:
        """Remember a joined article under the key of its series."""
        cut = with_text(article, "", **_NO_TEXT) if parts.is_cut else None
        self._joined[key] = None if parts.whole else parts.addresses, cut
        if len(self._joined) > MAX_CLOSED:
            self._joined.popitem(last=False)

    def judge(self, key: str, number: int, urls: Iterable[str], article: Article | None) -> Lateness | None:
        """Tell what a page is; None for one that belongs to no joined article.

        :param number: of the page in its series.
        :param urls: its addresses, as asked for and as answered.
        """
        if key not in self._joined:
            return None
        addresses, cut = self._joined[key]
        if number > 1 if addresses is None else not addresses.isdisjoint(map(url_key, urls)):
            return Lateness.REPEATED
        if number == 1 or cut is None or article is None or is_other_article(cut, article):
            return None
        return Lateness.BEYOND


def series_of(url: str, next_url: str | None) -> tuple[str, int]:
    """Return the address that all pages of an article share, and the page's number.

    The next page's address decides whether a number at the end counts pages.
    """
    key, number = numbered_in(series_key(next_url)[0], url) if next_url else series_key(url)
    return key, 1 if number is None else number
