"""What the pages of a host have in common, as no single page tells: texts that recur, and where article text stands.

A text that stands on several articles is the site's, not the article's (DESIGN §3.6). What an extractor says of a line
errs from page to page, what it says of a place on average hardly does: doubtful lines go by their place.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.sites.memory.host import HostMemory, Place, sighting
from newscrawl.sites.memory.refine import MEMORY_EVIDENCE, Refined, refined, unchanged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.dom.measures import Bools
    from newscrawl.sites.memory.host import Sighting
    from newscrawl.sites.memory.keys import PageKeys

    Array = NDArray[np.float32]

__all__ = ["MAX_HOSTS", "MEMORY_EVIDENCE", "Drift", "HostMemory", "Refined", "SiteMemory"]

MAX_HOSTS: Final = 256
SAME_PAGE_SHARE: Final = 0.5
"""With more than this share of its lines in one earlier article a page is that article again, and tells nothing."""
NO_ODDS: Final = 1.0
"""Log odds of the lines that a method chooses which gives none; of the others the opposite."""
RIPE_SHARE: Final = 0.1
"""News of a host are handed on when they are this share of what is known: the larger a memory is, the more it costs to
merge, and the less it changes."""

DRIFT_PAGES: Final = 5
"""So many articles in a row with their text at places unknown, or with almost none, are a new template."""
KNOWN_SHARE: Final = 0.2
COLLAPSE_SHARE: Final = 0.2
MIN_SETTLED: Final = 10
"""Articles before a host's usual length is known."""
USUAL_RATE: Final = 0.1
MIN_USUAL: Final = 0.5
"""And this share of its articles, a running mean from nothing, must have stood at places it had before: a host of many
templates does not drift, it is various. Five strange articles take it down by the factor 0.59."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A host's articles are no longer what its memory says."""

    host: str
    reason: str
    """``places`` or ``length``."""
    old: str
    """The place that held most of the text, or its usual length in letters."""
    new: str
    n_pages: int
    """Articles behind the old memory."""


class SiteMemory:
    """The memories of the hosts seen last; ``news`` holds what was not yet handed on by :meth:`take_news`."""

    def __init__(self) -> None:
        self.hosts: OrderedDict[str, HostMemory] = OrderedDict()
        self.news: dict[str, HostMemory] = {}
        self.drifted: set[str] = set()
        """Hosts whose earlier memory is void; what ``news`` holds of them stands alone."""

    def take_news(self, *, ripe: bool = False) -> tuple[dict[str, HostMemory], frozenset[str]]:
        """Return what was seen since it was last taken, and the hosts of which nothing older counts.

        :param ripe: only of hosts of which much is new.
        """
        taken = {host: news for host, news in self.news.items() if not ripe or self._is_ripe(host, news)}
        void = frozenset(self.drifted & taken.keys())
        self.news = {host: news for host, news in self.news.items() if host not in taken}
        self.drifted -= void
        return taken, void

    def _is_ripe(self, host: str, news: HostMemory) -> bool:
        known = self.hosts.get(host)
        return known is None or host in self.drifted or news.n_pages >= RIPE_SHARE * known.n_pages

    def put(self, host: str, memory: HostMemory) -> None:
        """Replace the memory of a host by one shared with others; what was seen meanwhile is added."""
        old = self.hosts.get(host)
        if old is not None:
            memory.recent, memory.strange, memory.short = old.recent, old.strange, old.short
        if host in self.news:
            memory.add(self.news[host])
        self.hosts[host] = memory

    def refine(self, host: str, page: PageKeys, chosen: Bools, odds: Array | None = None) -> Refined:
        """Return the lines to take for the article, given those that an extractor chose on the page alone.

        :param odds: its log odds of each line being article text; None where it gives none.
        """
        memory = self.hosts.get(host)
        if memory is None or not memory.n_pages or not chosen.any():
            return unchanged(chosen)
        is_known = page.address in memory.seen
        return refined(memory, page, chosen, _odds(chosen, odds), is_known=is_known)

    def observe(self, host: str, page: PageKeys, chosen: Bools, odds: Array | None = None) -> Drift | None:
        """Take note of an article and of the lines taken for it; tell when the host's template has changed.

        Of an article of several pages the first to come counts: its parts repeat lines of each other.
        """
        if not chosen.any():
            return None
        memory = self.hosts.setdefault(host, HostMemory())
        self.hosts.move_to_end(host)
        while len(self.hosts) > MAX_HOSTS:
            self.hosts.popitem(last=False)
        if page.address in memory.seen:
            return None
        article = sighting(page, chosen, _odds(chosen, odds))
        body = article.body
        if any(len(body & other) > SAME_PAGE_SHARE * len(body) for other in memory.recent):
            return None
        memory.recent.append(body)
        drift = _drift(host, memory, article)
        if drift is not None:
            memory.forget()
            self.news.pop(host, None)
            self.drifted.add(host)
        memory.count(article)
        self.news.setdefault(host, HostMemory()).count(article)
        return drift


def _odds(chosen: Bools, odds: Array | None) -> NDArray[np.float64]:
    return np.where(chosen, NO_ODDS, -NO_ODDS) if odds is None else odds.astype(np.float64)


def _drift(host: str, memory: HostMemory, article: Sighting) -> Drift | None:
    """Compare an article with the host's usual ones; a drift needs several in a row."""
    known = sum(inside for key, _, inside, _ in article.places if inside and _is_usual(memory, key))
    is_strange = known < KNOWN_SHARE * article.length
    memory.strange = memory.strange + 1 if is_strange else 0
    memory.usual += USUAL_RATE * ((not is_strange) - memory.usual)
    is_settled = memory.n_pages >= MIN_SETTLED
    memory.short = memory.short + 1 if is_settled and article.length < COLLAPSE_SHARE * memory.length else 0
    if memory.strange >= DRIFT_PAGES and memory.usual >= MIN_USUAL:
        old = max(memory.places.values(), key=lambda place: place.inside, default=Place())
        new = max(article.places, key=lambda place: place[2])[3]
        return Drift(host=host, reason="places", old=old.name, new=new, n_pages=memory.n_pages)
    if memory.short >= DRIFT_PAGES:
        lengths = f"{memory.length:.0f} letters", f"{article.length:.0f} letters"
        return Drift(host=host, reason="length", old=lengths[0], new=lengths[1], n_pages=memory.n_pages)
    return None


def _is_usual(memory: HostMemory, key: int) -> bool:
    place = memory.places.get(key)
    return place is not None and place.n_pages > DRIFT_PAGES
