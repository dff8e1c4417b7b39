"""Pages of the corpus as training data of the block model, and scores of its labels on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.block_gold import row_labels
from lab.evaluation.block_metrics import ClassCounts, summarise_blocks
from lab.evaluation.corpus import load
from lab.evaluation.gold import block_labels
from lab.learn.two_steps import CODES, NONE, LabelledPage
from newscrawl.classify.blocks.block_features import block_features
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.metrics import f1_of_means, interval, means_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from lab.evaluation.block_gold import Origin
    from lab.evaluation.corpus import CorpusPage
    from newscrawl.classify.model_file import Floats, Ints

SHIPPED_SETS: Final = ("gne", "daniel", "zhwced", "cx163", "cxhit", "fundus", "wcxb", "webmain")
"""Sets with full text whose labels may go into shipped weights (DESIGN §3.6); ``trafilatura`` has snippets only."""
TESTED_SETS: Final = ("l3s",)
"""Never trained on."""
_CLASSES: Final = (BlockLabel.MAIN, BlockLabel.RELATED, BlockLabel.OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockPage:
    """A page's blocks as numbers; the tree is gone."""

    page: CorpusPage
    origin: Origin
    samples: Floats
    labels: Ints
    """Codes of :mod:`lab.learn.two_steps`."""
    chars: Floats
    """Characters of each block by gold class, shape ``(n_blocks, 4)``, columns by code."""


def load_block_pages(
    folder: Path,
    sets: Sequence[str],
    *,
    limit: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[BlockPage]:
    """Return the labelled pages of ``sets`` with at least one block; of ``wcxb`` the articles only.

    :raises UserError: if the corpus is not there.
    """
    found = []
    for page in load(folder, sets, limit=limit):
        if page.set != "wcxb" or page.page_type == "article":
            block_page = block_page_of(page, Document.from_html(page.read(), page.url))
            if block_page is not None:
                found.append(block_page)
        advance()
    return found


def block_page_of(page: CorpusPage, document: Document) -> BlockPage | None:
    """Return a page with the labels of the crawl's blocks; None where it has no label or no block."""
    labels = row_labels(page, document)
    blocks = crawl_blocks(document)
    if labels is None or not blocks:
        return None
    measures = document.measures
    chars = np.zeros((len(blocks), 4))
    for place, block in enumerate(blocks):
        for row in range(block.start, block.end):
            code = CODES.get(labels.rows[row], NONE)
            if code != NONE and measures.is_text(row):
                chars[place, code] += measures.chars[row]
    return BlockPage(
        page=page,
        origin=labels.origin,
        samples=block_features(blocks, document),
        labels=np.array([CODES[label] for label in block_labels(blocks, measures, labels.rows)], dtype=np.int64),
        chars=chars,
    )


def labelled_page(page: BlockPage) -> LabelledPage:
    return LabelledPage(samples=page.samples, labels=page.labels, group=page.page.group)


def character_counts(page: BlockPage, given: Ints) -> dict[str, ClassCounts]:
    """Count characters of each class as :mod:`lab.evaluation.block_metrics` does; main text only, where only
    the body is known.
    """
    counts = {}
    for code, label in enumerate(_CLASSES[:1] if page.origin == "body text" else _CLASSES):
        inside = given == code
        both = int(page.chars[inside, code].sum())
        counts[label.value] = ClassCounts(
            both=both,
            only_output=int(page.chars[inside].sum()) - both,
            only_gold=int(page.chars[:, code].sum()) - both,
        )
    return counts


def block_counts(page: BlockPage, given: Ints) -> dict[str, ClassCounts]:
    """Count blocks instead of characters, as the paper does; blocks without a label are left out."""
    counts = {}
    known = page.labels != NONE
    for code, label in enumerate(_CLASSES[:1] if page.origin == "body text" else _CLASSES):
        output, gold = (given == code) & known, page.labels == code
        counts[label.value] = ClassCounts(
            both=int((output & gold).sum()),
            only_output=int((output & ~gold).sum()),
            only_gold=int((gold & ~output).sum()),
        )
    return counts


def scores(pages: Sequence[BlockPage], given: Sequence[Ints], *, seed: int) -> dict[str, Any]:
    """Return for each class P, R, F1 by characters (means over pages) and by blocks (of all pages), with intervals."""
    by_chars = [character_counts(page, labels) for page, labels in zip(pages, given, strict=True)]
    by_blocks = [block_counts(page, labels) for page, labels in zip(pages, given, strict=True)]
    groups = [page.page.group for page in pages]
    result = {}
    for name, summary in summarise_blocks(by_chars).items():
        places = [place for place, counts in enumerate(by_chars) if name in counts]
        rows = [means_row(by_chars[place][name]) for place in places]
        limits = interval(rows, [groups[place] for place in places], f1_of_means, seed=seed)
        pooled = _sum([by_blocks[place][name] for place in places])
        result[name] = {
            "n_pages": summary.n,
            "precision": summary.precision,
            "recall": summary.recall,
            "f1": summary.f1,
            "f1_95": [limits.low, limits.high],
            "block_precision": pooled.precision or 0.0,
            "block_recall": pooled.recall or 0.0,
            "block_f1": pooled.f1 or 0.0,
        }
    return result


def _sum(counts: Sequence[ClassCounts]) -> ClassCounts:
    return ClassCounts(
        both=sum(count.both for count in counts),
        only_output=sum(count.only_output for count in counts),
        only_gold=sum(count.only_gold for count in counts),
    )
