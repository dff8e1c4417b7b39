"""Headlines and paragraphs of labelled articles, of which other training pages are made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.training.news_gold import LineGold

MIN_STORIES: Final = 5
"""With fewer stories of its fold a page is not made into others: they would all say the same."""
MIN_PARAGRAPH: Final = 40
"""Characters."""
MAX_TITLE: Final = 30
"""Length of a title taken from the first paragraph. Characters."""
WIDE: Final = frozenset({"zh", "ja"})
"""Languages whose sentences go with each other only."""

_UNWRITABLE: Final = re.compile("[\\x00-\\x08\\x0b-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
"""What XML cannot hold."""


@dataclass(frozen=True, slots=True)
class Story:
    """Headline and paragraphs of another page."""

    title: str
    paragraphs: tuple[str, ...]


def story_of(page: CorpusPage, texts: Sequence[str], gold: LineGold) -> Story:
    """Return what an article says; without paragraphs where its lines are all short.

    :param texts: the page's lines.
    """
    pairs = zip(texts, gold.is_body.tolist(), strict=True)
    paragraphs = tuple(_UNWRITABLE.sub(" ", text) for text, is_body in pairs if is_body and len(text) > MIN_PARAGRAPH)
    title = page.gold.title or (paragraphs[0][:MAX_TITLE] if paragraphs else "")
    return Story(_UNWRITABLE.sub(" ", title), paragraphs)
