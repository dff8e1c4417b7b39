"""The network's verdict on a page's lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.model import DEFAULT_MODEL, load_news_model
from newscrawl.classify.verdict import Speaker, Verdict
from newscrawl.page.boilerplate import find_boilerplate
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from newscrawl.classify.lines.model import NewsModel
    from newscrawl.page.document import Document

MIN_LINE: Final = 10.0
"""A page without a line of this many letters outside links has no text."""


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
