"""Layout similarity: what a page shares, node for node, with a page of the same template is not its text.

Source: 杨柳青, 李晓东, 耿光刚 (2015), 基于布局相似性的网页正文内容提取研究, 计算机应用研究 32(9): 2581-2586.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from newscrawl.languages.text import VisibleTexts
from newscrawl.methods.base import Extraction, Needs
from newscrawl.methods.cluster import PageClusters, block_paths
from newscrawl.methods.lineblock import block_lengths, text_spans
from newscrawl.methods.reference import ReferenceStore
from newscrawl.page.measures import subtree_sums
from newscrawl.page.rows import inside
from newscrawl.page.tags import BLOCK_LEVEL, TEXT_KIND, kinds_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools, Ints, Measures

MAX_LINK_SHARE: Final = 0.3
"""Rule 1: a node whose characters are in links by a greater share is no text (§2.2 c; 0.25 to 0.3 in the paper)."""
MIN_PLAIN_CHARS: Final = 10
"""Rule 2: a node with links and fewer other characters is no text. Ours: the paper names signs such as ``_ - []``."""

CONTROLS: Final = frozenset(
    "form fieldset legend input select menu optgroup option textarea map area applet object param button label".split()
)
"""Form and control elements, cleaned out with all that is in them (§2.2 a (b))."""


class CleanPage:
    """A page's rows after cleaning (§2.2 a), with a hash for every node that is left.

    Scripts, styles, comments and the like have no rows to begin with; controls, hidden elements and elements
    without text are flagged out here. The tree itself stays as it is.
    """

    def __init__(self, document: Document) -> None:
        measures = self.measures = document.measures
        self._elements = measures.elements  # first: what is hidden is found with less once they are walked
        self.end: list[int] = measures.end.tolist()
        out = inside(measures.rows_of(CONTROLS), measures.end)
        self.own: Ints = np.where(out, 0, measures.own)
        """Characters of each row of text that is left."""
        self.chars = subtree_sums(self.own, measures.end)
        self.kept: Bools = self.chars > 0
        self.hashes: list[int] = self._hashes().tolist()

    def _hashes(self) -> NDArray[np.uint64]:
        """Hash tag, sorted attributes, folded text and the same of all that is left below, in its order.

        0 stands for rows of text, which are part of their element, and for rows cleaned out. A subtree's hash is a
        polynomial in its rows' own hashes, so that all come out of one prefix sum: with the size of each row's
        subtree in its hash, the order of the rows says how they are nested.
        """
        measures = self.measures
        before: NDArray[np.intp] = np.append(0, np.cumsum(self.kept))
        rows = np.flatnonzero(self.kept)
        n_below: NDArray[np.intp] = before[measures.end[rows]] - before[rows]
        own = (self._own_hashes()[rows] ^ (n_below.astype(np.uint64) * _SIZE_FACTOR)) * _OWN_FACTOR
        powers = np.full((2, len(rows)), [[_BASE], [_INVERSE]], dtype=np.uint64).cumprod(axis=1)
        sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(own * powers[0])))
        hashes = np.zeros(len(measures), dtype=np.uint64)
        places: NDArray[np.intp] = np.arange(len(rows))
        hashes[rows] = (sums[places + n_below] - sums[places]) * powers[1]
        hashes[measures.kinds == TEXT_KIND] = 0
        return hashes

    def _own_hashes(self) -> NDArray[np.uint64]:
        """Hash each row that is left by itself: folded text, or tag and sorted attributes."""
        measures = self.measures
        tags, texts = measures.tags, measures.texts
        is_text = measures.kinds == TEXT_KIND
        own = np.zeros(len(measures), dtype=np.int64)
        rows = np.flatnonzero(self.kept & is_text)
        own[rows] = [hash(" ".join(texts[row].split())) for row in rows.tolist()]
        rows = np.flatnonzero(self.kept & ~is_text)
        nodes = compress(self._elements, self.kept[~is_text].tolist())
        attributes = (node.items() for node in nodes)
        own[rows] = [
            hash((tags[row], *(sorted(pairs) if len(pairs) > 1 else pairs)))
            for row, pairs in zip(rows.tolist(), attributes, strict=True)
        ]
        return own.astype(np.uint64)

    def counts(self) -> Counter[int]:
        """Return the multiset of the elements' hashes."""
        counts = Counter(self.hashes)
        del counts[0]
        return counts


_BASE: Final = 0x9E3779B97F4A7C15
_INVERSE: Final = pow(_BASE, -1, 2**64)
_OWN_FACTOR: Final = np.uint64(0xD6E8FEB86659FD93)
_SIZE_FACTOR: Final = np.uint64(0xA0761D6478BD642F)
"""Odd numbers without a pattern; sums and products are modulo 2⁶⁴."""


def subtract(page: CleanPage, reference: Counter[int]) -> Ints:
    """Return the rows of the nodes that the reference has too, in document order, none inside another. O(n).

    From the body's children down: a node whose hash is left in the reference goes out with its subtree, and the
    nodes of that subtree are taken off the reference; the children of any other node are looked at.
    """
    left = dict(reference)
    hashes, end = page.hashes, page.end
    shared: list[int] = []
    row, stop = 1, len(hashes)
    while row < stop:
        if left.get(hashes[row], 0) > 0:
            shared.append(row)
            for value in hashes[row : end[row]]:
                if value in left:
                    left[value] -= 1
            row = end[row]
        else:
            row += 1
    return np.array(shared, dtype=np.int32)


class LayoutExtractor:
    """Extract what a page does not share with its reference page, then drop nodes of links by two rules.

    Without a reference the rules are all there is. They look at block-level elements from the top down. Rule 1 takes
    link text over the text of the link's parent (§2.2 c): of a block-level element, the links that stand in it and in
    no block-level element below. Rule 2 takes all links in the element.

    :param max_link_share: rule 1; 1.0 switches it off.
    :param min_plain_chars: rule 2; 0 switches it off.
    :param nested_links: rule 1 counts all links in the element too. A container of text and lists then goes out as a
        whole: recall falls from 0.98 to 0.61 on Chinese news.
    """

    name: ClassVar[str] = "layout"
    needs: ClassVar[Needs] = Needs.REFERENCE

    def __init__(
        self,
        *,
        max_link_share: float = MAX_LINK_SHARE,
        min_plain_chars: int = MIN_PLAIN_CHARS,
        nested_links: bool = False,
        use_clusters: bool = False,
        refine: bool = False,
    ) -> None:
        self.nested_links = nested_links
        self.refine = refine
        self.clusters = PageClusters() if use_clusters else None
        self.max_link_share = max_link_share
        self.min_plain_chars = min_plain_chars
        self.store: ReferenceStore[Counter[int]] = ReferenceStore()

    def observe(self, document: Document) -> None:
        """Keep a page as a possible reference of others."""
        page = document.once(CleanPage)
        if page.hashes and page.hashes[0]:
            joined = None if self.clusters is None else self.clusters.add(document.once(block_paths).path_set)
            cluster = None if joined is None else joined.number
            self.store.add(document.url, page.counts(), content=page.hashes[0], cluster=cluster)

    def extract(self, document: Document) -> Extraction:
        page = document.once(CleanPage)
        if not page.hashes or not page.hashes[0]:
            return Extraction(text="", method=self.name, evidence=("no text",))
        reference = self.store.choose(document.url, content=page.hashes[0], cluster=self._cluster(document))
        shared = subtract(page, reference.value if reference else Counter())
        rows = self.text_rows(page, shared)
        if self.refine:
            rows = refine_rows(document.measures, rows)
        why = f"reference: {reference.url or 'a page without address'}" if reference else "no reference page"
        return Extraction(
            text="\n".join(VisibleTexts(document.measures).of_rows(rows)), method=self.name, evidence=(why,)
        )

    def _cluster(self, document: Document) -> int | None:
        cluster = self.clusters.find(document.once(block_paths).path_set) if self.clusters is not None else None
        return cluster.number if cluster else None

    def text_rows(self, page: CleanPage, shared: Ints) -> list[int]:
        """Return the rows of text that stay when ``shared`` and what the rules drop is out."""
        measures = page.measures
        own = np.where(inside(shared, measures.end), 0, page.own) if len(shared) else page.own
        chars = subtree_sums(own, measures.end)
        links = measures.rows_of(_LINK)
        in_links = subtree_sums(np.where(inside(links, measures.end), own, 0), measures.end)
        judged = in_links if self.nested_links else _of_parents(measures, links, chars)
        dropped = kinds_among(BLOCK_LEVEL)[measures.kinds] & (
            (judged > self.max_link_share * chars) | ((in_links > 0) & (chars - in_links < self.min_plain_chars))
        )
        dropped[:1] = False  # the body is not judged
        return np.flatnonzero((own > 0) & ~inside(np.flatnonzero(dropped), measures.end)).tolist()


_LINK: Final = frozenset(("a",))


def refine_rows(measures: Measures, rows: list[int]) -> list[int]:
    """Return those of the text rows that stand between a rise and a fall of the line-block distribution."""
    if not rows:
        return []
    line = measures.line[rows]
    lengths = np.zeros(int(line[-1]) + 1, dtype=np.int32)
    np.add.at(lengths, line, measures.chars[rows])
    inside_text = np.zeros(len(lengths), dtype=np.bool_)
    for start, end in text_spans(block_lengths(lengths)):
        inside_text[start:end] = True
    return [row for row, keep in zip(rows, inside_text[line].tolist(), strict=True) if keep]


def _of_parents(measures: Measures, links: Ints, chars: Ints) -> Ints:
    """Return for each block-level row the characters of the links of which it is the nearest block-level ancestor."""
    links = links[chars[links] > 0]
    parents, of_link = np.unique(measures.parent[links], return_inverse=True)
    is_block = kinds_among(BLOCK_LEVEL)[measures.kinds]
    while len(inline := np.flatnonzero((parents > 0) & ~is_block[parents])):
        parents[inline] = measures.parent[parents[inline]]
    sums = np.zeros(len(chars), dtype=np.int32)
    np.add.at(sums, parents[of_link], chars[links])
    return sums
