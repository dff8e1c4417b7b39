from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from lab.evaluation import harness
from lab.evaluation.corpus import load
from lab.evaluation.harness import Harness
from lab.evaluation.score import Evaluation, Scorer
from lab.evaluation.wire import Answer, Group, WirePage, dump, dump_group, load_answer, load_group
from lab.evaluation.worker import answer_group
from newscrawl.exceptions import UserError
from tests.corpora import write_set

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ARTICLE = "<title>A headline of words</title><body><p>The body has seven words in it.</p></body>"


class Picky:
    """A method that raises on some pages."""

    needs = "page"
    versions: dict[str, str] = {}  # noqa: RUF012

    def begin(self, pages: Sequence[WirePage]) -> None:
        if any(b"refuse all" in page.html for page in pages):
            raise RuntimeError("not these")

    def run(self, page: WirePage) -> Answer:
        if b"bad" in page.html:
            raise ValueError("a bad\npage")
        return Answer(id=page.id, text="fine")


def ask(method: Picky, *markups: bytes) -> list[Answer]:
    pages = tuple(WirePage(id=str(place), html=markup) for place, markup in enumerate(markups))
    answers: list[Answer] = []
    answer_group(method, Group(pages=pages, targets=tuple(page.id for page in pages)), answers.append)
    return answers


def test_a_page_that_raises_is_an_answer_too() -> None:
    first, second, third = ask(Picky(), b"<p>good", b"<p>bad", b"<p>good")
    assert (first.text, first.error) == ("fine", None)
    assert (second.text, second.error) == ("", "ValueError: a bad page")
    assert third.text == "fine"
    assert first.parse_seconds > 0
    assert first.peak_mb > 1


def test_a_group_that_raises_fails_page_by_page() -> None:
    assert [answer.error for answer in ask(Picky(), b"<p>x", b"refuse all")] == ["RuntimeError: not these"] * 2


@pytest.mark.parametrize("markup", [b"", b"\x00", b"\xff\xfe", bytes(range(256))])
def test_bytes_travel_unchanged(markup: bytes) -> None:
    group = Group(pages=(WirePage(id="1", html=markup, url="http://x.org/é"),), targets=("1",), repeats=2)
    assert load_group(dump_group(group)) == group


def test_answers_travel_unchanged() -> None:
    answer = Answer(id="1", text="line\nnext \ud800", spans=((0, 4, "main"),), page_type="hub", error="x")
    assert load_answer(dump(answer)) == answer
    assert dump(answer).count(b"\n") == 1


def test_a_method_in_a_process_of_its_own(tmp_path: Path) -> None:
    records = [
        {"id": "1", "site": "a.org", "markup": ARTICLE, "gold": {"text": "The body has seven words in it."}},
        {"id": "2", "site": "a.org", "markup": "", "gold": {"text": "nothing to find here"}},
    ]
    pages = load(write_set(tmp_path, "own", records))
    seen: list[str] = []
    run = Harness(on_page=lambda _method, answer: seen.append(answer.id)).run("fulltext", pages)
    assert [answer.id for answer in run.answers] == seen == ["own/1", "own/2"]
    assert run.needs == "page"
    assert run.peak_mb > 1
    assert "lxml" in run.versions
    evaluation = Evaluation()
    evaluation.add(run, Scorer().scores(run, pages), seed=1)
    (row,) = evaluation.texts
    assert (row.n, row.empty, row.failed, row.right) == (2, 1, 0, 0.5)
    assert (row.precision, row.recall) == (1.0, 0.5)
    (cost,) = evaluation.costs
    assert cost.pages == 1  # lxml finds no document in the empty page
    assert cost.ratio > 1


def test_unknown_methods_are_refused_in_one_line() -> None:
    with pytest.raises(UserError, match="unknown extraction method 'nope'"):
        Harness().run("nope", [])


def test_peers_need_their_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(harness, "PEERS_PYTHON", tmp_path / "none")
    with pytest.raises(UserError, match="make peers"):
        Harness().run("peer:trafilatura", [])


DYING_WORKER = """
import json, os, sys, time
print(json.dumps({"needs": "page"}), flush=True)
for line in sys.stdin:
    for name in json.loads(line)["targets"]:
        if name.endswith("dies"):
            print("last words", file=sys.stderr, flush=True)
            os._exit(3)
        if name.endswith("hangs"):
            time.sleep(60)
        print(json.dumps({"id": name, "text": "ok"}), flush=True)
"""


def test_a_worker_that_dies_or_hangs_costs_one_page(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(DYING_WORKER)
    group = Group(pages=(), targets=("1", "2 dies", "3", "4 hangs", "5"))
    with harness.Worker("fulltext", command=[sys.executable, str(script)]) as worker:
        answers = list(worker.ask(group, seconds=1))
    assert [answer.id for answer in answers] == list(group.targets)
    assert [answer.text for answer in answers] == ["ok", "", "ok", "", "ok"]
    assert answers[1].error == "worker ended with status 3: last words"
    assert answers[3].error == "no answer in 1 s"
