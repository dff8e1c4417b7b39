"""Scores of a page's blocks in three classes, weighted by characters of text.

Not by blocks: these differ from one segmentation to another. Text that the gold does not label, or calls
ambiguous, is taken out, whichever class it was given.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lab.evaluation.gold import AMBIGUOUS, gold_rows
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.metrics import harmonic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lab.evaluation.gold import BlockGold
    from newscrawl.page.document import Document

LINKS: Final = "related links, counted"
"""Name of the extra class that counts the links of :attr:`BlockLabel.RELATED` instead of characters."""

Span = tuple[int, int, str]
"""First row, one past the last row, and label of a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCounts:
    """Characters (or links) of one class on one page."""

    both: int = 0
    """In the class by gold and by output."""
    only_output: int = 0
    only_gold: int = 0

    @property
    def precision(self) -> float | None:
        """None where the output has nothing of the class."""
        given = self.both + self.only_output
        return self.both / given if given else None

    @property
    def recall(self) -> float | None:
        """None where the gold has nothing of the class."""
        expected = self.both + self.only_gold
        return self.both / expected if expected else None

    @property
    def f1(self) -> float | None:
        """None where neither has anything of the class."""
        whole = 2 * self.both + self.only_output + self.only_gold
        return 2 * self.both / whole if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSummary:
    """Means over the pages where the figure is defined."""

    n: int
    """Pages with the class in gold or output."""
    precision: float
    recall: float
    f1: float
    """F1 of the two means, as for text."""
    page_f1: float


def output_rows(n_rows: int, spans: Iterable[Span]) -> list[str | None]:
    """Return the label of each row; None for rows in no block."""
    rows: list[str | None] = [None] * n_rows
    for start, end, label in spans:
        rows[start:end] = [label] * (min(end, n_rows) - start)
    return rows


def score_blocks(document: Document, gold: BlockGold, spans: Iterable[Span]) -> dict[str, ClassCounts]:
    """Count characters of each class, and links of the related ones, of one page."""
    measures = document.measures
    expected, _ = gold_rows(document, gold)
    given = output_rows(len(measures), spans)
    counts: dict[tuple[str, bool, bool], int] = defaultdict(int)
    for row, wanted in enumerate(expected):
        if wanted is None or wanted == AMBIGUOUS:
            continue
        if measures.is_text(row):
            weight, names = int(measures.chars[row]), tuple(BlockLabel)
        elif measures.tags[row] == "a" and not measures.hidden[row]:
            weight, names = 1, ()
            _count(counts, LINKS, BlockLabel.RELATED.value, (wanted, given[row]), weight)
        else:
            continue
        for name in names:
            _count(counts, name.value, name.value, (wanted, given[row]), weight)
    return {
        name: ClassCounts(
            both=counts[name, True, True], only_output=counts[name, False, True], only_gold=counts[name, True, False]
        )
        for name in (*(label.value for label in BlockLabel), LINKS)
    }


def _count(
    counts: dict[tuple[str, bool, bool], int], name: str, label: str, row: tuple[str, str | None], weight: int
) -> None:
    wanted, given = row
    counts[name, wanted == label, given == label] += weight


def summarise_blocks(pages: Sequence[Mapping[str, ClassCounts]]) -> dict[str, ClassSummary]:
    """Return for each class the means over pages."""
    names = dict.fromkeys(name for page in pages for name in page)
    return {name: _summary([page[name] for page in pages if name in page]) for name in names}


def _summary(counts: Sequence[ClassCounts]) -> ClassSummary:
    f1 = [count.f1 for count in counts if count.f1 is not None]
    precision = _mean([count.precision for count in counts if count.precision is not None])
    recall = _mean([count.recall for count in counts if count.recall is not None])
    return ClassSummary(
        n=len(f1), precision=precision, recall=recall, f1=harmonic(precision, recall), page_f1=_mean(f1)
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
