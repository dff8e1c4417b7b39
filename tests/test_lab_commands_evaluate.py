from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpora import write_set

PROJECT = Path(__file__).resolve().parent.parent


def evaluate(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "scrapy", "evaluate", *options],
        cwd=PROJECT,
        env={name: value for name, value in os.environ.items() if name != "NEWSCRAWL_SHARED"},
        capture_output=True,
        text=True,
        check=False,
    )


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
    done = evaluate("--methods", "fulltext", "--corpus", str(corpus), "--json", "-", "--html", str(report))
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["command"].startswith("scrapy evaluate --methods fulltext")
    assert str(tmp_path) not in done.stdout
    assert figures["seed"] == 1
    assert figures["counts"]["sets"] == {"own": 2}
    assert len(figures["corpus_digest"]) == 64
    assert figures["texts"][0]["f1"] == 1.0
    assert figures["snippets"][0]["accuracy"] == 1.0
    assert "fulltext" in done.stderr  # the table makes room for the figures
    assert "<svg" in report.read_text()


def test_pages_of_one_language_each_run_twice(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "build" / "figures.json"
    options = ("--methods", "fulltext", "--lang", "de", "--repeats", "2", "--json", str(file))
    done = evaluate("--corpus", str(corpus), *options)
    assert done.returncode == 0, done.stderr
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
def test_wrong_use_is_one_line(corpus: Path, options: list[str], message: str) -> None:
    done = evaluate("--corpus", str(corpus), *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_missing_corpus_is_one_line(tmp_path: Path) -> None:
    done = evaluate("--corpus", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "no corpus in" in done.stderr
