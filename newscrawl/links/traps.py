"""Budgets and alarms against endless sites: calendars, parameter combinations, lists without end, looping paths.

A guard is asked once for each *new* address. Its memory is bounded: rare patterns are forgotten first.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from newscrawl.console.wording import quantity
from newscrawl.outcomes import Rejection
from newscrawl.urls.domains import site_of
from newscrawl.urls.patterns import counted_family, folded, mask
from newscrawl.urls.series import counted_places
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_K = TypeVar("_K")
#: Path segments; real sites stay under a dozen, loops of relative links do not.
MAX_SEGMENTS = 16
#: Parameters of one address.
MAX_PARAMETERS = 10
#: One segment this often in a path is a relative link that went round; two dates may share numbers.
MAX_REPEATS = 3
#: Addresses of one calendar: about a year of days.
CALENDAR_BUDGET = 400
#: Combinations of parameters for one path, and for one set of parameter names below one path pattern.
QUERY_BUDGET = 2_000
#: Pages of one family in a row, no article and no news among them, after which the family is left.
BARREN_PAGES = 60
#: Barren pages in a row after which a family is left that has given nothing at all.
FRUITLESS_START = 30
#: Barren pages after which such a family is left that was as empty in earlier runs.
FRUITLESS_AGAIN = 5
#: Pages of a list in a row without a story that the list has not shown, after which it goes on no more.
LIST_ENDS = 2
#: Such pages in a row of a list whose pages have addresses like articles.
DOUBTFUL_LIST_ENDS = 5
#: Letters of a link's text that names a story, wherever it leads; an ideograph counts 2.5.
HEADLINE_LETTERS = 20.0
#: Pages of a host and its neighbours in a row without a new text, after which nothing new is asked of them.
FRUITLESS_PAGES = 1_000
#: Texts of articles remembered.
MAX_TEXTS = 200_000
#: Families, and lists, whose pages are remembered.
MAX_FAMILIES = 200
MAX_LISTS = 1_000
#: Stories of one list that are remembered, the newest.
MAX_SHOWN = 300
#: Texts of links remembered of a family, to see whether all of them are the same.
MAX_CALLED = 2
#: Pages of a family that show the same link before it counts as a part of the frame.
FRAME_PAGES = 3
#: A page with more links says something.
MAX_BARREN_LINKS = 500
#: Patterns and hosts remembered.
MAX_REMEMBERED = 50_000

_DIGITS = re.compile(r"\d+")
_CALENDAR_PATH = re.compile(
    r"(?:^|/)(?:calendar|cal|events?|agenda|kalender|schedule|ical|termine)(?:/|$|\.)", re.IGNORECASE
)
_ENDS_IN_DATE = re.compile(r"(?:^|/)\d{1,4}(?:[-_/]\d{1,2}){0,9}/?$")
_IS_DAY = re.compile(
    r"/(?:19|20)\d\d(?:(?:[-_/.]\d{1,2}){0,2}|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)(?:\.\w{2,5})?/?$"
)
_CALENDAR_QUERY = re.compile(
    r"(?:^|[&;])(?:month|year|day|date|week|cal|calendar|tribe-bar-date|ical|eventdate|from_date)=[\d-]*\d",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Family:
    """What pages whose addresses differ in numbers have shown."""

    before: frozenset[str] = frozenset()
    """Links of the last page."""
    n_shown: Counter[str] = field(default_factory=Counter)
    called: set[str] = field(default_factory=set)
    """Texts of the links that led to its pages, the first few."""
    n_barren: int = 0
    n_pages: int = 0
    gave_article: bool = False
    gave_news: bool = False


@dataclass(slots=True)
class _List:
    """What the numbered pages of one list have shown."""

    shown: OrderedDict[int, None] = field(default_factory=OrderedDict)
    n_barren: int = 0


class TrapGuard:
    """Counts addresses by host and pattern and refuses what exceeds its budget.

    Articles are counted by host only: a site may have a million under one pattern, and each is wanted.
    Budgets of 0 mean no limit.
    """

    def __init__(self, *, host_budget: int = 0, pattern_budget: int = 10_000, max_depth: int = 0) -> None:
        self.host_budget = host_budget
        self.pattern_budget = pattern_budget
        self.max_depth = max_depth
        self._hosts: Counter[str] = Counter()
        self._patterns: Counter[tuple[str, str]] = Counter()
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._were_empty: frozenset[str] = frozenset()
        self._lists: OrderedDict[tuple[str, str], _List] = OrderedDict()
        #: Pages of known addresses that are asked again in this run: they need not give a new text.
        self.n_revisits = 0
        self._fruitless: Counter[str] = Counter()
        self._texts: dict[int, int] = {}
        """Text → address that gave it: a page that is asked for again gives nothing old."""

    def note_text(self, url: str, text: str) -> bool:
        """Take in the text of an article, ``""`` for a page that is none; tell whether it is a new one.

        Hosts that give nothing new are left.

        Texts that differ in their numbers only are one: sites without end count their pages.
        """
        site = site_of(url)
        key = hash(_DIGITS.sub("0", text))
        if not text or self._texts.setdefault(key, hash(url)) != hash(url):
            self._fruitless[site] += 1
            _bound(self._fruitless)
            return False
        self._fruitless.pop(site, None)
        if len(self._texts) > MAX_TEXTS:
            del self._texts[next(iter(self._texts))]
        return True

    def recall_empty(self, urls: Iterable[str]) -> None:
        """Take in pages of earlier runs that were no article and listed no story: a family of many ends soon."""
        counts = Counter(map(counted_family, urls))
        self._were_empty = frozenset(name for name, n_empty in counts.items() if n_empty >= FRUITLESS_START // 2)

    def note(self, url: str, links: Mapping[str, str], *, is_article: bool, called: str = "") -> None:
        """Take in what became of a page.

        It is barren if it is no article, and has no link that the page of its family before it had not, but to more
        of the family: an empty day of a calendar. The pages of a list, or of tags, differ, be all they list known.

        :param links: address → text of the link.
        :param called: text of the link that led to the page.
        """
        name = counted_family(url)
        family = self._families.setdefault(name, _Family())
        self._families.move_to_end(name)
        if len(self._families) > MAX_FAMILIES:
            self._families.popitem(last=False)  # the one that was not seen for the longest time
        if is_article:
            family.n_barren, family.gave_article, family.before = 0, True, frozenset()
            return
        if len(family.called) < MAX_CALLED:
            family.called.add(called)
        if len(links) <= MAX_BARREN_LINKS:
            more = (link for link in links.keys() - family.before if family.n_shown[link] < FRAME_PAGES)
            says_more = any(counted_family(link) != name or _is_story(link) for link in more)
            family.gave_news = family.gave_news or (says_more and family.n_pages > 0)
            family.n_barren = 0 if says_more else family.n_barren + 1
            family.n_pages += 1
            family.before = frozenset(links)
            family.n_shown.update(links.keys())
            _bound(family.n_shown)
        self._note_lists(url, links)

    def _note_lists(self, url: str, links: Mapping[str, str]) -> None:
        """Note which lists, that lead on from this page, show a story here that they have not shown before."""
        keys: dict[str, int] = {}
        for place in counted_places(url):
            if not any(_is_of(link, place) for link in links):
                continue
            keys = keys or _story_keys(links)
            stories = {key for link, key in keys.items() if not _is_of(link, place)}
            known = self._lists.setdefault(place, _List())
            self._lists.move_to_end(place)
            known.n_barren = 0 if stories - known.shown.keys() else known.n_barren + 1
            for story in stories:
                known.shown[story] = None
                known.shown.move_to_end(story)
            while len(known.shown) > MAX_SHOWN + len(stories):
                known.shown.popitem(last=False)
        while len(self._lists) > MAX_LISTS:
            self._lists.popitem(last=False)

    def is_behind_end(self, url: str, page_url: str) -> bool:
        """Tell whether a page leads on to another of its list, which has shown nothing new several times in a row."""
        barren = (
            known.n_barren
            for place in counted_places(page_url)
            if (known := self._lists.get(place)) is not None and known.n_barren >= LIST_ENDS and _is_of(url, place)
        )
        most = max(barren, default=0)
        is_doubtful = most >= LIST_ENDS and url_shape(url.partition("?")[0]) is UrlKind.ARTICLE
        return most >= (DOUBTFUL_LIST_ENDS if is_doubtful else LIST_ENDS)

    def judge(self, url: str, kind: UrlKind, depth: int = 0, called: str = "") -> tuple[Rejection, str] | None:
        """Return why the address is refused, or None, in which case it is counted.

        :param called: text of the link to it.
        """
        if self.max_depth and depth > self.max_depth:
            return Rejection.DEPTH, f"{quantity(depth, 'link')} from the seeds, limit {self.max_depth}"
        refusal = shape_alarm(url) or self._over_budget(url, kind, called)
        _bound(self._hosts)
        _bound(self._patterns)
        return refusal

    def barren(self, url: str, kind: UrlKind, called: str = "") -> str:
        """Say how many pages of the address's family in a row said nothing; ``""`` where it is worth asking for.

        An address that looks like an article's is, unless it is a day's, or each link to its family is called the same:
        *Send to a friend*. Stories have headlines of their own.
        """
        name = counted_family(url)
        family = self._families.get(name)
        if family is None:
            return ""
        is_day = url_shape(url) is UrlKind.ARTICLE and not _is_story(url)
        if kind is UrlKind.ARTICLE and (family.gave_article or not (is_day or family.called == {called} != {""})):
            return ""
        most = FRUITLESS_AGAIN if name in self._were_empty else FRUITLESS_START
        if family.gave_article or family.gave_news:
            most = BARREN_PAGES
        return f"{family.n_barren} pages like {mask(url)} in a row said nothing" if family.n_barren >= most else ""

    def _over_budget(self, url: str, kind: UrlKind, called: str) -> tuple[Rejection, str] | None:
        host = url.split("/", 3)[2]
        if self.host_budget and self._hosts[host] >= self.host_budget:
            return Rejection.BUDGET, f"{self.host_budget} addresses of {host} are used up"
        site = site_of(url)
        if self._fruitless[site] >= FRUITLESS_PAGES + self.n_revisits:
            return Rejection.TRAP, f"{self._fruitless[site]} pages of {site} in a row gave no new article"
        if barren := self.barren(url, kind, called):
            return Rejection.TRAP, barren
        keys = self._keys(url, kind)
        for key, budget in keys:
            if budget and self._patterns[key] >= budget:
                reason = Rejection.TRAP if key[0] == "calendar" else Rejection.BUDGET
                return reason, f"{budget} addresses of the {key[0]} {key[1]} are used up"
        self._patterns.update(key for key, _ in keys)
        self._hosts[host] += 1
        return None

    def _keys(self, url: str, kind: UrlKind) -> list[tuple[tuple[str, str], int]]:
        """What the address is counted under, as ((name, value), budget)."""
        head, _, query = url.partition("?")
        path = head.split("/", 3)[3]
        keys = []
        if _CALENDAR_PATH.search(path) and (kind is not UrlKind.ARTICLE or _ENDS_IN_DATE.search(path)):
            keys.append((("calendar", mask(url).partition("#")[0]), CALENDAR_BUDGET))
        elif query and _CALENDAR_QUERY.search(query):
            keys.append((("calendar", head), CALENDAR_BUDGET))
        if kind is not UrlKind.ARTICLE:
            keys.append((("pattern", mask(url)), self.pattern_budget))
            if query:
                keys.append((("path", head), QUERY_BUDGET))
        return keys


def shape_alarm(url: str) -> tuple[Rejection, str] | None:
    """Return why the address looks like a loop whatever came before it, or None.

    >>> shape_alarm("http://example.org/a/b/a/b/a/b/")
    (<Rejection.TRAP: 'trap'>, "path segment 'a' 3 times")
    """
    path, _, query = url.split("/", 3)[3].partition("?") if url.count("/") >= 3 else ("", "", "")
    segments = [segment for segment in path.split("/") if segment]
    if len(segments) > MAX_SEGMENTS:
        return Rejection.TRAP, f"{len(segments)} path segments, limit {MAX_SEGMENTS}"
    if query.count("&") >= MAX_PARAMETERS:
        return Rejection.TRAP, f"{query.count('&') + 1} parameters, limit {MAX_PARAMETERS}"
    if len(segments) - len(set(segments)) >= MAX_REPEATS - 1:
        segment, count = Counter(segments).most_common(1)[0]
        if count >= MAX_REPEATS and not segment.isdigit():
            return Rejection.TRAP, f"path segment {segment[:40]!r} {count} times"
    return None


def _is_story(url: str) -> bool:
    """Tell whether an address is an article's by its shape, and more than a day's."""
    return url_shape(url) is UrlKind.ARTICLE and _IS_DAY.search(url.partition("?")[0]) is None


def _is_of(url: str, place: tuple[str, str]) -> bool:
    """Tell whether an address has a number where a list counts its pages."""
    head, tail = place
    if not (url.startswith(head) and url.endswith(tail)):
        return False
    return url[len(head) : len(url) - len(tail)].isdigit()


def _story_keys(links: Mapping[str, str]) -> dict[str, int]:
    """Return what tells the links of a page apart: the text where it is a headline of the page, else the address."""
    often = Counter(links.values())
    return {
        link: hash(text if often[text] == 1 and _is_headline(text) else folded(link)) for link, text in links.items()
    }


def _is_headline(text: str) -> bool:
    return sum(2.5 if char >= "\u2e80" else 1.0 for char in text if char.isalpha()) >= HEADLINE_LETTERS


def _bound(counts: Counter[_K]) -> None:
    """Forget the rarer half when there are too many."""
    if len(counts) > MAX_REMEMBERED:
        kept = counts.most_common(MAX_REMEMBERED // 2)
        counts.clear()
        counts.update(dict(kept))


class RecentUrls:
    """Remembers the last ``capacity`` to ``2 * capacity`` different addresses; older ones may come back as new.

    Two generations: when the young one is full it becomes the old one; what is seen again moves back to the young.
    Addresses are kept as 64-bit hashes: for a million of them the chance of any mix-up is about 1 in 37 million.
    """

    def __init__(self, capacity: int = 250_000) -> None:
        self.capacity = capacity
        self._young: set[int] = set()
        self._old: set[int] = set()

    def add(self, url: str) -> bool:
        """Remember the address; False if it was known."""
        key = hash(url)
        if key in self._young:
            return False
        known = key in self._old
        if len(self._young) >= self.capacity:
            self._old, self._young = self._young, set()
        self._young.add(key)
        return not known

    def forget(self, url: str) -> None:
        """Take the address for one never seen."""
        self._young.discard(hash(url))
        self._old.discard(hash(url))

    def __contains__(self, url: str) -> bool:
        key = hash(url)
        return key in self._young or key in self._old
