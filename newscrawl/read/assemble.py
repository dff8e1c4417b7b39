"""Parts of multi-page articles, joined as they come: in any order, twice, or never."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from newscrawl.extract.simhash import with_text
from newscrawl.items import Article
from newscrawl.languages.text import fold
from newscrawl.links.next_page import ONE_PAGE, Continuation
from newscrawl.read.parts import body_fields, combine, is_other_article, join_articles
from newscrawl.urls.domains import same_site
from newscrawl.urls.series import numbered_in, series_key

MAX_PARTS: Final = 50
MAX_OPEN: Final = 500
"""Articles waited for at once; the oldest is given up for a new one."""
MAX_CLOSED: Final = 5_000
"""Finished series remembered, so that a late part is known as one."""

_NO_TEXT: Final = body_fields(Article(url=""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What to do after a part came, or was lost."""

    fetch: tuple[str, ...] = ()
    """Addresses to ask for now, each only once."""
    joined: tuple[Article, ...] = ()
    """Articles that are ready; ``pages`` says what went into each."""
    incomplete: tuple[Article, ...] = ()
    """The articles of ``joined`` that lack a part."""
    is_repeated: bool = False
    """The part was here before, or belongs to an article that went out already."""
    is_beyond: bool = False
    """It belongs to an article that went out already, with as many parts as are joined."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Part:
    article: Article
    number: int
    others: Continuation


@dataclass(slots=True, kw_only=True)
class _Series:
    key: str
    opened: float
    parts: dict[str, _Part] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    """Address asked for → address that answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Closed:
    """A series that went out."""

    pages: frozenset[str] | None
    """None: every later part is in it."""
    cut: Article | None = None
    """The article, without its text, where it has more parts than are joined."""


class PartAssembler:
    """Collects parts by series and says when an article is whole. Pure: the caller fetches and keeps time.

    Memory is bounded by ``max_open`` articles of ``max_parts`` parts.

    :param seconds: how long an article waits for a part that does not come.
    """

    def __init__(self, *, max_parts: int = MAX_PARTS, max_open: int = MAX_OPEN, seconds: float = 1800.0) -> None:
        self.max_parts = max_parts
        self.max_open = max_open
        self.seconds = seconds
        self._open: OrderedDict[str, _Series] = OrderedDict()
        self._asked: dict[str, str] = {}
        self._closed: OrderedDict[str, _Closed] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of articles that wait for a part."""
        return len(self._open)

    def is_expected(self, url: str) -> bool:
        """Tell whether ``url`` was asked for as a part and has not come yet."""
        return _norm(url) in self._asked

    def add(
        self, article: Article, others: Continuation = ONE_PAGE, *, requested_url: str | None = None, now: float = 0.0
    ) -> Step:
        """Take in the article of one page.

        :param requested_url: the address asked for, where a redirect led to ``article.url``.
        :param now: seconds of any clock that does not go back.
        """
        asked_as = requested_url or article.url
        key, number = _series_key(asked_as, others.next_url)
        key = self._asked.get(_norm(asked_as), key)
        expired = self.expire(now)
        series = self._open.get(key)
        if series is None:
            if key in self._closed and number > 1:
                return _merge(self._late(key, article), expired)
            if not any(others):
                return _merge(Step(joined=(article,)), expired)
            series = _Series(key=key, opened=now)
        elif not same_site(asked_as, article.url) or any(
            is_other_article(part.article, article) for part in series.parts.values()
        ):
            # the address led to another article: that one stands for itself, and the series lacks a part
            return _merge(_merge(self.lost(asked_as), Step(joined=(article,))), expired)
        if _norm(article.url) in series.parts or _norm(asked_as) in series.parts:
            return _merge(Step(is_repeated=True), expired)
        self._open.setdefault(key, series)
        self._take(series, _Part(article=article, number=number, others=others), asked_as)
        step = self._advance(series)
        if len(self._open) > self.max_open:
            oldest = next(iter(self._open.values()))
            step = _merge(step, self._give_up(oldest))
        return _merge(step, expired)

    def lost(self, url: str) -> Step:
        """Note that a part asked for will never come; the article goes on without it, and what follows it."""
        key = self._asked.get(_norm(url))
        if key is None:
            return Step()
        series = self._open[key]
        self._forget(series, _norm(url))
        series.lost.add(_norm(url))
        return self._advance(series)

    def forget(self, url: str) -> None:
        """Forget the open article that this page is a part of, as if none of its parts had come."""
        for series in list(self._open.values()):
            if _norm(url) in series.parts:
                del self._open[series.key]
                for address in tuple(series.asked):
                    self._forget(series, address)

    def flush(self) -> tuple[Article, ...]:
        """Return every article that still waits, joined as far as it came, and forget them."""
        steps = [self._give_up(series) for series in list(self._open.values())]
        return tuple(article for step in steps for article in step.joined)

    def _take(self, series: _Series, part: _Part, asked_as: str) -> None:
        address = _norm(part.article.url)
        series.parts[address] = part
        series.aliases[_norm(asked_as)] = address
        self._forget(series, _norm(asked_as))
        self._forget(series, address)

    def _forget(self, series: _Series, address: str) -> None:
        series.asked.discard(address)
        self._asked.pop(address, None)

    def _late(self, key: str, article: Article) -> Step:
        closed = self._closed[key]
        if closed.pages is None or _norm(article.url) in closed.pages:
            return Step(is_repeated=True)
        if closed.cut is not None and not is_other_article(closed.cut, article):
            return Step(is_beyond=True)
        return Step(joined=(article,))

    def _advance(self, series: _Series) -> Step:
        """Return what the series needs next, or the joined article."""
        whole = self._whole(series)
        if whole is not None:
            return whole
        chain, missing = self._chain(series)
        if not chain:
            return self._ask_earlier(series)
        if missing is None:
            is_cut_off = _norm(chain[-1].others.next_url or "") in series.lost
            return self._finish(series, chain, complete=not is_cut_off)
        if _norm(missing) in series.asked:
            return Step()
        return self._ask(series, missing)

    def _ask_earlier(self, series: _Series) -> Step:
        """The first page is not there yet: ask for what the parts link back to, until nothing is left to ask."""
        for part in series.parts.values():
            earlier = part.others.earlier_url
            if earlier and _norm(earlier) not in series.lost | series.asked | series.aliases.keys():
                return self._ask(series, earlier)
        return Step() if series.asked else self._give_up(series)

    def _whole(self, series: _Series) -> Step | None:
        """Ask for the page with the whole text first; use it where it came."""
        for part in series.parts.values():
            whole = part.others.whole_url
            if whole is None:
                continue
            target = _norm(whole)
            arrived = series.parts.get(series.aliases.get(target, target))
            if arrived is not None:
                return self._finish_whole(series, _first(series) or part, arrived)
            if target in series.lost:
                continue
            return Step() if target in series.asked else self._ask(series, whole)
        return None

    def _finish_whole(self, series: _Series, first: _Part, whole: _Part) -> Step:
        if len(fold(whole.article.articleBody)) < len(fold(first.article.articleBody)):
            for part in series.parts.values():  # a teaser or a shop window, not the whole text
                part.others = part.others._replace(whole_url=None)
            del series.parts[_norm(whole.article.url)]
            return self._advance(series)
        pages = tuple(dict.fromkeys((first.article.url, whole.article.url)))
        article = with_text(
            combine([first.article, whole.article]),
            whole.article.articleBody,
            pages=pages,
            **body_fields(whole.article),
        )
        self._close(series, _Closed(pages=None))
        return Step(joined=(article,))

    def _chain(self, series: _Series) -> tuple[list[_Part], str | None]:
        """Return the parts from the first on, and the address missing after them; None where nothing is."""
        part = _first(series)
        chain: list[_Part] = []
        seen: set[str] = set()
        while part is not None and len(chain) < self.max_parts:
            chain.append(part)
            seen.add(_norm(part.article.url))
            following = part.others.next_url
            if following is None or _norm(following) in series.lost:
                break
            target = series.aliases.get(_norm(following), _norm(following))
            if target in seen:
                break  # a loop: the site links its last page to the first
            part = series.parts.get(target)
            if part is None:
                return chain, following if len(chain) < self.max_parts else None
        return chain, None

    def _ask(self, series: _Series, url: str) -> Step:
        series.asked.add(_norm(url))
        self._asked[_norm(url)] = series.key
        return Step(fetch=(url,))

    def _finish(self, series: _Series, chain: list[_Part], *, complete: bool) -> Step:
        rest = sorted((part for part in series.parts.values() if part not in chain), key=lambda part: part.number)
        article = join_articles([part.article for part in (*chain, *rest)])
        is_cut = len(chain) == self.max_parts and chain[-1].others.next_url is not None
        closed = _Closed(
            pages=frozenset(_norm(url) for url in (*article.pages, *series.aliases)),
            cut=with_text(article, "", **_NO_TEXT) if is_cut else None,
        )
        self._close(series, closed)
        return Step(joined=(article,), incomplete=() if complete and not is_cut else (article,))

    def _give_up(self, series: _Series) -> Step:
        """Join what there is, in the order of the page numbers."""
        chain, _ = self._chain(series)
        if not chain and not series.parts:
            self._close(series, _Closed(pages=frozenset()))
            return Step()
        return self._finish(series, chain, complete=False)

    def expire(self, now: float) -> Step:
        """Return the articles that have waited for too long, joined as far as they came.

        :param now: of the clock of ``add``.
        """
        step = Step()
        for series in list(self._open.values()):
            if now - series.opened < self.seconds:
                break  # the later ones were opened later
            step = _merge(step, self._give_up(series))
        return step

    def _close(self, series: _Series, closed: _Closed) -> None:
        self._open.pop(series.key, None)
        for address in tuple(series.asked):
            self._forget(series, address)
        self._closed[series.key] = closed
        if len(self._closed) > MAX_CLOSED:
            self._closed.popitem(last=False)


def _first(series: _Series) -> _Part | None:
    """Return the part that counts as page 1 and that no other goes on with; else any page 1."""
    targets = {_norm(part.others.next_url) for part in series.parts.values() if part.others.next_url}
    targets = {series.aliases.get(target, target) for target in targets}
    heads = {url: part for url, part in series.parts.items() if part.number == 1}
    return next((part for url, part in heads.items() if url not in targets), None) or next(iter(heads.values()), None)


def _norm(url: str) -> str:
    """Return an address by which two spellings of one page are known: no scheme, ``www.``, fragment, final slash."""
    address = url.partition("#")[0].partition("://")[2] or url
    return address.removeprefix("www.").rstrip("/")


def _series_key(url: str, next_url: str | None) -> tuple[str, int]:
    """Return the key and the page's number; the next page tells whether a number at the end counts pages."""
    key, number = numbered_in(series_key(next_url)[0], url) if next_url else series_key(url)
    return key, 1 if number is None else number


def _merge(first: Step, second: Step) -> Step:
    return Step(
        fetch=(*first.fetch, *second.fetch),
        joined=(*first.joined, *second.joined),
        incomplete=(*first.incomplete, *second.incomplete),
        is_repeated=first.is_repeated or second.is_repeated,
        is_beyond=first.is_beyond or second.is_beyond,
    )
