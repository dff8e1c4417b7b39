from __future__ import annotations

import json
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.document import Document
from newscrawl.read.memory import page_keys
from newscrawl.sites.sightings import LOW_ODDS, VERSION, HostMemory, Place, sighting

memories = st.builds(
    HostMemory,
    n_pages=st.integers(1, 50),
    texts=st.dictionaries(st.integers(1, 60), st.integers(1, 9), max_size=30).map(OrderedDict),
    places=st.dictionaries(
        st.integers(1, 60),
        st.builds(
            Place, n_pages=st.integers(1, 9), odds=st.integers(-50, 50).map(float), inside=st.integers(0, 9).map(float)
        ),
        max_size=30,
    ).map(OrderedDict),
    length=st.integers(0, 9000).map(float),
)


@given(memories)
def test_state_survives_json(memory: HostMemory) -> None:
    state = json.loads(json.dumps(memory.to_state()))
    assert json.loads(json.dumps(HostMemory.from_state(state).to_state())) == state


@given(
    st.dictionaries(
        st.sampled_from(["version", "n_pages", "texts", "places", "length"]),
        st.none() | st.integers() | st.text() | st.just(VERSION),
    )
)
def test_a_wrong_state_is_refused(state: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".*"):
        HostMemory.from_state(state)


def test_a_state_of_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="version 1"):
        HostMemory.from_state(HostMemory(n_pages=3).to_state() | {"version": 1})


def test_a_sighting_keeps_texts_in_question_and_all_places() -> None:
    document = Document.from_html(
        "<body><nav class=menu><p>Home and garden</p></nav><div class=text><p>First said.</p><p>Then done.</p>"
        "<p>Perhaps more.</p><p>Read more here.</p></div>"
    )
    page = page_keys(document)
    odds = np.array([LOW_ODDS - 1, 5.0, 3.0, -1.0, LOW_ODDS - 1])
    article = sighting(page, odds > 4, odds)
    texts = list(page.keys[:5])
    here = page.at_places(range(5), texts)
    assert article.texts == (*here[1:], *texts[1:3])
    assert article.body == {texts[1]}
    (menu, outside, nothing, unnamed), (text, _, inside, name) = article.places
    assert (menu, outside, nothing, unnamed) == (page.places[0], LOW_ODDS - 1, 0.0, "")
    assert (text, inside, name) == (page.places[1], page.weight[1], "body > div.text > p")


def test_a_long_paragraph_does_not_outweigh_the_others_of_its_place() -> None:
    captions = "".join(f"<p>Caption {number}, by someone.</p>" for number in range(9))
    page = page_keys(Document.from_html(f"<body><div class=text><p>{'Long and longer. ' * 300}</p>{captions}</div>"))
    odds = np.array([5.0] + [-5.0] * 9)
    article = sighting(page, odds > 0, odds)
    assert article.places[0][1] == pytest.approx(0, abs=1.0)
