from __future__ import annotations

import random
from datetime import timedelta
from string import ascii_letters
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from newscrawl.sites.coverage import DOORS, ListMemory
from newscrawl.store.coverage import (
    DAYS,
    coverage,
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

FEED, HUB = DOORS["feed"], DOORS["hub"]
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
