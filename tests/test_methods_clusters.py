"""Page clusters: hand-solved cases, and indifference to the order of pages where the design promises it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.methods.cluster import MAX_FEATURES, BlockFeature, PageCluster, PageClusters, jaccard

if TYPE_CHECKING:
    import random

SETS = st.frozensets(st.integers(0, 9))


def test_jaccard_by_hand() -> None:
    assert jaccard({1, 2, 3, 4}, {3, 4, 5}) == 2 / 5
    assert jaccard(frozenset(), frozenset()) == 1.0
    assert jaccard({1}, frozenset()) == 0.0


@given(SETS, SETS)
def test_jaccard_is_symmetric_in_range_and_1_on_itself(one: frozenset[int], other: frozenset[int]) -> None:
    assert jaccard(one, other) == jaccard(other, one)
    assert 0.0 <= jaccard(one, other) <= 1.0
    assert jaccard(one, one) == 1.0


def pages(*texts: str) -> list[frozenset[int]]:
    return [frozenset(map(ord, text)) for text in texts]


def numbers(clusters: PageClusters, found: list[frozenset[int]]) -> list[int]:
    return [clusters.add(page).number for page in found]


def test_one_pass_by_hand() -> None:
    """abcdefghij opens 0; abcdefgh is 8/10 alike and joins; abcdefg, 7/10, joins at the threshold; abcdef, 6/10, and
    xyz open their own.
    """
    clusters = PageClusters()
    assert numbers(clusters, pages("abcdefghij", "abcdefgh", "abcdefg", "abcdef", "xyz")) == [0, 0, 0, 1, 2]
    assert len(clusters) == 3


def test_the_mark_stays_the_first_pages() -> None:
    clusters = PageClusters()
    first, second, third = pages("abcdefghij", "abcdefghijklm", "abcdefghijklmnop")
    assert numbers(clusters, [first, second]) == [0, 0]  # 10/13
    assert clusters.add(third).number == 1  # 10/16 to the mark, though 13/16 to the second page


def test_the_most_similar_cluster_wins_and_the_older_of_equals() -> None:
    clusters = PageClusters(threshold=0.5)
    numbers(clusters, pages("abcd", "abef"))  # 2/6: apart
    assert clusters.add(pages("abc")[0]).number == 0  # 3/4 against 2/5
    assert clusters.add(pages("abefg")[0]).number == 1
    assert clusters.find(pages("abcdef")[0]) is not None
    tie = clusters.find(pages("abcdef")[0])  # 4/6 to both
    assert tie is not None
    assert tie.number == 0


def test_nothing_is_found_below_the_threshold() -> None:
    clusters = PageClusters()
    assert clusters.find(frozenset({1})) is None
    clusters.add(frozenset({1, 2}))
    assert clusters.find(frozenset({1})) is None


@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_clusters_do_not_depend_on_the_order_of_pages(n_templates: int, order: random.Random) -> None:
    """28 paths are common, 14 a template's own, a page lacks at most one: 40/42 alike within, 28/56 between."""
    made = [
        (template, frozenset((*range(28), *range(base, base + 14))) - {base + order.randrange(20)})
        for template, base in enumerate(range(100, 100 + 20 * n_templates, 20))
        for _ in range(4)
    ]
    order.shuffle(made)
    clusters = PageClusters()
    found = [(template, clusters.add(page).number) for template, page in made]
    assert len(set(found)) == n_templates == len({number for _, number in found})


def test_the_rule_is_the_feature_of_greatest_sum() -> None:
    """Algorithm 2: content 0.4 + 0.3 = 0.7 against comment 0.5, though that is the greatest of one page."""
    content = BlockFeature(class_name="content", id="", path="body/div")
    comment = BlockFeature(class_name="comment", id="", path="body/ul")
    cluster = PageCluster(number=0, mark=frozenset())
    assert cluster.rule is None
    for feature, score in ((content, 0.4), (comment, 0.5), (content, 0.3)):
        cluster.add_block(feature, score)
    assert cluster.rule == content


def test_memory_grows_with_templates_only() -> None:
    clusters = PageClusters(max_clusters=3)
    kept = frozenset({1, 2})
    clusters.add(kept)
    for page in range(100):
        clusters.add(frozenset({1000 + page}))
        clusters.add(kept)
    assert len(clusters) == 3
    cluster = clusters.find(kept)
    assert cluster is not None
    assert cluster.n_pages == 101
    for page in range(10 * MAX_FEATURES):
        cluster.add_block(BlockFeature(class_name="", id=f"post-{page}", path="body"), 0.1)
        cluster.add_block(BlockFeature(class_name="", id="", path="body/div"), 0.2)
    assert len(cluster.scores) == MAX_FEATURES
    assert cluster.rule == BlockFeature(class_name="", id="", path="body/div")


def test_assignment_does_not_slow_down_with_pages() -> None:
    clusters = PageClusters()
    page = frozenset(range(60))

    def seconds(n: int) -> float:
        start = time.perf_counter()
        for _ in range(n):
            clusters.add(page)
        return time.perf_counter() - start

    first = min(seconds(200) for _ in range(5))
    seconds(20_000)
    assert min(seconds(200) for _ in range(5)) < 5 * first


@pytest.mark.parametrize(("threshold", "max_clusters"), [(0.0, 1), (1.1, 1), (0.7, 0)])
def test_senseless_settings_are_refused(threshold: float, max_clusters: int) -> None:
    with pytest.raises(ValueError, match="threshold"):
        PageClusters(threshold=threshold, max_clusters=max_clusters)
