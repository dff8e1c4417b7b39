"""The network's verdict on a page's lines, and what a user's labels make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.model import DEFAULT_MODEL, load_news_model
from newscrawl.classify.lines.structure import RULES, left_out
from newscrawl.classify.verdict import Speaker, Verdict
from newscrawl.page.hints import find_boilerplate
from newscrawl.page.line_features import line_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.classify.lines.model import NewsModel
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools

MIN_LINE: Final = 10.0
"""A page without a line of this many letters outside links has no text."""
HEAD_RULES: Final = RULES[:2]
"""The network's rules about what begins a block."""


def judge_lines(document: Document) -> Verdict:
    """Return the verdict of the package's network. To be called through :meth:`Document.once`."""
    return judge_by(load_news_model(DEFAULT_MODEL), document)


def judge_by(model: NewsModel, document: Document) -> Verdict:
    """Return the verdict of a network; without probabilities for a page that has no line of text outside links."""
    features = document.once(line_features)
    silent = Verdict(
        by=Speaker.NETWORK,
        features=features,
        boilerplate=document.once(find_boilerplate),
        is_body=np.zeros(len(features), dtype=np.bool_),
    )
    page = document.once(page_lines) if (features.free >= MIN_LINE).any() else None
    if page is None:
        return silent
    probabilities, decision, confidence = model.judge(page)
    return replace(
        silent,
        is_body=decision.is_body,
        probabilities=probabilities,
        threshold=decision.threshold,
        confidence=confidence,
        reasons=decision.reasons,
    )


def take_labels(verdict: Verdict, page: NetworkInput, probabilities: NDArray[np.float32], is_body: Bools) -> Verdict:
    """Return the verdict of a user's labels: these lines, but for what begins a block, headline and dateline.

    Whether comments and links are text, the labels say.
    """
    kept = is_body.copy()
    reasons = left_out(kept, page, HEAD_RULES)
    mass, chars = page.chars * probabilities, page.chars[kept].sum()
    expected = float(2 * mass[kept].sum() / max(1.0, float(chars + mass.sum())))
    return verdict.spoken_by(Speaker.LABELS, kept, probabilities=probabilities, confidence=expected, reasons=reasons)
