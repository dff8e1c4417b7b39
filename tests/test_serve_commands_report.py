"""The demo, harvested and reported as ``make demo`` does."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from newscrawl.commands.explain import ExplainCommand as Explain
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.serve.commands.report import ReportCommand, runs_table
from newscrawl.serve.reports.runs import runs_of
from newscrawl.sites.memory import Drift
from newscrawl.store import LinkRecord, PageRecord
from newscrawl.store.command import existing_database
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import begin_run, end_run
from newscrawl.store.site_memory import add_drift
from newscrawl.store.storage import write_batch
from tests.commands_run import REPLAY, answer, refusal, run_command, scrapy
from tests.conftest import PROJECT
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from pathlib import Path

TRUTH = PROJECT / "data" / "demo" / "truth.jsonl"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('report')}/demo.sqlite"
    database = ("-s", f"NEWSCRAWL_DATABASE={url}", "-s", "NEWSCRAWL_STORE_BLOCKS=True", "-s", "LOG_LEVEL=ERROR")
    done = scrapy("crawl", "sina", *REPLAY, *database)
    assert done.returncode == 0, done.stderr.decode()
    return url


@pytest.fixture(scope="module")
def report(database: str) -> dict[str, Any]:
    done = scrapy("report", "--database", database, "--truth", str(TRUTH), "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_demo_is_harvested_well(report: dict[str, Any]) -> None:
    truth = report["truth"]
    assert truth["stored"]["right"] >= 0.99 * truth["stored"]["of"]
    assert truth["stored_twice"] == []
    assert truth["wrongly_stored"] == []
    assert truth["outcomes"]["right"] == truth["outcomes"]["of"]
    assert truth["text"]["f1"] >= 0.97
    assert truth["joined"]["right"] == truth["joined"]["of"]


def test_figures_agree_with_each_other(report: dict[str, Any]) -> None:
    assert report["outcomes"]["stored"] == report["n_articles"]
    assert report["n_joined"] == 8
    assert sum(report["channels"].values()) == report["n_articles"]
    assert sum(report["facts"]["headline"].values()) == report["n_articles"]
    assert report["pages_per_second"] > 0


def test_tables_and_page(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "out" / "report.html"
    text = answer(ReportCommand(), capsys, "--database", database, "--truth", str(TRUTH), "--html", str(page))
    for words in (
        "Against the ground truth",
        "How addresses ended",
        "Addresses refused, as links or when asked for, each once",
        "text F1",
        str(page),
    ):
        assert words in text
    written = page.read_text(encoding="utf-8")
    assert "<svg" in written
    assert 'class="block main"' in written


def test_refusals(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, expected in (
        (("--database", f"sqlite:///{tmp_path}/none.sqlite"), "none.sqlite"),
        (("--database", "oracle://x"), "accepted: sqlite:///FILE"),
        (("--database", ""), "no database"),
        (("--database", database, "--truth", "none.jsonl"), "none.jsonl"),
        (("demo",), "unexpected argument 'demo'"),
        (("--database", database, "--html", str(tmp_path)), "cannot write"),
    ):
        assert expected in refusal(ReportCommand(), capsys, *arguments)


def test_a_truth_is_compared_in_a_checkout_only(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("newscrawl.console.command.LABORATORY", PROJECT / "nowhere")
    expected = "a ground truth is compared in a checkout of newscrawl only"
    assert expected in refusal(ReportCommand(), capsys, "--database", database, "--truth", str(TRUTH))


def test_runs_as_table_json_and_pages(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = json.loads(answer(ReportCommand(), capsys, "--database", database, "--runs", "--json"))
    assert (run["state"], run["finish_reason"], run["site"]) == ("complete", "finished", "sina")
    figures = run["figures"]
    assert figures["new"] >= 350
    assert figures["traps"] + figures["robots"] > 0
    assert figures["pages_left"] == 0
    assert "complete" in answer(ReportCommand(), capsys, "--database", database, "--runs")
    for words, name in (("--runs", "runs.html"), (f"--run={run['id']}", "run.html")):
        assert run_command(ReportCommand(), "--database", database, words, "--html", str(tmp_path / name)) == 0
        assert "<svg" in (tmp_path / name).read_text(encoding="utf-8")


def test_one_site_and_what_came_since(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    def report(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(answer(ReportCommand(), capsys, "--database", database, "--json", *words))
        return found

    whole, lately, later = report(), report("--site", "sina", "--since", "2h"), report("--since", "2999-01-01")
    counts = ("n_articles", "n_pages", "n_duplicates", "outcomes", "rejections", "channels")
    assert [lately[name] for name in counts] == [whole[name] for name in counts]
    assert (later["n_articles"], later["n_pages"], later["run"], later["rejections"]) == (0, 0, None, {})
    runs = answer(ReportCommand(), capsys, "--database", database, "--json", "--runs", "--since", "2999-01-01")
    assert json.loads(runs) == []
    assert "no harvest of site 'snia'" in refusal(ReportCommand(), capsys, "--database", database, "--site", "snia")
    assert "--since 'noon' is not accepted" in refusal(
        ReportCommand(), capsys, "--database", database, "--since", "noon"
    )


@pytest.fixture
def noticed(tmp_path: Path) -> tuple[str, ...]:
    """The options for a database of two runs that refused the same addresses, and of a rule told as broken."""
    database = f"sqlite:///{tmp_path}/news.sqlite"
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        for _ in range(2):
            run = begin_run(connection, spider="town", site="town", arguments={}, started_at=NOW, versions={})
            link = LinkRecord(url="https://else.example/", reason=Rejection.OFFSITE, run_id=run)
            seen = replace(link, url="https://town.example/1")
            late = PageRecord(
                url="https://town.example/2", outcome=Outcome.REJECTED, reason="noindex", fetched_at=NOW, run_id=run
            )
            write_batch(connection, [(link, seen), replace(stored(seen.url, chinese(1)), run_id=run), late])
            end_run(connection, run, {"finished_at": NOW, "finish_reason": "finished", "rejections": {"offsite": 2}})
        for reason, old in (("rule", "body = div.text, p"), ("list", "20 stories on https://town.example/")):
            add_drift(connection, Drift(host="town.example", reason=reason, old=old, new="nothing", n_pages=5), None)
    engine.dispose()
    return "--database", database, "--json", "-s", f"NEWSCRAWL_SITES_DIR={tmp_path}"


def test_what_several_runs_refused_counts_once(noticed: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(answer(ReportCommand(), capsys, *noticed))["rejections"] == {"offsite": 1, "noindex": 1}


def test_a_broken_rule_is_told_while_the_site_has_it(
    noticed: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told() -> list[list[str]]:
        of_all = json.loads(answer(ReportCommand(), capsys, *noticed))["drifts"]
        of_one = json.loads(answer(Explain(), capsys, "https://town.example/1", *noticed))["drifts"]
        return [[event["reason"] for event in events] for events in (of_all, of_one)]

    site = 'title = "Town"\nhosts = ["town.example"]\nseeds = ["https://town.example/"]\n[rules]\n'
    for rules, expected in (
        ('body = ["div.text", "p"]', ["list", "rule"]),
        ('body = "div.story"', ["list"]),
        ("", ["list"]),
    ):
        (tmp_path / "town.toml").write_text(site + rules, encoding="utf-8")
        assert told() == [expected, expected]


def test_a_narrow_terminal_cuts_no_number(database: str) -> None:
    with existing_database(database) as engine, engine.connect() as connection:
        (run,) = runs_of(connection)
    many = replace(run.figures, answered=123_456, new=98_765, unchanged=43_210, pages_left=76_543)
    console = Console(width=80, file=StringIO())
    console.print(runs_table([replace(run, figures=many)]))
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert all(f"{number:,}" in text for number in (123_456, 98_765, 43_210, 76_543))
    assert "gone" not in text  # 0 in all runs


def test_no_such_run(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    for given, expected in (("7", "no run 7"), ("last", "expected a whole number"), ("²", "expected a whole number")):
        assert expected in refusal(ReportCommand(), capsys, "--database", database, "--run", given)
    assert "no runs of site 'snia'" in refusal(
        ReportCommand(), capsys, "--database", database, "--runs", "--site", "snia"
    )
