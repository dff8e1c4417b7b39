"""The default extractor: a small network judges every line of the page by its text, its place and what is around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.dom.document import Document, parse
from newscrawl.extractors.base import Extraction, PageExtractor
from newscrawl.extractors.news_blocks import line_blocks
from newscrawl.extractors.news_features import page_lines
from newscrawl.extractors.news_model import DEFAULT_MODEL, load_news_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.dom.measures import Bools
    from newscrawl.extractors.news_features import PageLines

    Array = NDArray[np.float32]

MAX_THRESHOLD: Final = 0.6
"""A line of at least this probability is always kept."""
MIN_THRESHOLD: Final = 0.05
"""A line of less is never kept."""
MIN_LINE: Final = 10.0
"""A page without a line of this many letters outside links has no text."""
MIN_TITLE_MARKUP: Final = 200
"""A page without text whose title holds this much markup is read from there: the title was never closed."""


class NewsExtractor(PageExtractor):
    """:param model: a model file of ``scrapy train news``; the package's where it is empty."""

    name: ClassVar[str] = "news"

    def __init__(self, *, model: str = "") -> None:
        self.model = load_news_model(Path(model) if model else DEFAULT_MODEL)

    def extract(self, document: Document) -> Extraction:
        page = document.once(page_lines)
        if page is None:
            inner = _within_title(document)
            page = None if inner is None else page_lines(inner)
        if page is None or page.features.free.max() < MIN_LINE:
            return Extraction(text="", method=self.name, evidence=("no line of text outside links",))
        probabilities = self.model.probabilities(page)
        threshold, expected_f1 = best_threshold(probabilities, page.chars)
        is_body = probabilities >= threshold
        confidence = self.model.confidence(expected_f1) if is_body.any() else 0.0
        return Extraction(
            text="\n".join(page.lines.texts(np.flatnonzero(is_body).tolist())),
            method=self.name,
            confidence=confidence,
            blocks=line_blocks(page, is_body, probabilities),
            evidence=_evidence(page, is_body, probabilities, threshold, confidence),
        )


def best_threshold(probabilities: Array, chars: Array) -> tuple[float, float]:
    """Return the threshold of greatest expected F1 by characters, and that F1; taking the probabilities at their word.

    Between ``MIN_THRESHOLD`` and ``MAX_THRESHOLD``. Without characters the F1 is 0.0.
    """
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    weight = chars[order].astype(np.float64)
    right = np.cumsum(ranked * weight)
    f1 = 2 * right / np.maximum(np.cumsum(weight) + right[-1], 1e-9)
    first, stop = np.searchsorted(-ranked, (-MAX_THRESHOLD, -MIN_THRESHOLD), side="right").tolist()
    if not stop:
        return MIN_THRESHOLD, 0.0
    low = max(first - 1, 0)
    best = low + int(np.argmax(f1[low:stop]))
    return float(ranked[best]), float(f1[best])


def _within_title(document: Document) -> Document | None:
    """Return the page that stands as text in a title that was never closed; None where there is none.

    As browsers do, libxml2 takes everything up to ``</title>`` as its text.
    """
    node = None if document.root is None else next(document.root.iter("title"), None)
    text = "" if node is None else node.text or ""
    start = text.find("<")
    if start < 0 or len(text) - start < MIN_TITLE_MARKUP:
        return None
    return Document(parse(text[start:]), url=document.url)


def _evidence(
    page: PageLines, is_body: Bools, probabilities: Array, threshold: float, confidence: float
) -> tuple[str, ...]:
    kept = np.flatnonzero(is_body)
    if not len(kept):
        return (f"no line is body: the likeliest has a probability of {float(probabilities.max()):.2f}",)
    doubtful = int(((probabilities > 0.2) & (probabilities < 0.8)).sum())
    return (
        f"{len(kept)} of {len(is_body)} lines are body, lines {int(kept[0]) + 1} to {int(kept[-1]) + 1}",
        f"threshold {threshold:.2f}; {doubtful} lines are doubtful",
        f"F1 of pages like this one: {confidence:.2f}",
    )
