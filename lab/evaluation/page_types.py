"""Scores of page types: precision, recall and F1 of each class."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lab.evaluation.hub_labels import HUB_LABELS
from newscrawl.items import PageType
from newscrawl.serve.training.metrics import harmonic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lab.evaluation.corpus import CorpusPage

BOARD: Final = "board"
"""Kind of a list of threads, which is of a forum, whatever the corpus calls it."""
_ALIASES: Final = {"collection": PageType.LISTING.value}
"""Types of the corpus that a page type of ours stands for; what is neither is ``other``."""

_TOLD: Final = {
    **{("corpus", "autopager", name): "listing" for name in ("24", "28", "47", "108", "123", "127", "141")},
    **{("corpus", "autopager", name): "other" for name in ("57", "58", "157")},
    **{("corpus", "gne", name): "forum" for name in ("list_netease_forum_1", "list_tieba_1")},
    **{("corpus", "wcxb", name): "forum" for name in ("5022", "5103", "5197")},
    **{("corpus", "wcxb", name): "other" for name in ("4293", "5511")},
    ("corpus", "ogpages", "360"): "article",
    ("corpus", "ogpages", "baidu"): "listing",
    ("corpus2", "wcxb", "3013"): "hub",
    ("corpus2", "wcxb", "4001"): "article",
    ("corpus2", "wcxb", "4271"): "listing",
    **{("corpus2", "wcxb", name): "other" for name in ("0077", "0225", "4332")},
}
"""Corpus, set, id → type of a page whose label is by the address, or by another sense of *listing*: told by hand from
what the page shows, be it only a part of what the site has. Lists of threads are of a forum. Those of stories are the
pages of ``HUB_LABELS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeScore:
    n: int
    """Pages of the type by gold."""
    precision: float
    recall: float
    f1: float


def known_type(label: str) -> str:
    """Return the page type of ours that a label of the corpus stands for.

    >>> known_type("collection"), known_type("hub"), known_type("documentation")
    ('listing', 'hub', 'other')
    """
    known = {page_type.value for page_type in PageType}
    return _ALIASES.get(label, label if label in known else PageType.OTHER.value)


def type_of(page: CorpusPage) -> PageType:
    """Return what a labelled page is: told by hand for lists, else as its corpus has it."""
    name = page.corpus, page.set, page.id
    if page.extra.get("kind") == BOARD:
        return PageType.FORUM
    return PageType.HUB if name in HUB_LABELS else PageType(_TOLD.get(name) or known_type(page.page_type or ""))


def type_scores(pairs: Iterable[tuple[str, str]]) -> dict[str, TypeScore]:
    """Return the scores of each type that occurs, from pairs of gold and judged type."""
    counts = Counter(pairs)
    names = sorted({name for pair in counts for name in pair})
    return {name: _score(name, counts) for name in names}


def _score(name: str, counts: Counter[tuple[str, str]]) -> TypeScore:
    hits = counts[name, name]
    expected = sum(count for (gold, _), count in counts.items() if gold == name)
    judged = sum(count for (_, output), count in counts.items() if output == name)
    precision = hits / judged if judged else 0.0
    recall = hits / expected if expected else 0.0
    return TypeScore(n=expected, precision=precision, recall=recall, f1=harmonic(precision, recall))
