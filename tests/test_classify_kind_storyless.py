from __future__ import annotations

import math

import numpy as np
import pytest

from newscrawl.classify.kind.features import page_features
from newscrawl.classify.kind.judge import inputs, page_kind, shipped_model, type_odds
from newscrawl.classify.kind.storyless import ENOUGH, FEATURES, MODEL, storyless_odds, storyless_values
from newscrawl.classify.lines.model import judge_lines
from newscrawl.items import PageType
from newscrawl.page.document import Document

LISTED = "".join(f"<li><a href='/news/{n}.html'>Another story of the week, number {n}</a></li>" for n in range(8))
FRAME = (
    "<title>{0} - The Eastmoor Post</title><body><main><h1>{0}</h1>{1}</main><h2>Most read</h2><ul>" + LISTED + "</ul>"
)
FACTS = "".join(
    f"<dt>{name}</dt><dd>{value}</dd>"
    for name, value in (("Employer", "Quayline"), ("Salary", "£12.90 an hour"), ("Hours", "40"), ("Start", "at once"))
)
TABLE = "".join(f"<tr><td>Team {n}</td><td>{30 - n}</td><td>{60 - 2 * n}</td></tr>" for n in range(9))
FORM = "<label>Name</label><input><label>Mail</label><input type=email><textarea></textarea><button>Send</button>"
STORYLESS = {
    "a form": ("Tell us what you saw", f"<form>{FORM}</form>"),
    "a vacancy": ("Night warehouse operative", f"<dl>{FACTS}</dl><button>Apply now</button>"),
    "a table": ("Harbour league standings", f"<table>{TABLE}</table>"),
    "a poll": (
        "Should the market be free of cars?",
        "<form><label><input type=radio> Yes</label><label><input type=radio> No</label><button>Vote</button></form>",
    ),
}
STORIES = {
    "a flash": (
        "Ferry runs aground",
        "<p>27 May 2024</p><p>The evening ferry ran aground; nobody was hurt.</p>",
    ),
    "a picture": (
        "Low tide at the old pier",
        "<p>27 May 2024</p><figure><img src='/1.jpg'><figcaption>The pier on Sunday morning.</figcaption></figure>",
    ),
    "a sentence without a day": (
        "Council leader resigns",
        "<p>Ada Fenn resigned on Tuesday evening, her office said.</p>",
    ),
}


def odds(document: Document) -> float:
    verdict = document.once(judge_lines)
    of_type = type_odds(shipped_model(), inputs(page_features(document, verdict), "article"))
    return storyless_odds(document, verdict, of_type)


def page(parts: tuple[str, str]) -> Document:
    return Document.from_html(FRAME.format(*parts), "https://www.paper-example.org/2024/05/27/story.html")


@pytest.mark.parametrize("name", STORYLESS)
def test_a_page_with_something_else_in_the_place_of_a_story_is_no_article(name: str) -> None:
    document = page(STORYLESS[name])
    verdict = document.once(judge_lines)
    assert odds(document) > ENOUGH
    assert page_kind(document, verdict, url_kind="article").page_type is not PageType.ARTICLE


@pytest.mark.parametrize("name", STORIES)
def test_the_shortest_story_is_an_article(name: str) -> None:
    document = page(STORIES[name])
    verdict = document.once(judge_lines)
    assert odds(document) < ENOUGH
    assert page_kind(document, verdict, url_kind="article").page_type is PageType.ARTICLE


def test_a_long_text_is_not_examined() -> None:
    document = page(("A long story", "<p>The river rose by two metres over night, and the town woke up late.</p>" * 30))
    assert odds(document) == -math.inf


@pytest.mark.parametrize("markup", ["", "<p>", "<h1>One line</h1>", "<form><input type=password></form>", "\x00"])
def test_any_page_has_finite_values(markup: str) -> None:
    document = Document.from_html(markup)
    verdict = document.once(judge_lines)
    if len(verdict.features):
        values = storyless_values(document, verdict)
        assert values.shape == (len(FEATURES),)
        assert np.isfinite(values).all()


def test_the_model_is_small() -> None:
    assert MODEL.stat().st_size < 30_000
