"""Labels of a page's blocks as the makers of a set gave them: XPaths by class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.rows import label_chars, row_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block

NOT_MAIN: Final = "not main"
"""Related links or other: gold text does not tell which."""
NEUTRAL: Final = "neutral"
"""Neither rewarded nor punished: headlines, captions, datelines, short lines that occur by chance."""
MAX_NEUTRAL: Final = 0.5
"""A block with a larger share of neutral or ambiguous text has no label."""
AMBIGUOUS: Final = "ambiguous"
"""Two readers would differ."""
CLASSES: Final = {
    # Later ones win where two XPaths select the same node: a box of links inside the body stands both in
    # `exclude` and in `related_links`. What is excluded and nothing else (bylines, advertising) is `other`.
    "main": BlockLabel.MAIN.value,
    "exclude": BlockLabel.OTHER.value,
    "other": BlockLabel.OTHER.value,
    "related_links": BlockLabel.RELATED.value,
    "ambiguous": AMBIGUOUS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockGold:
    """XPaths of a page's parts by class; an XPath deeper in the tree wins over one above it."""

    main: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    related_links: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def gold_rows(document: Document, gold: BlockGold) -> tuple[list[str | None], int]:
    """Return the class of each row of the document's measures, and how many XPaths found nothing."""
    return row_labels(document, [(path, label) for name, label in CLASSES.items() for path in getattr(gold, name)])


def block_labels(blocks: Sequence[Block], measures: Measures, rows: Sequence[str | None]) -> list[str | None]:
    """Return the class of each block, by characters; None where most of its text is neutral or none is labelled.

    :param rows: class of each row of the measures: a :class:`BlockLabel`, ``NOT_MAIN``, ``NEUTRAL`` or None.
    """
    return [_majority(measures, rows, block) for block in blocks]


def _majority(measures: Measures, rows: Sequence[str | None], block: Block) -> str | None:
    counts = label_chars(block, measures, rows)
    neutral = counts.pop(NEUTRAL, 0)
    labelled = counts.total()
    if not labelled or neutral > MAX_NEUTRAL * (neutral + labelled):
        return None
    return counts.most_common(1)[0][0]
