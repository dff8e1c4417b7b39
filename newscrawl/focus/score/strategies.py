"""How promising a link is: the strategies by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from newscrawl.exceptions import UserError
from newscrawl.focus.score.learned import LearnedScorer, Switches
from newscrawl.focus.score.simple import anchor_in_block_order, anchor_text, at_random, block_order, breadth

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.focus.keywords import KeywordMatcher
    from newscrawl.focus.relevance import RelevanceModel
    from newscrawl.focus.score.view import PageView, SeenLink

MAX_REMEMBERED: Final = 100_000


class LinkScorer(Protocol):
    """Orders the queue of a focused crawl. Scores are in 0..1."""

    def add(self, page: PageView) -> dict[str, float]:
        """Learn from a fetched page; return address → score for its new links and queued ones whose score changed."""

    def drop(self, url: str) -> None:
        """Forget a queued address that ended without a page."""

    def state(self) -> dict[str, Any]:
        """Return all that was learnt, as JSON values."""

    def restore(self, state: dict[str, Any]) -> None: ...


class SimpleScorer:
    """A link's score depends on where it was seen alone; the best place counts."""

    def __init__(self, score: Callable[[SeenLink, PageView], float]) -> None:
        self._score = score
        self._best: dict[str, float] = {}

    def add(self, page: PageView) -> dict[str, float]:
        self._best.pop(page.url, None)
        found: dict[str, float] = {}
        for seen in page.links:
            url, score = seen.link.url, self._score(seen, page)
            if (seen.is_new and url not in self._best) or score > self._best.get(url, 2.0):
                self._best[url] = found[url] = score
        while len(self._best) > MAX_REMEMBERED:
            del self._best[next(iter(self._best))]
        return found

    def drop(self, url: str) -> None:
        self._best.pop(url, None)

    def state(self) -> dict[str, Any]:
        return {"best": self._best}

    def restore(self, state: dict[str, Any]) -> None:
        self._best = dict(state["best"])


STRATEGIES: Final = ("breadth", "random", "ata", "blocks", "ata+blocks", "learned")


def make_scorer(strategy: str, model: RelevanceModel, *, seed: int = 1, switches: Switches | None = None) -> LinkScorer:
    """Return the scorer of a strategy.

    :param seed: of the strategy ``random``; the others draw nothing.
    :raises UserError: for an unknown name.
    """
    matcher: KeywordMatcher = model.matcher
    if strategy == "breadth":
        return SimpleScorer(breadth)
    if strategy == "random":
        return SimpleScorer(lambda seen, _page: at_random(seen, seed))
    if strategy == "ata":
        return SimpleScorer(lambda seen, _page: anchor_text(seen, matcher))
    if strategy == "blocks":
        return SimpleScorer(block_order)
    if strategy == "ata+blocks":
        return SimpleScorer(lambda seen, _page: anchor_in_block_order(seen, matcher))
    if strategy == "learned":
        return LearnedScorer(model, switches=switches)
    raise UserError(f"strategy={strategy!r} is not accepted; give one of {', '.join(STRATEGIES)}")
