from __future__ import annotations

import math
from types import ModuleType

import pytest

from lab.training.cues import PRIOR, Proposals, as_module, fit, in_folds
from newscrawl.extract.facts.cues import Candidate, Cue, Weights

CUES: list[Cue[str]] = [Cue("data", lambda _: ()), Cue("line", lambda _: ())]


def proposals(number: int, *, is_right: bool) -> Proposals:
    """Return a page of a site of its own: its data are right where the other's line is wrong, and its far lines are."""
    line = [Candidate("b", "b", "line", signs=("far",) if is_right else ())]
    return Proposals(
        group=f"site{number}.example",
        candidates={"data": [Candidate("a", "a", "data")], "line": line},
        right={"a": is_right, "b": not is_right},
    )


PAGES = [proposals(number, is_right=number % 4 > 0) for number in range(400)]


def test_a_weight_is_the_logarithm_of_the_odds_of_being_right() -> None:
    right, wrong = PRIOR
    weights = fit(CUES, PAGES, least=-1.0)
    assert weights.cues["data"][""] == pytest.approx(math.log((300 + right) / (100 + wrong)))
    assert weights.cues["line"][""] > 0 > weights.cues["line"][""] + weights.cues["line"]["far"]


def test_what_is_right_is_told_on_sites_left_out() -> None:
    assert in_folds(CUES, PAGES, least=-9.0).right() == 1.0
    assert in_folds(CUES[:1], PAGES, least=-9.0).right() == 0.75


def test_weights_are_written_as_a_module() -> None:
    weights = Weights(enough=2.5, least=-1.0, cues={"data": {"": 1.234, "far": -0.5}})
    module = ModuleType("weights")
    exec(as_module({"AUTHORS": weights}), module.__dict__)  # noqa: S102  what the command has just made
    assert Weights(enough=2.5, least=-1.0, cues={"data": {"": 1.23, "far": -0.5}}) == module.AUTHORS
