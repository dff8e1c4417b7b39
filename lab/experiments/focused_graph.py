"""The link graph of a stored site: what can be reached, and crawls that know more or less than any crawler."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Pages by number, with the numbers of the pages they link to."""

    urls: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]
    unclear: frozenset[str] = frozenset()
    """Pages that the site's truth does not call articles nor anything else: they count neither way."""

    def numbers(self, urls: Iterable[str]) -> list[int]:
        wanted = dict.fromkeys(urls)
        places = {url: number for number, url in enumerate(self.urls) if url in wanted}
        return [places[url] for url in wanted if url in places]

    def reachable(self, seeds: Sequence[int]) -> set[int]:
        """Return the pages that links lead to from the seeds, the seeds included."""
        seen, waiting = set(seeds), list(seeds)
        while waiting:
            for target in self.links[waiting.pop()]:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen


def read_graph(folder: Path, sites: Sequence[str]) -> LinkGraph:
    """Read ``SITE.pages.jsonl.gz`` of one or more sites; their numbers follow one another."""
    urls: list[str] = []
    links: list[tuple[int, ...]] = []
    unclear: list[str] = []
    for site in sites:
        first = len(urls)
        with gzip.open(folder / f"{site}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
            for page in map(json.loads, lines):
                urls.append(page["url"])
                links.append(tuple(first + target for target, *_ in page["links"]))
                unclear += [page["url"]] * (page.get("kind") == "unclear")
    return LinkGraph(tuple(urls), tuple(links), frozenset(unclear))


def at_random(graph: LinkGraph, seeds: Sequence[int], budget: int, seed: int) -> list[int]:
    """Fetch any of the known pages, each as likely."""
    draw = random.Random(seed)  # noqa: S311
    waiting, seen = list(seeds), set(seeds)
    order: list[int] = []
    while waiting and len(order) < budget:
        place = draw.randrange(len(waiting))
        waiting[place], waiting[-1] = waiting[-1], waiting[place]
        order.append(waiting.pop())
        _add_links(graph, order[-1], waiting, seen)
    return order


def _add_links(graph: LinkGraph, page: int, waiting: list[int], seen: set[int]) -> None:
    for target in graph.links[page]:
        if target not in seen:
            seen.add(target)
            waiting.append(target)


def oracle(graph: LinkGraph, seeds: Sequence[int], relevant: Iterable[int], budget: int) -> list[int]:
    """Fetch known relevant pages; where there is none, the known page with the most unfetched relevant links.

    Where none has any, the known page from which the fewest links lead to one that has. An upper bound for crawls
    that pay for the hubs they need, though not the highest there is: it is greedy.
    """
    is_relevant = np.zeros(len(graph.urls), dtype=bool)
    is_relevant[list(relevant)] = True
    parents: list[list[int]] = [[] for _ in graph.urls]
    offers = np.zeros(len(graph.urls), dtype=np.int64)
    for page, targets in enumerate(graph.links):
        for target in set(targets):
            if is_relevant[target] and target != page:
                offers[page] += 1
                parents[target].append(page)
    seen, order = set(seeds), list[int]()
    is_open = np.zeros(len(graph.urls), dtype=bool)
    is_open[list(seeds)] = True
    ready = [page for page in seeds if is_relevant[page]]
    while len(order) < budget and is_open.any():
        page = ready.pop() if ready else _best_hub(graph, is_open, offers, seen)
        is_open[page] = False
        order.append(page)
        if is_relevant[page]:
            offers[parents[page]] -= 1
        for target in graph.links[page]:
            if target not in seen:
                seen.add(target)
                is_open[target] = True
                if is_relevant[target]:
                    ready.append(target)
    return order


def _best_hub(graph: LinkGraph, is_open: NDArray[np.bool_], offers: NDArray[np.int64], seen: set[int]) -> int:
    best = int(np.argmax(np.where(is_open, offers, -1)))
    if offers[best] > 0:
        return best
    first_step = {int(page): int(page) for page in np.flatnonzero(is_open)}
    waiting = list(first_step)
    for page in waiting:  # grows while it is read
        for target in graph.links[page]:
            if target not in first_step and target not in seen:
                if offers[target] > 0:
                    return first_step[page]
                first_step[target] = first_step[page]
                waiting.append(target)
    return best
