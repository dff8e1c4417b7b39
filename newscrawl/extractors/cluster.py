"""Density rules per page cluster (基于网页聚类的正文信息提取方法).

A page's best block is the one of greatest H(b); in a cluster of pages of one template, the block that was best most
of the time is the rule for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final
from zlib import crc32

import numpy as np

from newscrawl.dom.measures import TEXT
from newscrawl.dom.tags import BLOCK_LEVEL
from newscrawl.dom.text import lines
from newscrawl.extractors.base import Extraction, Needs
from newscrawl.extractors.rows import element_descendants
from newscrawl.sites.clusters import THRESHOLD, BlockFeature, PageCluster, PageClusters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.blocks.density import Floats
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Measures

EXPONENT: Final = 0.3
"""α of eq. 5: less lets noise in, more picks blocks that are too small (§5.1)."""


def block_scores(measures: Measures, exponent: float = EXPONENT) -> Floats:
    """Return H of each row as if it were a block, shape ``(n,)``, in [0, 1]; 0 for a node without text.

    H = p1·p2·p3 / size^α: p1 = characters outside links / the page's (eq. 2), p2 = 1 - links / the page's (eq. 3),
    p3 = characters outside links / characters (eq. 4). Reconstructed (eq. 5 is lost in our source): the form of the
    quotient, and size = 1 + elements below the node. 0/0 = 0.
    """
    plain = (measures.chars - measures.link_chars).astype(np.float64)
    p1 = _shares(plain, plain[:1])
    p2 = 1 - _shares(measures.links, measures.links[:1])
    p3 = _shares(plain, measures.chars)
    scores: Floats = p1 * p2 * p3 / (1.0 + element_descendants(measures)) ** exponent
    return scores


def block_rows(measures: Measures) -> list[int]:
    """Return the rows of block-level elements, the body's too, in document order."""
    return [row for row, tag in enumerate(measures.tags) if tag in BLOCK_LEVEL]


def is_linked(measures: Measures, row: int, limit: float) -> bool:
    """Tell whether links hold more than the share ``limit`` of the row's characters."""
    return bool(measures.link_chars[row] > limit * measures.chars[row])


def tag_paths(measures: Measures) -> list[int]:
    """Return a hash of each row's tag path, from the first row down; the same in every process."""
    parent = measures.parent.tolist()
    paths: list[int] = []
    for row, tag in enumerate(measures.tags):
        above = parent[row]
        paths.append(0 if tag is TEXT else crc32(f"/{tag}".encode(), paths[above] if above >= 0 else 0))
    return paths


def path_set(measures: Measures) -> frozenset[int]:
    """Return a page as page clusters see it: the tag paths of its blocks."""
    return frozenset(map(tag_paths(measures).__getitem__, block_rows(measures)))


class ClusterExtractor:
    """Extract the block that the page's cluster agrees on; without a cluster the page's own best block.

    A page's best block may be in another place than its neighbours': a short text loses against a long comment.
    The rule of the cluster names the block by id, then class, then path; what the page lacks is passed over, among
    several blocks the one of greatest H is taken, and blocks without text do not count (the last two are ours).

    :param threshold: least similarity of a page and a cluster, the Jaccard index of their blocks' tag paths.
    :param clustering: False judges each page by itself.
    :param max_link_share: beyond the paper, off by default: of the block found, leave out the block-level elements
        whose characters are in links by a greater share. The paper names links inside the block of main text as what
        it gets wrong (§6, 163.com).
    """

    name: ClassVar[str] = "cluster"
    needs: ClassVar[Needs] = Needs.SITE

    def __init__(
        self,
        *,
        exponent: float = EXPONENT,
        threshold: float = THRESHOLD,
        clustering: bool = True,
        max_link_share: float | None = None,
    ) -> None:
        self.exponent = exponent
        self.max_link_share = max_link_share
        self.clustering = clustering
        self.clusters = PageClusters(threshold=threshold)

    def observe(self, document: Document) -> None:
        """Count a page in its cluster, and its best block in the cluster's rule."""
        blocks = _Blocks(document.measures, self.exponent)
        if not self.clustering or not blocks.rows:
            return
        cluster = self.clusters.add(blocks.path_set())
        best = blocks.best(blocks.rows)
        if best is not None:
            cluster.add_block(blocks.feature(best), float(blocks.scores[best]))

    def extract(self, document: Document) -> Extraction:
        measures = document.measures
        blocks = _Blocks(measures, self.exponent)
        cluster = self.clusters.find(blocks.path_set()) if self.clustering and blocks.rows else None
        row, why = self._main_block(blocks, cluster)
        rows = () if row is None else self._text_rows(measures, row)
        return Extraction(text="\n".join(lines(measures, rows)), method=self.name, evidence=(why,))

    def _text_rows(self, measures: Measures, block: int) -> Iterator[int]:
        row, end = block + 1, int(measures.end[block])
        limit = self.max_link_share
        while row < end:
            if limit is not None and measures.tags[row] in BLOCK_LEVEL and is_linked(measures, row, limit):
                row = int(measures.end[row])
            else:
                yield row
                row += 1

    def _main_block(self, blocks: _Blocks, cluster: PageCluster | None) -> tuple[int | None, str]:
        if cluster is not None and cluster.rule is not None:
            for kind, matches in blocks.matches(cluster.rule):
                row = blocks.best(matches)
                if row is not None:
                    return row, f"cluster {cluster.number} of {cluster.n_pages} pages: by {kind}, {cluster.rule}"
        row = blocks.best(blocks.rows)
        return row, "no text" if row is None else f"greatest H of the page: {blocks.scores[row]:.3f}"


class _Blocks:
    """The blocks of one page."""

    def __init__(self, measures: Measures, exponent: float) -> None:
        self.measures = measures
        self.rows = block_rows(measures)
        self.scores = block_scores(measures, exponent)
        self.paths = tag_paths(measures)

    def path_set(self) -> frozenset[int]:
        return frozenset(map(self.paths.__getitem__, self.rows))

    def best(self, rows: Sequence[int]) -> int | None:
        """Return the row of greatest H, the first among equals; None where none has text."""
        row = max(rows, key=self.scores.__getitem__, default=None)
        return row if row is not None and self.scores[row] > 0 else None

    def feature(self, row: int) -> BlockFeature:
        node = self.measures.nodes[row]
        return BlockFeature(class_name=node.get("class", ""), id=node.get("id", ""), path=self._path(row))

    def matches(self, rule: BlockFeature) -> Iterator[tuple[str, list[int]]]:
        """Yield how blocks are like the rule, the stronger kind first, and those blocks."""
        nodes = self.measures.nodes
        if rule.id:
            yield "id", [row for row in self.rows if nodes[row].get("id") == rule.id]
        if rule.class_name:
            yield "class", [row for row in self.rows if nodes[row].get("class") == rule.class_name]
        path = crc32(f"/{rule.path}".encode())
        yield "path", [row for row in self.rows if self.paths[row] == path]

    def _path(self, row: int) -> str:
        tags = []
        while row >= 0:
            tags.append(self.measures.tags[row])
            row = int(self.measures.parent[row])
        return "/".join(reversed(tags))


def _shares(parts: NDArray[Any], wholes: NDArray[Any]) -> Floats:
    whole = wholes.astype(np.float64)
    result: Floats = np.where(whole > 0, parts / np.where(whole > 0, whole, 1.0), 0.0)
    return result
