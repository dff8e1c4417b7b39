"""What labels say of a page's rows and of its blocks.

A label is an XPath with a class. A block takes the class that most of its labelled characters have; without labelled
characters it has none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lxml import etree

from newscrawl.blocks.model import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures

NOT_MAIN: Final = "not main"
"""Related links or other: gold text does not tell which."""
NEUTRAL: Final = "neutral"
"""Neither rewarded nor punished: headlines, captions, datelines, short lines that occur by chance."""
MAX_NEUTRAL: Final = 0.5
"""A block with a larger share of neutral or ambiguous text has no label."""

AMBIGUOUS: Final = "ambiguous"
_CLASSES: Final = (
    # Later ones win where two XPaths select the same node: a box of links inside the body stands both in
    # `exclude` and in `related_links`. What is excluded and nothing else (bylines, advertising) is `other`.
    ("main", BlockLabel.MAIN.value),
    ("exclude", BlockLabel.OTHER.value),
    ("other", BlockLabel.OTHER.value),
    ("related_links", BlockLabel.RELATED.value),
    ("ambiguous", AMBIGUOUS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockGold:
    """XPaths of a page's parts by class; an XPath deeper in the tree wins over one above it."""

    main: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    related_links: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def block_labels(blocks: Sequence[Block], measures: Measures, rows: Sequence[str | None]) -> list[str | None]:
    """Return the class of each block, by characters; None where most of its text is neutral or none is labelled.

    :param rows: class of each row of the measures: a :class:`BlockLabel`, ``NOT_MAIN``, ``NEUTRAL`` or None.
    """
    return [_majority(measures, rows, block) for block in blocks]


def _majority(measures: Measures, rows: Sequence[str | None], block: Block) -> str | None:
    counts: Counter[str] = Counter()
    for row in range(block.start, block.end):
        label = rows[row]
        if label is not None and measures.is_text(row):
            counts[label] += int(measures.chars[row])
    neutral = counts.pop(NEUTRAL, 0)
    labelled = counts.total()
    if not labelled or neutral > MAX_NEUTRAL * (neutral + labelled):
        return None
    return counts.most_common(1)[0][0]


def gold_rows(document: Document, gold: BlockGold) -> tuple[list[str | None], int]:
    """Return the class of each row of the document's measures, and how many XPaths found nothing.

    A class holds for the whole subtree, unless an XPath deeper in the tree says otherwise; None where no XPath
    covers the row, ``"ambiguous"`` where two readers would differ.
    """
    elements: dict[etree._Element, str] = {}
    texts: dict[tuple[etree._Element, str], str] = {}
    missing = 0
    for name, label in _CLASSES:
        for path in getattr(gold, name):
            selected = _select(document, path)
            missing += not selected
            for node in selected:
                if isinstance(node, etree._ElementUnicodeResult):
                    texts[_owner(node), str(node)] = label
                elif isinstance(node, etree._Element):
                    elements[node] = label
    return _inherit(document.measures, elements, texts), missing


def _select(document: Document, path: str) -> list[object]:
    if document.root is None:
        return []
    selected = document.root.xpath(path)
    return list(selected) if isinstance(selected, list) else []


def _owner(text: etree._ElementUnicodeResult[etree._Element]) -> etree._Element:
    """Return the element that a text node stands in."""
    node = text.getparent()
    owner = node.getparent() if text.is_tail and node is not None else node
    if owner is None:
        raise ValueError(f"text outside the tree: {text!r}")
    return owner


def _inherit(
    measures: Measures, elements: Mapping[etree._Element, str], texts: Mapping[tuple[etree._Element, str], str]
) -> list[str | None]:
    labels: list[str | None] = []
    above = _labels_above(measures, elements)
    for row, node in enumerate(measures.nodes):
        parent = int(measures.parent[row])
        inherited = labels[parent] if parent >= 0 else above
        if measures.is_text(row):
            labels.append(texts.get((node, measures.texts[row]), inherited))
        else:
            labels.append(elements.get(node, inherited))
    return labels


def _labels_above(measures: Measures, elements: Mapping[etree._Element, str]) -> str | None:
    """Return the label that the first row inherits from elements outside the measures."""
    if not measures.nodes:
        return None
    return next((elements[node] for node in measures.nodes[0].iterancestors() if node in elements), None)
