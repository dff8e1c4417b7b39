from __future__ import annotations

import random

import numpy as np
import pytest

from lab.training.distractors import with_distractors
from lab.training.news_gold import LineGold
from lab.training.stories import Story
from newscrawl.classify.lines.features import page_lines
from newscrawl.page.document import Document

STORIES = [Story(f"Title {n}", (f"First sentence of story {n}, a long one. " * 3, "Second.")) for n in range(5)]
BODY = [f"Sentence {n} of the article, which is long enough to count." for n in range(4)]


@pytest.mark.parametrize("seed", range(40))
def test_the_page_stays_and_sentences_of_others_join_it(seed: int) -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in BODY)
    document = Document.from_html(f"<body><h1>Title</h1><div id=a>{paragraphs}tail</div>after<p>end</p></body>")
    lines = page_lines(document)
    assert lines is not None
    before = lines.lines.texts(range(len(lines.lines)))
    gold = LineGold(is_body=np.array([float(text in BODY) for text in before]), weight=np.ones(len(before)))
    markup = with_distractors(document, lines.lines, gold, STORIES, random.Random(seed), is_wide=False)
    assert markup is not None
    changed = page_lines(Document.from_html(markup))
    assert changed is not None
    after = changed.lines.texts(range(len(changed.lines)))
    left = iter(after)
    assert all(text in left for text in before)  # all there, in the same order
    assert len(after) > len(before)
    assert any("sentence of story" in text or "Second" in text for text in after)


def test_a_page_without_an_article_is_left_alone() -> None:
    document = Document.from_html("<p>Short</p>")
    lines = page_lines(document)
    assert lines is not None
    gold = LineGold(is_body=np.zeros(1), weight=np.ones(1))
    assert with_distractors(document, lines.lines, gold, STORIES, random.Random(1), is_wide=False) is None
