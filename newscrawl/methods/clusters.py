"""Page clusters: pages whose blocks stand on the same tag paths, found one page at a time.

Source: 基于网页聚类的正文信息提取方法, §4 (single-pass clustering with marks) and §5.2 (Algorithm 2, getBlock).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

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
