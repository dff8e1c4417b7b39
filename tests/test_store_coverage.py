from __future__ import annotations

import random
from datetime import timedelta
from string import ascii_letters
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from newscrawl.store.coverage import (
    DAYS,
    DOORS,
    DayCoverage,
    ListMemory,
    coverage,
    coverage_by_day,
    forget_sightings,
    note_sightings,
    read_lists,
    save_list,
    sightings,
)
from newscrawl.store.engine import writing
from newscrawl.store.storage import write_batch
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from sqlalchemy import Engine

FEED, MAP, HUB = DOORS["feed"], DOORS["sitemap"], DOORS["hub"]
URLS = [f"https://example.org/2024/03/05/{n}.html" for n in range(20)]


def test_a_day_is_counted_by_doors(engine: Engine) -> None:
    with writing(engine) as connection:
        write_batch(connection, [stored(url, chinese(n)) for n, url in enumerate(URLS)])
        note_sightings(connection, "example", dict.fromkeys(URLS[:14], FEED), NOW)
        note_sightings(connection, "example", dict.fromkeys(URLS[6:18], HUB), NOW)
        note_sightings(connection, "example", {URLS[0]: FEED, "https://example.org/never-stored.html": HUB}, NOW)
        note_sightings(connection, "other", dict.fromkeys(URLS, HUB), NOW)
    with engine.connect() as connection:
        (day,) = coverage(connection, "example", NOW)
        assert coverage(connection, "example", NOW + timedelta(days=DAYS + 1)) == ()
        assert coverage(connection, "other", NOW) == ()  # the articles are not its own
    assert (day.day, day.n_seen) == ("2024-03-05", 18)
    assert day.by_door == {"feed": 14, "sitemap": 0, "hub": 12}


def test_addresses_that_are_stored_alike_keep_all_their_doors(engine: Engine) -> None:
    with writing(engine) as connection:
        note_sightings(connection, "example", {"https://e.org/a": FEED, "https://e.org/\0a": HUB}, NOW)
        assert connection.execute(select(sightings.c.doors)).scalar_one() == FEED | HUB


def test_a_long_address_of_a_story_or_list_ends_no_crawl(engine: Engine) -> None:
    """An index of PostgreSQL's refuses one of more than 2,704 bytes."""
    url = "https://example.org/" + "".join(random.Random(1).choices(ascii_letters, k=8_000))
    row = {"site": "example", "url": url, "door": "hub", "n_last": 3, "visited_at": NOW}
    with writing(engine) as connection:
        write_batch(connection, [stored(url, chinese(1))])
        note_sightings(connection, "example", {url: FEED}, NOW)
        save_list(connection, row | {"usual": 12.5, "n_visits": 4, "n_dry": 1})
        assert [day.n_seen for day in coverage(connection, "example", NOW)] == [1]


def test_what_was_seen_long_ago_is_left_out(engine: Engine) -> None:
    with writing(engine) as connection:
        note_sightings(connection, "example", {URLS[0]: FEED}, NOW)
        note_sightings(connection, "example", {URLS[1]: FEED}, NOW + timedelta(days=20))
        note_sightings(connection, "other", {URLS[0]: FEED}, NOW)
        forget_sightings(connection, "example", NOW + timedelta(days=2 * DAYS + 1))
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(sightings)).scalar_one() == 2


def test_lists_are_remembered(engine: Engine) -> None:
    row = {"site": "example", "url": URLS[0], "door": "hub", "n_last": 3, "visited_at": NOW}
    with writing(engine) as connection:
        save_list(connection, row | {"usual": 12.5, "n_visits": 4, "n_dry": 1})
        save_list(connection, row | {"usual": 14.0, "n_visits": 5, "n_dry": 0})
        assert read_lists(connection, "example") == {URLS[0]: ListMemory(usual=14.0, n_visits=5, n_dry=0)}
        assert read_lists(connection, "other") == {}


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
