from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from lab.evaluation.corpus import load
from lab.evaluation.leniency import expect
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.lines.model import judge_lines
from newscrawl.extractors import extract, get_extractor
from newscrawl.links.extract import extract_links
from newscrawl.page.document import Document
from newscrawl.serve.training.metrics import summarise, text_score
from tests.page_strategies import PAGES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*/*/expected.json"))


def golden(expected: Path) -> tuple[Document, dict[str, Any]]:
    facts: dict[str, Any] = json.loads(expected.read_text(encoding="utf-8"))
    return Document.from_html((expected.parent / "page.html").read_bytes(), facts["url"]), facts


def test_there_are_golden_pages() -> None:
    assert len(GOLDEN) >= 8


@pytest.mark.parametrize("expected", GOLDEN, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_golden_page(expected: Path) -> None:
    document, facts = golden(expected)
    extraction = get_extractor("rules").extract(document)
    judgement = page_kind(document, document.once(judge_lines))
    assert judgement.page_type.value == facts["page_type"], judgement
    if "text" in facts:
        assert extraction.text == facts["text"]
    positions = {
        link.url: link.position.value for link in extract_links(document, extraction.blocks, document.once(judge_lines))
    }
    assert {url: positions[url] for url in facts["positions"]} == facts["positions"]


@pytest.mark.parametrize("html", ["", " ", "\x00", "<html></html>", "<!-- -->", "plain words", "<p>", b"\xff\xfe"])
def test_pages_without_an_article_give_no_text(html: str | bytes) -> None:
    extraction = extract(html, method="rules")
    assert extraction.text == ""
    assert extraction.confidence == 0.0
    assert extraction.evidence


def test_nul_bytes_do_not_end_the_text() -> None:
    page = (
        b"<body><p>The first sentence stands before the byte.\x00</p><p>The second sentence stands after it.</p></body>"
    )
    assert extract(page).text.splitlines() == [
        "The first sentence stands before the byte.",
        "The second sentence stands after it.",
    ]


def test_hidden_text_and_text_after_comments() -> None:
    page = (
        "<body><p>The mayor opened the bridge.<!-- a note --> It cost two million, he said.</p>"
        "<p style='display: none'>Nobody should ever read this sentence here.</p><p hidden>Nor this one, of course.</p>"
        "<p>Traffic starts on Monday, weather permitting.</p></body>"
    )
    assert extract(page).text.splitlines() == [
        "The mayor opened the bridge. It cost two million, he said.",
        "Traffic starts on Monday, weather permitting.",
    ]


@given(PAGES)
def test_text_is_visible_text_and_the_page_is_judged(html: str) -> None:
    document = Document.from_html(html, "http://example.org/a")
    extraction = get_extractor("rules").extract(document)
    fulltext = get_extractor("fulltext").extract(document).text.split()
    assert set(extraction.text.split()) <= set(fulltext)
    assert 0.0 <= extraction.confidence <= 1.0
    judgement = page_kind(document, document.once(judge_lines))
    assert 0.0 < judgement.confidence <= 1.0


@pytest.mark.shared
@pytest.mark.parametrize(("name", "floor"), [("fundus", 0.93), ("daniel", 0.93), ("gne", 0.94), ("zhwced", 0.94)])
def test_f1_on_labelled_pages(shared: Path, name: str, floor: float) -> None:
    scores = []
    for page in load(shared / "corpus", [name])[::3]:
        if page.gold.text:
            markup = page.read()
            gold = expect(page, markup)
            output = extract(markup, page.url, method="rules").text
            scores.append(text_score(gold.text, gold.comparable(output), neutral=gold.neutral))
    assert summarise(scores).f1 >= floor
