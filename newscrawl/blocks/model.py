"""A block of a page, as a value: no DOM nodes, so that it can be stored, compared and sent anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
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


def labelled(blocks: Iterable[Block], labels: Iterable[BlockLabel], confidences: Iterable[float]) -> tuple[Block, ...]:
    """Return the blocks with their labels: as ``dataclasses.replace``, at a tenth of its time."""
    return tuple(map(_labelled, blocks, labels, confidences))


def _labelled(block: Block, label: BlockLabel, confidence: float) -> Block:
    index, tag, xpath, text, n_chars, n_link_chars, n_links, start, end, set_label, set_confidence = _SETTERS
    made = object.__new__(Block)
    index(made, block.index)
    tag(made, block.tag)
    xpath(made, block.xpath)
    text(made, block.text)
    n_chars(made, block.n_chars)
    n_link_chars(made, block.n_link_chars)
    n_links(made, block.n_links)
    start(made, block.start)
    end(made, block.end)
    set_label(made, label)
    set_confidence(made, confidence)
    return made
