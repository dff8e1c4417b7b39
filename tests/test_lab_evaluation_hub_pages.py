from __future__ import annotations

import random

import numpy as np
import pytest

from lab.evaluation.hub_pages import hub_page
from lab.training.news_gold import LineGold
from lab.training.stories import Story
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features
from newscrawl.urls.shape import url_shape

STORIES = [Story(f"Title of story {n}", (f"Sentence one of story {n}, long. " * 3, "Second.")) for n in range(6)]
BODY = [f"Sentence {n} of the article, which is long enough to count." for n in range(4)]
HEAD = (
    "<title>The article - Example</title><meta property=og:type content=article>"
    "<meta property=article:published_time content=2014-03-01><script type=application/ld+json>{}</script>"
)


def made(seed: int, body: list[str] = BODY) -> tuple[str, str | None] | None:
    paragraphs = "".join(f"<p>{text}</p>" for text in body)
    page = f"{HEAD}<body><ul><li>Menu entry</ul><h1>The article</h1><div><div id=a>{paragraphs}</div></div><p>Footer"
    document = Document.from_html(page, "http://example.org/2014/03/the-article")
    lines = document.once(line_features).lines
    gold = LineGold(
        is_body=np.array([float(text in body) for text in lines.texts(range(len(lines)))]), weight=np.ones(len(lines))
    )
    hub = hub_page(document, lines, gold, "The article", STORIES, random.Random(seed))
    return None if hub is None else (hub.markup, hub.url)


@pytest.mark.parametrize("seed", range(30))
def test_stories_stand_in_the_place_of_the_article(seed: int) -> None:
    hub = made(seed)
    assert hub is not None
    markup, url = hub
    assert not any(text in markup for text in BODY)
    assert "published_time" not in markup
    assert "ld+json" not in markup
    assert markup.count("Title of story") >= 5
    assert "Menu entry" in markup
    assert url is not None
    assert url.startswith("http://example.org/")
    assert made(seed) == hub


def test_addresses_are_mostly_of_hub_shape() -> None:
    urls = [hub[1] for seed in range(60) if (hub := made(seed)) is not None]
    assert sum(url is not None and url_shape(url) == "hub" for url in urls) > len(urls) / 2


def test_a_page_without_an_article_gives_none() -> None:
    assert made(1, body=[]) is None
