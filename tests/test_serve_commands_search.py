from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from newscrawl.serve.commands.search import SearchCommand
from newscrawl.serve.search.index import catch_up
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.storage import write_batch
from tests.commands_run import answer, refusal, run_command
from tests.records import stored

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/news.sqlite"
    engine = make_engine(url)
    migrate(engine)
    with writing(engine) as connection:
        texts = {"a": "华为手机[bold]。", "b": "苹果手机。", "c": "天气。"}
        write_batch(connection, [stored(f"https://e.org/{name}", body) for name, body in texts.items()])
    engine.dispose()
    return url


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("site:exampel", "no stored article has site:exampel"),
        ("手机 site:nosuch", "no stored article has site:nosuch"),
        ("手机 zyxwv", "no stored article has the word 'zyxwv'"),
        ("lang:xx", "no stored article has lang:xx"),
        ("author:nobody", "no stored article has author:nobody"),
        ("source:nobody", "no stored article has source:nobody"),
        ("topic:none", "no stored article has topic:none"),
        ("华为 苹果", ""),
        ("Date:2020", "Date: is no field, and was searched for as a word; accepted: site:NAME, author:NAME"),
        ("nowhere site:example", "no stored article has the word 'nowhere'"),
        ("https://nowhere.org", "no stored article has the words 'https nowhere org'"),
    ],
)
def test_a_search_that_finds_nothing_says_what_no_article_has(
    database: str, query: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = answer(SearchCommand(), capsys, query, "--database", database).splitlines()
    assert lines[0] == "0 articles"
    assert "".join(lines[1:]).startswith(says)


def test_a_line_an_article_goes_into_a_pipe(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(SearchCommand(), capsys, "手机 -苹果", "--database", database).splitlines()
    assert lines == [
        "1 article",
        "2024-03-05\texample\t头条 https://e.org/a\t华为手机[bold]。\thttps://e.org/a",
    ]


def test_a_terminal_gets_a_table(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    lines = answer(SearchCommand(), capsys, "手机 -苹果", "--database", database).splitlines()
    assert "headline" in lines[1]


def test_json_of_what_was_found(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(answer(SearchCommand(), capsys, "手机", "-苹果", "--json", "--database", database))
    assert (found["total"], found["is_capped"]) == (1, False)
    (hit,) = found["hits"]
    assert (hit["url"], hit["snippet"], hit["matches"]) == ("https://e.org/a", "华为手机[bold]。", ["手机"])
    assert hit["authors"] == ["张三"]


def test_a_part_of_what_was_found(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--limit", "1", "--offset", "1", "--sort", "rank", "--json", "--database", database)
    found = json.loads(answer(SearchCommand(), capsys, "手机", *options))
    assert (found["total"], len(found["hits"])) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no query; e.g. scrapy search"),
        (("a", "--limit", "x"), "--limit 'x': expected a whole number of at least 1"),
        (("a", "--limit", 20 * "9"), "expected a whole number of at least 1, of 9 digits at most"),
        (("a", "--sort", "size"), "unknown order 'size'; accepted: date, rank"),
        (("a before:noon",), "before:noon is not a day"),
        (("a", "--jsn"), "unknown option '--jsn'"),
        (("a", "--database", "sqlite:///no/such.sqlite"), "no database"),
        (("!!!",), "nothing to look for in '!!!'"),
        (("。", "-"), "nothing to look for in '\\u3002 -'"),
        (("\udce4\udcb8",), "nothing to look for in"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in refusal(SearchCommand(), capsys, *arguments)


def test_that_a_search_indexes_what_was_stored_since(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(SearchCommand(), capsys, "手机", "--database", database).startswith("2 articles")
    engine = make_engine(database)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://www.example.org/late", "又一部手机。" * 9)])
    engine.dispose()
    assert answer(SearchCommand(), capsys, "手机", "--database", database).startswith("3 articles")
    assert "0 articles added to the index" in answer(SearchCommand(), capsys, "--build", "--database", database)


def test_that_a_database_that_cannot_be_written_is_searched_as_it_is(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer(SearchCommand(), capsys, "手机", "--database", database).startswith("2 articles")
    engine = make_engine(database)
    with writing(engine) as connection:
        write_batch(connection, [stored("https://www.example.org/late", "又一部手机。" * 9)])
    monkeypatch.setattr("newscrawl.store.engine.BUSY_SECONDS", 0)
    with writing(engine):
        assert run_command(SearchCommand(), "手机", "--database", database) == 0  # another process writes
    said = capsys.readouterr()
    assert said.out.startswith("2 articles")
    assert "1 article is not in the index yet: database sqlite:///" in said.err
    engine.dispose()


def test_that_a_database_at_the_codes_version_is_not_written_to(database: str) -> None:
    engine = make_engine(database)
    sum(catch_up(engine))
    with engine.connect() as connection:
        connection.execute(text("PRAGMA query_only = ON"))
        connection.commit()
        migrate(engine)
    with writing(engine):
        assert run_command(SearchCommand(), "手机", "--database", database) == 0  # nor waits for who writes
    engine.dispose()
