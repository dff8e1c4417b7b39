"""Counts of the places of facts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.sites.memory.facts import FACTS, MAX_KEPT, MIN_AGREED, FactMemory, FactPlace, Support
from newscrawl.sites.memory.host import HostMemory

DAY = "2024-03-05"
sightings = st.lists(
    st.builds(
        FactPlace,
        st.sampled_from(list(FACTS)),
        st.sampled_from([f"p.n{letter}" for letter in "abcdefg"]),
        st.booleans(),
    ),
    max_size=4,
)


def headlines(*agrees: bool, selector: str = "h1.title") -> list[FactPlace]:
    return [FactPlace("headline", selector, found) for found in agrees]


def seen(*pages: list[FactPlace], day: str = DAY) -> FactMemory:
    memory = FactMemory()
    for places in pages:
        memory.count(places, day)
    return memory


@pytest.mark.parametrize(
    ("n_agreed", "n_found", "is_sure"), [(5, 5, True), (4, 4, False), (19, 20, True), (18, 19, False), (0, 0, False)]
)
def test_a_place_is_sure_by_number_and_share(n_agreed: int, n_found: int, is_sure: bool) -> None:
    assert Support(n_agreed, n_found, DAY).is_sure is is_sure


def test_places_are_counted_with_the_last_day_on_which_they_agreed() -> None:
    memory = seen(headlines(True), headlines(False))
    memory.count(headlines(True), "2024-03-07")
    memory.count(headlines(False), "2024-03-09")
    assert list(memory.best("headline")) == [("h1.title", Support(2, 4, "2024-03-07"))]


def test_the_best_place_is_asked_first() -> None:
    memory = seen(*[headlines(True, selector="h1.good")] * 3, *[headlines(True, False, selector="h2.other")] * 3)
    assert memory.to_ask() == {"headline": ("h1.good", "h2.other")}


def test_the_place_of_a_new_template_comes_before_a_sure_one_that_is_gone() -> None:
    memory = seen(*[headlines(True, selector="h1.old")] * 50)
    for _ in range(MIN_AGREED):
        memory.count(headlines(True, selector="h1.new"), "2024-06-01")
    assert next(memory.best("headline"))[0] == "h1.new"


def test_names_that_each_page_has_anew_do_not_drive_out_what_recurs() -> None:
    memory = FactMemory()
    for number in range(100):
        words = "".join("abcdefghij"[int(digit)] for digit in str(number))
        memory.count([*headlines(True), *headlines(True, selector=f"h1.{words}")], DAY)
    assert len(memory.places) == MAX_KEPT
    assert next(memory.best("headline")) == ("h1.title", Support(100, 100, DAY))


@given(st.lists(sightings, max_size=12))
def test_memory_is_bounded_and_survives_json(pages: list[list[FactPlace]]) -> None:
    memory = seen(*pages)
    assert len(memory.places) <= MAX_KEPT * len(FACTS)
    assert FactMemory.from_state(json.loads(json.dumps(memory.to_state()))) == memory


@given(st.lists(st.booleans(), min_size=1), st.lists(st.booleans(), min_size=1))
def test_what_workers_have_seen_adds_up(first: list[bool], later: list[bool]) -> None:
    memory = seen(*(headlines(found) for found in first))
    memory.add(seen(*(headlines(found) for found in later)))
    assert memory == seen(*(headlines(found) for found in first + later))


def test_a_host_that_an_earlier_program_remembered_has_no_places_yet() -> None:
    state = HostMemory(n_pages=3).to_state()
    del state["facts"], state["day"]
    assert HostMemory.from_state(state) == HostMemory(n_pages=3)


def test_a_new_template_makes_places_void() -> None:
    memory = HostMemory(n_pages=9, facts=seen(headlines(True)))
    memory.forget()
    assert memory.facts == FactMemory()
