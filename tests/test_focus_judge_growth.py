"""A topic that grows while it is watched: proposals with evidence, verdicts, undoing, and no drift to a rival."""

from __future__ import annotations

from newscrawl.focus import Keyword, PageText, RelevanceModel, Topic
from newscrawl.focus.crawl import Focus, pack_state, unpack_state
from newscrawl.focus.judge import stored_suggestions
from newscrawl.focus.topic import Decisions

TOPIC = Topic(name="phones", keywords=(Keyword(term="phone"),))
FILLER = "The committee met on Monday to discuss the budget of the coming year. " * 6


def about_phones(number: int, *labels: str) -> PageText:
    return PageText(headline=f"A phone by {number}", text="The phone has a display. " * 4 + FILLER, labels=labels)


def about_gardens(number: int, *labels: str) -> PageText:
    return PageText(headline=f"Roses of {number}", text="The garden has roses and soil. " * 6 + FILLER, labels=labels)


def taught(*pages: PageText) -> RelevanceModel:
    model = RelevanceModel(TOPIC)
    for page in pages:
        model.learn(page, model.judge(page))
    return model


def states(model: RelevanceModel) -> dict[str, str]:
    return {one.name: one.state for one in model.suggestions()}


def mixed(n: int) -> list[PageText]:
    pages = []
    for number in range(n):
        pages += [about_phones(number, "pixel"), about_gardens(number, "roses"), about_gardens(number, "soil")]
    return pages


def test_a_label_of_the_topics_articles_is_taken_on_with_its_evidence() -> None:
    found = {one.name: one for one in taught(*mixed(8)).suggestions()}
    assert found["pixel"].state == "taken on"
    assert found["pixel"].n_articles == 8
    assert found["pixel"].confidence > 0.6
    assert {"roses", "soil"}.isdisjoint(found)
    assert "phone" not in found  # the user's own word


def test_a_refused_label_says_nothing_and_undoing_brings_it_back() -> None:
    model = taught(*mixed(8))
    silent = PageText(headline="What to buy", text=FILLER, labels=("pixel",))
    taken = model.judge(silent).probability
    model.decide(Decisions(refused=("pixel",)))
    assert states(model)["pixel"] == "refused"
    assert model.judge(silent).probability < taken
    model.decide(Decisions())
    assert model.judge(silent).probability == taken


def test_an_accepted_word_counts_as_a_keyword_until_it_is_undone() -> None:
    model = RelevanceModel(TOPIC)
    page = PageText(headline="A new handset is out", text=FILLER)
    before = model.judge(page)
    model.decide(Decisions(accepted=("handset",)))
    assert model.judge(page).is_relevant
    assert states(model)["handset"] == "accepted"
    model.decide(Decisions())
    assert model.judge(page) == before


def test_a_strong_rival_is_not_taken_in() -> None:
    """Ten times as many articles of a rival, one in ten of which mentions the topic, and a label both share."""
    pages = []
    for number in range(20):
        pages.append(about_phones(number, "pixel", "tips"))
        pages += [about_gardens(10 * number + n, "roses", "tips") for n in range(9)]
        pages.append(
            PageText(headline=f"Roses by phone {number}", text=about_gardens(0).text, labels=("roses", "tips"))
        )
    model = taught(*pages)
    assert states(model)["pixel"] == "taken on"
    assert {"roses", "tips"}.isdisjoint(states(model))
    assert not model.judge(about_gardens(99, "roses", "tips")).is_relevant


def test_what_was_taken_on_teaches_nothing() -> None:
    """Labels reached over a taken one alone are not taken on in their turn: a topic grows by one step, not for ever."""
    model = taught(*mixed(8))
    model.decide(Decisions(accepted=("pixel",)))
    for number in range(20):
        page = PageText(headline=f"What {number} bought", text=FILLER, labels=("pixel", "shopping"))
        assert model.judge(page).is_relevant
        model.learn(page, model.judge(page))
    assert states(model).get("shopping") is None


def test_verdicts_retrain_at_once_and_survive() -> None:
    focus = Focus(TOPIC)
    for page in mixed(4):
        focus.model.learn(page, focus.model.judge(page))
    doubtful = PageText(headline="Which handset", text=FILLER, labels=("handsets",))
    before = focus.model.judge(doubtful).probability
    others = {
        f"http://e.org/{n}.html": (PageText(headline=f"Handset {n}", text=FILLER, labels=("handsets",)), True)
        for n in range(3)
    }
    focus.decide(Decisions(), others)
    after = focus.model.judge(doubtful).probability
    assert after > 2 * before
    focus.decide(Decisions(), others)  # the same again teaches nothing
    assert focus.model.judge(doubtful).probability == after
    state = unpack_state(pack_state(focus.state()))
    assert state is not None
    again = Focus(TOPIC)
    again.restore(state)
    assert again.verdicts == focus.verdicts
    assert stored_suggestions(state["model"], Decisions()) == focus.model.suggestions()
