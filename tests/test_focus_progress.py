from __future__ import annotations

from newscrawl.focus.progress import Payers, Tally


def test_payers_keep_the_best() -> None:
    payers = Payers()
    for name, is_relevant in (("a", True), ("b", False), ("a", False), ("c", True), ("c", True)):
        payers.add(name, is_relevant=is_relevant)
    assert payers.best() == [("c", 2, 2), ("a", 2, 1)]


def test_a_tally_of_nothing() -> None:
    assert Tally().harvest_rate == Tally().latest_rate(10) == 0.0
