from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.page.document import Document
from newscrawl.read.memory import page_keys

if TYPE_CHECKING:
    from newscrawl.sites.sightings import PageKeys

STORY = "<div class=story id=s12><div class=text><p>{text}</p></div></div>"


def keys_of(markup: str) -> PageKeys:
    return page_keys(Document.from_html(f"<html><body>{markup}</body></html>"))


def place(markup: str, line: int = 0) -> int:
    keys = keys_of(markup)
    return keys.places[int(keys.place[line])]


@pytest.mark.parametrize(
    "other",
    [
        STORY.format(text="Another text."),
        STORY.format(text="Another text.").replace("s12", "s345"),
        f"<div class=page><main id=m>{STORY.format(text='Further out stands something else.')}</main></div>".replace(
            "class=page", "class=other"
        ),
        "<p>First</p>" + STORY.format(text="<b>Bold</b> begins it."),
    ],
    ids=["text", "digits", "further out", "inline"],
)
def test_the_same_place_has_the_same_key(other: str) -> None:
    here = STORY.format(text="A text.")
    within = f"<div class=page><main id=m>{here}</main></div>"
    assert place(other, -1) == place(within if "main" in other else here)


def test_anchors_of_headings_do_not_count() -> None:
    heading = "<div class=text><h2 id={0}>A part</h2></div>"
    assert place(heading.format("what-is-it")) == place(heading.format("how-to"))


def test_topics_among_the_classes_do_not_count() -> None:
    post = "<article class='post-{0} post hentry tag-{0} tag-of-{1}'><p>A text.</p></article>"
    assert place(post.format(1, "markets")) == place(post.format(2, "sports"))


@pytest.mark.parametrize(
    "other",
    [
        STORY.format(text="A text.").replace("class=text", "class=aside"),
        STORY.format(text="A text.").replace("<p>", "<p class=lead>"),
        STORY.format(text="A text.").replace("p>", "h2>"),
        f"<section>{STORY.format(text='A text.')}</section>",
    ],
    ids=["class", "own class", "tag", "fewer names than three: to the root"],
)
def test_another_place_has_another_key(other: str) -> None:
    assert place(other) != place(STORY.format(text="A text."))


def test_texts_are_known_by_their_letters_and_digits() -> None:
    keys = keys_of("<p>Up by 1.2 %</p><p>Up by 3.4 %</p><p>Up by 1.2 %</p><div>Up by 1.2 %</div><p>12.5 %</p>")
    texts = list(keys.keys[:5])
    assert texts[0] == texts[2] == texts[3] != texts[1]
    assert texts[4] == 0
    here = keys.at_places(range(5), texts)
    assert here[0] == here[2] != here[3]
    assert here[4] == 0


def test_keys_are_the_same_in_every_process() -> None:
    assert place(STORY.format(text="A text.")) == 1300398990
    assert keys_of("<p>A text.</p>").keys == (3044109678,)


def test_a_chain_is_read_from_the_outside() -> None:
    assert keys_of(STORY.format(text="A text.")).chains[0] == "body > div.story#s0 > div.text > p"


def test_an_empty_page_has_no_keys() -> None:
    keys = keys_of("")
    assert keys.places == ()
    assert keys.at_places([], []) == []
