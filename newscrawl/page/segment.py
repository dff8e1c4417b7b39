"""Blocks of a page by node density entropy, with fusion (Zhang, Cao, Li 2015, §4.2, Algorithm 1)."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from itertools import count, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from newscrawl.languages.text import VisibleTexts
from newscrawl.page.measures import TEXT
from newscrawl.page.tags import FORMATTING, NAMES, OTHER_KIND

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml import etree
    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Ints, Measures


class BlockLabel(StrEnum):
    """The three classes of Zhang, Cao, Li (2015), §4.2."""

    MAIN = "main"
    RELATED = "related"
    OTHER = "other"


class Block(NamedTuple):  # many for each page: made in a quarter of a dataclass's time
    """A run of consecutive nodes that belong together.

    ``start`` and ``end`` are node numbers of the page's measures (document order, ``end`` excluded), so
    that a block can be found in its tree again. Nodes that a threshold dropped may lie between them. Counts
    leave white space out.
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


def label_blocks(
    blocks: Iterable[Block], labels: Iterable[BlockLabel], confidences: Iterable[float]
) -> tuple[Block, ...]:
    """Return the blocks with their labels."""
    return tuple(
        Block(*block[:-2], label, confidence)
        for block, label, confidence in zip(blocks, labels, confidences, strict=False)
    )


def node_entropy(measures: Measures) -> Floats:
    """Return the node density entropy H(n) = −Σ pⱼ log₂ pⱼ, pⱼ = ρⱼ/2, of each row; in ``[0, 1.592]``.

    The densities ρⱼ are the shares of the page's characters outside links (def. 5), ``a`` elements (def. 6) and
    characters inside links (def. 7) that stand in the row's subtree. The printed formula is missing in our source. This
    reading reproduces the paper's number of blocks and its share of processed nodes. 0·log 0 = 0/0 = 0.
    """
    halves = np.zeros((3, len(measures)))
    counts = (measures.chars - measures.link_chars, measures.links, measures.link_chars)
    for half, own in zip(halves, counts, strict=True):
        if len(own) and own[0]:
            np.divide(own, 2.0 * own[0], out=half)
    summed: Floats = (-halves * np.log2(np.where(halves > 0, halves, 1.0))).sum(axis=0)
    return summed


ALPHA: Final = 0.52
"""An element of higher entropy is divided further. The paper's best (§5.2, table 3)."""
BETA: Final = 0.12
"""An element of higher entropy, up to alpha, is a block."""
GAMMA: Final = 0.05
"""A text node of higher entropy is a block."""

_KINDS: Final[dict[str, str]] = {
    **dict.fromkeys(("p", "div", "section", "article"), "container"),
    **dict.fromkeys(("ul", "ol", "dl"), "list"),
    **dict.fromkeys(("table", "tr", "td"), "table"),
    **dict.fromkeys((TEXT, *FORMATTING), "text"),
}


def segment(
    document: Document,
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
    gamma: float = GAMMA,
    lossless: bool = False,
    texts: bool = True,
) -> tuple[Block, ...]:
    """Divide the page into blocks, in document order; ``()`` for a page without text.

    :param lossless: beyond the paper: nodes below ``beta`` and ``gamma`` become blocks too, so that every visible
        character stands in exactly one block. The crawl works this way.
    :param texts: fill in the blocks' ``text``, which costs more than the segmentation.
    :raises ValueError: if a threshold is negative or ``alpha < beta``.
    """
    if beta < 0 or gamma < 0 or alpha < beta:
        raise ValueError(f"thresholds alpha={alpha}, beta={beta}, gamma={gamma}: need alpha >= beta >= 0, gamma >= 0")
    measures = document.measures
    if not len(measures):
        return ()
    rows = np.array(_pieces(measures, alpha, beta, gamma, lossless=lossless), dtype=np.intp)
    return _blocks(measures, rows, VisibleTexts(measures) if texts else None) if len(rows) else ()


def with_texts(blocks: Iterable[Block], document: Document) -> tuple[Block, ...]:
    """Return blocks of a lossless segmentation with their ``text`` filled in."""
    texts = VisibleTexts(document.measures)
    return tuple(block._replace(text="\n".join(texts.lines([(block.start, block.end)]))) for block in blocks)


def with_xpaths(blocks: Iterable[Block], document: Document) -> tuple[Block, ...]:
    """Return the blocks with their ``xpath`` filled in; apart, because it costs more than the segmentation."""
    nodes = document.measures.nodes
    paths: dict[etree._Element, str] = {}
    steps: dict[etree._Element, str] = {}
    return tuple(block._replace(xpath=_xpath(nodes[block.start], paths, steps)) for block in blocks)


def _xpath(node: etree._Element, paths: dict[etree._Element, str], steps: dict[etree._Element, str]) -> str:
    """Return the XPath of lxml's ``getpath``. Each element's siblings are counted once only.

    :param paths: known paths of blocks and the elements around them; others are not kept, as a page may have many.
    :param steps: known last steps of paths.
    """
    around: list[etree._Element] = []
    above: etree._Element | None = node
    while above is not None and above not in paths:
        around.append(above)
        above = above.getparent()
    for element in reversed(around):
        parent = element.getparent()
        if element not in steps:
            _number([element] if parent is None else [child for child in parent if isinstance(child.tag, str)], steps)
        paths[element] = ("" if parent is None else paths[parent]) + steps[element]
    return paths[node]


def _number(siblings: Sequence[etree._Element], steps: dict[etree._Element, str]) -> None:
    """Note the path step that leads to each child of one element."""
    names = [str(child.tag) for child in siblings]
    of_name, numbers = Counter(names), Counter[str]()
    for child, name in zip(siblings, names, strict=True):
        numbers[name] += 1
        steps[child] = f"/{name}" + (f"[{numbers[name]}]" if of_name[name] > 1 else "")


def similar(tag: str, other: str) -> bool:
    """Tell whether two nodes may be fused: equal tags, or both of one kind (DESIGN names the kinds).

    >>> similar("p", "div"), similar("ul", "div"), similar("#text", "b")
    (True, False, True)
    """
    return tag == other or (tag in _KINDS and _KINDS[tag] == _KINDS.get(other))


def _pieces(measures: Measures, alpha: float, beta: float, gamma: float, *, lossless: bool) -> list[int]:
    """Return the rows of the blocks before fusion, in document order (Algorithm 1, lines 1–14)."""
    entropy = node_entropy(measures).tolist()
    end, tags = measures.end.tolist(), measures.tags
    found: list[int] = []
    row, stop = 1, end[0]
    while row < stop:
        h = entropy[row]
        if tags[row] is TEXT:
            if h > gamma or lossless:
                found.append(row)
            row += 1
        elif h > alpha:
            row += 1
        else:
            if h > beta or lossless:
                found.append(row)
            row = end[row]
    return found


def _fused(measures: Measures, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the place in ``rows`` where each block begins (fuseBlocks).

    Consecutive children of one parent with similar tags are one block. Nodes dropped by a threshold do not separate
    pieces; a node that was divided further does.
    """
    parent, kinds = measures.parent.take(rows), measures.kinds.take(rows)
    goes_on = (parent[1:] == parent[:-1]) & (_SIMILAR.take(kinds[1:]) == _SIMILAR.take(kinds[:-1]))
    tags = measures.tags
    for place in (goes_on & (kinds[1:] == OTHER_KIND)).nonzero()[0].tolist():
        goes_on[place] = tags[rows[place]] == tags[rows[place + 1]]
    return np.append(0, (~goes_on).nonzero()[0] + 1)


_SIMILAR: Final = np.array([next(kind for kind, tag in enumerate(NAMES) if similar(tag, name)) for name in NAMES])
"""Kind → the first kind that it may be fused with."""


def _blocks(measures: Measures, rows: NDArray[np.intp], texts: VisibleTexts | None) -> tuple[Block, ...]:
    """Return the blocks of the pieces that begin at ``rows``, without those that show no text."""
    begins = _fused(measures, rows)
    counts = np.array([measures.chars, measures.link_chars, measures.links]).take(rows, axis=1)
    counts = np.add.reduceat(counts, begins, axis=1)
    kept = counts[0].nonzero()[0]
    stops = np.append(begins[1:], len(rows)).take(kept)
    begins = begins.take(kept)
    ends = measures.end.take(rows)
    starts: list[int] = rows.take(begins).tolist()
    return tuple(
        map(
            Block,
            count(),
            map(measures.tags.__getitem__, starts),
            repeat(""),
            _texts(texts, rows, ends, zip(begins.tolist(), stops.tolist(), strict=True)) if texts else repeat(""),
            *counts.take(kept, axis=1).tolist(),
            starts,
            ends.take(stops - 1).tolist(),
            repeat(None),
            repeat(0.0),
        )
    )


def _texts(texts: VisibleTexts, rows: NDArray[np.intp], ends: Ints, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    """Yield the text of each block: the lines of its pieces."""
    for begin, stop in spans:
        pieces = zip(rows[begin:stop].tolist(), ends[begin:stop].tolist(), strict=True)
        yield "\n".join(texts.lines(pieces))
