from __future__ import annotations

from typing import TYPE_CHECKING

from lab.evaluation.corpus import load
from lab.evaluation.diff import Piece, diff
from lab.evaluation.harness import MethodRun
from lab.evaluation.report import render
from lab.evaluation.result_file import result
from lab.evaluation.score import Evaluation, Scorer
from lab.evaluation.tables import tables
from lab.evaluation.wire import Answer
from tests.corpora import write_set

if TYPE_CHECKING:
    from pathlib import Path

ATTACK = "<script>alert(1)</script>"


def test_diff_by_sentences() -> None:
    assert diff("甲。乙！丙。\nEnd", "甲。丙。\n丁。") == [
        Piece("same", "甲。"),
        Piece("missing", "乙！"),
        Piece("same", "丙。\n"),
        Piece("missing", "End"),
        Piece("extra", "丁。"),
    ]


def test_diff_of_equal_and_empty_texts() -> None:
    assert diff("", "") == []
    assert diff("一。", "") == [Piece("missing", "一。")]
    (piece,) = diff("字。" * 500, "字。" * 500)
    assert piece.kind == "same"
    assert "880 characters agree" in piece.text


def test_report_quotes_pages_escaped_and_the_result_file_not_at_all(tmp_path: Path) -> None:
    records = [
        {"id": "1", "gold": {"text": f"{ATTACK} is in the gold text."}, "markup": "x"},
        {"id": "2", "gold": {"text": "fine"}, "markup": "x"},
    ]
    pages = load(write_set(tmp_path, "own", records))
    answers = (Answer(id="own/1", text=f"{ATTACK} in the output"), Answer(id="own/2", error="ValueError: secret text"))
    run = MethodRun(method="m<b>", needs="page", versions={}, answers=answers)
    scores = Scorer().scores(run, pages)
    evaluation = Evaluation()
    evaluation.add(run, scores, seed=1)
    figures = result(evaluation, [run], pages, command="scrapy evaluate", seed=1)
    page = render(evaluation, figures, scores)
    assert "alert(1)" in page
    assert "<script" not in page
    assert "m<b>" not in page
    assert "secret" not in str(figures)
    assert figures["failures"] == {"m<b>": {"ValueError": 1}}
    assert figures["counts"]["pages"] == 2
    assert len(list(tables(evaluation))) == 3
