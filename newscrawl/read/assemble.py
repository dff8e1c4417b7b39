"""Articles over several pages: which page is needed next, and the article made of the pages that came."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from newscrawl.extract.simhash import url_key, with_text
from newscrawl.items import Article
from newscrawl.languages.text import fold
from newscrawl.links.next_page import ONE_PAGE, Continuation
from newscrawl.read.parts import body_fields, combine, is_other_article, join_articles
from newscrawl.urls.domains import same_site
from newscrawl.urls.series import numbered_in, series_key

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        self._whole: _Part | None = None
        self._take(article, others, requested_url or article.url)

    def missing(self) -> str | None:
        """Return the address of the page needed next; None if the article needs no more."""
        if self._whole is not None:
            return None
        for part in self._parts.values():
            whole = part.others.whole_url
            if whole is not None and url_key(whole) not in self._lost:
                return whole
        chain, following = self._chain()
        return following if chain else self._earlier()

    def add(self, article: Article, others: Continuation = ONE_PAGE, *, requested_url: str | None = None) -> bool:
        """Add the missing page. False if it is no part of the article; it then counts as lost."""
        asked_as = requested_url or article.url
        known = self._parts.values()
        if not same_site(asked_as, article.url) or any(is_other_article(part.article, article) for part in known):
            self.lose(asked_as)
            return False
        if any(part.others.whole_url and url_key(part.others.whole_url) == url_key(asked_as) for part in known):
            return self._take_whole(article, others, asked_as)
        self._take(article, others, asked_as)
        return True

    def lose(self, url: str) -> None:
        """Note that a missing page will not come. The article goes on without it."""
        self._lost.add(url_key(url))

    def join(self) -> tuple[Article, bool]:
        """Return the article of the pages that came, listed in ``pages``, and whether no page is missing."""
        first = self._first() or next(iter(self._parts.values()))
        if self._whole is not None:
            return _replaced(first.article, self._whole.article), True
        chain, following = self._chain()
        rest = sorted((part for part in self._parts.values() if part not in chain), key=lambda part: part.number)
        article = join_articles([part.article for part in (*chain, *rest)])
        return article, bool(chain) and following is None and not self.is_cut and not self._breaks_off(chain)

    def follows(self, url: str) -> bool:
        """Tell whether the first page leads to this page, or the page directly follows the last one that it leads to.

        A list may stand at the article's address without its number. It leads to pages of its own.
        True as long as the first page, or one on the way, has not come.
        """
        chain, _ = self._chain()
        if self._whole is not None or not chain or self.is_cut or self._breaks_off(chain):
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
    def is_whole_on_one_page(self) -> bool:
        return self._whole is not None

    @property
    def addresses(self) -> frozenset[str]:
        """Addresses of the pages that came, as they were asked for and as they answered, without their schemes."""
        return frozenset((*self._parts, *self._aliases, *self._aliases.values()))

    def _take(self, article: Article, others: Continuation, asked_as: str) -> _Part:
        _, number = series_of(asked_as, others.next_url)
        part = _Part(article=article, number=number, others=others)
        self._parts.setdefault(url_key(article.url), part)
        self._aliases[url_key(asked_as)] = url_key(article.url)
        return part

    def _take_whole(self, article: Article, others: Continuation, asked_as: str) -> bool:
        """Take in the page that shows all of the article; False for a teaser or a shop window."""
        first = self._first() or next(iter(self._parts.values()))
        if len(fold(article.articleBody)) < len(fold(first.article.articleBody)):
            self.lose(asked_as)
            return False
        self._aliases[url_key(asked_as)] = url_key(article.url)
        self._whole = _Part(article=article, number=1, others=others)
        return True

    def _breaks_off(self, chain: list[_Part]) -> bool:
        return url_key(chain[-1].others.next_url or "") in self._lost

    def _earlier(self) -> str | None:
        """Return the page before those that came, if the first page is missing."""
        for part in self._parts.values():
            earlier = part.others.earlier_url
            if earlier and url_key(earlier) not in self._lost | self._aliases.keys():
                return earlier
        return None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Joined:
    addresses: frozenset[str] | None
    """None: every later page of the series is in the article."""
    cut: Article | None
    """The article, without its text, where it has more parts than are joined."""


class JoinedArticles:
    """The latest joined articles, by series: they tell what a page is that comes later by itself."""

    def __init__(self) -> None:
        self._joined: OrderedDict[str, _Joined] = OrderedDict()

    def note(self, key: str, parts: ArticleParts, article: Article) -> None:
        """Remember a joined article under the key of its series."""
        self._joined[key] = _Joined(
            addresses=None if parts.is_whole_on_one_page else parts.addresses,
            cut=with_text(article, "", **_NO_TEXT) if parts.is_cut else None,
        )
        if len(self._joined) > MAX_CLOSED:
            self._joined.popitem(last=False)

    def judge(self, key: str, number: int, urls: Iterable[str], article: Article | None) -> Lateness | None:
        """Tell what a page is; None for one that belongs to no joined article.

        :param number: of the page in its series.
        :param urls: its addresses, as asked for and as answered.
        """
        joined = self._joined.get(key)
        if joined is None:
            return None
        if number > 1 if joined.addresses is None else not joined.addresses.isdisjoint(map(url_key, urls)):
            return Lateness.REPEATED
        if number == 1 or joined.cut is None or article is None or is_other_article(joined.cut, article):
            return None
        return Lateness.BEYOND


def series_of(url: str, next_url: str | None) -> tuple[str, int]:
    """Return the address that all pages of an article share, and the page's number.

    The next page's address decides whether a number at the end counts pages.
    """
    key, number = numbered_in(series_key(next_url)[0], url) if next_url else series_key(url)
    return key, 1 if number is None else number


def _replaced(first: Article, whole: Article) -> Article:
    """Return the first page's article with the text of the page that shows all of it."""
    pages = tuple(dict.fromkeys((first.url, whole.url)))
    return with_text(combine([first, whole]), whole.articleBody, pages=pages, **body_fields(whole))
