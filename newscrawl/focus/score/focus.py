"""A focused crawl's mind: judges pages and scores links, for the spider and for the simulation alike."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from newscrawl.focus.labels import OwnLabels
from newscrawl.focus.relevance import PageText, RelevanceModel
from newscrawl.focus.score.strategies import make_scorer
from newscrawl.focus.score.view import PageView, SeenLink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newscrawl.focus.model import Topic
    from newscrawl.focus.relevance import Relevance
    from newscrawl.focus.score.context import LinkContext
    from newscrawl.focus.score.learned import Switches
    from newscrawl.links.model import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """What a focused crawl needs to know of a page."""

    requested_url: str
    """As it was queued."""
    url: str
    is_article: bool
    headline: str = ""
    text: str = ""
    language: str | None = None
    depth: int = 0
    links: Sequence[Link] = ()
    contexts: Sequence[LinkContext] = ()
    """As many as links."""
    labels: dict[int, str] = field(default_factory=dict)
    """Index of a block → its label."""


class Focus:
    """Topic, judge and scorer of one crawl. Deterministic: equal pages in equal order give equal scores."""

    def __init__(
        self, topic: Topic, strategy: str = "learned", *, seed: int = 1, switches: Switches | None = None
    ) -> None:
        self.topic = topic
        self.strategy = strategy
        self.model = RelevanceModel(topic)
        self.scorer = make_scorer(strategy, self.model, seed=seed, switches=switches)
        self.own_labels = OwnLabels()

    def judge(self, page: FetchedPage) -> Relevance | None:
        """Judge an article by its own text and tags, and learn from it; None for a page that is none."""
        pairs = list(zip(page.links, page.contexts, strict=True))
        labels = self.own_labels.of(page.url, pairs, is_article=page.is_article)
        if not page.is_article:
            return None
        text = PageText(headline=page.headline, text=page.text, labels=labels, language=page.language)
        if page.url in self.topic.example_pages or page.requested_url in self.topic.example_pages:
            self.model.add_example(text)
            return replace(self.model.judge(text), probability=1.0)
        relevance = self.model.judge(text)
        self.model.learn(text, relevance)
        return relevance

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
        if page.requested_url != page.url:
            self.scorer.drop(page.url)
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

    def ended(self, url: str) -> None:
        """A queued address ended without a page."""
        self.scorer.drop(url)

    def state(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "model": self.model.state(),
            "scorer": self.scorer.state(),
            "labels": self.own_labels.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.model.restore(state["model"])
        self.scorer.restore(state["scorer"])
        self.own_labels.restore(state["labels"])
