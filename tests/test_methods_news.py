from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.decision import MAX_THRESHOLD, best_threshold, decide, sign_values
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.model import DEFAULT_MODEL, load_news_model, save_news_model
from newscrawl.exceptions import UserError
from newscrawl.extractors import extract, get_extractor
from newscrawl.page.document import Document
from tests.page_strategies import PAGES

if TYPE_CHECKING:
    from pathlib import Path


def chars(*counts: float) -> np.ndarray:
    return np.array(counts, dtype=np.float32)


@pytest.mark.parametrize(
    ("probabilities", "kept"),
    [
        ((0.9, 0.8, 0.1), [True, True, False]),
        ((0.4, 0.35, 0.02), [True, True, False]),  # no line is likely: the best of them
        ((0.01, 0.02, 0.03), [False, False, False]),
        ((0.9, 0.65, 0.9), [True, True, True]),
    ],
)
def test_threshold_of_greatest_expected_f1(probabilities: tuple[float, ...], kept: list[bool]) -> None:
    said = chars(*probabilities)
    threshold, expected = best_threshold(said, chars(100, 100, 100))
    assert (said >= threshold).tolist() == kept
    assert threshold <= max(MAX_THRESHOLD, *probabilities)
    assert 0 <= expected <= 1


@pytest.mark.parametrize(
    ("probabilities", "kept"),
    [
        ((0.9, 0.9, 0.9, 0.9), [False, False, True, True]),
        ((0.9, 0.0, 0.0, 0.0), [True, False, False, False]),
        ((0.0, 0.9, 0.0, 0.9), [False, False, False, True]),
    ],
)
def test_headline_and_dateline_are_not_the_text(probabilities: tuple[float, ...], kept: list[bool]) -> None:
    head = "<title>River over its banks</title><h1>River over its banks</h1><p>2024-03-12 10:32 Jane Miller</p>"
    sentences = "<p>The river rose by two metres over night.</p><p>It is falling now, and the bridge is open again.</p>"
    page = page_lines(Document.from_html(head + sentences))
    assert page is not None
    assert decide(chars(*probabilities), page).is_body.tolist() == kept


def test_a_body_is_doubted_where_a_network_disagrees() -> None:
    sentence = "<p>The river rose by two metres over night, and the bridge was closed.</p>"
    page = page_lines(Document.from_html(f"<body>{sentence * 4}</body>"))
    assert page is not None
    sure, other = chars(0.95, 0.9, 0.9, 0.05), chars(0.05, 0.05, 0.1, 0.9)
    decision, model = decide(sure, page), load_news_model(DEFAULT_MODEL)
    assert np.isfinite(sign_values(decision, [sure, other], page)).all()
    assert model.confidence(decision, [sure, other], page) < model.confidence(decision, [sure, sure], page)


@pytest.mark.parametrize("html", ["", " ", "\x00", "<html></html>", "<!-- -->", "<p>", b"\xff\xfe"])
def test_pages_without_text_give_none(html: str | bytes) -> None:
    extraction = extract(html, method="news")
    assert extraction.text == ""
    assert extraction.confidence == 0.0
    assert extraction.evidence


@given(PAGES)
def test_any_page_has_finite_features_and_an_answer(html: str) -> None:
    document = Document.from_html(html)
    page = page_lines(document)
    if page is not None:
        assert page.values.shape == (len(page.lines), len(FEATURES))
        assert np.isfinite(page.values).all()
    extraction = get_extractor("news").extract(document)
    assert 0 <= extraction.confidence <= 1


def test_blocks_hold_every_line_once() -> None:
    document = Document.from_html(
        "<body><nav><a href=/a>One</a></nav><p>A sentence, and more of it.</p><p>Another one.</p></body>"
    )
    blocks = get_extractor("news").extract(document).blocks
    page = page_lines(document)
    assert page is not None
    assert "\n".join(block.text for block in blocks) == "\n".join(page.lines.texts(range(len(page.lines))))
    assert [before.end for before in blocks[:-1]] == [after.start for after in blocks[1:]]


def test_a_model_is_written_and_read_the_same(tmp_path: Path) -> None:
    model = load_news_model(DEFAULT_MODEL)
    path = tmp_path / "own.npz"
    save_news_model(path, model, {"seed": 1})
    again = load_news_model(path)
    page = page_lines(Document.from_html("<p>One sentence. And another.</p><p>More</p>"))
    assert page is not None
    np.testing.assert_array_equal(model.probabilities(page), again.probabilities(page))


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(b"not a model")
    with pytest.raises(UserError, match="is no model file"):
        get_extractor("news", model=str(path))


@pytest.mark.parametrize(
    ("head", "is_text"),
    [
        ("<h4>Thu Sep 12, 2019 | 4000 Words | 5 min read |</h4>", False),
        ("<p>2024年5月3日 10:20 阅读 12000</p>", False),
        ("<p>วันที่ 28 พ.ค. 2567 เวลา 09:17 น.</p>", False),
        ("<p>Sept. 3, 2024 at 10:20 p.m.</p>", False),
        ("<h4>The 2021 and 2022 reports</h4>", True),
        ("<p>In 2021 and in 2022 the river rose.</p>", True),
    ],
)
def test_a_dateline_below_the_summary_is_not_the_text(head: str, *, is_text: bool) -> None:
    sentence = "<p>The river rose by two metres over night, and the bridge was closed.</p>"
    page = page_lines(Document.from_html(f"<title>The river</title><h1>The river</h1>{sentence}{head}{sentence * 3}"))
    assert page is not None
    assert decide(np.full(6, 0.9, dtype=np.float32), page).is_body.tolist()[2] is is_text
