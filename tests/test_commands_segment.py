from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from lxml import html

from newscrawl.classify.blocks.classifiers import DEFAULT_MODEL, load_machine, save_machine
from newscrawl.commands.segment import SegmentCommand, density_columns
from newscrawl.page.segment import Block
from tests.commands_run import answer, refusal, run_command

if TYPE_CHECKING:
    from pathlib import Path

LINKS = "".join(f'<li><a href="/{i}">另一条新闻的标题说的是渡口之{i}</a></li>' for i in range(12))
TEXT = "".join(f"<p>第{i}段讲的是渡口的旧事，雾散以后，船夫把缆绳收好，在石阶上坐了很久很久。</p>" for i in range(6))
PAGE = f"<html><body><ul>{LINKS}</ul><h1>渡口</h1><div>{TEXT}</div><script>alert(1)</script></body></html>"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    return file


def test_json_has_labels_paths_and_densities(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(answer(SegmentCommand(), capsys, str(page), "--json", "--classifier", "rules"))
    labels = {row["label"] for row in rows}
    assert {"main", "related"} <= labels
    assert all(row["xpath"].startswith("/html/body") for row in rows)
    assert sum(row["text_density"] for row in rows) == pytest.approx(1.0)
    assert sum(row["link_density"] for row in rows) == pytest.approx(1.0)


def test_a_table_and_a_picture(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "blocks.html"
    assert "main" in answer(SegmentCommand(), capsys, str(page), "--html", str(picture))
    root = html.fromstring(picture.read_text(encoding="utf-8"))
    assert root.xpath("//script") == []
    assert len(root.xpath("//div[@class='block main']")) >= 1


def test_the_classifier_is_the_crawls_unless_another_is_named(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def labels_of(*options: str) -> list[str]:
        return [row["label"] for row in json.loads(answer(SegmentCommand(), capsys, str(page), "--json", *options))]

    # a model that takes everything for related links
    machine = load_machine(DEFAULT_MODEL)
    always = replace(machine, weights=np.zeros_like(machine.weights), intercepts=np.array([-9.0, 9.0]))
    own = tmp_path / "own.npz"
    save_machine(own, always, {})
    assert "related" in labels_of()
    assert "related" not in labels_of("--classifier", "svm")
    assert "other" not in labels_of("--classifier", str(own))
    assert "other" not in labels_of("-s", f"NEWSCRAWL_CLASSIFIER={own}")


def test_lossless_keeps_the_small_parts(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def text(*options: str) -> str:
        return " ".join(
            row["text"] for row in json.loads(answer(SegmentCommand(), capsys, str(page), "--json", *options))
        )

    page.write_text(PAGE.replace("<h1>", "<p>短</p><h1>"), encoding="utf-8")
    assert "短" not in text()
    assert "短" in text("--lossless")


def test_missing_folders_are_made(page: Path, tmp_path: Path) -> None:
    target = tmp_path / "no" / "such" / "blocks.html"
    assert run_command(SegmentCommand(), str(page), "--html", str(target)) == 0
    assert "<html" in target.read_text(encoding="utf-8")


def test_refusals(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "'no-such-file'; accepted: a file" in refusal(SegmentCommand(), capsys, "no-such-file")
    assert "expected news, svm, rules or a model file" in refusal(
        SegmentCommand(), capsys, str(page), "--classifier", "bayes"
    )
    target = page / "folder.html"
    assert f"cannot make the folder '{page}'" in refusal(SegmentCommand(), capsys, str(page), "--html", str(target))


def test_densities_of_nothing() -> None:
    empty = Block(index=0, tag="p", xpath="/p", text="", n_chars=0, n_link_chars=0, n_links=0)
    assert set(density_columns(empty, [empty]).values()) == {0.0}
