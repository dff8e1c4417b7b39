"""Corpus pages as the line network sees them, with the label of each line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.evaluation.corpus import load_all, site_fold
from lab.evaluation.hand_labels import hand_label
from lab.training.network import TrainingPage
from lab.training.news_gold import line_gold
from newscrawl.classify.lines.features import page_lines
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from lab.evaluation.corpus import CorpusPage
    from lab.training.news_gold import LineGold
    from newscrawl.classify.lines.features import NetworkInput

N_FOLDS: Final = 4
MAX_LINES: Final = 2000
"""Longer pages are left out of the training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledLines:
    """A corpus page as the network sees it."""

    page: CorpusPage
    lines: NetworkInput
    texts: tuple[str, ...]
    gold: LineGold
    variants: tuple[TrainingPage, ...] = ()


def fold_of(group: str) -> int:
    """Return the fold of a site."""
    return site_fold(group, N_FOLDS)


def load_labelled(
    folder: Path, sets: Sequence[str], *, limit: int | None = None, advance: Callable[[], None] = lambda: None
) -> list[LabelledLines]:
    """Return the pages that have visible text: the labelled ones of ``sets``, and all that we labelled by hand."""
    found = []
    for page in load_all(folder, limit=limit):
        if page.set not in sets and hand_label(page) is None:
            continue
        labelled = _label_page(page)
        if labelled is not None and len(labelled.texts) <= MAX_LINES:
            found.append(labelled)
        advance()
    return found


def _label_page(page: CorpusPage) -> LabelledLines | None:
    lines = page_lines(Document.from_html(page.read(), page.url))
    if lines is None:
        return None
    texts = lines.lines.texts(range(len(lines.lines)))
    gold = line_gold(page, texts)
    return None if gold is None else LabelledLines(page=page, lines=lines, texts=tuple(texts), gold=gold)


def training_page(
    lines: NetworkInput, gold: LineGold, importance: float = 1.0, variants: Sequence[TrainingPage] = ()
) -> TrainingPage:
    return TrainingPage(
        values=lines.values,
        named=lines.named,
        low=lines.low,
        high=lines.high,
        chars=lines.chars,
        is_body=gold.is_body.astype(np.float32),
        weight=gold.weight.astype(np.float32),
        importance=importance,
        variants=tuple(replace(variant, importance=importance) for variant in variants),
    )
