"""Focused crawls as a user runs them, over a made-up site."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from lab.experiments.focused_simulation import simulate
from lab.experiments.focused_site import stored_feeds, stored_pages
from newscrawl.focus import parse_topic
from newscrawl.focus.crawl import Focus
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.focused import save_decisions
from tests.commands_run import scrapy
from tests.conftest import PROJECT
from tests.focused_site import HOST, TOPIC, is_relevant, relevant_urls, write_site

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("site") / "site.warc.gz")


def command(site: Path, folder: Path, *, pages: int, strategy: str = "learned", **settings: object) -> list[str]:
    (folder / "topic.toml").write_text(TOPIC, encoding="utf-8")
    arguments = {"topic": folder / "topic.toml", "seeds": f"{HOST}/", "pages": pages, "strategy": strategy}
    values: dict[str, object] = {
        "NEWSCRAWL_REPLAY": site,
        "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'crawl.sqlite'}",
        "NEWSCRAWL_FOCUSED_PAGES": folder / "pages.jsonl",
        "NEWSCRAWL_FOCUSED_REPORT": folder / "report.json",
        "CONCURRENT_REQUESTS": 1,
        "NEWSCRAWL_EXTRACTOR": "rules",  # as the simulation
        "LOG_LEVEL": "INFO",
        **settings,
    }
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    return ["crawl", "focused", *words, *(word for name, value in values.items() for word in ("-s", f"{name}={value}"))]


def fetched(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def finished(site: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("crawl")
    done = scrapy(*command(site, folder, pages=60))
    assert done.returncode == 0, done.stderr.decode()
    return folder, done.stderr.decode()


def test_the_crawl_keeps_to_its_topic(finished: tuple[Path, str]) -> None:
    folder, log = finished
    urls = [row["url"] for row in fetched(folder)]
    assert len(urls) == len(set(urls)) == 60
    assert sum(map(is_relevant, urls)) >= 0.9 * len(relevant_urls())
    assert "of 50 pages are about Phones" in log


def test_the_crawl_goes_as_the_simulation(site: Path, finished: tuple[Path, str]) -> None:
    pages = stored_pages(site, None, advance=lambda: None)
    crawled = simulate(pages, Focus(parse_topic(TOPIC)), [f"{HOST}/"], 60, feeds=stored_feeds(site))
    assert [row["url"] for row in fetched(finished[0])] == list(crawled.urls)


def test_the_report_shows_what_paid(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    figures = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    drawn = scrapy("report", "--focused", str(folder / "report.json"), "--html", str(folder / "report.html"))
    assert drawn.returncode == 0, drawn.stderr.decode()
    assert "articles about the topic" in drawn.stdout.decode()
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert f"{HOST}/tag/phone/" in page
    assert figures["n_pages"] == figures["curve"][-1][0] == 60
    assert figures["harvest_rate"] == pytest.approx(figures["n_relevant"] / 60)
    assert figures["hubs"][0]["n_relevant"] > 1
    assert {"places", "anchors", "doubts"} <= figures.keys()


def test_explain_says_which_words_decided(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    url = next(row["url"] for row in fetched(folder) if is_relevant(row["url"]))
    database = f"NEWSCRAWL_DATABASE=sqlite:///{folder / 'crawl.sqlite'}"
    said = scrapy("explain", url, "-s", database).stdout.decode()
    assert "Phones: relevant" in said
    assert "phone +" in said
    told = json.loads(scrapy("explain", url, "--json", "-s", database).stdout)
    assert told["topics"][0]["words"][0][0] == "phone"


def topic(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    return scrapy("topic", *words, "--database", f"sqlite:///{folder / 'crawl.sqlite'}")


def test_the_topic_is_shown_and_decided_by_a_command(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    proposed = json.loads(topic(folder, "suggest", "--json").stdout)["suggest"]
    assert {"display", "battery"} & {row["name"] for row in proposed if row["confidence"] > 0.5}
    assert {"piano", "rose", "opinion"}.isdisjoint(row["name"] for row in proposed)
    assert "accepted" in topic(folder, "suggest", "accept", "Display").stdout.decode()
    doubts = json.loads(topic(folder, "judge", "--json", "--limit", "3").stdout)["judge"]
    assert len(doubts) == 3
    said = json.loads(topic(folder, "judge", "no", doubts[0]["url"], "--json").stdout)["judge"]
    assert said[0] | {"verdict": "no"} == said[0]
    undone = json.loads(topic(folder, "judge", "undo", doubts[0]["url"], "--json").stdout)["judge"]
    assert undone[:3] == doubts
    sample = json.loads(topic(folder, "judge", "--sample", "--json").stdout)
    assert len(sample["judge"]) == 10
    assert sample["estimate"] == {"n": 0, "n_right": 0, "low": 0.0, "high": 1.0}
    judged = topic(folder, "judge", "yes", sample["judge"][0]["url"], "--sample").stdout.decode()
    assert "1 of 1 judged are about the topic: 100%, 95 % interval 21% to 100%" in judged
    topic(folder, "judge", "undo", sample["judge"][0]["url"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("judge", "no", "http://nowhere.example/"), "no stored article: http://nowhere.example/"),
        (("judge", "maybe", "http://nowhere.example/"), "maybe"),
        (("suggest", "accept"), "accept which words?"),
        (("suggest", "--crawl", "cats"), "--crawl 'cats': no focused crawl"),
    ],
)
def test_a_mistake_is_one_line(finished: tuple[Path, str], words: tuple[str, ...], message: str) -> None:
    done = topic(finished[0], *words)
    assert done.returncode != 0
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_running_crawl_takes_up_what_a_user_says(site: Path, tmp_path: Path) -> None:
    words = command(site, tmp_path, pages=1000)
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "scrapy", *words], cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while not (tmp_path / "pages.jsonl").exists() or len(fetched_so_far(tmp_path)) < 5:
            assert process.poll() is None
            time.sleep(0.01)
        engine = make_engine(f"sqlite:///{tmp_path / 'crawl.sqlite'}")
        with writing(engine) as connection:
            save_decisions(
                connection, f"focused {urlsplit(HOST).hostname} Phones learned", "word", ["garden"], belongs=True
            )
        engine.dispose()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
    figures = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert "garden" in {row["name"] for row in figures["suggestions"] if row["state"] == "accepted"}
    assert figures["n_relevant"] > 60


def test_another_strategy_runs(site: Path, tmp_path: Path) -> None:
    done = scrapy(*command(site, tmp_path, pages=15, strategy="ata+blocks", NEWSCRAWL_FOCUSED_REPORT=""))
    assert done.returncode == 0
    assert len(fetched(tmp_path)) == 15
    assert not (tmp_path / "report.html").exists()


def test_a_killed_crawl_goes_on_as_if_nothing_had_been(site: Path, tmp_path: Path, finished: tuple[Path, str]) -> None:
    words = command(site, tmp_path, pages=1000, NEWSCRAWL_LEASE_SECONDS=2)
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "scrapy", *words], cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while not (tmp_path / "pages.jsonl").exists() or len(fetched_so_far(tmp_path)) < 25:
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    n_before = len(fetched_so_far(tmp_path))
    done = scrapy(*command(site, tmp_path, pages=60 - n_before, NEWSCRAWL_LEASE_SECONDS=2))
    assert done.returncode == 0, done.stderr.decode()
    assert "Going on after" in done.stderr.decode()
    urls = list(dict.fromkeys(fetched_so_far(tmp_path)))
    whole = sum(is_relevant(row["url"]) for row in fetched(finished[0]))
    assert sum(map(is_relevant, urls)) >= whole - 0.02 * 60


def fetched_so_far(folder: Path) -> list[str]:
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line)["url"] for line in lines if line.endswith("\n")]
