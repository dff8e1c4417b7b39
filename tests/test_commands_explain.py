from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.cmdline import execute
from scrapy.utils.request import fingerprint

from newscrawl.outcomes import Outcome, Rejection
from newscrawl.store import LinkRecord, PageRecord
from newscrawl.store.columns import FINGERPRINT_BYTES
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import begin_run, save_site
from newscrawl.store.storage import Record, write_batch
from tests.frontiers import Crawl
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

ARTICLE = "https://news.sina.com.cn/c/2024-03-05/doc-imabcdef1234567.shtml"


TWINS = (
    "https://own.org/t/8.jsp?origem=capa",
    "https://own.org/s/9f86d081884c7d65/9.html",
    "http://www.own.org/nachrichten/index.htm",
    "https://own.org/x/10.do;tok=5d41Zq2abc4b2a76?n=3",
    "https://own.org/view?id=11",
    "https://own.org/story.asp?id=12&sid=f6a7db4228",
)
"""Addresses by which stories are stored that are known by others, too."""


@pytest.fixture(scope="module")
def filled(module_database: str) -> str:
    engine = make_engine(module_database)
    migrate(engine)
    with writing(engine) as connection:
        site = {"name": "own", "title": None, "hosts": ["own.org"], "seeds": [], "language": None, "timezone": None}
        save_site(connection, site | {"last_run_id": None})
        write_batch(
            connection,
            [
                stored("https://own.org/1", chinese(1), source="新华社"),
                stored("https://own.org/2", chinese(1)),
                PageRecord(url="https://own.org/3", outcome=Outcome.HTTP_ERROR, status=404, fetched_at=NOW),
                PageRecord(url="https://own.org/4", outcome=Outcome.ROBOTS, fetched_at=NOW),
                (
                    LinkRecord(
                        url="https://own.org/5",
                        reason=Rejection.TRAP,
                        found_on="https://own.org/1",
                        anchor="下一月",
                        position="elsewhere",
                    ),
                ),
            ],
        )
        twins = [stored(url, chinese(number)) for number, url in enumerate(TWINS, start=20)]
        write_batch(connection, twins)
        write_batch(connection, [stored("https://own.org/7", "一。\n二。")])
        write_batch(connection, [stored("https://own.org/7", "一。\n三。")])
        gone = PageRecord(url="https://own.org/7", outcome=Outcome.HTTP_ERROR, status=410, fetched_at=NOW)
        write_batch(connection, [gone])
        _decide(connection)
    engine.dispose()
    crawl = Crawl(module_database)
    waits = "https://own.org/waits"
    crawl.queue(waits, fingerprint=fingerprint(Request(waits))[:FINGERPRINT_BYTES])
    crawl.close()
    return module_database


def _decide(connection: Connection) -> None:
    """Let a later run decide otherwise on some addresses."""
    first, second = (
        begin_run(connection, spider="own", site="own", arguments={}, started_at=NOW, versions={}) for _ in range(2)
    )
    link = LinkRecord(url="https://own.org/later", reason="before_since", found_on="https://own.org/1")
    refused = PageRecord(
        url="https://own.org/refused",
        outcome=Outcome.HTTP_ERROR,
        status=500,
        referer="https://own.org/",
        fetched_at=NOW,
        run_id=first,
    )
    records: list[Record] = [
        (replace(link, run_id=first),),
        replace(stored("https://own.org/later", chinese(9)), run_id=second),
        refused,
        (
            replace(link, url="https://own.org/refused", reason="budget", run_id=second),
            replace(link, url="https://own.org/waits", run_id=first),
        ),
    ]
    write_batch(connection, records)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, database: str) -> int:
    monkeypatch.setattr(sys, "argv", ["scrapy", "explain", *arguments, "-s", f"NEWSCRAWL_DATABASE={database}"])
    with pytest.raises(SystemExit) as end:
        execute()
    return int(end.value.code or 0)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "https://own.org/1",
            ["Fetched, judged an article, and stored.", "repeated by", "https://own.org/2", "新华社"],
        ),
        ("http://own.org/1/#top", ["Fetched, judged an article, and stored."]),  # other spellings of the same
        ("https://own.org/2", ["it repeats https://own.org/1 (content)"]),
        ("https://own.org/3", ["the server answered 404", "own: follow"]),
        ("https://own.org/4", ["robots.txt forbids it"]),
        ("https://own.org/5", ["refused (trap)", "found on https://own.org/1", "下一月", "elsewhere"]),
        ("https://own.org/6", ["Unknown", "own: follow"]),
        ("https://own.org/7", ["revision 2, 1 earlier kept", "- 二。", "+ 三。", "gone", "answered 410"]),
        ("http://www.own.org/1/index.html", ["its story is stored as https://own.org/1."]),
        ("https://own.org/t/8.jsp", [f"its story is stored as {TWINS[0]}."]),
        ("http://own.org/t/8.jsp?origem=rodape", [f"stored as {TWINS[0]}."]),
        ("https://own.org/s/1b4f0e9851971998/9.html", [f"stored as {TWINS[1]}."]),
        ("https://own.org/nachrichten", [f"stored as {TWINS[2]}."]),
        ("https://own.org/x/10.do;tok=b9719xq11017c592?n=3", [f"stored as {TWINS[3]}."]),
        ("https://own.org/x/10.do;tok=b9719xq11017c592?n=4", ["Unknown"]),
        ("https://own.org/s/1b4f0e9851971998/10.html", ["Unknown"]),
        ("https://own.org/view", ["Unknown"]),
        ("https://own.org/view?id=12", ["Unknown"]),
        ("https://own.org/story.asp?id=12", [f"stored as {TWINS[5]}."]),
        ("https://own.org/story.asp?id=1", ["Unknown"]),
        ("https://own.org/6.jpg", ["Unknown", "own: refuse (file_type)", "a .jpg file"]),
        ("https://nowhere.org/", ["Unknown", "no known site has this host"]),
        (ARTICLE, ["Unknown", "sina: follow", "kind article"]),
    ],
)
def test_says_what_became_of_a_url(
    filled: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, said: list[str]
) -> None:
    assert run(monkeypatch, url, database=filled) == 0
    out = capsys.readouterr().out
    assert [words for words in said if words not in out] == []


def test_json_holds_everything(
    filled: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "https://own.org/2", "--json", database=filled) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["page"]["outcome"] == "duplicate"
    assert found["article"]["duplicate_of"] == "https://own.org/1"
    assert found["article"]["n_chars"] == 400
    assert found["link"] is None
    assert found["rules"] == {
        "site": "own",
        "follow": True,
        "kind": "unknown",
        "why": "unknown by its address",
        "rejection": None,
        "selectors": {},
    }


@pytest.mark.parametrize("arguments", [["not a url"], ["ftp://own.org/1"], ["http://"], [], ["a", "b"]])
def test_wrong_use_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(monkeypatch, *arguments, database=f"sqlite:///{tmp_path / 'none.sqlite'}") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("scrapy explain: ")
    assert said.err.count("\n") == 1


def test_without_a_database_the_rules_still_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.sqlite"
    assert run(monkeypatch, ARTICLE, database=f"sqlite:///{file}") == 0
    assert "Unknown" in capsys.readouterr().out
    assert not file.exists()


@pytest.mark.parametrize(
    ("url", "said", "unsaid"),
    [
        ("https://own.org/later", "Fetched, judged an article, and stored.", "before_since"),
        ("https://own.org/refused", "the server answered 500", "depth"),
        ("https://own.org/refused", "budget; found on https://own.org/1", "None"),
        ("https://own.org/waits", "Not fetched yet: it waits in the frontier.", "before_since"),
    ],
)
def test_the_last_decision_counts(
    filled: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    url: str,
    said: str,
    unsaid: str,
) -> None:
    assert run(monkeypatch, url, database=filled) == 0
    out = capsys.readouterr().out
    assert said in out
    assert unsaid not in out
