from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from newscrawl.classify.blocks.classifiers import (
    DEFAULT_MODEL,
    LearnedClassifier,
    NewsClassifier,
    get_classifier,
    load_machine,
    save_machine,
)
from newscrawl.classify.blocks.classify import RuleClassifier, crawl_blocks
from newscrawl.classify.lines.model import judge_lines
from newscrawl.exceptions import UserError
from newscrawl.extractors import extract
from newscrawl.languages.text import fold
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from tests.page_strategies import PAGES

if TYPE_CHECKING:
    from pathlib import Path

PROSE = "The council voted on Tuesday to rebuild the old harbour bridge, after years of debate. "
LINKS = "".join(
    f"<li><a href=/{n}.html>A headline of another story, number {n}, worth reading</a></li>" for n in range(8)
)
PAGE = f"""<title>Council votes to rebuild the bridge</title><body>
<ul class=nav><li><a href=/>Home</a><li><a href=/w>World</a><li><a href=/s>Sport</a></ul>
<div class=content><h1>Council votes to rebuild the bridge</h1>{f"<p>{PROSE * 3}</p>" * 8}</div>
<ul class=related>{LINKS}</ul>
<p class=footer>Copyright 2024 The Paper. <a href=/about>About us</a> <a href=/privacy>Privacy</a></p></body>"""


def test_names(tmp_path: Path) -> None:
    own = tmp_path / "own.npz"
    save_machine(own, load_machine(DEFAULT_MODEL), {})
    assert isinstance(get_classifier("news"), NewsClassifier)
    assert isinstance(get_classifier("rules"), RuleClassifier)
    assert isinstance(get_classifier("svm"), LearnedClassifier)
    assert isinstance(get_classifier(str(own)), LearnedClassifier)
    for name in ("", "SVM", "missing.npz"):
        with pytest.raises(UserError, match=r"expected news, svm, rules or a model file"):
            get_classifier(name)


def test_the_parts_of_a_plain_page() -> None:
    document = Document.from_html(PAGE)
    found = {
        block.text.split()[0]: block.label for block in NewsClassifier().classify(crawl_blocks(document), document)
    }
    assert found == {
        "Home": BlockLabel.OTHER,
        "Council": BlockLabel.MAIN,
        "A": BlockLabel.RELATED,
        "Copyright": BlockLabel.OTHER,
    }


@given(page=PAGES)
@settings(max_examples=60, deadline=None)
def test_labels_follow_from_the_judgement_that_gives_the_text(page: str) -> None:
    document = Document.from_html(page)
    blocks = NewsClassifier().classify(crawl_blocks(document), document)
    body = document.once(judge_lines)
    lines = body.features.lines
    assert all(0 <= block.confidence <= 1 for block in blocks)
    assert body.is_body.any() or BlockLabel.MAIN not in {block.label for block in blocks}
    assert len(body.is_body) == len(body.is_boilerplate) == len(lines)
    if len(lines):
        reading, kept = extract(page), lines.texts(body.is_body.nonzero()[0].tolist())
        headline = fold(reading.article.headline or "") if reading.article else ""
        others = [line for line in kept if not headline or fold(line) != headline]
        assert reading.text in {"", "\n".join(kept), "\n".join(others)}


@pytest.mark.parametrize("page", ["", "<ul><li><a href=/a>Home</a></ul>", "<p>Short</p>"])
def test_a_page_without_a_line_of_text_is_not_judged(page: str) -> None:
    body = Document.from_html(page).once(judge_lines)
    assert body.probabilities is None
    assert not body.is_body.any()
