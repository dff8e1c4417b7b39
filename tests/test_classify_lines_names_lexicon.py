"""What names of elements are worth: by hand along chains of elements, and learnt without a page's own site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.evaluation.corpus import CorpusPage
from lab.training.labelled import LabelledLines
from lab.training.name_odds import MIN_SITES, name_odds
from lab.training.news_gold import LineGold
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.names import COLUMNS, Lexicon, words_of
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """<body class="page"><p>Home.</p><div id="storyMain" class="wide">
<div><p class="lead">A first sentence, long enough.</p></div>
<div class="promo-box" role="note"><p>Another sentence, in a box.</p></div></div></body>"""
LEXICON = Lexicon(
    words=("lead", "main", "promo", "box", "role:note", "page"),
    odds=np.array([[2, 0, 0, 0, 0, 0], [0, 1, -1, -2, -3, 9], [0.5, 1, -1, -2, -3, 9]], dtype=np.float32),
)


def test_names_are_cut_into_words() -> None:
    assert words_of("entryContent main_col-2 storyBody\x00note\x00articleBody") == {
        "entry", "content", "main", "col", "story", "body", "role:note", "prop:article", "prop:body",
    }  # fmt: skip


def test_each_line_sees_its_own_names_those_near_and_those_around() -> None:
    page = page_lines(Document.from_html(PAGE))
    assert page is not None
    _, lead, box = (dict(zip(COLUMNS, line, strict=True)) for line in LEXICON.columns(page.named).tolist())
    assert (lead["own_sum"], lead["own_least"], lead["own_most"]) == (2, 0, 2)
    assert (lead["near_sum"], lead["near_most"]) == (1, 1)
    assert (lead["around_sum"], lead["around_least"], lead["around_most"]) == (
        1.5,
        0,
        1,
    )  # the body's class is left out
    assert (box["around_sum"], box["around_least"], box["around_most"]) == (1 - 6, -3, 1)


def test_a_lexicon_comes_back_from_its_arrays() -> None:
    again = Lexicon.from_arrays(LEXICON.arrays())
    assert again.words == LEXICON.words
    np.testing.assert_array_equal(again.odds, LEXICON.odds)
    with pytest.raises(ValueError, match="no array"):
        Lexicon.from_arrays({})
    with pytest.raises(ValueError, match="a lexicon of 6 words"):
        Lexicon.from_arrays(LEXICON.arrays() | {"lexicon_odds": np.zeros((2, 6))})


def labelled(site: str, folder: Path, *, names: tuple[str, str] = ("rich-text", "promo")) -> LabelledLines:
    """Return a page of two lines of which the first is text; ``names`` are the classes around them."""
    text, other = names
    lines = page_lines(
        Document.from_html(f"<div class={text}><p>One line.</p></div><div class={other}><p>Two.</p></div>")
    )
    assert lines is not None
    gold = LineGold(is_body=np.array([1.0, 0.0]), weight=np.ones(2))
    page = CorpusPage(id=site, set="made", path=folder / site, site=site)
    return LabelledLines(page=page, lines=lines, texts=("One line.", "Two."), gold=gold)


def test_names_are_worth_what_they_were_on_other_sites(tmp_path: Path) -> None:
    pages = [labelled(f"site{number}.example", tmp_path) for number in range(MIN_SITES)]
    strange = labelled("strange.example", tmp_path, names=("promo", "rare"))
    odds = name_odds([*pages, pages[0], strange])
    every, without = odds.lexicon(), odds.lexicon(without="strange.example")
    assert set(every.words) == {"rich", "text", "promo"}  # "rare" is of one site
    own = dict(zip(every.words, every.odds[0], strict=True))
    assert own["rich"] == own["text"] > 0 > own["promo"]
    assert without.odds[0, without.words.index("promo")] < own["promo"]
    same = name_odds([*pages, strange]).lexicon()  # a site counts once, however many pages it has
    np.testing.assert_allclose(same.odds[0, same.words.index("rich")], own["rich"], atol=0.2)
