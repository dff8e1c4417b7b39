"""Link scores by name: the learning strategy, and those to compare it with."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from newscrawl.exceptions import UserError
from newscrawl.focus.learned import LearnedScorer
from newscrawl.focus.link_evidence import squash
from newscrawl.links.model import LinkPosition
from newscrawl.urls.patterns import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.focus.judge import RelevanceModel
    from newscrawl.focus.words import KeywordMatcher
    from newscrawl.links.context import PageView, SeenLink

BLOCK_TIERS: Final = {LinkPosition.IN_BODY: 2, LinkPosition.ADJACENT: 1, LinkPosition.ELSEWHERE: 0}
"""The order of Zhang, Cao, Li (2015), §5.4: links of main text blocks, then of blocks of related links, then others."""
MAX_REMEMBERED: Final = 100_000
_BITS: Final = 0xFFFFFFFF


def breadth(_seen: SeenLink, page: PageView) -> float:
    """Return ``1 / (1 + d)``, d the link's own depth: pages nearer to the seeds come first."""
    return 1.0 / (2.0 + page.depth)


def anchor_text(seen: SeenLink, matcher: KeywordMatcher) -> float:
    """Return ``s = m / (m + 1)``, m the summed weights of the topic's different keywords in the anchor text.

    ATA: best-first by similarity of the anchor text to the topic; 0 without a keyword, 0.5 for one of weight 1.
    """
    return squash(matcher.distinct_weight(seen.link.anchor))


def block_order(seen: SeenLink, _page: PageView) -> float:
    """Return the block's tier over 3; of one tier, the link found first comes first."""
    return BLOCK_TIERS[seen.link.position] / 3.0


def anchor_in_block_order(seen: SeenLink, matcher: KeywordMatcher) -> float:
    """Return ``(tier + s) / 3``: the block order, and anchor text within a tier (the paper's KNNLP+SVM+ATA)."""
    return (BLOCK_TIERS[seen.link.position] + anchor_text(seen, matcher)) / 3.0


def at_random(seen: SeenLink, seed: int) -> float:
    """Return a number in 0..1 for an address. It depends on the seed alone, whatever the order of the crawl."""
    x = (hash_of(seen.link.url) ^ (seed * 0x9E3779B1)) & _BITS
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & _BITS
    x = ((x ^ (x >> 15)) * 0x846CA68B) & _BITS
    return (x ^ (x >> 16)) / _BITS


class LinkScorer(Protocol):
    """A strategy: the order of a focused crawl's queue. It is made with the crawl's ``RelevanceModel``.

    Equal pages in equal order are to give equal scores, so that a crawl can be gone on with and compared.
    """

    def add(self, page: PageView) -> dict[str, float]:
        """Learn from a fetched page; return address → score, 0 to 1, of its new links and of queued ones that changed.

        A link's ``is_new`` tells whether its address may still be queued.
        """

    def forget(self, url: str, *, is_dead: bool = False) -> dict[str, float]:
        """Take an address out of the queue; return the scores that change with it.

        :param is_dead: it was asked for and gave no new page; else it is only not asked for.
        """

    def state(self) -> dict[str, Any]:
        """Return all that was learnt, as JSON values and arrays."""

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what :meth:`state` returned in an earlier run."""


METHODS: Final = ("add", "forget", "state", "restore")


class SimpleScorer:
    """Scores a link by the place where it stands; of several places the best counts."""

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

    def forget(self, url: str, *, is_dead: bool = False) -> dict[str, float]:
        self._best.pop(url, None)
        return {}

    def state(self) -> dict[str, Any]:
        return {"best": self._best}

    def restore(self, state: dict[str, Any]) -> None:
        self._best = dict(state["best"])


STRATEGIES: Final = ("breadth", "random", "ata", "blocks", "ata+blocks", "learned")


def make_scorer(strategy: str, model: RelevanceModel, *, seed: int = 1) -> LinkScorer:
    """Return the scorer of a strategy.

    :param strategy: a built-in name, or ``module:Class`` of one of the user's own.
    :param seed: of the strategy ``random``; the others draw nothing.
    :raises UserError: for an unknown name, or a class that cannot be imported or lacks methods.
    """
    if ":" in strategy:
        return _load(strategy)(model)
    if strategy == "learned":
        return LearnedScorer(model)
    matcher = model.matcher
    scores: dict[str, Callable[[SeenLink, PageView], float]] = {
        "breadth": breadth,
        "random": lambda seen, _page: at_random(seen, seed),
        "ata": lambda seen, _page: anchor_text(seen, matcher),
        "blocks": block_order,
        "ata+blocks": lambda seen, _page: anchor_in_block_order(seen, matcher),
    }
    if strategy not in scores:
        raise UserError(f"strategy = {strategy!r}; accepted: {', '.join(STRATEGIES)}, or module:Class of your own")
    return SimpleScorer(scores[strategy])


def _load(name: str) -> Callable[[RelevanceModel], LinkScorer]:
    """Import a user's strategy; modules of the working folder are found."""
    module, _, attribute = name.partition(":")
    sys.path.append(str(Path.cwd()))
    try:
        found: Any = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"strategy={name!r} cannot be imported: {error}") from None
    finally:
        sys.path.pop()
    missing = [method for method in METHODS if not callable(getattr(found, method, None))]
    if missing:
        raise UserError(f"strategy={name!r} lacks {', '.join(missing)}: see newscrawl.focus.strategies.LinkScorer")
    make: Callable[[RelevanceModel], LinkScorer] = found
    return make
