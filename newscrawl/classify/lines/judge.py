"""The page's one judge: which lines are its text by the network; blocks, positions of links and page type follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.blocks.body import Body, find_body, find_boilerplate
from newscrawl.classify.lines.decision import Decision
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.model import DEFAULT_MODEL, load_news_model
from newscrawl.classify.lines.structure import RULES, left_out
from newscrawl.page.headline import find_headline
from newscrawl.page.line_features import line_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import PageLines
    from newscrawl.classify.lines.model import NewsModel
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools

MIN_LINE: Final = 10.0
"""A page without a line of this many letters outside links has no text."""


EVEN: Final = 0.5
"""Probability from which on a line is text where no threshold is looked for: a user, or a model of his, decides."""
HEAD_RULES: Final = RULES[:2]
"""Of the network's rules, those about what begins a block."""


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


def keep_judgement(document: Document, page: PageLines, probabilities: NDArray[np.float32], is_body: Bools) -> None:
    """Have every later step take these lines for the page's text, but for what begins a block: headline and dateline.

    Whether comments and links are text, the labels say.
    """
    reasons = left_out(is_body, page, HEAD_RULES)
    mass, chars = page.chars * probabilities, page.chars[is_body].sum()
    expected = float(2 * mass[is_body].sum() / max(1.0, float(chars + mass.sum())))
    take_lines(document, page, is_body, probabilities, expected, reasons)


def take_lines(
    document: Document,
    page: PageLines,
    is_body: Bools,
    probabilities: NDArray[np.float32],
    confidence: float,
    reasons: dict[int, str],
) -> None:
    """Have every later step take these lines for the page's text.

    :param reasons: why a line is left out, by its number.
    """
    decision = Decision(is_body=is_body, expected_f1=confidence, threshold=EVEN, reasons=reasons)
    body: Any = JudgedBody(  # of both kinds that are kept
        features=document.once(line_features),
        headline=document.once(find_headline),
        boilerplate=document.once(find_boilerplate),
        is_body=is_body,
        verdict=LineVerdict(page=page, probabilities=probabilities, decision=decision, confidence=confidence),
    )
    document.keep(judge_lines, body)
    document.keep(find_body, body)
