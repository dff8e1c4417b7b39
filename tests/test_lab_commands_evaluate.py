from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from newscrawl.serve.commands.evaluate import EvaluateCommand
from tests.commands_run import refusal, run_command, scrapy
from tests.corpora import write_set

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    body = "<body><p>One body of some words.</p></body>"
    return write_set(
        tmp_path / "corpus",
        "own",
        [
            {"id": "1", "gold": {"text": "One body of some words."}, "markup": body},
            {"id": "2", "gold": {"with": ["some words"], "without": ["menu"]}, "markup": body, "lang": "de"},
        ],
    )


def test_figures_report_and_table(corpus: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    words = ("--methods", "fulltext", "--corpus", str(corpus), "--json", "-", "--html", str(report))
    done = scrapy("evaluate", *words)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["command"].startswith("scrapy evaluate --methods fulltext")
    assert str(tmp_path) not in done.stdout.decode()
    assert figures["seed"] == 1
    assert figures["counts"]["sets"] == {"own": 2}
    assert len(figures["corpus_digest"]) == 64
    assert figures["texts"][0]["f1"] == 1.0
    assert figures["snippets"][0]["accuracy"] == 1.0
    assert b"fulltext" in done.stderr  # the table makes room for the figures
    assert "<svg" in report.read_text()


def test_pages_of_one_language_each_run_twice(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "build" / "figures.json"
    options = ("--methods", "fulltext", "--lang", "de", "--repeats", "2", "--json", str(file))
    assert run_command(EvaluateCommand(), "--corpus", str(corpus), *options) == 0
    assert json.loads(file.read_text())["counts"]["languages"] == {"de": 1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--methods", "nope"], "unknown extraction method 'nope'"),
        (["--methods", ","], "expected names separated by commas"),
        (["--sets", "nope"], "unknown set 'nope': one of own"),
        (["--repeats", "0"], "--repeats '0': expected a whole number"),
        (["--limit", "0"], "--limit '0': expected a whole number"),
        (["--seed", "x"], "--seed 'x': expected a whole number"),
        (["--json", "README.md/x.json"], "cannot make the folder 'README.md'"),
        (["extra"], "unexpected argument 'extra'"),
    ],
)
def test_wrong_use_is_one_line(
    corpus: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert message in refusal(EvaluateCommand(), capsys, "--corpus", str(corpus), *options)


def test_missing_corpus_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no corpus in" in refusal(EvaluateCommand(), capsys, "--corpus", str(tmp_path / "none"))
