"""Focused crawls over stored pages: the crawler's own judge and scorer, without network, pipelines and database."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.focus.crawl import FetchedPage, Focus
from newscrawl.links.rules import Wanted, judge_url
from newscrawl.sites.model import NewsSite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lab.experiments.focused_site import StoredPage
    from newscrawl.links.model import Link, ListedEntry


SHAKEN: Final = 0.04
"""Width of the range in which a score is moved to see how far a figure hangs on the order of nearly equal links."""
DIGITS: Final = 6
"""Priorities of requests are whole numbers: so many digits of a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """The HTML pages of a crawl in the order they were fetched."""

    urls: tuple[str, ...]
    judged: tuple[bool | None, ...]
    """The crawler's own judgement of each page; None for pages that it took for no articles."""
    requests: tuple[int, ...]
    """Requests made until each page was there, dead links and redirects included."""


class _Queue:
    """Best first; of equals, the one queued first. A link has the score it was given last."""

    def __init__(self, order: int = 0) -> None:
        self.order = order
        self._heap: list[tuple[float, int, str]] = []
        self._entry: dict[str, tuple[float, int, str]] = {}
        self._n = 0

    def put(self, url: str, score: float) -> None:
        number = self._entry[url][1] if url in self._entry else self._n
        self._n += 1
        if self.order and score <= 1:
            score *= 1 + SHAKEN * (random.Random(f"{self.order} {url}").random() - 0.5)  # noqa: S311
        self._entry[url] = (-round(score, DIGITS), number, url)
        heapq.heappush(self._heap, self._entry[url])

    def __contains__(self, url: str) -> bool:
        return url in self._entry

    def pop(self) -> str | None:
        while self._heap:
            entry = heapq.heappop(self._heap)
            if self._entry.get(entry[2]) == entry:
                del self._entry[entry[2]]
                return entry[2]
        return None


def simulate(
    pages: Mapping[str, StoredPage],
    focus: Focus,
    seeds: Sequence[str],
    budget: int,
    *,
    judges: bool = True,
    order: int = 0,
    feeds: Mapping[str, Sequence[ListedEntry]] | None = None,
) -> Crawled:
    """Crawl until ``budget`` HTML pages are fetched or nothing is queued.

    :param judges: False for strategies that do not look at what a page is about: saves the time.
    :param feeds: the site's feeds, for those that the crawl asks for.
    :param order: not 0: scores are moved a little, so that nearly equal links come in another order.
    """
    hosts = {url.split("/", 3)[2] for url in seeds}
    queue, known = _Queue(order), set(seeds)
    for url in seeds:
        queue.put(url, 2.0)
    fetched: dict[str, bool | None] = {}
    n_requests = 0
    requests: list[int] = []

    site = NewsSite(name="stored", title="stored", hosts=tuple(sorted(hosts)), seeds=tuple(seeds))
    wanted: dict[str, bool] = {}

    def is_wanted(link: Link) -> bool:
        if link.url not in wanted:
            wanted[link.url] = judge_url(link.url, site, Wanted()).follow
        return wanted[link.url] and not link.nofollow

    def is_new(url: str) -> bool:
        return url not in known

    def enter(scores: Mapping[str, float]) -> None:
        for link_url, score in scores.items():
            if link_url in queue or link_url not in known:
                queue.put(link_url, score)

    while len(fetched) < budget and (url := queue.pop() or ""):
        n_requests += 1
        stored = _stored_form(pages, url)
        if stored is None or stored in fetched:
            enter(focus.note_dead_end(url))
            continue
        n_requests += stored != url  # a redirect
        requests.append(n_requests)
        known.add(stored)
        page = _view(pages[stored], url, focus)
        relevance = focus.judge(page) if judges else None
        fetched[stored] = None if relevance is None else relevance.is_relevant
        page = focus.explore(page)
        enter(focus.score(page, relevance, is_wanted, is_new))
        known.update(link.url for link in page.links if is_wanted(link))
        feed = focus.choose_feed(pages[stored].feeds)
        if feed is not None:
            n_requests += 1
            listed = (feeds or {}).get(_stored_form(feeds or {}, feed) or "")
            scores = focus.read_feed(feed, listed, is_wanted, is_new) if listed else {}
            enter(scores)
            known.update(scores)
    return Crawled(urls=tuple(fetched), judged=tuple(fetched.values()), requests=tuple(requests))


def _view(page: StoredPage, requested_url: str, focus: Focus) -> FetchedPage:
    return FetchedPage(
        requested_url=requested_url,
        url=page.url,
        is_article=page.is_article,
        headline=page.headline,
        text=page.text,
        language=page.language,
        links=focus.respell(page.links),
        contexts=page.contexts,
        labels=page.labels,
        keywords=page.keywords,
        terms=page.terms,
    )


def _stored_form(pages: Mapping[str, object], url: str) -> str | None:
    """Return the stored URL that answers a request, as the replay does: final slash, index.html, scheme."""
    for candidate in (url, url.replace("https://", "http://", 1)):
        bare = candidate.removesuffix("index.html")
        forms = (candidate, candidate + "/", bare, bare.rstrip("/"))
        found = next((form for form in forms if form in pages), None)
        if found is not None:
            return found
    return None
