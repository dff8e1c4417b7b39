"""The page's one judge: which lines are its text by the network; blocks, positions of links and page type follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.body import Body, find_boilerplate
from newscrawl.dom.line_features import line_features
from newscrawl.network.features import page_lines
from newscrawl.network.model import DEFAULT_MODEL, load_news_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.dom.document import Document
    from newscrawl.network.decision import Decision
    from newscrawl.network.features import PageLines
    from newscrawl.network.model import NewsModel

MIN_LINE: Final = 10.0
"""A page without a line of this many letters outside links has no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineVerdict:
    """What a network says of a page that has a line of text outside links; arrays have an entry for each line."""

    page: PageLines
    probabilities: NDArray[np.float32]
    """Of being body."""
    decision: Decision
    confidence: float
    """F1 that pages of unseen sites had with such probabilities, 0..1; 0.0 without a body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBody(Body):
    """The body, and how the network came to it."""

    verdict: LineVerdict | None
    """None for a page without a line of text outside links: the network is not asked."""


def judge_lines(document: Document) -> JudgedBody:
    """Return the page's body by the network of the package. To be called through :meth:`Document.once`.

    The first caller computes it. The article's text, the labels of blocks and the positions of links follow from it.
    """
    return judged_by(load_news_model(DEFAULT_MODEL), document)


def judged_by(model: NewsModel, document: Document) -> JudgedBody:
    """Return the page's body by another network."""
    features = document.once(line_features)
    verdict = line_verdict(model, document)
    boilerplate = document.once(find_boilerplate)
    return JudgedBody(
        features=features,
        headline=boilerplate.headline,
        boilerplate=boilerplate,
        is_body=np.zeros(len(features), dtype=np.bool_) if verdict is None else verdict.decision.is_body,
        verdict=verdict,
    )


def line_verdict(model: NewsModel, document: Document) -> LineVerdict | None:
    """Return what a network says of a page; None for a page without a line of text outside links."""
    if not (document.once(line_features).free >= MIN_LINE).any():
        return None
    page = document.once(page_lines)
    if page is None:
        return None
    probabilities, decision, confidence = model.judge(page)
    return LineVerdict(page=page, probabilities=probabilities, decision=decision, confidence=confidence)
