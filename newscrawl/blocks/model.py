"""A block of a page, as a value: no DOM nodes, so that it can be stored, compared and sent anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable


class BlockLabel(StrEnum):
    """The three classes of Zhang, Cao, Li (2015), §4.2."""

    MAIN = "main"
    RELATED = "related"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A run of consecutive nodes that belong together.

    ``start`` and ``end`` are node numbers of the page's measures (document order, ``end`` excluded), so
    that a block can be found again in the tree it came from; between them there may be nodes that a
    threshold dropped. Counts leave white space out.
    """

    index: int
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


_SETTERS: Final = tuple(getattr(Block, name).__set__ for name in Block.__slots__)
_UNLABELLED: Final = attrgetter(*Block.__slots__[:-2])


def made_at_once(*values: object) -> Block:
    """Return a block of all its fields in their order, at half of the time that ``Block(…)`` takes."""
    block = object.__new__(Block)
    for put, value in zip(_SETTERS, values, strict=True):
        put(block, value)
    return block


def labelled(blocks: Iterable[Block], labels: Iterable[BlockLabel], confidences: Iterable[float]) -> tuple[Block, ...]:
    """Return the blocks with their labels."""
    return tuple(
        made_at_once(*_UNLABELLED(block), label, confidence)
        for block, label, confidence in zip(blocks, labels, confidences, strict=False)
    )
