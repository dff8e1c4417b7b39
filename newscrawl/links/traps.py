"""Budgets and alarms against endless sites: calendars, parameter combinations, paths that eat their tail.

A guard is asked once for each *new* address. Its memory is bounded: rare patterns are forgotten first.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from newscrawl.console.wording import quantity
from newscrawl.outcomes import Rejection
from newscrawl.urls.domains import site_of
from newscrawl.urls.patterns import mask
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Iterable


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
#: Pages of one pattern in a row, no article and no news among them, after which the pattern is left.
BARREN_PAGES = 60
#: Pages of a host and its neighbours in a row without a new text, after which nothing new is asked of them.
FRUITLESS_PAGES = 1_000
#: Texts of articles remembered.
MAX_TEXTS = 200_000
#: Patterns whose last page is remembered.
MAX_BARREN_PATTERNS = 200
#: A page with more links says something.
MAX_BARREN_LINKS = 500
#: Patterns and hosts remembered.
MAX_REMEMBERED = 50_000

_DIGITS = re.compile(r"\d+")
_CALENDAR_PATH = re.compile(
    r"(?:^|/)(?:calendar|cal|events?|agenda|kalender|schedule|ical|termine)(?:/|$|\.)", re.IGNORECASE
)
_ENDS_IN_DATE = re.compile(r"(?:^|/)\d{1,4}(?:[-_/]\d{1,2}){0,9}/?$")
_CALENDAR_QUERY = re.compile(
    r"(?:^|[&;])(?:month|year|day|date|week|cal|calendar|tribe-bar-date|ical|eventdate|from_date)=[\d-]*\d",
    re.IGNORECASE,
)


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
        self._barren: dict[str, tuple[int, frozenset[str]]] = {}
        #: Pages of known addresses that are asked again in this run: they need not give a new text.
        self.n_revisits = 0
        self._fruitless: Counter[str] = Counter()
        self._texts: dict[int, None] = {}

    def note_text(self, url: str, text: str) -> None:
        """Take in the text of an article, ``""`` for a page that is none: hosts that give nothing new are left.

        Texts that differ in their numbers only are one: sites without end count their pages.
        """
        site = site_of(url)
        key = hash(_DIGITS.sub("0", text))
        if not text or key in self._texts:
            self._fruitless[site] += 1
            _bound(self._fruitless)
            return
        self._texts[key] = None
        self._fruitless.pop(site, None)
        if len(self._texts) > MAX_TEXTS:
            del self._texts[next(iter(self._texts))]

    def note(self, url: str, links: Iterable[str], *, is_article: bool) -> None:
        """Take in what became of a page.

        It is barren if it is no article, and has no link that the page of its pattern before it had not, but to more
        of the pattern: an empty day of a calendar. The pages of a list, or of tags, differ, be all they list known.
        """
        pattern = mask(url)
        n_barren, before = self._barren.pop(pattern, (0, frozenset()))
        if is_article:
            return
        now = frozenset(links)
        if len(now) > MAX_BARREN_LINKS:
            return
        says_more = any(mask(link) != pattern for link in now - before)
        self._barren[pattern] = (0 if says_more else n_barren + 1, now)
        if len(self._barren) > MAX_BARREN_PATTERNS:
            del self._barren[next(iter(self._barren))]  # the one that was not seen for the longest time

    def judge(self, url: str, kind: UrlKind, depth: int = 0) -> tuple[Rejection, str] | None:
        """Return why the address is refused, or None, in which case it is counted."""
        if self.max_depth and depth > self.max_depth:
            return Rejection.DEPTH, f"{quantity(depth, 'link')} from the seeds, limit {self.max_depth}"
        refusal = shape_alarm(url) or self._over_budget(url, kind)
        _bound(self._hosts)
        _bound(self._patterns)
        return refusal

    def _over_budget(self, url: str, kind: UrlKind) -> tuple[Rejection, str] | None:
        host = url.split("/", 3)[2]
        if self.host_budget and self._hosts[host] >= self.host_budget:
            return Rejection.BUDGET, f"{self.host_budget} addresses of {host} are used up"
        site = site_of(url)
        if self._fruitless[site] >= FRUITLESS_PAGES + self.n_revisits:
            return Rejection.TRAP, f"{self._fruitless[site]} pages of {site} in a row gave no new article"
        if kind is not UrlKind.ARTICLE and self._barren.get(mask(url), (0,))[0] >= BARREN_PAGES:
            return Rejection.TRAP, f"{BARREN_PAGES} pages like {mask(url)} in a row said nothing"
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
