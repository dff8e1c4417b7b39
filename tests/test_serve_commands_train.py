import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.evaluation.block_training import SHIPPED_SETS, load_block_pages
from newscrawl.classify.blocks.block_features import FEATURES
from newscrawl.classify.blocks.classifiers import DEFAULT_MODEL, KIND, LearnedClassifier, classified, load_machine
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.site_model import load_site_model
from newscrawl.classify.model_file import load_model
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.commands.train import TrainCommand
from tests.commands_run import refusal, run_command, scrapy
from tests.conftest import PROJECT

PROSE = "The committee met on day {n}, and after a long debate it voted for the plan; nobody was surprised. "
LABELS = (("//div[@class='c']", "main"), ("//ul[@class='r']", "related"), ("//ul[@class='n']", "other"))


def story(n: int) -> str:
    links = "".join(
        f'<li><a href="/{n}/{k}">Another story about subject {n * k}, with details</a></li>' for k in range(9)
    )
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "World", "Sport", "Money"))
    text = "".join(f"<p>{PROSE.format(n=n) * 3}</p>" for _ in range(4 + n % 3))
    return (
        f"<title>Plan {n}</title><body><ul class=n>{menu}</ul><div class=c>{text}</div>"
        f"<ul class=r><li>More stories</li>{links}</ul></body>"
    )


def site(folder: Path, n_pages: int = 8, n_labelled: int = 5) -> tuple[Path, Path]:
    """Write pages of one template, some of them labelled."""
    pages = folder / "pages"
    pages.mkdir()
    lines = []
    for n in range(n_pages):
        (pages / f"{n}.html").write_text(story(n), encoding="utf-8")
        if n < n_labelled:
            lines += [{"page": f"{n}.html", "xpath": xpath, "label": label} for xpath, label in LABELS]
    labels = folder / "labels.jsonl"
    labels.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return pages, labels


def test_five_labelled_pages_make_a_model(tmp_path: Path) -> None:
    pages, labels = site(tmp_path)
    model = tmp_path / "own.npz"
    done = scrapy("train", "blocks", "--pages", str(pages), "--labels", str(labels), "--model", str(model))
    assert done.returncode == 0, done.stderr.decode()
    assert "15 labelled blocks of 5 pages, 9 added from 3 others" in done.stdout.decode()
    document = Document.from_html(story(77))
    found = LearnedClassifier(load_machine(model)).classify(crawl_blocks(document), document)
    assert [block.label for block in found] == [BlockLabel.OTHER, BlockLabel.MAIN, BlockLabel.RELATED]
    about = load_model(model, kind=KIND, features=FEATURES).provenance
    assert about["counts"] == {"labelled_pages": 5, "unlabelled_pages": 3, "labelled_blocks": 15, "added_blocks": 9}
    assert str(tmp_path) not in json.dumps(about)


def test_labels_that_the_network_agrees_with_are_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages, labels = site(tmp_path)
    path = tmp_path / "own.npz"
    assert run_command(TrainCommand(), "--pages", str(pages), "--labels", str(labels), "--model", str(path)) == 0
    said = capsys.readouterr().out
    assert "15 labelled blocks of 5 pages\n" in said
    assert "left out in turn: 1.000, by the network 1.000" in said
    assert load_site_model(path).weights


def test_every_wrong_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages, labels = site(tmp_path)
    wrong = [
        "nonsense",
        "[1]",
        '{"page": "0.html", "label": "main"}',
        '{"page": "9.html", "xpath": "//p", "label": "main"}',
        '{"page": "0.html", "xpath": "//p", "label": "text"}',
        '{"page": "0.html", "xpath": "//[", "label": "main"}',
        '{"page": "0.html", "xpath": "//p", "label": "main", "url": 5}',
        '{"page": "0.html", "xpath": "//h6", "label": "main"}',
        '{"page": "0.html", "xpath": "/html/body/table/tbody/tr", "label": "main"}',
    ]
    labels.write_text("\n".join(wrong), encoding="utf-8")
    options = ("--pages", str(pages), "--labels", str(labels), "--model", str(tmp_path / "own.npz"))
    assert run_command(TrainCommand(), *options) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in lines[:-1]] == [str(number) for number in range(1, 10)]
    assert "9 mistakes" in lines[-1]
    for line, words in zip(
        lines,
        [
            "not JSON",
            "not an object",
            "xpath is None",
            "no page '9.html'",
            "one of main, related, other",
            "'//['",
            "url is 5",
            "selects nothing in '0.html'",
            "browsers add tbody",
        ],
        strict=False,
    ):
        assert words in line
    assert not (tmp_path / "own.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pages", "missing", "--labels", "x"), "no folder 'missing'"),
        (("--pages", "."), "belong together"),
        (("--limit", "3"), "--model"),
        (("--seed", "one"), "--seed"),
        (("pages",), "unexpected argument 'pages'"),
        (("site",), "--pages DIR --labels FILE"),
        (("news", "--pages", ".", "--labels", "x"), "site or blocks, not news"),
        (("--corpus", "missing"), "no corpus in 'missing'"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert words in refusal(TrainCommand(), capsys, *arguments)


@pytest.mark.parametrize(
    "arguments", [(), ("news",), ("blocks", "--pages", ".", "--labels", "x"), ("blocks", "--pages", ".")]
)
def test_shipped_models_are_trained_in_a_checkout_only(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("newscrawl.console.command.LABORATORY", PROJECT / "nowhere")
    assert "trained in a checkout" in refusal(TrainCommand(), capsys, *arguments)


TRAIN = "requirements-train.txt"
LAB = "requirements-lab.txt"


@pytest.mark.parametrize(
    ("missing", "words", "named"),
    [
        ("sklearn", ("train", "--limit", "1"), {TRAIN}),
        ("sklearn", ("train", "news"), {TRAIN, "requirements-torch.txt"}),
        ("torch", ("train", "news"), {TRAIN, "requirements-torch.txt"}),
        ("sklearn", ("experiment",), {LAB}),
        ("sklearn", ("experiment", "news"), {LAB}),
        ("tinycss2", ("experiment", "--list"), {LAB}),
        ("sklearn", ("evaluate",), {LAB}),
    ],
)
def test_what_a_checkout_lacks_is_named_before_it_is_imported(
    missing: str, words: tuple[str, ...], named: set[str]
) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None; from scrapy.cmdline import execute; "
        f"execute(['scrapy', *{words!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert set(re.findall(r"-r (\S+)", done.stderr)) == named


def test_labels_of_one_class_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages, labels = site(tmp_path)
    labels.write_text('{"page": "0.html", "xpath": "//div[@class=\'c\']", "label": "main"}', encoding="utf-8")
    words = ("--pages", str(pages), "--labels", str(labels), "--model", str(tmp_path / "own.npz"))
    assert "blocks labelled main text: 1, others: 0; label at least one of each" in refusal(
        TrainCommand(), capsys, *words
    )


@pytest.mark.slow
@pytest.mark.shared
def test_the_shipped_model_can_be_made_again(shared: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.npz"
    done = scrapy("train", "--corpus", str(shared / "corpus"), "--model", str(again))
    assert done.returncode == 0, done.stderr.decode()
    pages = load_block_pages(shared / "corpus", SHIPPED_SETS, limit=20)
    samples = np.concatenate([page.samples for page in pages])
    here, there = (classified(load_machine(path), samples) for path in (DEFAULT_MODEL, again))
    assert (here[0] == there[0]).all()
    assert here[1] == pytest.approx(there[1], abs=1e-3)
