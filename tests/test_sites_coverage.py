from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.sites.coverage import DOORS, ListMemory, chapman, counted, day_coverage, fallen

FEED, MAP, HUB = DOORS["feed"], DOORS["sitemap"], DOORS["hub"]


def made_day(n: int, feed: float, sitemap: float, hub: float, seed: int) -> Counter[int]:
    """Stories of a site by the doors that show them; each door shows each story by chance."""
    draw = random.Random(seed)
    shown = (
        FEED * (draw.random() < feed) + MAP * (draw.random() < sitemap) + HUB * (draw.random() < hub) for _ in range(n)
    )
    return Counter(shown)


def test_the_worked_example() -> None:
    """n1 = 200, n2 = 100, m = 50: N = 201 * 101 / 51 - 1 = 397.06; V = 201 * 101 * 150 * 50 / (51^2 * 52) = 1125.7."""
    found = chapman(200, 100, 50)
    assert found.total == pytest.approx(397.0588, abs=1e-4)
    # f = 397.06 - 250 = 147.06; C = exp(1.96 * sqrt(log(1 + 1125.7 / 147.06^2))) = 1.55506
    assert found.low == pytest.approx(250 + 147.0588 / 1.55506, abs=0.01)
    assert found.high == pytest.approx(250 + 147.0588 * 1.55506, abs=0.01)


@given(st.integers(0, 500), st.integers(0, 500), st.data())
def test_no_estimate_is_below_what_was_seen(first: int, second: int, data: st.DataObject) -> None:
    both = data.draw(st.integers(0, min(first, second)))
    found = chapman(first, second, both)
    seen = first + second - both
    assert found.total >= seen - 1e-9
    assert seen <= found.low <= found.high
    assert found == chapman(second, first, both)


def test_more_cannot_be_in_both_than_in_one() -> None:
    with pytest.raises(ValueError, match="of captures of 3 and 9, 4 cannot be in both"):
        chapman(3, 9, 4)


@pytest.mark.parametrize(
    ("n", "feed", "hub", "least"), [(60, 0.8, 0.7, 0.85), (300, 0.5, 0.6, 0.92), (300, 0.95, 0.3, 0.9)]
)
def test_the_truth_lies_in_the_interval(n: int, feed: float, hub: float, least: float) -> None:
    """The intervals of 95 % hold the truth of most of 200 made days, of fewer where few stories are unseen."""
    estimates = [day.estimate for seed in range(200) if (day := day_coverage("d", made_day(n, feed, 0, hub, seed)))]
    known = [found for found in estimates if found is not None]
    assert len(known) == 200
    assert sum(found.low <= n <= found.high for found in known) >= least * 200
    assert sum(found.total for found in known) / len(known) == pytest.approx(n, rel=0.03)


def test_feeds_and_sitemaps_are_one_capture_beside_lists() -> None:
    day = day_coverage("2026-11-22", {FEED: 10, FEED | MAP: 20, MAP | HUB: 30, HUB: 8, 0: 99})
    assert day.n_seen == 68
    assert day.by_door == {"feed": 30, "sitemap": 50, "hub": 38}
    assert day.estimate == chapman(60, 38, 30)
    assert day.share == pytest.approx(68 / chapman(60, 38, 30).total)
    without = day_coverage("2026-11-22", {FEED: 5, MAP: 9, FEED | MAP: 20})
    assert without.estimate == chapman(25, 29, 20)


@pytest.mark.parametrize("counts", [{FEED: 90}, {HUB: 90}, {FEED: 50, HUB: 50}, {FEED: 50, FEED | HUB: 6}, {}])
def test_one_door_or_few_shared_stories_give_no_estimate(counts: dict[int, int]) -> None:
    day = day_coverage("2026-11-22", counts)
    assert day.estimate is None
    assert day.share is None


def test_days_are_counted_apart() -> None:
    days = counted([("2026-11-22", FEED, 2), ("2026-11-21", HUB, 3), ("2026-11-22", FEED | HUB, 9)])
    assert [(day.day, day.n_seen) for day in days] == [("2026-11-21", 3), ("2026-11-22", 11)]


def made_days(*feeds: float) -> list[tuple[str, int, int]]:
    """A site whose lists show 60 % of 300 stories a day, and its feed these shares."""
    days = (made_day(300, feed, 0, 0.6, seed) for seed, feed in enumerate(feeds))
    return [(f"2026-11-{n:02}", doors, count) for n, day in enumerate(days, start=1) for doors, count in day.items()]


def test_a_fall_is_an_event() -> None:
    event = fallen(counted(made_days(0.95, 0.95, 0.95, 0.95, 0.2)), "example.org")
    assert event is not None
    assert (event.host, event.reason) == ("example.org", "coverage")
    assert event.old == "98% of the stories seen"
    assert event.new.endswith("on 2026-11-05")


@pytest.mark.parametrize("feeds", [(0.95, 0.95, 0.95, 0.95, 0.9), (0.95, 0.2), (0.2,) * 5, (0.95,) * 4, ()])
def test_what_is_no_fall(feeds: tuple[float, ...]) -> None:
    assert fallen(counted(made_days(*feeds)), "example.org") is None


def events(*visits: int) -> list[int]:
    """Return the visits at which a list is said to have run dry."""
    memory = ListMemory()
    return [at for at, n in enumerate(visits) if memory.visit("https://e.org/l", "e.org", n) is not None]


@pytest.mark.parametrize(
    ("visits", "at"),
    [
        ((20, 22, 18, 0, 0), [4]),
        ((20, 22, 18, 0, 0, 0, 0), [4]),  # told once
        ((20, 20, 0, 0, 20, 20, 0, 0), [3, 7]),  # and again when it had come back
        ((20, 22, 0, 19, 0, 21), []),  # a fault of the server
        ((20, 20, 3, 3), [3]),  # a fifth is dry
        ((20, 20, 5, 5), []),
        ((4, 4, 0, 0), []),  # a small list may be empty
        ((0, 0, 0), []),
        ((30, 25, 20, 15, 12, 9, 7), []),  # it shrinks slowly
    ],
)
def test_a_list_that_runs_dry(visits: tuple[int, ...], at: list[int]) -> None:
    assert events(*visits) == at


def test_what_a_list_was_is_told() -> None:
    memory = ListMemory()
    for n in (20, 20, 0):
        assert memory.visit("https://e.org/l", "e.org", n) is None
    event = memory.visit("https://e.org/l", "e.org", 1)
    assert event is not None
    assert (event.old, event.new, event.n_pages) == ("20 stories on https://e.org/l", "1 story", 4)
