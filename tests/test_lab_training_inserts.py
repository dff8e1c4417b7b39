from __future__ import annotations

import random

import numpy as np
import pytest

from newscrawl.dom.document import Document
from newscrawl.lab.training.inserts import with_furniture
from newscrawl.lab.training.news_gold import LineGold
from newscrawl.network.features import page_lines

BODY = [f"Sentence {n} of the article, which is long enough to count as prose." for n in range(4)]
FURNITURE = [f"Please support the work of our newsroom in the year {n}, dear reader." for n in range(5)]


def changed_lines(markup: str, seed: int) -> list[str] | None:
    """The page's lines with furniture; None where it is left alone."""
    document = Document.from_html(markup)
    lines = page_lines(document)
    assert lines is not None
    texts = lines.lines.shown
    gold = LineGold(is_body=np.array([float(text in BODY) for text in texts]), weight=np.ones(len(texts)))
    changed = with_furniture(document, lines, gold, FURNITURE, random.Random(seed))
    if changed is None:
        return None
    after = page_lines(Document.from_html(changed))
    assert after is not None
    return after.lines.shown


@pytest.mark.parametrize("seed", range(40))
def test_furniture_stands_among_the_paragraphs_and_nothing_is_lost(seed: int) -> None:
    paragraphs = "".join(f"<p class=text>{text}</p>tail {n}" for n, text in enumerate(BODY))
    lines = changed_lines(f"<body><h1>Title</h1><div>{paragraphs}</div><p>end</p></body>", seed)
    assert lines is not None
    added = [text for text in lines if text in FURNITURE]
    assert added
    assert [text for text in lines if text not in FURNITURE] == [
        "Title",
        *(text for n, sentence in enumerate(BODY) for text in (sentence, f"tail {n}")),
        "end",
    ]


def test_a_page_of_one_paragraph_is_left_alone() -> None:
    assert changed_lines(f"<p>{BODY[0]}</p>", 1) is None
