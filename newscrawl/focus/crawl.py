"""Topic, judge and link score of one focused crawl, for the spider and for simulations alike."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.focus.judge import PageText, RelevanceModel
from newscrawl.focus.labels import ListAddresses, OwnLabels
from newscrawl.focus.learned import LearnedScorer
from newscrawl.focus.strategies import make_scorer
from newscrawl.links.context import MAX_AROUND_CHARS, LinkContext, PageView, SeenLink
from newscrawl.links.model import Link, LinkPosition
from newscrawl.urls.canonical import host_of
from newscrawl.urls.patterns import AddressForms, folded, hash_of, url_words
from newscrawl.urls.series import list_of
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from newscrawl.focus.judge import Relevance
    from newscrawl.focus.strategies import LinkScorer
    from newscrawl.focus.topic import Decisions, Topic
    from newscrawl.links.model import ListedEntry

MAX_LISTED: Final = 20_000
FEEDS: Final = 2
"""Feeds of one host that are asked for."""
MAX_ENTRIES: Final = 500
"""Entries of a feed that are judged, a millisecond each."""
PROMISING: Final = 0.3
"""Score of a queued link from which no list is proposed: one that is known is better than one that may not exist."""
FEED: Final = "feed"
"""Path of links that stand in a feed."""
PROPOSED: Final = "proposed"
"""Path of links that stand on no page."""
_PARTS: Final = ("model", "scorer", "labels", "lists", "forms")
"""What a crawl has learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """What a focused crawl needs to know of a page."""

    requested_url: str
    """Address as it was queued."""
    url: str
    canonical: str | None = None
    """The address that the page states as its own, with the origin that answered."""
    is_article: bool
    headline: str = ""
    text: str = ""
    language: str | None = None
    keywords: Sequence[str] = ()
    """Section and keywords that the page states for itself."""
    terms: Sequence[str] = ()
    """Tags and categories in the classes of the post's own element."""
    depth: int = 0
    links: Sequence[Link] = ()
    contexts: Sequence[LinkContext] = ()
    """Context of each link."""
    labels: dict[int, str] = field(default_factory=dict)
    """Index of a block → its label."""


class Focus:
    """Topic, judge and scorer of one crawl. Deterministic: equal pages in equal order give equal scores."""

    def __init__(self, topic: Topic, strategy: str = "learned", *, seeds: Iterable[str] = (), seed: int = 1) -> None:
        """:param seeds: addresses the crawl begins with; articles among them are examples of the topic."""
        self.topic = topic
        self.given = frozenset(topic.example_pages)
        self.seeds = frozenset(url for url in seeds if url_shape(url) is not UrlKind.HUB)
        self.strategy = strategy
        self.model = RelevanceModel(topic)
        self.scorer: LinkScorer = make_scorer(strategy, self.model, seed=seed)
        self.labels = OwnLabels()
        self.lists = ListAddresses()
        self.verdicts: dict[str, bool] = {}
        """Pages a user has judged, by address."""
        self._listed: dict[int, str] = {}
        """Hash of an article's address → the name of a list that shows it."""
        self.fed: dict[str, int] = {}
        """Host → feeds asked for; ``FEEDS`` once one is read."""
        self.named = [0, 0]
        """Relevant articles so far, and those of them whose headline or text have a keyword."""
        self.forms = AddressForms()
        """How hosts spell their addresses; links are to be written so before they are scored."""

    def judge(self, page: FetchedPage) -> Relevance | None:
        """Judge an article by its own text and tags, and learn from it; None for a page that is none."""
        relevance = self._judge(page)
        if relevance is not None and relevance.is_relevant:
            self.named[0] += 1
            self.named[1] += relevance.is_named
        return relevance

    def _judge(self, page: FetchedPage) -> Relevance | None:
        pairs = list(zip(page.links, page.contexts, strict=True))
        labels = self.labels.labels_of(
            page.url, pairs, stated=page.keywords, terms=page.terms, is_article=page.is_article
        )
        if not page.is_article:
            self._note_list(page, pairs)
            return None
        of_list = self._listed.get(hash_of(folded(page.requested_url)))
        if of_list is not None:
            labels = (*labels, of_list)
        text = PageText(
            headline=page.headline, text=page.text, labels=labels, terms=tuple(page.terms), language=page.language
        )
        if not self.given.isdisjoint((page.url, page.requested_url)):
            self.model.add_example(text)
            return replace(self.model.judge(text), probability=1.0)
        if not self.seeds.isdisjoint((page.url, page.requested_url)):
            self.model.add_example(text)
        relevance = self.model.judge(text)
        if page.url in self.verdicts:
            return replace(relevance, probability=float(self.verdicts[page.url]))
        self.model.learn(text, relevance)
        return relevance

    def _note_list(self, page: FetchedPage, links: Sequence[tuple[Link, LinkContext]]) -> None:
        """Remember what a list page is called whose address names a keyword, for the articles it shows."""
        shown = self.labels.own_articles(page.url, links)
        name = url_words("http://" + list_of(page.url).partition("?")[0])
        if self.model.matcher.counts(name):
            self._listed.update((hash_of(folded(url)), name) for url in shown)
            while len(self._listed) > MAX_LISTED:
                del self._listed[next(iter(self._listed))]

    def explore(self, page: FetchedPage) -> FetchedPage:
        """Return a judged page with a link more while no relevant article is found: to a list that a keyword may name.

        A home page that names the topic nowhere may belong to a site with a list of it. While a queued link is
        promising, nothing is proposed.
        """
        if self.named[0] or not isinstance(self.scorer, LearnedScorer) or self.scorer.best_score >= PROMISING:
            return page
        self.lists.see(page.links)
        keywords = self.topic.keywords
        found = self.lists.propose([word for keyword in keywords for word in (keyword.term, *keyword.synonyms)])
        if found is None:
            return page
        link = Link(url=found[0], anchor=found[1], position=LinkPosition.ELSEWHERE)
        return replace(page, links=(*page.links, link), contexts=(*page.contexts, LinkContext(path=PROPOSED)))

    def score(
        self,
        page: FetchedPage,
        relevance: Relevance | None,
        is_wanted: Callable[[Link], bool],
        is_new: Callable[[str], bool],
    ) -> dict[str, float]:
        """Return address → score for the page's new links, and for links queued before whose score has changed.

        :param is_wanted: whether a link may be followed at all.
        :param is_new: whether its address was never queued.
        """
        self.forms.note(page.requested_url, page.canonical or page.url)
        if page.requested_url != page.url:
            self.scorer.forget(page.url)
        label_of = page.labels.get
        seen = [
            SeenLink(link, context, label_of(link.block, ""), is_new(link.url))
            for link, context in zip(page.links, page.contexts, strict=True)
            if is_wanted(link)
        ]
        view = PageView(
            url=page.requested_url,
            is_article=page.is_article,
            relevance=relevance.probability if relevance else 0.0,
            subject=page.headline,
            depth=page.depth,
            links=seen,
        )
        scores = self.scorer.add(view)
        in_order = {link.url: scores[link.url] for link in page.links if link.url in scores}
        return in_order | scores  # of equal scores, the link that stands first on the page is first

    def choose_feed(self, feeds: Sequence[str]) -> str | None:
        """Return the feed to ask for of those that a page offers, the one with the shortest address.

        One feed of each host is read. Another one is asked for if the first is dead.
        """
        feed = min(feeds, key=len, default=None)
        host = host_of(feed or "")
        if feed is None or self.fed.get(host, 0) >= FEEDS or not isinstance(self.scorer, LearnedScorer):
            return None
        self.fed[host] = self.fed.get(host, 0) + 1
        return feed

    def read_feed(
        self, url: str, entries: Sequence[ListedEntry], is_wanted: Callable[[Link], bool], is_new: Callable[[str], bool]
    ) -> dict[str, float]:
        """Return scores, as of a list page; an entry is judged and learnt from as its article will be."""
        self.fed[host_of(url)] = FEEDS
        links, contexts, stated = [], [], {}
        for entry in entries[:MAX_ENTRIES]:
            title, own = entry.title or "", self.forms.spell(entry.url)
            links.append(Link(url=own, anchor=title, position=LinkPosition.ELSEWHERE))
            contexts.append(LinkContext(path=FEED, around=entry.text[:MAX_AROUND_CHARS], terms=entry.labels))
            text = PageText(headline=title, text=entry.text, labels=entry.labels, terms=entry.labels)
            relevance = self.model.judge(text)
            stated[own] = relevance.probability
            self.model.learn(text, relevance)
        page = FetchedPage(requested_url=url, url=url, is_article=False, links=links, contexts=contexts)
        scores = self.score(page, None, is_wanted, is_new)
        return scores | self.scorer.state_relevance(stated) if isinstance(self.scorer, LearnedScorer) else scores

    def decide(self, decisions: Decisions, verdicts: Mapping[str, tuple[PageText, bool]]) -> None:
        """Take on what a user has decided about words, and learn from pages judged since.

        :param verdicts: address → the page, and whether it is about the topic; those learnt before are left out.
        """
        if decisions != self.model.decisions:
            self.model.decide(decisions)
            if isinstance(self.scorer, LearnedScorer):
                self.scorer.evidence.matcher = self.model.matcher
        for url, (page, is_relevant) in verdicts.items():
            if self.verdicts.get(url) != is_relevant:
                self.verdicts[url] = is_relevant
                self.model.verdict(page, is_relevant=is_relevant)
                if isinstance(self.scorer, LearnedScorer):
                    self.scorer.evidence.remember(url, float(is_relevant))

    def respell(self, links: Iterable[Link]) -> tuple[Link, ...]:
        """Return links with the addresses that their hosts would lead to."""
        form = self.forms.spell
        return tuple(link if (url := form(link.url)) == link.url else link._replace(url=url) for link in links)

    def note_dead_end(self, url: str) -> dict[str, float]:
        """Learn from a queued address that was asked for and gave no new page; return scores that changed."""
        return self.scorer.forget(url, is_dead=not self.lists.miss(url))

    def drop(self, url: str) -> None:
        """A scored address is not asked for."""
        self.scorer.forget(url)

    def state(self) -> dict[str, Any]:
        parts = {name: getattr(self, name).state() for name in _PARTS}
        listed = [list(self._listed), list(self._listed.values())]
        found = {"verdicts": self.verdicts, "listed": listed, "named": self.named, "fed": self.fed}
        return {**parts, **found, "strategy": self.strategy}

    def restore(self, state: dict[str, Any]) -> None:
        for name in _PARTS:
            getattr(self, name).restore(state[name])
        self.verdicts = dict(state["verdicts"])
        self.named, self.fed = list(state["named"]), dict(state["fed"])
        self._listed = dict(zip(*state["listed"], strict=True))


VERSION: Final = 8
_ARRAY: Final = "\x00array"


def pack_state(state: dict[str, Any]) -> bytes:
    """Return a state as an npz file. Arrays may stand anywhere in its nested dicts."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    text = json.dumps({"version": VERSION, "state": _without_arrays(state, arrays)})
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, text=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)
    return file.getvalue()


def unpack_state(data: bytes) -> dict[str, Any] | None:
    """Return the state; None if the bytes are of another version or damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = json.loads(arrays["text"].tobytes())
            if found["version"] != VERSION:
                return None
            state: dict[str, Any] = _with_arrays(found["state"], arrays)
            return state
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return None


def _without_arrays(value: Any, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, dict):
        return {key: _without_arrays(part, arrays) for key, part in value.items()}
    return value


def _with_arrays(value: Any, arrays: Any) -> Any:
    if isinstance(value, dict):
        if _ARRAY in value:
            return arrays[value[_ARRAY]]
        return {key: _with_arrays(part, arrays) for key, part in value.items()}
    return value
