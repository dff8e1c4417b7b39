"""Update of the learning strategy's state with the links of a fetched page."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.link_state import COLUMN, Group, PageRow, Traits
from newscrawl.focus.words import term_hashes
from newscrawl.links.model import LinkPosition
from newscrawl.urls.patterns import folded, hash_of, numbered_forms, url_words
from newscrawl.urls.series import first_page, list_of
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats
    from newscrawl.focus.link_state import LinkQueue, Tables, Terms
    from newscrawl.focus.words import KeywordMatcher
    from newscrawl.links.context import PageView, SeenLink

KIND_PRIOR: Final = {UrlKind.ARTICLE: 0.9, UrlKind.HUB: 0.05, UrlKind.OTHER: 0.1, UrlKind.UNKNOWN: 0.5}
NO_ARTICLE: Final = -1.0
"""Relevance of a fetched page that is no article."""
MAX_JUDGEMENTS: Final = 50_000
MAX_TARGETS: Final = 20_000
MAX_FOLDERS: Final = 1_000
NAVIGATION: Final = 0.3
"""Least share of a place's links that change from page to page. Below it they are the site's navigation."""
_POSITIONS: Final = {LinkPosition.IN_BODY: (1.0, 0.0), LinkPosition.ADJACENT: (0.0, 1.0)}
_LABELS: Final = {"main": (1.0, 0.0), "related": (0.0, 1.0)}
_NEITHER: Final = (0.0, 0.0)
_OF_LIST: Final = (0.0, 0.0, 0.0)
_OWN: Final = (COLUMN["own_links"], COLUMN["own_relevant"])


class LinkEvidence:
    """Enters links page by page. Memory grows with templates, not with pages, and is bounded."""

    def __init__(self, tables: Tables, matcher: KeywordMatcher) -> None:
        self.queue, self.groups, self.pages = tables.queue, tables.groups, tables.pages
        self.templates, self.patterns = tables.templates, tables.patterns
        self.forms = tables.forms
        self.matcher = matcher
        self._judgements: dict[int, float] = {}
        self._last_targets: dict[str, frozenset[int]] = {}
        self._folders: dict[str, None] = {}
        """Addresses above those of lists whose links name the topic, in the order they were found."""

    def remember(self, url: str, relevance: float) -> None:
        """Keep the relevance of a page, for lists that show it later."""
        self._judgements[page_hash(url)] = relevance
        if len(self._judgements) > MAX_JUDGEMENTS:
            del self._judgements[next(iter(self._judgements))]

    def subject(self, page: PageView, slot: int | None) -> float:
        """Return how well a hub's title, or the anchor that led there, names the topic, 0..1; 0 for an article."""
        if page.is_article:
            return 0.0
        named = squash(self.matcher.distinct_weight(page.subject))
        return named if slot is None else max(named, float(self.queue.facts[slot, COLUMN["anchor_keywords"]]))

    def see(self, page: PageView, relevance: float, number: int) -> tuple[list[int], list[int]]:
        """Enter the links of a page; return the slots of new links, and of queued links seen again."""
        host = page.url.split("/", 3)[2] if page.url.count("/") >= 2 else ""
        row = self.pages.rows[number % self.pages.capacity]
        look = _Page(page, relevance, number, row, list_of(page.url) if relevance == NO_ARTICLE else None)
        look.subject = float(row[PageRow.SUBJECT])
        by_path: dict[str, list[SeenLink]] = {}
        for seen in page.links:
            by_path.setdefault(seen.context.path, []).append(seen)
        for path, links in by_path.items():
            self._see_group(look, f"{host} {path}", links)
        look.write(self.queue)
        return look.new, list(look.entries.keys() - set(look.new))

    def _see_group(self, look: _Page, path: str, links: list[SeenLink]) -> None:
        template = self.templates.row(path)
        hashes = [page_hash(seen.link.url) for seen in links]
        own = self._own_share(path, template, frozenset(hashes))
        group = self.groups.new()
        self.groups.add(group, Group.PAGE, look.number)
        is_own = own >= NAVIGATION
        judgements, slots = self._judgements, self.queue.by_url
        for seen, hashed in zip(links, hashes, strict=True):
            if not is_own and not seen.is_new:
                continue  # navigation says nothing new
            slot = slots.get(seen.link.url)
            if slot is not None:
                if is_own:
                    self._see_again(look, seen, slot, group, own)
                    self._continue(look, seen.link.url, slot)
                continue
            relevance = judgements.get(hashed)
            if relevance is None:
                if seen.is_new:
                    slot = self._see_new(look, seen, template, group, own)
                    self._continue(look, seen.link.url, slot)
            elif is_own and relevance != NO_ARTICLE:
                self.groups.add(group, Group.FETCHED, 1)
                self.groups.add(group, Group.RELEVANT, relevance)
                look.row[PageRow.LIST_SUM] += relevance
                look.row[PageRow.LIST_COUNT] += 1

    def _continue(self, look: _Page, url: str, slot: int) -> None:
        if look.own_list is not None and list_of(url) == look.own_list:
            self.queue.continues[slot] = look.number

    def _see_again(self, look: _Page, seen: SeenLink, slot: int, group: int, own: float) -> None:
        facts = self._facts(look, seen, own)
        entry = look.entries.get(slot)
        if entry is None:
            look.entries[slot] = (facts, [group])
        else:
            for column, value in enumerate(facts):
                if column in _OWN:
                    entry[0][column] += value
                elif value > entry[0][column]:
                    entry[0][column] = value
            entry[1].append(group)

    def _see_new(self, look: _Page, seen: SeenLink, template: int, group: int, own: float) -> int:
        url = seen.link.url
        coarse, fine = numbered_forms(url)
        forms = self.forms.row(coarse), self.forms.row(fine)
        pattern = self.patterns.row(coarse.rpartition("|")[0])
        slot = self.queue.add(url, template=template, pattern=pattern, forms=forms)
        facts = self._facts(look, seen, own)
        facts[COLUMN["url_keywords"]] = squash(self.matcher.distinct_weight(url_words(url)))
        shape = url_shape(url)
        facts[COLUMN["prior_article"]] = KIND_PRIOR[shape]
        if facts[COLUMN["anchor_keywords"]] and shape is UrlKind.HUB:
            self._note_folder(url)
        look.entries[slot] = (facts, [group])
        look.new.append(slot)
        look.terms.append((term_hashes(seen.link.anchor), term_hashes(_around(seen))))
        return slot

    def _note_folder(self, url: str) -> None:
        folder = f"{url.partition('?')[0].rstrip('/').rpartition('/')[0]}/"
        if folder.count("/") > 3 and len(self._folders) < MAX_FOLDERS:  # the home page is no folder
            self._folders[folder] = None

    def folders(self) -> list[int]:
        """Return the slots of queued pages above lists of the topic, which are likely to name all of them."""
        slots = self.queue.by_url
        return [slots[url] for folder in self._folders for url in (folder, folder[:-1]) if url in slots]

    def _facts(self, look: _Page, seen: SeenLink, own: float) -> list[float]:
        weight, relevance, context = self.matcher.distinct_weight, look.relevance, seen.context
        anchor, around, heading = weight(seen.link.anchor), weight(context.around), weight(context.heading)
        if context.terms:
            around += weight(" , ".join(context.terms))
        from_article = (relevance * own, own, own * relevance) if relevance != NO_ARTICLE else _OF_LIST
        return [
            anchor / (anchor + 1.0),
            around / (around + 1.0),
            max(heading / (heading + 1.0), look.subject) * own,
            0.0,
            *_POSITIONS.get(seen.link.position, _NEITHER),
            *_LABELS.get(seen.label, _NEITHER),
            *from_article,
            0.0,
        ]

    def _own_share(self, path: str, template: int, targets: frozenset[int]) -> float:
        """Return the share of a page's links at a tag path that are its own, 0..1. Navigation repeats on all pages."""
        counts = self.templates.counts[template]
        last = self._last_targets.get(path)
        if last is not None:
            counts[Traits.SEEN] += 1
            both = len(targets & last)
            counts[Traits.REPEATED] += both / (len(targets) + len(last) - both)
        if last is not None or len(self._last_targets) < MAX_TARGETS:
            self._last_targets[path] = targets
        return float(1.0 - (counts[Traits.REPEATED] + 0.5) / (counts[Traits.SEEN] + 1.0))

    def state(self) -> dict[str, Any]:
        judged = np.array(list(self._judgements.items()), dtype=np.float64).reshape(-1, 2)
        targets = {path: sorted(found) for path, found in self._last_targets.items()}
        return {"targets": targets, "judged": judged, "folders": list(self._folders)}

    def restore(self, state: dict[str, Any]) -> None:
        self._last_targets = {path: frozenset(found) for path, found in state["targets"].items()}
        self._folders = dict.fromkeys(state["folders"])
        self._judgements = {int(key): value for key, value in state["judged"].tolist()}


@lru_cache(maxsize=1 << 15)
def page_hash(url: str) -> int:
    """Return a hash that is equal for all addresses of one page, and for a list and its first page."""
    return hash_of(folded(first_page(url)))


def _around(seen: SeenLink) -> str:
    """Return the tags and the text of a link's entry, which describe its article."""
    return " ".join((*seen.context.terms, seen.context.around))


class _Page:
    """Evidence of one page's links, gathered to be written at once."""

    def __init__(self, page: PageView, relevance: float, number: int, row: Floats, own_list: str | None) -> None:
        self.page, self.relevance, self.number, self.row, self.own_list = page, relevance, number, row, own_list
        self.subject = 0.0
        self.entries: dict[int, tuple[list[float], list[int]]] = {}
        """Slot → facts of its places on the page, and its groups."""
        self.new: list[int] = []
        self.terms: list[tuple[Terms, Terms]] = []
        """Terms of anchor and surroundings of each new link."""

    def write(self, queue: LinkQueue) -> None:
        if not self.entries:
            return
        slots = np.fromiter(self.entries, dtype=np.int64, count=len(self.entries))
        facts, groups = zip(*self.entries.values(), strict=True)
        queue.see(slots, np.array(facts), groups)
        if self.new:
            anchors, arounds = zip(*self.terms, strict=True)
            queue.set_terms(self.new, anchors, arounds)


def sharpen(probability: float) -> float:
    """Return the probability with tripled log-odds, nearly 0 or 1 except in the middle."""
    odds = (probability / max(1e-6, 1 - probability)) ** 3
    return odds / (1 + odds)


def squash(weight: float) -> float:
    return weight / (weight + 1.0)
