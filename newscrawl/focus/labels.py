"""What editors call an article: its own tags, categories, breadcrumbs and folders, told from the site's navigation."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from newscrawl.links.model import LinkPosition
from newscrawl.urls.canonical import host_of
from newscrawl.urls.domains import site_of
from newscrawl.urls.patterns import folder_names, hash_of
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from newscrawl.links.context import LinkContext
    from newscrawl.links.model import Link

MAX_LABEL: Final = 40
MAX_LABELS: Final = 30
MAX_PATHS: Final = 5_000
MAX_WORDS: Final = 5
"""Words of a label; more are a sentence or the description of a picture."""
MAX_KEPT: Final = 100
"""Different labels remembered of a place: enough to tell what changes from what stays."""
OWN: Final = 2.0
"""Labels are articles' own where a place has shown so many times more of them in all than on one page."""
LONE_PAGES: Final = 5
"""Pages on which a lone label may be the same before it must have changed."""
SAME: Final = 0.6
"""A place is navigation where so many of its labels stand on most of its pages ..."""
LEAST_MENU: Final = 3.5
"""... if a page shows so many of them: all articles may share a tag of two, or breadcrumbs but for the last step."""
SHARED: Final = 6
"""Keywords that a page states, from which they are no article's own if another states the same."""
LONE: Final = 1.2
"""Labels a page at a place of lone ones."""
ALWAYS: Final = 0.9
"""A lone label away from the text is navigation where one of them stands on so many of the place's pages."""
_OF_PERSON: Final = re.compile(r"/(?:authors?|users?|people|profile|members?)/", re.IGNORECASE)
_OF_DATE: Final = re.compile(r"/\d{4}(?:/\d{1,2}){0,2}/?$")
_ARROWS: Final = frozenset("«»‹›←→<>")
_NAME_WORDS: Final = re.compile(r"[^\W_]+")


class OwnLabels:
    """Learns which places of a host hold an article's own labels; memory grows with templates.

    Labels are compared by their words, whatever they link to. A place of navigation shows the same words on every
    page, so that it never shows more in all than on one; a menu with a part that changes still shows most of its
    words on most pages. What a page's neighbours in the crawl are about does not matter: a thousand articles of one
    tag and twenty of others show twenty-one. A lone label at the text that only articles have, as their category, is
    theirs from the second article on, though all be of one category so far.
    """

    def __init__(self) -> None:
        self._words: dict[str, dict[str, int]] = {}
        """Place → label → pages on which it stands there."""
        #: Pages, labels on them, pages that are no articles.
        self._counts: dict[str, list[int]] = {}

    def labels_of(
        self,
        url: str,
        links: Sequence[tuple[Link, LinkContext]],
        *,
        stated: Sequence[str] = (),
        terms: Sequence[str] = (),
        is_article: bool,
    ) -> tuple[str, ...]:
        """Return the labels of an article, none of another page; learn from both.

        :param stated: section and keywords that the page names outside its text.
        :param terms: tags and categories that stand in the classes of the article's element.
        """
        host, site = host_of(url), site_of(url)
        places: dict[str, dict[str, str]] = {}
        near: set[str] = set()
        for link, context in links:
            if _names_list(link.url) and site_of(link.url) == site:
                if link.position is not LinkPosition.ELSEWHERE:
                    near.add(f"{host} {context.path}")
                for path, anchor in ((context.path, link.anchor), *context.also):
                    if may_be_label(anchor):
                        places.setdefault(f"{host} {path}", {})[spelling(anchor)] = anchor
        if is_article:
            short = [word for word in stated if len(word) <= MAX_LABEL][:MAX_LABELS]
            places[f"{host} stated"] = {} if self._is_shared(host, short) else {spelling(word): word for word in short}
            places[f"{host} folders"] = {spelling(word): word for word in folder_names(url)}
        found: list[str] = []
        for place, labels in places.items():
            is_own = self._is_own(place, labels, is_article=is_article, is_near=place in near)
            if is_own and len(labels) <= MAX_LABELS:
                found += labels.values()
        return tuple(dict.fromkeys((*found, *terms))) if is_article else ()

    def _is_shared(self, host: str, stated: Sequence[str]) -> bool:
        """Tell whether another article stated the same long list of words: then it is a template's."""
        if len(stated) < SHARED:
            return False
        lists = self._words.setdefault(f"{host} stated lists", {})
        self._counts.setdefault(f"{host} stated lists", [0, 0, 0])
        key = str(hash_of(" ".join(map(spelling, stated))))
        if key in lists or len(lists) < MAX_PATHS:
            lists[key] = lists.get(key, 0) + 1
        return lists.get(key, 0) > 1

    def own_articles(self, url: str, links: Sequence[tuple[Link, LinkContext]]) -> list[str]:
        """Return the articles that a list page shows as its own: not those that the site shows on every page."""
        host = host_of(url)
        places: dict[str, dict[str, str]] = {}
        for link, context in links:
            if url_shape(link.url) is UrlKind.ARTICLE:
                places.setdefault(f"{host} list {context.path}", {})[link.url] = ""
        return [
            target
            for place, targets in places.items()
            if self._is_own(place, targets, is_article=True)
            for target in targets
        ]

    def _is_own(self, place: str, labels: Collection[str], *, is_article: bool, is_near: bool = False) -> bool:
        """:param is_near: whether the place is at the article's text."""
        if not labels:
            return False
        known = self._words.get(place)
        if known is None:
            if len(self._words) >= MAX_PATHS:
                return False
            known = self._words[place] = {}
            self._counts[place] = [0, 0, 0]
        for label in labels:
            if label in known or len(known) < MAX_KEPT:
                known[label] = known.get(label, 0) + 1
        counts = self._counts[place]
        counts[0] += 1
        counts[1] += min(len(labels), MAX_LABELS)
        counts[2] += not is_article
        n, mean = counts[0], counts[1] / counts[0]
        if not is_article or n < 2:
            return False
        if is_near and mean < OWN and not counts[2] and n <= LONE_PAGES:
            return True
        return len(known) >= OWN * mean and not self._is_menu(place, is_near=is_near)

    def _is_menu(self, place: str, *, is_near: bool) -> bool:
        n, n_labels, _ = self._counts[place]
        if not is_near and n > LONE_PAGES and n_labels < LONE * n:
            return max(self._words[place].values()) >= ALWAYS * n
        if n < LEAST_MENU or n_labels < LEAST_MENU * n:
            return False
        on_most = sum(count for count in self._words[place].values() if 2 * count > n)
        return on_most >= SAME * n_labels

    def state(self) -> dict[str, Any]:
        return {place: [known, *self._counts[place]] for place, known in self._words.items()}

    def restore(self, state: dict[str, Any]) -> None:
        self._words = {place: dict(row[0]) for place, row in state.items()}
        self._counts = {place: row[1:] for place, row in state.items()}


def _names_list(url: str) -> bool:
    """Tell whether an address may be a tag's or a section's: not an author's, nor a day's."""
    is_home = url.partition("?")[0].rstrip("/").count("/") == 2
    return url_shape(url) is UrlKind.HUB and not is_home and not _OF_PERSON.search(url) and not _OF_DATE.search(url)


def may_be_label(words: str) -> bool:
    """Tell whether an anchor may name what an article is about: not a pager's arrow, nor a picture's description.

    >>> may_be_label("Law & Crime"), may_be_label("« Aug"), may_be_label("hkfp favicon logo for the small screens")
    (True, False, False)
    """
    if not words or len(words) > MAX_LABEL or not _ARROWS.isdisjoint(words):
        return False
    return len(words.split()) <= MAX_WORDS and any(map(str.isalpha, words))


LEAST_FORM: Final = 2
"""Lists of a form that are named by their addresses, before others of the form are proposed."""
MISSES: Final = 3
"""Proposals of a form that led nowhere before it is given up."""
PROPOSALS: Final = 10
"""Proposals of one crawl."""


class ListAddresses:
    """Learns how a site spells the addresses of its lists by their names, and proposes those of other names.

    Where ``/tag/cookies/`` is called "cookies", ``/tag/browser/`` may be the list of "browser". A proposal costs a
    request, so that few are made, of the two forms with the most lists.
    """

    def __init__(self) -> None:
        self._forms: dict[tuple[str, str], list[str]] = {}
        """What stands before and after a list's name → names seen there."""
        self._proposed: dict[str, tuple[str, str]] = {}
        self._missed: dict[tuple[str, str], int] = {}

    def see(self, links: Sequence[Link]) -> None:
        """Learn from the links of a page."""
        for link in links:
            name = address_name(link.anchor) if may_be_label(link.anchor) else ""
            form, segment = _form_of(link.url)
            if name and segment == name and _names_list(link.url):
                names = self._forms.setdefault(form, [])
                if name not in names and len(names) < MAX_KEPT:
                    names.append(name)

    def propose(self, words: Sequence[str]) -> tuple[str, str] | None:
        """Return the address of a list not seen yet, and the word that names it; None where nothing is left to try."""
        best = sorted(self._forms.items(), key=lambda item: (-len(item[1]), item[0]))[:2]
        for form, names in best:
            if len(names) < LEAST_FORM or self._missed.get(form, 0) >= MISSES:
                continue
            for word in words:
                name = address_name(word)
                url = f"{form[0]}{quote(name)}{form[1]}"
                if name and name not in names and url not in self._proposed and len(self._proposed) < PROPOSALS:
                    self._proposed[url] = form
                    return url, word
        return None

    def miss(self, url: str) -> bool:
        """Learn that an address gave no page; tell whether it was proposed."""
        form = self._proposed.get(url)
        if form is not None:
            self._missed[form] = self._missed.get(form, 0) + 1
        return form is not None

    def state(self) -> dict[str, Any]:
        forms = [[*form, names, self._missed.get(form, 0)] for form, names in self._forms.items()]
        return {"forms": forms, "proposed": {url: list(form) for url, form in self._proposed.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        self._forms = {(before, after): list(names) for before, after, names, _ in state["forms"]}
        self._missed = {(before, after): missed for before, after, _, missed in state["forms"]}
        self._proposed = {url: (before, after) for url, (before, after) in state["proposed"].items()}


def address_name(words: str) -> str:
    """Return words as addresses of lists spell them.

    >>> address_name("Cell Phones"), address_name("输入法")
    ('cell-phones', '输入法')
    """
    return "-".join(_NAME_WORDS.findall(words.lower()))


def _form_of(url: str) -> tuple[tuple[str, str], str]:
    """Return what stands before and after the name at the end of an address's path, and that name."""
    path = url.partition("?")[0]
    before, slash, last = path.rstrip("/").rpartition("/")
    name, dot, extension = last.rpartition(".") if "." in last else (last, "", "")
    return (before + slash, dot + extension + "/" * path.endswith("/")), unquote(name).lower()


MAX_KNOWN: Final = 20_000
CASES: Final = 4.0
"""Articles' worth of trust in a label before any of its articles is judged."""
LEAST_SEEN: Final = 3.0
TAKEN: Final = 0.5
"""Confidence from which a label is taken on ..."""
LEAST_GAIN: Final = 0.7
"""... if it doubles the odds: most articles of a crawl that succeeds are about its topic, whatever their labels."""
MAX_EVIDENCE: Final = 2.5


class LabelTable:
    """What the texts of a label's articles have turned out to be: labels are taught by texts, never by labels."""

    def __init__(self) -> None:
        self.counts: dict[str, tuple[float, float]] = {}
        """Label → articles, and the sum of their texts' probabilities."""
        self._n = 8.0
        self._relevant = 1.0

    @property
    def base(self) -> float:
        """Share of relevant articles."""
        return self._relevant / self._n

    def add(self, labels: Sequence[str], probability: float, *, weight: float = 1.0) -> None:
        """Count an article whose text alone is relevant with this probability."""
        self._n += weight
        self._relevant += weight * probability
        for name in {spelling(label) for label in labels}:
            if name in self.counts or len(self.counts) < MAX_KNOWN:
                n, relevant = self.counts.get(name, (0.0, 0.0))
                self.counts[name] = (n + weight, relevant + weight * probability)

    def n_articles(self, label: str) -> float:
        return self.counts.get(spelling(label), (0.0, 0.0))[0]

    def confidence(self, label: str) -> float:
        """Return the share of a label's articles that are about the topic, moved towards that of all by ``CASES``."""
        n, relevant = self.counts.get(spelling(label), (0.0, 0.0))
        return (relevant + CASES * min(0.9, self.base)) / (n + CASES)

    def gain(self, label: str) -> float:
        """Return how far the log-odds of the label's confidence are above those of all articles."""
        return _logit(self.confidence(label)) - _logit(min(0.9, self.base))

    def is_taken(self, label: str) -> bool:
        """Tell whether a label is sure enough to speak for the topic without being asked for."""
        is_seen = self.n_articles(label) >= LEAST_SEEN
        return is_seen and self.confidence(label) >= TAKEN and self.gain(label) >= LEAST_GAIN

    def evidence(self, label: str) -> float:
        """Return what a label without a keyword adds to an article's log-odds: 0 until it was seen a few times.

        It speaks for the topic where it is taken on, and against it where few of its articles are about the topic.
        """
        if self.n_articles(label) < LEAST_SEEN:
            return 0.0
        return max(-1.0, min(MAX_EVIDENCE if self.is_taken(label) else 0.0, self.gain(label)))

    def state(self) -> dict[str, Any]:
        return {"counts": self.counts, "n": [self._n, self._relevant]}

    def restore(self, state: dict[str, Any]) -> None:
        self.counts = {name: (n, relevant) for name, (n, relevant) in state["counts"].items()}
        self._n, self._relevant = state["n"]


@lru_cache(maxsize=8192)
def spelling(label: str) -> str:
    """Return what is the same for all ways to write a label.

    >>> spelling("Cell-Phones ") == spelling("cell phones")
    True
    """
    return " ".join(label.lower().replace("-", " ").replace("_", " ").split())


def _logit(p: float) -> float:
    p = min(max(p, 0.005), 0.995)
    return math.log(p / (1 - p))
