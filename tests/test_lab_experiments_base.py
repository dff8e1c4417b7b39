from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from lab.commands.experiment import ExperimentCommand
from lab.evaluation.corpus import load
from lab.evaluation.score import Scorer
from lab.experiments import published
from lab.experiments.base import (
    Options,
    by_site,
    compare,
    describe,
    document_of,
    extract_among,
    get_experiment,
    labelled_pages,
    names,
    score_texts,
    shuffle_pages,
    site_documents,
)
from newscrawl.exceptions import UserError
from newscrawl.methods.base import Extraction, Needs
from newscrawl.serve.training.metrics import TextScore
from tests.commands_run import refusal, run_command, scrapy
from tests.corpora import write_set

if TYPE_CHECKING:
    from newscrawl.page.document import Document

PROJECT = Path(__file__).resolve().parent.parent


class Witness:
    """An extractor that answers with the addresses it has seen."""

    name: ClassVar[str] = "witness"
    needs: ClassVar[Needs] = Needs.SITE

    def __init__(self) -> None:
        self.seen: list[str] = []

    def observe(self, document: Document) -> None:
        self.seen.append(document.url or "")

    def extract(self, document: Document) -> Extraction:
        return Extraction(text=" ".join(self.seen), method=self.name)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    def record(name: str, site: str, text: str | None) -> dict[str, object]:
        return {"id": name, "site": site, "gold": {"text": text}, "markup": f"<body><p>{text}</p></body>"}

    return write_set(
        tmp_path / "corpus",
        "own",
        [
            record("1", "a.cn", "one"),
            record("2", "a.cn", None),
            record("3", "a.cn", "three"),
            record("4", "b.cn", "four"),
        ],
    )


def test_experiments_are_found_and_described() -> None:
    assert {"clustering", "layout", "lineblock", "localrel", "segmentation"} <= set(names())
    assert all(describe(name).endswith(".") for name in names())
    with pytest.raises(UserError, match=r"unknown experiment 'nope': one of .*clustering, "):
        get_experiment("nope")


def test_a_page_is_judged_by_the_others_only(corpus: Path) -> None:
    pages = load(corpus)
    site = by_site(pages)["a.cn"]
    documents = site_documents(site)
    assert extract_among(site[0], documents, Witness).text == "http://a.cn/2 http://a.cn/3"
    assert extract_among(site[1], documents, Witness).text == "http://a.cn/1 http://a.cn/3"


def test_sites_with_most_pages_come_first(corpus: Path) -> None:
    assert [(name, len(pages)) for name, pages in by_site(load(corpus)).items()] == [("a.cn", 3), ("b.cn", 1)]


def test_only_labelled_pages_are_scored(corpus: Path) -> None:
    options = Options(corpus=corpus)
    pages = labelled_pages(options, ["own"])
    assert [page.id for page in pages] == ["1", "3", "4"]
    scores = score_texts(pages, lambda page: page.id and "three", Scorer(), options)
    assert [score.f1 for score in scores] == [0.0, 1.0, 0.0]
    assert document_of(pages[0]).root is not None


def test_shuffling_depends_on_the_seed_alone(corpus: Path) -> None:
    pages = load(corpus)
    assert shuffle_pages(pages, 3) == shuffle_pages(pages, 3)
    assert sorted(page.id for page in shuffle_pages(pages, 3)) == ["1", "2", "3", "4"]


def test_comparison_is_page_by_page() -> None:
    # Every page gains the same, so that the interval of the gain has no width at all.
    first = [TextScore(precision=0.5, recall=1.0, f1=2 / 3)] * 10
    second = [TextScore(precision=1.0, recall=1.0, f1=1.0)] * 10
    found = compare(first, second, [str(place) for place in range(10)], seed=1)
    assert found.f1_gain.low == pytest.approx(1 / 3)
    assert found.f1_gain.high == pytest.approx(1 / 3)
    assert found.right_gain.low == found.right_gain.high == 1.0
    assert found.f1_gain.unit == "site"


def test_published_level_means_follow_from_the_published_runs() -> None:
    # Table 3's own arithmetic: β1 = (.41 + .73 + .64 + .83 + .87) / 5 = .696. Run 20 counts to γ3, so that γ2 is a
    # mean of four runs and γ3 of six.
    for place, name in enumerate(published.LEVEL_MEANS):
        for level, mean in enumerate(published.LEVEL_MEANS[name], start=1):
            runs = [recall for levels, recall in published.L25.items() if levels[place] == level]
            assert sum(runs) / len(runs) == pytest.approx(mean, abs=0.0011), (name, level)
    assert len(published.L25) == 25


@pytest.mark.parametrize("tables", [published.MAIN_TEXT_BLOCKS, published.RELATED_LINK_BLOCKS])
def test_published_scores_are_consistent(tables: dict[str, dict[int, published.Score]]) -> None:
    for method, rows in tables.items():
        for n, score in rows.items():
            f1 = 2 * score.precision * score.recall / (score.precision + score.recall)
            assert f1 == pytest.approx(score.f1, abs=0.0021), (method, n)


def test_command_refuses_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["nope"], "unknown experiment 'nope'"),
        ([], "expected one experiment"),
        (["lineblock", "--out", "README.md"], "cannot make the folder 'README.md'"),
        (["lineblock", "--corpus", str(tmp_path / "none"), "--out", str(tmp_path)], "no corpus in"),
    ):
        assert message in refusal(ExperimentCommand(), capsys, *arguments)


def test_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(ExperimentCommand(), "--list") == 0
    listed = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert [name for name, _ in listed] == list(names())
    assert all(about for _, about in listed)


def test_a_choice_is_a_name_and_a_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("lineblock", "--out", str(tmp_path), "--with", "size")
    assert "--with 'size' is not NAME=VALUE" in refusal(ExperimentCommand(), capsys, *words)


@pytest.mark.slow
def test_an_experiment_writes_figures_without_text(shared: Path, tmp_path: Path) -> None:
    done = scrapy(
        "experiment",
        "localrel",
        "--limit",
        "3",
        "--seed",
        "5",
        "--corpus",
        str(shared / "corpus"),
        "--out",
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "localrel.json").read_text())
    assert written["seed"] == 5
    assert written["command"] == "scrapy experiment localrel --limit 3 --seed 5 --corpus corpus --out " + tmp_path.name
    assert written["counts"]["sets"]["gne"] <= 3
    assert {len(row) for row in written["tables"][0]["rows"]} == {len(written["tables"][0]["columns"])}
