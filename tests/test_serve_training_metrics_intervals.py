from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.serve.training.metrics import MIN_SITES, f1_of_means, interval, mean


def test_same_seed_same_interval() -> None:
    rows = [(value / 20, 1.0) for value in range(20)]
    groups = [str(place) for place in range(20)]
    first = interval(rows, groups, mean, seed=3)
    assert first == interval(rows, groups, mean, seed=3)
    assert first != interval(rows, groups, mean, seed=4)
    assert first.low < 0.475 < first.high
    assert first.unit == "site"


def test_few_sites_draw_pages() -> None:
    rows = [(float(place % 2), 1.0) for place in range(40)]
    assert interval(rows, ["one"] * 40, mean, seed=1).unit == "page"
    assert interval(rows, [str(n % MIN_SITES) for n in range(40)], mean, seed=1).unit == "site"


def test_sites_that_err_together_make_the_interval_wide() -> None:
    rows = [(float(place < 20), 1.0) for place in range(40)]
    by_page = interval(rows, [str(place) for place in range(40)], mean, seed=1)
    by_site = interval(rows, [str(place // 5) for place in range(40)], mean, seed=1)
    assert by_site.high - by_site.low > 1.5 * (by_page.high - by_page.low)


def test_f1_of_means_leaves_out_empty_outputs() -> None:
    # One page with precision 1 and recall 1, one without output: P = 1 (of one), R = 1/2.
    rows = [(1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)]
    assert f1_of_means(np.array([rows]).sum(axis=1))[0] == pytest.approx(2 / 3)


def test_no_page() -> None:
    assert interval([], [], mean, seed=1).high == 0.0


@given(st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=30))
def test_the_interval_lies_within_the_values(values: list[float]) -> None:
    found = interval([(value, 1.0) for value in values], ["s"] * len(values), mean, seed=1, rounds=50)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
