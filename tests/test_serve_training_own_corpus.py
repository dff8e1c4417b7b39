from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from lxml import html

from newscrawl.commands.extract import ExtractCommand
from newscrawl.exceptions import UserError
from newscrawl.methods.base import names
from newscrawl.serve.commands.evaluate import EvaluateCommand, usable_methods
from newscrawl.serve.training.own_corpus import read_own_corpus
from tests.commands_run import refusal, run_command

if TYPE_CHECKING:
    from pathlib import Path

#: What is in the frame of each page, and what is no text.
FRAME = "<nav><a href=/a>Home</a> <a href=/b>Sport</a></nav>{body}<footer>All rights reserved by the paper.</footer>"
STORIES = {
    "river": "The river rose by two metres on Monday. Farmers moved their cattle to the hills before night fell.",
    "станция": "Новая станция метро открылась в понедельник. Поезда будут ходить каждые четыре минуты до полуночи.",
    "城市": "城市轨道交通今天取得新进展，三条线路同时开通。市民表示，出行时间将缩短一半以上，票价保持不变。",
    "قطار": "افتتح القطار الجديد صباح اليوم بين المدينتين. قال الوزير إن الرحلة تستغرق ساعة واحدة فقط بعد الآن.",
}


def page(body: str) -> bytes:
    return FRAME.format(body=body).join(("<html><body>", "</body></html>")).encode()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two sites: the text of one stands in files, that of the other in labels."""
    first, second = tmp_path / "first", tmp_path / "second" / "pages"
    first.mkdir()
    second.mkdir(parents=True)
    lines = []
    for name, text in STORIES.items():
        markup = page(f"<div id=text><p>{text}</p></div><p>Subscribe to our letter.</p>")
        (first / f"{name}.html").write_bytes(markup)
        (first / f"{name}.txt").write_text(f"\ufeff{text}\n", encoding="utf-8")
        (second / f"{name}.htm").write_bytes(markup)
        lines.append({"page": f"{name}.htm", "xpath": "//div[@id='text']", "label": "main"})
    (second / "none.html").write_bytes(page("<p>Nobody has labelled this one.</p>"))
    labels = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (second.parent / "labels.jsonl").write_text(labels, encoding="utf-8")
    return tmp_path


def test_text_is_that_of_a_file_else_that_of_labels(corpus: Path) -> None:
    pages, mistakes = read_own_corpus(corpus)
    assert mistakes == []
    assert {(page.site, page.name.partition(".")[0]): page.text.strip() for page in pages} == {
        (site, name): text for site in ("first", "second") for name, text in STORIES.items()
    }
    assert len(read_own_corpus(corpus / "second")[0]) == len(STORIES), "one site is a corpus, too"
    with pytest.raises(UserError, match="no corpus in"):
        read_own_corpus(corpus / "nowhere")
    (corpus / "bare").mkdir()
    (corpus / "bare" / "a.html").write_bytes(page("<p>x</p>"))
    with pytest.raises(UserError, match=r"has its text: expected NAME\.txt"):
        read_own_corpus(corpus / "bare")


def test_methods_are_compared_with_intervals_a_picture_and_figures(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    methods = "fulltext,localrel,cluster,layout"
    done = run_command(
        EvaluateCommand(),
        "--corpus",
        str(corpus),
        "--methods",
        methods,
        "--json",
        "-",
        "--html",
        str(corpus / "m.html"),
    )
    assert done == 0
    printed = capsys.readouterr()
    figures = json.loads(printed.out)
    rows = {row["method"]: row for row in figures["methods"]}
    assert set(rows) == set(methods.split(","))
    assert figures["methods"][0]["f1"] == max(row["f1"] for row in rows.values())
    assert all(row["low"] <= row["f1"] <= row["high"] and row["n"] == 8 for row in rows.values())
    assert rows["fulltext"]["recall"] == 1.0
    assert rows["fulltext"]["precision"] < 0.95
    assert [method in printed.err for method in rows] == [True] * len(rows)
    shown = html.fromstring((corpus / "m.html").read_text(encoding="utf-8"))
    assert shown.xpath("//*[local-name()='svg']")
    assert not any(text in shown.text_content() for text in STORIES.values()), "no page text"
    again = (EvaluateCommand(), "--corpus", str(corpus), "--methods", "fulltext,localrel", "--json", "-")
    assert run_command(*again) == 0
    second = json.loads(capsys.readouterr().out)
    assert [row["low"] for row in second["methods"] if row["method"] == "localrel"] == [rows["localrel"]["low"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--methods magic", "unknown extraction method 'magic'"),
        ("--seed x", "--seed 'x'"),
        ("--limit 0", "--limit '0'"),
        ("x", "unexpected argument 'x'"),
    ],
)
def test_mistakes_are_one_line(corpus: Path, capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    assert message in refusal(EvaluateCommand(), capsys, "--corpus", str(corpus), *words.split())


def test_a_wrong_label_is_named_by_its_line(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (corpus / "second" / "labels.jsonl").open("a", encoding="utf-8") as labels:
        labels.write('{"page": "none.html", "xpath": "//table", "label": "main"}\n')
    line = refusal(EvaluateCommand(), capsys, "--corpus", str(corpus), "--methods", "fulltext")
    assert "labels.jsonl:5: xpath '//table' selects nothing in 'none.html'" in line


def test_methods_are_listed_with_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(ExtractCommand(), "--method", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert tuple(line.split()[0] for line in lines) == names()
    assert all(len(line.split()) > 3 for line in lines)
    assert set(usable_methods()) <= set(names())
