"""Density rules per page cluster (基于网页聚类的正文信息提取方法).

A cluster holds pages whose blocks stand on the same tag paths, found one page at a time (§4: single-pass clustering
with marks). A page's best block is the one of greatest H(b); in a cluster, the block that was best most of the time is
the rule for all pages (§5.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final
from zlib import crc32

import numpy as np

from newscrawl.languages.text import VisibleTexts
from newscrawl.methods.base import Extraction, Needs
from newscrawl.page.measures import TEXT, element_descendants
from newscrawl.page.rows import inside
from newscrawl.page.tags import BLOCK_LEVEL, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from newscrawl.classify.model_file import Floats
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures

EXPONENT: Final = 0.3
"""α of eq. 5: less lets noise in, more picks blocks that are too small (§5.1)."""
MAX_LINK_SHARE: Final = 0.5
"""Greatest share of link text of a part of the block. Ours: the paper does not say how the text is taken out of the
block (§5.2, last sentence), and names links inside the block as what it gets wrong (§6, 163.com)."""


THRESHOLD: Final = 0.7
"""Least similarity of a page to the mark of the cluster it joins."""
MAX_CLUSTERS: Final = 512
"""Clusters kept (ours): the one that went longest without a page makes room, so that memory stays bounded even on
a site where no page is like another."""
MAX_FEATURES: Final = 32
"""Block features counted in a cluster (ours): the weakest makes room. Classes or ids that carry a page's number
would otherwise grow with the pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFeature:
    """Where the block of main text stands: ⟨class, id, path⟩ (def. 10); ``""`` for an attribute it lacks."""

    class_name: str
    id: str
    path: str
    """Tag path from the body down, such as ``body/div/div``."""


@dataclass(slots=True, kw_only=True)
class PageCluster:
    """Pages of one template."""

    number: int
    """Order of opening, from 0."""
    mark: frozenset[int]
    """Hashes of the tag paths of the cluster's first page."""
    n_pages: int = 0
    scores: dict[BlockFeature, float] = field(default_factory=dict)
    """Sum of H over the pages, per feature of each page's best block."""

    @property
    def rule(self) -> BlockFeature | None:
        """The feature of greatest sum, L(c); the one seen first among equals; None before any page has a block."""
        return max(self.scores, key=self.scores.__getitem__, default=None)

    def add_block(self, feature: BlockFeature, score: float) -> None:
        """Count a page's best block (Algorithm 2)."""
        if feature not in self.scores and len(self.scores) >= MAX_FEATURES:
            del self.scores[min(self.scores, key=self.scores.__getitem__)]
        self.scores[feature] = self.scores.get(feature, 0.0) + score


def jaccard(one: AbstractSet[int], other: AbstractSet[int]) -> float:
    """Return |A ∩ B| / |A ∪ B|; two empty sets are equal, 1.0.

    >>> jaccard({1, 2, 3}, {2, 3, 4})
    0.5
    """
    if not one and not other:
        return 1.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


class PageClusters:
    """The clusters of the pages seen so far.

    A page is compared with one mark per cluster, so that its assignment takes time in the number of templates, not
    of pages. The result does not depend on the pages' order whenever similarity is at least ``threshold`` + 0.1
    between pages of one template and at most ``threshold`` - 0.1 between templates.
    """

    def __init__(self, *, threshold: float = THRESHOLD, max_clusters: int = MAX_CLUSTERS) -> None:
        if not 0 < threshold <= 1 or max_clusters < 1:
            raise ValueError(f"threshold={threshold}, max_clusters={max_clusters}: need 0 < threshold <= 1, max >= 1")
        self.threshold = threshold
        self.max_clusters = max_clusters
        self._clusters: dict[int, PageCluster] = {}  # by number; the last joined is the last
        self._opened = 0

    def __len__(self) -> int:
        return len(self._clusters)

    def __iter__(self) -> Iterator[PageCluster]:
        return iter(self._clusters.values())

    def find(self, paths: frozenset[int]) -> PageCluster | None:
        """Return the most similar cluster at the threshold or above, the older of equals; None if there is none."""
        best: PageCluster | None = None
        best_similarity = self.threshold
        for cluster in self._clusters.values():
            shorter, longer = sorted((len(paths), len(cluster.mark)))
            if shorter < best_similarity * longer:  # more alike than their sizes they cannot be
                continue
            similarity = jaccard(paths, cluster.mark)
            if similarity > best_similarity or (
                similarity == best_similarity and (best is None or cluster.number < best.number)
            ):
                best, best_similarity = cluster, similarity
        return best

    def add(self, paths: frozenset[int]) -> PageCluster:
        """Count a page: in the cluster it is most similar to, else in one of its own."""
        cluster = self.find(paths)
        if cluster is None:
            cluster = PageCluster(number=self._opened, mark=paths)
            self._opened += 1
            if len(self._clusters) >= self.max_clusters:
                del self._clusters[next(iter(self._clusters))]
        else:
            del self._clusters[cluster.number]
        self._clusters[cluster.number] = cluster
        cluster.n_pages += 1
        return cluster


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


def block_level_rows(measures: Measures) -> list[int]:
    """Return the rows of block-level elements, the body's too, in document order."""
    rows: list[int] = measures.rows_of(BLOCK_LEVEL).tolist()
    return rows


def tag_paths(measures: Measures) -> list[int]:
    """Return a hash of each row's tag path, from the first row down; the same in every process."""
    parent = measures.parent.tolist()
    paths: list[int] = []
    for row, tag in enumerate(measures.tags):
        above = parent[row]
        paths.append(0 if tag is TEXT else crc32(f"/{tag}".encode(), paths[above] if above >= 0 else 0))
    return paths


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockPaths:
    """A page as page clusters see it."""

    rows: list[int]
    """The blocks."""
    of_row: list[int]
    """Hash of each row's tag path."""
    path_set: frozenset[int]
    """The tag paths of the blocks."""


def block_paths(document: Document) -> BlockPaths:
    """Return the page's blocks and paths; to be called through :meth:`Document.once`."""
    rows, of_row = block_level_rows(document.measures), tag_paths(document.measures)
    return BlockPaths(rows=rows, of_row=of_row, path_set=frozenset(map(of_row.__getitem__, rows)))


class ClusterExtractor:
    """Extract the block that the page's cluster agrees on; without a cluster the page's own best block.

    A page's best block may be in another place than its neighbours': a short text loses against a long comment.
    The rule of the cluster names the block by id, then class, then path; what the page lacks is passed over, and
    blocks without text do not count. Of several blocks of one id or class the one of greatest H is taken; a path that
    several blocks stand on names none of them (these three are ours): ``body/div/p`` of a page with its text in one
    paragraph would give one paragraph of every other page.

    :param threshold: least similarity of a page and a cluster, the Jaccard index of their blocks' tag paths.
    :param clustering: False judges each page by itself.
    :param max_link_share: of the block found, leave out the block-level elements whose characters are in links by a
        greater share; 1.0 gives the block as it is.
    """

    name: ClassVar[str] = "cluster"
    needs: ClassVar[Needs] = Needs.SITE

    def __init__(
        self,
        *,
        exponent: float = EXPONENT,
        threshold: float = THRESHOLD,
        clustering: bool = True,
        max_link_share: float = MAX_LINK_SHARE,
    ) -> None:
        self.exponent = exponent
        self.max_link_share = max_link_share
        self.clustering = clustering
        self.clusters = PageClusters(threshold=threshold)

    def observe(self, document: Document) -> None:
        """Count a page in its cluster, and its best block in the cluster's rule."""
        blocks = _Blocks(document, self.exponent)
        if not self.clustering or not blocks.rows:
            return
        cluster = self.clusters.add(blocks.paths.path_set)
        best = blocks.best(blocks.rows)
        if best is not None:
            cluster.add_block(blocks.feature(best), float(blocks.scores[best]))

    def extract(self, document: Document) -> Extraction:
        blocks = _Blocks(document, self.exponent)
        cluster = self.clusters.find(blocks.paths.path_set) if self.clustering and blocks.rows else None
        row, why = self._main_block(blocks, cluster)
        rows = [] if row is None else self._text_rows(document.measures, row)
        text = "\n".join(VisibleTexts(document.measures).of_rows(rows))
        return Extraction(text=text, method=self.name, evidence=(why,))

    def _text_rows(self, measures: Measures, block: int) -> list[int]:
        """Return the rows of the block's text, those of parts that are mostly links left out."""
        end = int(measures.end[block])
        linked = np.zeros(len(measures), dtype=np.bool_)
        linked[block + 1 : end] = (measures.link_chars > self.max_link_share * measures.chars)[block + 1 : end]
        dropped = np.flatnonzero(linked & kinds_among(BLOCK_LEVEL)[measures.kinds])
        keep = (measures.own > 0) & ~inside(dropped, measures.end)
        rows: list[int] = (np.flatnonzero(keep[block + 1 : end]) + block + 1).tolist()
        return rows

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

    def __init__(self, document: Document, exponent: float) -> None:
        self.measures = document.measures
        self.paths = document.once(block_paths)
        self.rows = self.paths.rows
        self.scores = block_scores(self.measures, exponent)

    def best(self, rows: Sequence[int]) -> int | None:
        """Return the row of greatest H, the first among equals; None where none has text."""
        if not len(rows):
            return None
        row = int(rows[int(np.argmax(self.scores[rows]))])
        return row if self.scores[row] > 0 else None

    def feature(self, row: int) -> BlockFeature:
        node = self.measures.nodes[row]
        return BlockFeature(class_name=node.get("class", ""), id=node.get("id", ""), path=self._path(row))

    def matches(self, rule: BlockFeature) -> Iterator[tuple[str, list[int]]]:
        """Yield the blocks with text that have the rule's id, class and path, what the rule lacks left out."""
        nodes = self.measures.nodes
        rows = [row for row in self.rows if self.scores[row] > 0]
        if rule.id:
            yield "id", [row for row in rows if nodes[row].get("id") == rule.id]
        if rule.class_name:
            yield "class", [row for row in rows if nodes[row].get("class") == rule.class_name]
        path = crc32(f"/{rule.path}".encode())
        on_path = [row for row in rows if self.paths.of_row[row] == path]
        if len(on_path) == 1:
            yield "path", on_path

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
