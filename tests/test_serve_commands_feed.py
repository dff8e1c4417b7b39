from __future__ import annotations

import json
from typing import TYPE_CHECKING

import feedparser
import pytest

from newscrawl.serve.commands.feed import FeedCommand
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.storage import write_batch
from tests.commands_run import answer, refusal
from tests.records import stored

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/news.sqlite"
    engine = make_engine(url)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://e.org/a", "华为手机。\n好。"), stored("https://o.org/b", "天气。")])
    engine.dispose()
    return url


def test_a_feed_of_a_site_in_a_file(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "site.atom"
    assert "2 articles in" in answer(FeedCommand(), capsys, "example", "-o", str(file), "--database", database)
    read = feedparser.parse(file.read_bytes())
    assert [entry.link for entry in read.entries] == ["https://o.org/b", "https://e.org/a"]
    assert read.entries[1].content[0].value == "<p>华为手机。</p>\n<p>好。</p>"


def test_a_feed_of_a_search(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    read = json.loads(answer(FeedCommand(), capsys, "--query", "手机", "--format", "json", "--database", database))
    assert [item["id"] for item in read["items"]] == ["https://e.org/a"]
    both = answer(FeedCommand(), capsys, "o.org", "--query", "手机", "--database", database)
    assert feedparser.parse(both).entries == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "expected one site, got none"),
        (("exampel",), "no articles of 'exampel'"),
        (("example", "--format", "rss"), "unknown format 'rss'; accepted: atom, json"),
        (("--query", "before:noon"), "before:noon is not a day"),
    ],
)
def test_what_is_refused(
    database: str, arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refusal(FeedCommand(), capsys, *arguments, "--database", database)
