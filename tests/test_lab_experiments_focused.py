"""The focused experiment: graphs solved by hand, tasks and tables on a made-up stored site."""

from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.evaluation.harvest_curve import HarvestCurve
from lab.experiments.base import Options
from lab.experiments.focused import _figures as figures_of
from lab.experiments.focused import run, sign_flip_p, tasks
from lab.experiments.focused_constants import run as run_constants
from lab.experiments.focused_graph import LinkGraph, at_random, oracle
from lab.experiments.focused_prior import EXAMPLES, middle
from lab.experiments.focused_prior import run as run_prior
from lab.experiments.focused_simulation import Crawled
from newscrawl.classify.model_file import load_model
from newscrawl.exceptions import UserError
from newscrawl.focus import judge
from newscrawl.focus.estimators import INPUTS, KIND
from tests.focused_site import HOST, relevant_urls, write_site

if TYPE_CHECKING:
    from pathlib import Path

#: 0 → 1, 2; 1 → 3; 2 → 4, 5; 5 → 6. Page 7 is out of reach.
GRAPH = LinkGraph(tuple("abcdefgh"), ((1, 2), (3,), (4, 5), (), (), (6,), (), (0,)))


def test_what_can_be_reached() -> None:
    assert GRAPH.reachable([0]) == {0, 1, 2, 3, 4, 5, 6}
    assert GRAPH.numbers(["c", "a", "x", "c"]) == [2, 0]


def test_random_choice() -> None:
    assert at_random(GRAPH, [0], 10, 1) == at_random(GRAPH, [0], 10, 1)
    assert sorted(at_random(GRAPH, [0], 10, 2)) == [0, 1, 2, 3, 4, 5, 6]


def test_the_oracle_goes_for_what_is_relevant() -> None:
    assert oracle(GRAPH, [0], [4, 6], 5) == [0, 2, 4, 5, 6]
    assert oracle(GRAPH, [0], [3], 3) == [0, 1, 3]


@pytest.mark.parametrize(("gains", "p"), [([1.0] * 8, 2 / 256), ([1.0, -1.0], 1.0), ([0.0, 0.0], 1.0)])
def test_the_paired_test_is_exact(gains: list[float], p: float) -> None:
    assert sign_flip_p(gains) == pytest.approx(p)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shared") / "sites"
    folder.mkdir()
    write_site(folder / "made.warc.gz")
    relevant = relevant_urls()
    pages: list[dict[str, object]] = [{"url": f"{HOST}/", "links": [[n + 1, "", 0] for n in range(len(relevant))]}]
    pages += [{"url": url, "links": []} for url in relevant]
    with gzip.open(folder / "made.pages.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(page) + "\n" for page in pages)
    topic: dict[str, object] = {
        "id": "made-phones",
        "name": "Phones",
        "sites": ["made"],
        "keywords": ["phone"],
        "relevant": relevant,
    }
    topic["seeds"] = {"home": [f"{HOST}/"], "relevant": relevant[:3]}
    (folder / "topics.json").write_text(json.dumps({"topics": [topic]}), encoding="utf-8")
    return folder.parent / "corpus"


def test_reach_is_counted_for_each_draw(corpus: Path) -> None:
    found = {task.draw: task for task in tasks(corpus.parent / "sites", [], n_draws=2, seed=1)}
    assert list(found) == ["home", "given", "1", "2"]
    assert len(found["home"].relevant) == 40
    assert found["1"].relevant == frozenset(found["1"].seeds)  # articles of this graph have no links
    assert found["1"].seeds != found["2"].seeds


def test_a_simulated_experiment(corpus: Path) -> None:
    values = {"strategies": "learned,ata", "draws": "0"}
    result = run(Options(corpus=corpus, values=values))
    means = {(row[0], row[1]): float(row[5] or 0) for row in result.tables[0].rows}
    assert means["learned", "home"] >= means["ata", "home"] > 0.5
    assert {"random", "oracle"} <= {strategy for strategy, _ in means}
    assert set(result.figures) == {"home", "relevant"}
    assert result.as_json(command="x", seed=1)["tables"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mode": "guess"}, "mode='guess' is not accepted; give simulate or crawl"),
        ({"draws": "x"}, "draws='x' is not accepted"),
        ({"strategies": "best"}, "strategies='best' is not accepted; give breadth"),
        ({"strategies": "no blocks", "mode": "crawl"}, "strategies='no blocks' is not accepted"),
        ({"speed": "1"}, "unknown value 'speed'; accepted: mode"),
    ],
)
def test_wrong_values_are_refused(corpus: Path, values: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        run(Options(corpus=corpus, values=values))


def test_a_harvest_of_requests_counts_what_gave_no_page() -> None:
    curve = HarvestCurve((True, False, True), (1, 3, 6))
    assert curve.rate_of_requests(6) == pytest.approx(2 / 6)
    assert curve.rate_of_requests(4) == pytest.approx(1 / 4)
    assert HarvestCurve((True, False)).rate_of_requests(2) == 0.5


def test_many_gains_are_tested_by_draws() -> None:
    assert sign_flip_p([0.1] * 40) < 0.001
    assert sign_flip_p([0.1, -0.1] * 20) == 1.0


def test_the_middle_of_crawls_is_what_they_agree_on() -> None:
    believed, spread = np.array([0.0, 0.7]), [1.0, 0.5]
    x = np.tile([1.0, 0.0], (EXAMPLES, 1))  # nothing is said of the second weight
    often, seldom = (x, np.full(EXAMPLES, 0.9)), (x, np.full(EXAMPLES, 0.1))
    assert middle([], believed, spread).tolist() == [0.0, 0.7]
    assert middle([often], believed, spread) == pytest.approx([np.log(9), 0.7], abs=0.01)
    assert middle([often, seldom], believed, spread) == pytest.approx([0.0, 0.7], abs=0.01)
    longer = (np.tile(x, (2, 1)), np.concatenate((often[1], seldom[1])))
    assert middle([longer], believed, spread) == pytest.approx(middle([often], believed, spread))  # the first count
    thin = (x[:2], often[1][:2])
    assert 0.0 < middle([thin], believed, spread)[0] < middle([often], believed, spread)[0]


def copy_as_two(corpus: Path, folder: Path) -> None:
    """Make two sites of one: what the one teaches is measured on the other."""
    (topic,) = json.loads((corpus.parent / "sites" / "topics.json").read_text(encoding="utf-8"))["topics"]
    topics = []
    for name in ("first", "second"):
        for ending in ("warc.gz", "pages.jsonl.gz"):
            shutil.copy(corpus.parent / "sites" / f"made.{ending}", folder / f"{name}.{ending}")
        topics.append(topic | {"id": name, "sites": [name]})
    (folder / "topics.json").write_text(json.dumps({"topics": topics}), encoding="utf-8")


@pytest.mark.slow
def test_a_constant_is_chosen_by_the_other_sites(corpus: Path, tmp_path: Path) -> None:
    copy_as_two(corpus, tmp_path)
    values = {"constant": "judge:HEADLINE", "values": "-9,3.4", "orders": "2"}
    each, chosen = run_constants(Options(corpus=corpus, sites=tmp_path, values=values)).tables
    assert [row[:2] for row in each.rows] == [(n, kind) for n in (-9.0, 3.4) for kind in ("home", "relevant")]
    assert each.rows[0][-1] == 4  # two sites, two orders
    assert [row[:2] for row in chosen.rows] == [("first", 3.4), ("second", 3.4), ("mean of sites", None)]
    assert chosen.rows[0][2:6] == chosen.rows[0][6:]  # the value in use
    assert judge.HEADLINE == 3.4


@pytest.mark.parametrize(
    "values",
    [
        {"constant": "judge:NOTHING", "values": "1"},
        {"constant": "judge:HEADLINE", "values": "one"},
        {"constant": "nowhere:X", "values": "1"},
        {"constant": "judge:HEADLINE", "values": "1", "speed": "2"},
    ],
)
def test_a_constant_that_is_none_is_refused(corpus: Path, values: dict[str, str]) -> None:
    with pytest.raises(UserError, match="focused_constants needs constant=module:NAME"):
        run_constants(Options(corpus=corpus, values=values))


def test_pages_that_the_truth_leaves_open_do_not_count_in_f1(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus.parent / "sites", tmp_path, dirs_exist_ok=True)
    lines = gzip.decompress((tmp_path / "made.pages.jsonl.gz").read_bytes()).decode().splitlines()
    lines.append(json.dumps({"url": f"{HOST}/extra", "links": [], "kind": "unclear"}))
    (tmp_path / "made.pages.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (task, *_) = tasks(tmp_path, [], n_draws=0, seed=1)
    assert task.unclear == {f"{HOST}/extra"}
    relevant = sorted(task.relevant)[:2]
    crawled = Crawled(urls=(*relevant, f"{HOST}/extra"), judged=(True, True, True), requests=(1, 2, 3))
    assert figures_of(task, "learned", crawled).f1 == 1.0


@pytest.mark.slow
def test_a_site_starts_from_what_other_sites_taught(corpus: Path, tmp_path: Path) -> None:
    copy_as_two(corpus, tmp_path)
    model = tmp_path / "links.npz"
    compared, weights = run_prior(Options(corpus=corpus, sites=tmp_path, values={"model": str(model)})).tables
    assert [row[:3] for row in compared.rows[:2]] == [("sites", "first", "home"), ("sites", "first", "relevant")]
    assert weights.columns[3:] == ("without first", "without second", "all")
    assert any(row[2] != row[3] for row in weights.rows)
    written = load_model(model, kind=KIND, features=INPUTS)
    assert [*written.arrays["article"], *written.arrays["hub"]] == [row[-1] for row in weights.rows]
    assert written.provenance["counts"] == {"sites": 2, "topics": 2, "crawls": 4}
    with pytest.raises(UserError, match="share=, a number from 0 to 1"):
        run_prior(Options(corpus=corpus, sites=tmp_path, values={"share": "2"}))
