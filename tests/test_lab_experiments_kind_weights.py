from __future__ import annotations

from lab.experiments.kind_weights import WEIGHTS, Errors, JudgedPage, changes, current, errors, held_out
from newscrawl.items import PageType
from newscrawl.sites.shown import KindEvidence

HOST = "https://e.example.org"
STORIES = [
    JudgedPage(
        f"{HOST}/2024/05/story-{n}/", True, KindEvidence(page_type=PageType.ARTICLE, confidence=0.6, odds=odds), ()
    )
    for n, odds in enumerate((2.0, 2.0, 2.0, 2.0, 2.0, -0.5))
]  # fmt: skip
HUB = JudgedPage(f"{HOST}/news/", False, KindEvidence(page_type=PageType.HUB, confidence=0.9, odds=-2.0), ())


def test_a_site_is_judged_with_other_weights_and_these_are_put_back() -> None:
    before = current()
    assert errors([*STORIES, HUB], before) == Errors(lost=0, wrong=0, n_articles=6, n_others=1)
    alone = before | dict.fromkeys(WEIGHTS, 0.0) | {"OWN": 1.0, "MAX_ODDS": 3.0}
    assert errors([*STORIES, HUB], alone).lost == 1, "the form no longer speaks for it"
    assert current() == before
    assert len(changes()) == 1 + 5 * len(WEIGHTS)


def test_a_change_is_chosen_without_the_site_that_is_judged_by_it() -> None:
    good, bad = Errors(0, 0, 10, 10), Errors(5, 0, 10, 10)
    table = {"as they are": {"a": good, "b": bad, "c": bad}, "more": {"a": bad, "b": good, "c": good}}
    assert held_out(table) == {"a": ("more", bad), "b": ("as they are", bad), "c": ("as they are", bad)}
