"""The default extractor: a small network judges every line of the page by its text, its place and what is around it."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.classify.lines.judge import judge_lines, line_verdict
from newscrawl.classify.lines.line_blocks import LineBlocks
from newscrawl.classify.lines.model import load_news_model
from newscrawl.console.counted import counted
from newscrawl.methods.base import Extraction, LeftOut, PageExtractor
from newscrawl.page.document import Document, parse
from newscrawl.page.line_features import line_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.decision import Decision
    from newscrawl.classify.lines.judge import LineVerdict

    Array = NDArray[np.float32]

MIN_TITLE_MARKUP: Final = 200
"""A page without text whose title holds this much markup is read from there: the title was never closed."""
MAX_ODDS: Final = 6.0
"""Log odds beyond which networks are no better than that (a probability of 0.9975)."""
SETTLED_ODDS: Final = np.float32(2.0)
"""Against a line that the page's structure rules out: what site memory averages."""


class NewsExtractor(PageExtractor):
    """:param model: a model file of ``scrapy train news``; the package's where it is empty."""

    name: ClassVar[str] = "news"

    def __init__(self, *, model: str = "") -> None:
        self.model = load_news_model(Path(model)) if model else None

    def extract(self, document: Document) -> Extraction:
        read = document if len(document.once(line_features)) else _within_title(document) or document
        verdict = self._verdict(read)
        if verdict is None:
            return Extraction(text="", method=self.name, evidence=("no line of text outside links",))
        page, probabilities, decision = verdict.page, verdict.probabilities, verdict.decision
        is_body, confidence = decision.is_body, verdict.confidence
        return Extraction(
            text="\n".join(page.lines.texts(is_body.nonzero()[0].tolist())),
            method=self.name,
            confidence=confidence,
            blocks=LineBlocks(page, is_body, probabilities),
            evidence=_evidence(decision, probabilities, confidence),
            left_out=tuple(LeftOut(page.lines.text(line), reason) for line, reason in sorted(decision.reasons.items())),
            chosen=is_body if read is document else None,
            find_odds=cache(partial(_log_odds, probabilities, decision)) if read is document else None,
        )

    def _verdict(self, document: Document) -> LineVerdict | None:
        """Ask the page's judge, or another model."""
        if self.model is None:
            return document.once(judge_lines).verdict
        return line_verdict(self.model, document)


def _log_odds(probabilities: Array, decision: Decision) -> Array:
    """Return the log odds by which the lines were judged; ``-SETTLED_ODDS`` at most where structure rules them out."""
    least = np.float32(np.exp(-MAX_ODDS) / (1 + np.exp(-MAX_ODDS)))
    inner = np.clip(probabilities, least, 1 - least)
    odds: Array = np.log(inner / (1 - inner))
    settled = list(decision.reasons)
    odds[settled] = np.minimum(odds[settled], -SETTLED_ODDS)
    return odds


def _within_title(document: Document) -> Document | None:
    """Return the page that stands as text in a title that was never closed; None where there is none.

    As browsers do, libxml2 takes everything up to ``</title>`` as its text.
    """
    text = document.title
    start = text.find("<")
    if start < 0 or len(text) - start < MIN_TITLE_MARKUP:
        return None
    return Document(parse(text[start:]), url=document.url)


def _evidence(decision: Decision, probabilities: Array, confidence: float) -> tuple[str, ...]:
    kept = decision.is_body.nonzero()[0]
    if not len(kept):
        return (f"no line is body: the likeliest has a probability of {float(probabilities.max()):.2f}",)
    doubtful = int(((probabilities > 0.2) & (probabilities < 0.8)).sum())
    source = f"probability of at least {decision.threshold:.2f}"
    return (
        f"{len(kept)} of {len(probabilities)} lines are body, {int(kept[0]) + 1} to {int(kept[-1]) + 1}: {source}",
        counted(doubtful, "line is doubtful", "lines are doubtful"),
        f"F1 of pages like this one: {confidence:.2f}",
    )
