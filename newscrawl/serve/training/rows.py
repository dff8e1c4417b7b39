"""What labels say of a page's rows and of its blocks: XPaths, each with a label."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block


def label_chars(block: Block, measures: Measures, rows: Sequence[str | None]) -> Counter[str]:
    """Return label → characters of the block that have it; empty for a block without a label.

    :param rows: label of each row of the measures, or None.
    """
    counts: Counter[str] = Counter()
    for row in range(block.start, block.end):
        label = rows[row]
        if label is not None and measures.is_text(row):
            counts[label] += int(measures.chars[row])
    return counts


def row_labels(document: Document, labels: Iterable[tuple[str, str]]) -> tuple[list[str | None], int]:
    """Return the label of each row of the document's measures, and how many XPaths found nothing.

    A label holds for the whole subtree, unless an XPath deeper in the tree says otherwise; None where no XPath
    covers the row.

    :param labels: XPath and label; later ones win where two XPaths select the same node.
    """
    elements: dict[etree._Element, str] = {}
    texts: dict[tuple[etree._Element | None, str], str] = {}
    missing = 0
    for path, label in labels:
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


def _owner(text: etree._ElementUnicodeResult[etree._Element]) -> etree._Element | None:
    """Return the element that a text node stands in."""
    node = text.getparent()
    return node.getparent() if text.is_tail and node is not None else node


def _inherit(
    measures: Measures, elements: Mapping[etree._Element, str], texts: Mapping[tuple[etree._Element | None, str], str]
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
