"""What becomes of a page when its site has spoken, whatever it was taken for when it came."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.items import PageType
from newscrawl.outcomes import ABSENCES, Outcome, Rejection

if TYPE_CHECKING:
    from newscrawl.sites.kinds import PageKind
    from newscrawl.sites.shown import KindEvidence

_UNWANTED: Final = frozenset((Rejection.BEFORE_SINCE, Rejection.AFTER_UNTIL, Rejection.LANGUAGE, Rejection.LIMIT))
"""Why articles are refused: what is no article ends otherwise."""
_COPY: Final = frozenset((None, "content", "canonical_url", "near"))


class PageEnd(NamedTuple):
    """How a page has ended."""

    outcome: str
    reason: str | None


class Step(Enum):
    """What is to be done with a page that is judged again."""

    NOTHING = auto()
    STORE = auto()
    """It is an article, and ended as none."""
    END = auto()
    """It is none, and ended as one, or as none of another kind."""


def next_step(end: PageEnd, kind: PageKind, evidence: KindEvidence) -> Step:
    """Tell what is to be done with a page, so that the order in which pages came does not decide how they end.

    >>> from newscrawl.sites.kinds import PageKind
    >>> article = PageKind(page_type=PageType.ARTICLE, confidence=0.9, score=2.0, reason="")
    >>> next_step(PageEnd("not_article", "hub"), article, None), next_step(PageEnd("stored", None), article, None)
    (<Step.STORE: 2>, <Step.NOTHING: 1>)
    """
    is_none = end.reason in set(PageType) if end.outcome == Outcome.NOT_ARTICLE else end.reason in ABSENCES
    if kind.page_type is PageType.ARTICLE:
        return Step.STORE if is_none and end.outcome in {Outcome.NOT_ARTICLE, Outcome.REJECTED} else Step.NOTHING
    if end == end_of(kind):
        return Step.NOTHING
    if end.outcome == Outcome.REJECTED:
        is_noindex = end.reason == Rejection.NOINDEX and evidence.page_type is not PageType.ARTICLE
        return Step.END if is_none or is_noindex or end.reason in _UNWANTED else Step.NOTHING
    is_article = end.outcome == Outcome.STORED or (end.outcome == Outcome.DUPLICATE and end.reason in _COPY)
    return Step.END if is_article or (is_none and end.outcome == Outcome.NOT_ARTICLE) else Step.NOTHING


def end_of(kind: PageKind) -> PageEnd:
    """Return how a page that is no article ends."""
    outcome = Outcome.REJECTED if kind.absence else Outcome.NOT_ARTICLE
    return PageEnd(str(outcome), str(kind.absence or kind.page_type))
