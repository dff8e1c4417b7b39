from __future__ import annotations

import pytest

from newscrawl.sites.coverage import DOORS, DayCoverage, ListMemory, coverage_by_day

FEED, MAP, HUB = DOORS["feed"], DOORS["sitemap"], DOORS["hub"]


def test_a_story_counts_at_each_door_that_showed_it() -> None:
    day = DayCoverage.from_counts("2026-11-22", {FEED: 10, FEED | MAP: 20, MAP | HUB: 30, HUB: 8, 0: 99})
    assert day.n_seen == 68
    assert day.by_door == {"feed": 30, "sitemap": 50, "hub": 38}
    assert day.as_json() == {"day": "2026-11-22", "seen": 68, "feed": 30, "sitemap": 50, "hub": 38}


def test_days_are_counted_apart() -> None:
    days = coverage_by_day([("2026-11-22", FEED, 2), ("2026-11-21", HUB, 3), ("2026-11-22", FEED | HUB, 9)])
    assert [(day.day, day.n_seen) for day in days] == [("2026-11-21", 3), ("2026-11-22", 11)]


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
