from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from newscrawl.extract.facts.authors import AUTHOR_CUES
from newscrawl.extract.facts.cues import Candidate, Cue, FactPage, Weights, choose
from newscrawl.extract.facts.dates import DATE_CUES
from newscrawl.extract.facts.extract import fact_page
from newscrawl.extract.facts.weights import AUTHORS, DATES
from newscrawl.page.document import Document
from tests.test_extract_facts_authors import FETCHED

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = fact_page(Document.from_html("<html lang=en><h1>The new library opens today</h1>"), fetched_at=FETCHED)


def cue(name: str, *values: str, asked: list[str] | None = None, languages: tuple[str, ...] = ()) -> Cue[str]:
    """Return a cue that proposes values; signs stand behind a colon."""

    def find(_page: FactPage) -> list[Candidate[str]]:
        if asked is not None:
            asked.append(name)
        parts = [value.split(":") for value in values]
        return [Candidate(value, value.casefold(), name, signs=tuple(signs)) for value, *signs in parts]

    return Cue(name, find, languages)


@pytest.mark.parametrize(
    ("cues", "chosen"),
    [
        ((cue("data", "Jane"), cue("line", "John")), "Jane"),  # 3 against 2
        ((cue("data", "Jane"), cue("line", "John"), cue("meta", "John")), "John"),  # 2 + 1.5 against 3
        ((cue("line", "JOHN"), cue("meta", "John")), "JOHN"),  # the first that agrees is told
        ((cue("data", "Jane:far"), cue("line", "John")), "John"),  # 3 - 2 against 2
        ((cue("line", "John:far", "John"), cue("meta", "Jane")), "John"),  # a cue counts once, at its best
        ((cue("line", "John", "Jane"),), "John"),  # the first of equal ones
        ((cue("meta", "Jane:far"),), None),  # 1.5 - 2 is below the least
        ((), None),
    ],
)
def test_the_value_is_chosen_that_weighs_most(cues: Sequence[Cue[str]], chosen: str | None) -> None:
    weights = Weights(9.0, 0.0, {"data": {"": 3.0, "far": -2.0}, "line": {"": 2.0}, "meta": {"": 1.5, "far": -2.0}})
    choice = choose(cues, weights, PAGE)
    assert (choice.best.value if choice else None) == chosen


def test_cues_are_asked_until_a_value_weighs_enough() -> None:
    asked: list[str] = []
    cues = [cue(name, "Jane", asked=asked) for name in ("data", "line", "meta")]
    weights = Weights(4.0, 0.0, {"data": {"": 3.0}, "line": {"": 2.0}, "meta": {"": 1.5}})
    choice = choose(cues, weights, PAGE)
    assert asked == ["data", "line"]
    assert choice is not None
    assert (choice.weight, [one.origin for one in choice.agreeing]) == (5.0, ["data", "line"])


def test_a_cue_of_other_languages_is_not_asked() -> None:
    asked: list[str] = []
    assert choose([cue("line", "Jane", asked=asked, languages=("zh",))], Weights(1.0, 0.0, {}), PAGE) is None
    assert asked == []


@pytest.mark.parametrize(("cues", "weights"), [(AUTHOR_CUES, AUTHORS), (DATE_CUES, DATES)])
def test_every_cue_has_a_weight_and_no_other_has_one(cues: Sequence[object], weights: Weights) -> None:
    assert [cast("Cue[object]", one).name for one in cues] == list(weights.cues)
    assert all("" in signs for signs in weights.cues.values())
    assert weights.enough > 0
    assert weights.least < 0
