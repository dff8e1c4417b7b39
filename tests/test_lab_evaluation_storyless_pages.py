from __future__ import annotations

import random
import tomllib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.evaluation.storyless_pages import KINDS, WORDS, bare_story, shortest_story, storyless_page
from lab.training.news_gold import LineGold
from lab.training.stories import Story
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from newscrawl.page.lines import Lines

BODY = [f"Sentence {n} of the article, which is long enough to count." for n in range(6)]
HEAD = "<title>The article - Example</title><meta property=article:published_time content=2014-03-01>"


def article(body: list[str] = BODY) -> tuple[Document, Lines, LineGold]:
    paragraphs = "".join(f"<p>{text}</p>" for text in body)
    page = f"{HEAD}<body><ul><li>Menu entry</ul><h1>The article</h1><div><div id=a>{paragraphs}</div></div><p>Footer"
    document = Document.from_html(page, "http://example.org/2014/03/the-article")
    lines = document.once(line_features).lines
    is_body = np.array([float(text in body) for text in lines.texts(range(len(lines)))])
    return document, lines, LineGold(is_body=is_body, weight=np.ones(len(lines)))


@pytest.mark.parametrize("lang", ["en", "de", "zh", "ja", "th"])
@pytest.mark.parametrize("kind", KINDS)
def test_something_else_stands_in_the_place_of_the_article(kind: str, lang: str) -> None:
    for seed in range(5):
        markup = storyless_page(*article(), "The article", kind, lang, random.Random(seed))
        assert markup is not None
        assert not any(text in markup for text in BODY)
        assert "published_time" not in markup
        assert "Menu entry" in markup
        assert "{n}" not in markup
        assert storyless_page(*article(), "The article", kind, lang, random.Random(seed)) == markup


def test_the_shortest_story_is_the_beginning_of_the_article() -> None:
    for seed in range(20):
        markup = shortest_story(*article(), random.Random(seed))
        assert markup is not None
        assert BODY[0] in markup
        assert BODY[-1] not in markup
        assert "The article" in markup


def test_a_bare_story_has_its_title_and_no_day() -> None:
    for seed in range(20):
        markup = bare_story(*article(), Story("Ferry aground", ("It ran aground on Monday.",)), random.Random(seed))
        assert markup is not None
        assert "Ferry aground" in markup
        assert "It ran" in markup
        assert "published_time" not in markup


def test_a_page_without_an_article_gives_none() -> None:
    rng = random.Random(1)
    assert storyless_page(*article([]), "The article", "form", "en", rng) is None
    assert shortest_story(*article([]), rng) is None
    assert bare_story(*article([]), Story("A title", ("One sentence.",)), rng) is None


def test_each_language_has_all_kinds() -> None:
    known = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    for kinds in known.values():
        assert tuple(kinds) == KINDS
        assert all(set(lists) == {"heads", "says", "options", "labels"} for lists in kinds.values())
