"""A focused crawl's strategy of your own: links are worth what the pages that show them are worth.

It is Shark-Search without its decay: a link's score is the mean of two numbers, what its anchor and entry say, and how
relevant the best page is that shows it. Run it from the folder of this file::

    newscrawl crawl focused -a topic=topics/phones.toml -a seeds=https://www.example.org/ \\
        -a strategy=focused_strategy:SharedRelevance

Compare it with the built-in ones on stored sites::

    newscrawl experiment focused --with strategies=focused_strategy:SharedRelevance,learned,ata
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawl.focus import RelevanceModel
    from newscrawl.links.context import PageView


class SharedRelevance:
    """A :class:`newscrawl.focus.strategies.LinkScorer`."""

    def __init__(self, model: RelevanceModel) -> None:
        """:param model: the crawl's judge; its ``matcher`` finds the topic's keywords in a text."""
        self.matcher = model.matcher
        self.scores: dict[str, float] = {}

    def add(self, page: PageView) -> dict[str, float]:
        """Score the links of a fetched page that is judged already."""
        self.forget(page.url)
        changed = {}
        for seen in page.links:
            words = self.matcher.distinct_weight(f"{seen.link.anchor} {seen.context.around}")
            score = (words / (words + 1) + page.relevance) / 2
            is_known = seen.link.url in self.scores
            if (seen.is_new and not is_known) or (is_known and score > self.scores[seen.link.url]):
                self.scores[seen.link.url] = changed[seen.link.url] = score
        return changed

    def forget(self, url: str, *, is_dead: bool = False) -> dict[str, float]:
        """Take an address out that was asked for or is not wanted; nothing is learnt from dead ones here."""
        self.scores.pop(url, None)
        return {}

    def state(self) -> dict[str, Any]:
        return {"scores": self.scores}

    def restore(self, state: dict[str, Any]) -> None:
        self.scores = dict(state["scores"])
