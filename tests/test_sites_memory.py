from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extractors import get_extractor
from newscrawl.page.document import Document
from newscrawl.read.memory import page_keys
from newscrawl.sites import memory as module
from newscrawl.sites import sightings
from newscrawl.sites.memory import HostMemory, SiteMemory, known_odds, refine_lines, settle_host
from newscrawl.sites.sightings import sighting

if TYPE_CHECKING:
    from newscrawl.classify.model_file import Floats
    from newscrawl.extractors import Extraction
    from newscrawl.page.measures import Bools
    from newscrawl.sites.sightings import PageKeys

HOST = "news.example.org"
NOTICE = "Follow our page, where we bring you the news of the day, from markets to sports, every morning."
RULES = get_extractor("rules")


def page(
    number: int, *, shape: str = "story", notice: str = NOTICE, extra: str = "", url: str | None = None
) -> Document:
    words = " ".join(f"w{number}x{k}" for k in range(14))
    paragraphs = "".join(f"<p>Paragraph {number} {k}, {words}, and so it ends, they said.</p>" for k in range(5))
    return Document.from_html(
        f"<html><head><title>Title {number}</title></head><body><div class='{shape}'><h1>Title {number}</h1>"
        f"<div class='text'>{paragraphs}<p>{notice}</p></div>{extra}</div></body></html>",
        url,
    )


def harvest(memory: SiteMemory, document: Document) -> Extraction:
    extraction = RULES.extract(document)
    assert extraction.chosen is not None
    keys = page_keys(document)
    refined = memory.refine(HOST, keys, extraction.chosen)
    memory.observe(HOST, keys, refined.chosen)
    evidence = (*extraction.evidence, *refined.evidence)
    return replace(extraction, text=keys.joined(refined.chosen), chosen=refined.chosen, evidence=evidence)


def test_what_recurs_at_the_end_goes_from_the_second_article_on() -> None:
    memory = SiteMemory()
    texts = [harvest(memory, page(number)).text for number in range(4)]
    assert [NOTICE in text for text in texts] == [True, False, False, False]
    assert "Paragraph 3 4" in texts[3]


def test_evidence_names_the_memory() -> None:
    memory = SiteMemory()
    evidence = [harvest(memory, page(number)).evidence for number in range(3)][-1]
    assert "site memory: 1 line recurs on this host's articles" in evidence


def test_an_article_seen_again_is_no_recurrence() -> None:
    memory = SiteMemory()
    for _ in range(5):
        text = harvest(memory, page(1)).text
    assert NOTICE in text
    assert memory.hosts[HOST].n_pages == 1


def test_parts_and_later_visits_of_an_article_are_no_recurrence() -> None:
    """Each part begins as the one before it ends; the harvest after it knows no more than the database does."""
    memory = SiteMemory()
    address = f"http://{HOST}/2024/a1"
    parts = [page(number, url=f"{address}{ending}.html") for number, ending in enumerate(("", "_2", "_3"))]
    for _ in range(3):
        assert all(NOTICE in harvest(memory, part).text for part in parts)
        state = json.loads(json.dumps(memory.hosts[HOST].to_state()))
        memory = SiteMemory()
        memory.hosts[HOST] = HostMemory.from_state(state)
    assert memory.hosts[HOST].n_pages == 1


def test_the_same_words_elsewhere_stay() -> None:
    """A teaser beside ten articles is the first line of the eleventh: another place, so it stays."""
    memory = SiteMemory()
    teaser = "Paragraph 99 lead, which every other page shows in its column of most read articles, as sites do."
    for number in range(10):
        harvest(memory, page(number, notice="", extra=f"<div class='aside'><p>{teaser}</p></div>"))
    assert teaser in harvest(memory, page(11, notice=teaser)).text


def test_the_places_of_an_extractor_without_odds_count_too() -> None:
    memory = SiteMemory()
    for number in range(5):
        harvest(memory, page(number, notice=""))
    places = memory.hosts[HOST].places.values()
    assert max(place.odds / place.n_pages for place in places) == module.NO_ODDS
    assert min(place.odds / place.n_pages for place in places) == -module.NO_ODDS


def test_in_whatever_order_articles_came_their_texts_are_the_same() -> None:
    """A notice on all pages, a relaunch, a story at two addresses, and one that was counted in an earlier harvest."""

    def story(number: int, shape: str = "story", place: str = "") -> tuple[PageKeys, Bools, Floats]:
        document = page(number, shape=shape, url=f"https://{HOST}/{place}{number}/story.html")
        chosen = RULES.extract(document).chosen
        assert chosen is not None
        return page_keys(document), chosen, known_odds(chosen, None)

    earlier = HostMemory()
    settle_host(HOST, earlier, [sighting(*story(number)) for number in range(40, 52)])
    read = [story(number, "story" if number < 12 else "relaunch") for number in range(24)]
    read += [story(3, place="print/"), story(41)]
    found = []
    for seed in range(5):
        memory = HostMemory.from_state(json.loads(json.dumps(earlier.to_state())))
        order = random.Random(seed).sample(range(len(read)), len(read))
        counted = settle_host(HOST, memory, [sighting(*read[number]) for number in order])
        texts = [
            keys.joined(refine_lines(memory, keys, chosen, odds, is_known=keys.address in counted).chosen)
            for keys, chosen, odds in read
        ]
        found.append((texts, memory.to_state()))
    assert all(one == found[0] for one in found)
    texts, state = found[0]
    assert not any(NOTICE in text for text in texts), "not in the first one either"
    assert all(len(text) > 300 for text in texts)
    assert state["n_pages"] == 12 + 24, "the copy and the one known from before count once"


def test_places_of_text_are_taken_in() -> None:
    memory = SiteMemory()
    for number in range(4):
        document = page(number, notice="")
        chosen = RULES.extract(document).chosen
        assert chosen is not None
        memory.observe(HOST, page_keys(document), chosen)
    document = page(9, notice="")
    chosen = RULES.extract(document).chosen
    assert chosen is not None
    fewer = chosen.copy()
    fewer[np.flatnonzero(chosen)[-2]] = False
    refined = memory.refine(HOST, page_keys(document), fewer)
    assert (refined.chosen == chosen).all()
    assert refined.evidence == ("site memory: 1 line stands where this host's articles do",)
    assert (memory.refine("other.example.org", page_keys(document), fewer).chosen == fewer).all()


@pytest.mark.parametrize("reason", ["places", "length"])
def test_a_new_template_is_told_once(reason: str) -> None:
    memory = SiteMemory()
    drifts = []
    for number in range(45):
        late = number >= 30
        if reason == "places":
            document = page(number, shape="relaunch" if late else "story")
        else:
            document = page(number, notice="")
        chosen = RULES.extract(document).chosen
        assert chosen is not None
        if reason == "length" and late:
            document = Document.from_html(f"<body><div class='story'><div class='text'><p>Gone {number}.")
            chosen = np.ones(1, dtype=np.bool_)
        drifts.append(memory.observe(HOST, page_keys(document), chosen))
    told = [drift for drift in drifts if drift]
    assert [drift.reason for drift in told] == [reason]
    assert told[0].n_pages == 30 + module.DRIFT_PAGES - 1
    if reason == "places":
        assert "story" in told[0].old
        assert "relaunch" in told[0].new


def test_a_host_of_many_templates_does_not_drift() -> None:
    memory = SiteMemory()
    for number in range(60):
        document = page(number, shape=f"shape-{chr(97 + number // 3)}", notice="")
        chosen = RULES.extract(document).chosen
        assert chosen is not None
        assert memory.observe(HOST, page_keys(document), chosen) is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sightings, "MAX_TEXTS", 30)
    monkeypatch.setattr(sightings, "MAX_PLACES", 6)
    monkeypatch.setattr(module, "MAX_HOSTS", 3)
    memory = SiteMemory()
    for number in range(40):
        document = page(number, shape=f"shape-{chr(97 + number % 26)}")
        chosen = RULES.extract(document).chosen
        assert chosen is not None
        memory.observe(f"h{number % 5}.example.org", page_keys(document), chosen)
    assert len(memory.hosts) == 3
    assert all(len(host.texts) <= 30 and len(host.places) <= 6 for host in memory.hosts.values())


def test_state_survives_json() -> None:
    memory = SiteMemory()
    for number in range(4):
        harvest(memory, page(number))
    state = json.loads(json.dumps(memory.hosts[HOST].to_state()))
    again = SiteMemory()
    again.hosts[HOST] = HostMemory.from_state(state)
    assert json.loads(json.dumps(again.hosts[HOST].to_state())) == state
    assert NOTICE not in harvest(again, page(7)).text


@given(st.text(max_size=300))
def test_any_page_may_be_asked(markup: str) -> None:
    memory = SiteMemory()
    for _ in range(3):
        document = Document.from_html(markup)
        extraction = RULES.extract(document)
        assert extraction.chosen is not None
        memory.observe(HOST, page_keys(document), extraction.chosen)
        assert memory.refine(HOST, page_keys(document), extraction.chosen).chosen.shape == extraction.chosen.shape
