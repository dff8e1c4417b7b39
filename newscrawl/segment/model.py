"""A block of a page, as a value: no DOM nodes, so that it can be stored, compared and sent anywhere."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class BlockLabel(StrEnum):
    """The three classes of Zhang, Cao, Li (2015), §4.2."""

    MAIN = "main"
    RELATED = "related"
    OTHER = "other"


class Block(NamedTuple):  # made by the dozen for each page, in a quarter of a dataclass's time
    """A run of consecutive nodes that belong together.

    ``start`` and ``end`` are node numbers of the page's measures (document order, ``end`` excluded), so
    that a block can be found again in the tree it came from; between them there may be nodes that a
    threshold dropped. Counts leave white space out.
    """

    index: int  # type: ignore[assignment]  # tuples have a method of that name
    tag: str
    """Tag of the first node; ``"#text"`` for a bare text node."""
    xpath: str
    """XPath of the first element, or of the parent of a bare text node; ``""`` until ``with_xpaths``."""
    text: str
    """Visible text, one line for each paragraph-like element; ``""`` for a block of ``bare_blocks``."""
    n_chars: int
    """Characters of visible text, those in links included."""
    n_link_chars: int
    """Characters inside ``a`` elements."""
    n_links: int
    """Number of ``a`` elements."""
    start: int = -1
    end: int = -1
    label: BlockLabel | None = None
    confidence: float = 0.0
    """Probability of the label, 0..1; 0 while unlabelled."""


def labelled(blocks: Iterable[Block], labels: Iterable[BlockLabel], confidences: Iterable[float]) -> tuple[Block, ...]:
    """Return the blocks with their labels."""
    return tuple(
        Block(*block[:-2], label, confidence)
        for block, label, confidence in zip(blocks, labels, confidences, strict=False)
    )
