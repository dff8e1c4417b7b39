"""Harvest metrics against hand-counted crawls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.focus.progress import HarvestCurve, Payers, Tally

CRAWL = HarvestCurve((True, False, True, True, False, False))


@pytest.mark.parametrize(("n", "rate"), [(1, 1.0), (2, 0.5), (4, 0.75), (6, 0.5), (10, 0.3), (0, 0.0)])
def test_harvest_rate(n: int, rate: float) -> None:
    assert CRAWL.harvest_rate(n) == pytest.approx(rate)


def test_of_four_reachable_pages() -> None:
    assert CRAWL.harvest_rate_at_r(4) == 0.75
    assert CRAWL.recall_at_2r(4) == 0.75


def test_an_empty_crawl() -> None:
    assert HarvestCurve(()).recall(4, 0) == 0.0
    assert HarvestCurve(()).points() == []


@given(st.lists(st.booleans(), min_size=1, max_size=300))
def test_the_curve_ends_at_the_whole_crawl(relevant: list[bool]) -> None:
    curve = HarvestCurve(tuple(relevant))
    n_pages, rate = curve.points(50)[-1]
    assert n_pages == len(relevant)
    assert rate == pytest.approx(sum(relevant) / len(relevant))
    assert len(curve.points(50)) <= 51


def test_payers_keep_the_best() -> None:
    payers = Payers()
    for name, is_relevant in (("a", True), ("b", False), ("a", False), ("c", True), ("c", True)):
        payers.add(name, is_relevant=is_relevant)
    assert payers.best() == [("c", 2, 2), ("a", 2, 1)]


def test_a_tally_of_nothing() -> None:
    assert Tally().harvest_rate == Tally().latest_rate(10) == 0.0
