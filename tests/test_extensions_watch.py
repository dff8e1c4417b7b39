from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from newscrawl.commands.crawl import ending
from newscrawl.extensions.watch import HEADLINES, LiveExtension, Picture, is_quiet
from newscrawl.items import Article
from tests.archives import write_warc
from tests.crawling import crawl
from tests.newspages import article

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://news.example.org/"


@pytest.mark.parametrize(
    ("live", "level", "expected"),
    [
        (True, "WARNING", True),
        (True, 40, True),
        (True, "INFO", False),
        (True, "DEBUG", False),
        (False, "WARNING", False),
    ],
)
def test_scrapys_log_and_the_view_never_go_together(live: bool, level: Any, expected: bool) -> None:
    assert is_quiet(Settings({"NEWSCRAWL_LIVE": live, "LOG_LEVEL": level})) == expected


def test_as_an_add_on_of_another_project_it_is_off() -> None:
    with pytest.raises(NotConfigured):
        LiveExtension.from_crawler(get_crawler(settings_dict={"NEWSCRAWL_LIVE": False, "LOG_LEVEL": "WARNING"}))


def test_the_view_has_the_rate_and_the_headlines_of_late() -> None:
    crawler = get_crawler(settings_dict={"NEWSCRAWL_LIVE": True, "LOG_LEVEL": "WARNING"})
    view = LiveExtension.from_crawler(crawler)
    view._started = 100.0
    assert view._rate(110.0, 40) == 4.0
    assert view._rate(114.0, 60) == 5.0
    assert view._rate(150.0, 60) == 0.0
    for number in range(HEADLINES + 2):
        view.scraped(Article(url=HOME, headline=f"\x1b[2J{number}"))
    view.scraped({"url": HOME})
    assert list(view.headlines) == [f"[2J{number}" for number in range(2, HEADLINES + 2)]


def test_a_narrow_terminal_shows_the_time_left() -> None:
    view = LiveExtension.from_crawler(get_crawler(settings_dict={"NEWSCRAWL_LIVE": True, "LOG_LEVEL": "WARNING"}))
    view.scraped(Article(url=HOME, headline="x" * 99))
    state = Picture(articles=60, pages=479, rate=74.1, waiting=42, hosts=13, errors=6, seconds=6, left=4)
    shown = StringIO()
    Console(width=80, file=shown).print(view.view(state))
    assert shown.getvalue().split() == [*state.line().split(), "x" * 77 + "…"]


def test_the_end_names_what_was_left_to_do() -> None:
    stats = {
        "finish_reason": "limit",
        "newscrawl/outcome/stored": 2,
        "newscrawl/store/new": 2,
        "elapsed_time_seconds": 3.2,
        "downloader/response_count": 9,
        "downloader/response_status_count/200": 9,
        "newscrawl/run/pages_left": 4,
    }
    lines = ending(stats, database="x.sqlite")
    assert [line.partition(":")[0] for line in lines] == ["came", "run", "not taken", "where", "next"]
    answers = "2 addresses asked for, 2 fetched; 9 answers (robots.txt and repeats included) in 3 s"
    assert lines[0] == f"came: 2 new articles, 0 changed, 0 pages unchanged; {answers}"
    one = {"newscrawl/outcome/stored": 1, "newscrawl/store/new": 1, "newscrawl/outcome/duplicate": 1}
    assert ending(stats | one)[0].startswith("came: 1 new article, 0 changed, 0 pages unchanged, 1 copy set")
    assert "goes on" in lines[-1]
    about = {"newscrawl/relevance/result": "26 of 180 pages are about trade"}
    assert ending(stats | about, database="x.sqlite")[1] == "topic: 26 of 180 pages are about trade"
    assert "-O articles.jsonl" in ending(stats)[-1]  # nothing has been kept


def test_the_end_tells_what_changed_where_nothing_is_new() -> None:
    stats = {"newscrawl/outcome/stored": 3, "newscrawl/store/revisions": 1, "newscrawl/store/unchanged": 2}
    assert ending(stats, database="x.sqlite")[0].startswith("came: 0 new articles, 1 changed, 2 pages unchanged;")
    assert ending({"newscrawl/outcome/stored": 3}, feeds=["x.jsonl"])[0].startswith("came: 3 articles;")
    assert "brings all of it again" in ending({"newscrawl/outcome/stored": 3}, feeds=["x.jsonl"])[-1]


def test_a_crawl_says_at_its_end_what_came(tmp_path: Path) -> None:
    story = {"url": f"{HOME}2024/03/01/story.html", "body": article(0).encode()}
    home = {"url": HOME, "body": "<p><a href='/2024/03/01/story.html'>城市轨道交通取得新进展</a></p>".encode()}
    write_warc(tmp_path / "a.warc.gz", home, story)
    settings = {
        "NEWSCRAWL_REPLAY": tmp_path / "a.warc.gz",
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/a.sqlite",
        "NEWSCRAWL_READERS": 0,
        "LOG_LEVEL": "WARNING",
    }
    done = crawl(tmp_path, "crawl", "site", "-a", f"url={HOME}", settings=settings)
    assert done.status == 0, done.log
    came, run, _, where, following = done.log.splitlines()
    assert came.startswith("scrapy crawl: came: 1 new article, 0 changed, 0 pages unchanged; ")
    assert run == "scrapy crawl: run: complete"
    assert where.endswith(f"a.sqlite, {tmp_path}/items.jsonl")
    assert "scrapy report" in following
