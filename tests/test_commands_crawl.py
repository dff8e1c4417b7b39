from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lab.experiments.url_rules import portals
from newscrawl.commands.crawl import CrawlCommand
from tests.commands_run import REPLAY, assert_refused, refusal, run_command, scrapy

if TYPE_CHECKING:
    from pathlib import Path


def test_channels_are_listed_without_a_crawl(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(CrawlCommand(), "sina", "-a", "channels=?") == 0
    lines = capsys.readouterr().out.splitlines()
    channels = portals()["sina"].channels
    assert [line.split() for line in lines] == [[name, *urls] for name, urls in channels.items()]


def test_a_site_without_channels_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(CrawlCommand(), "site", "-a", "url=https://example.org/", "-a", "channels=?") == 0
    assert capsys.readouterr().out == "example.org has no channels\n"


def test_asking_for_channels_excuses_no_other_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert "lmit" in refusal(CrawlCommand(), capsys, "sina", "-a", "channels=?", "-a", "lmit=1")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["sinaa"], "unknown spider 'sinaa'; did you mean sina"),
        (["example"], "unknown spider 'example'; sites of yours are known in the folder of their project"),
        ([], "expected one name of a site or spider"),
        (["sina", "-a", "channels=tec"], "channels = 'tec'; accepted: news, china"),
        (["sina", "-s", "NEWSCRAWL_EXTRACTR=news"], "unknown setting NEWSCRAWL_EXTRACTR; did you mean"),
        (
            ["sina", "-s", "NEWSCRAWL_JOIN_MAX_PARTS=0"],
            "NEWSCRAWL_JOIN_MAX_PARTS is '0'; accepted: a whole number from 1",
        ),
    ],
)
def test_a_mistake_is_one_line_before_anything_begins(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert expected in refusal(CrawlCommand(), capsys, *arguments)


def test_a_refused_crawl_logs_nothing() -> None:
    assert_refused(scrapy("crawl", "sina", *REPLAY, "-s", "NEWSCRAWL_READ_SECONDS=x"), "NEWSCRAWL_READ_SECONDS is 'x'")


def test_each_mistake_of_a_site_file_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('title = "Mine"\nhosts = ["Mine.example"]\nseed = []\n', encoding="utf-8")
    done = scrapy("crawl", "mine", "-s", f"NEWSCRAWL_SITES_DIR={tmp_path}")
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert [line.partition("mine.toml: ")[2].split()[0] for line in lines] == ["seeds", "hosts,", "seed"]
