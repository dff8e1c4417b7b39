"""Harvest metrics against hand-counted crawls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.evaluation.harvest_curve import HarvestCurve

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
