from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from newscrawl.commands.extract import ExtractCommand
from newscrawl.commands.extract_file import with_html, with_markdown
from newscrawl.extractors import Extraction
from newscrawl.items import Article
from tests.commands_run import REPLAY, answer, assert_refused, refusal, run_command, scrapy
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "".join(
    f"<p>第{i}天清晨，渡口的雾还没有散，摆渡人把缆绳解开，船慢慢离岸，岸边的人挥手，谁也没有说话。</p>"
    for i in range(1, 7)
)
PAGE = f"""<html><head><meta charset="gb2312"><title>渡口来信_某网</title></head><body><h1>渡口来信</h1>
<div>2024年03月05日 10:20 来源：某报</div><div id="text">{TEXT}</div></body></html>"""


@pytest.fixture
def _stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode("gbk"))))


def test_a_file_of_gbk_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.encode("gbk"))
    article = json.loads(
        answer(ExtractCommand(), capsys, str(file), "--json", "--url", "https://news.example.org/a.html")
    )
    assert article["headline"] == "渡口来信"
    assert article["articleBody"].startswith("第1天清晨，渡口的雾还没有散")
    assert article["url"] == "https://news.example.org/a.html"


def test_yesterday_is_counted_from_when_the_file_was_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.replace("2024年03月05日 10:20", "2小时前").encode("gbk"))
    saved = datetime(2024, 3, 5, 12, 20, tzinfo=UTC)
    os.utime(file, (saved.timestamp(), saved.timestamp()))
    (tmp_path / "list.txt").write_text(str(file), encoding="utf-8")
    one = answer(ExtractCommand(), capsys, str(file), "--json")
    many = answer(ExtractCommand(), capsys, "-i", str(tmp_path / "list.txt"))
    for article in map(json.loads, (one, many)):
        assert datetime.fromisoformat(article["datePublished"]) == saved - timedelta(hours=2)
        assert datetime.fromisoformat(article["fetchedAt"]) == saved


def test_a_list_of_pages_gives_json_lines_and_counts_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_bytes(PAGE.encode("gbk"))
    (tmp_path / "empty.html").write_bytes(b"<p></p>")
    names = [str(tmp_path / name) for name in ("page.html", "empty.html", "none.html")]
    (tmp_path / "list.txt").write_text("\n".join(["# pages", "", *names, names[0]]), encoding="utf-8")
    assert run_command(ExtractCommand(), "-i", str(tmp_path / "list.txt")) == 1
    said = capsys.readouterr()
    (article,) = map(json.loads, said.out.splitlines())
    assert (article["input"], article["headline"]) == (names[0], "渡口来信")
    failed, absent, counted = said.err.splitlines()
    assert failed.endswith("empty.html: no main text found")
    assert "no file" in absent
    assert counted == "3 of 3 pages: 1 read, 2 failed"


def test_addresses_of_a_list_are_fetched() -> None:
    truth = (PROJECT / "data" / "demo" / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    urls = [row["url"] for row in map(json.loads, truth) if row.get("headline")][:3]
    done = scrapy("extract", "-i", "-", *REPLAY, stdin="\n".join([*urls, "http://none.example/"]).encode())
    assert done.returncode == 1
    assert sorted(json.loads(line)["input"] for line in done.stdout.splitlines()) == sorted(urls)
    assert done.stderr.decode().splitlines()[-1] == "4 of 4 pages: 3 read, 1 failed"


@pytest.mark.usefixtures("_stdin")
def test_standard_input_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(answer(ExtractCommand(), capsys, "-").splitlines()) == 6


def test_a_url_through_the_downloader_and_its_own_date() -> None:
    truth = (PROJECT / "data" / "demo" / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    row = next(row for row in map(json.loads, truth) if row.get("date_tolerance_seconds") == 3700)
    done = scrapy("extract", row["url"], "--format", "json", *REPLAY)
    article = json.loads(done.stdout)
    assert article["headline"] == row["headline"]
    assert article["datePublished"][:10] == row["date"][:10]  # "3小时前", read against the day of the record


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("no-such-file",), ("'no-such-file'", "accepted: a file")),
        (("-", "--method", "magic"), ("'magic'", "accepted:", "rules")),
        (("-", "--format", "xml"), ("'xml'", "accepted: text, json, markdown, html")),
        ((), ("expected one URL, file or -",)),
        (("-", "--fromat=json"), ("unknown option '--fromat=json'",)),
        ((".",), ("cannot read '.'", "accepted: a file")),
        (("a\0b",), ("cannot read", "accepted: a file")),
        (("https://",), ("'https://'", "accepted: http://HOST")),
    ],
)
def test_refusals(arguments: tuple[str, ...], expected: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    error = refusal(ExtractCommand(), capsys, *arguments)
    assert [words for words in expected if words not in error] == []


def test_urls_without_a_page_are_refused() -> None:
    assert_refused(scrapy("extract", "https://news.sina.com.cn/none.shtml", *REPLAY), "none.shtml", "404")
    forbidden = "https://news.sina.com.cn/preview/2025-11-18/doc-inpreview0000001.shtml"
    assert_refused(scrapy("extract", forbidden, *REPLAY), "robots.txt")


def test_facts_are_escaped() -> None:
    article = Article(url="", headline="a*b <i>", source="<b>")
    extraction = Extraction(text="# no heading\n[no link](x)\n<b>no tag</b>", method="x")
    article = replace(article, articleBodyMarkdown=extraction.markdown, articleBodyHtml=extraction.html)
    assert with_markdown(article) == (
        "# a\\*b \\<i\\>\n\n*\\<b\\>*\n\n\\# no heading\n\n\\[no link\\](x)\n\n\\<b\\>no tag\\</b\\>"
    )
    assert with_html(article) == (
        "<article>\n<h1>a*b &lt;i&gt;</h1>\n<p>&lt;b&gt;</p>\n<p># no heading</p>\n<p>[no link](x)</p>\n"
        "<p>&lt;b&gt;no tag&lt;/b&gt;</p>\n</article>"
    )


@pytest.mark.usefixtures("_stdin")
def test_html_of_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(ExtractCommand(), capsys, "-", "--format", "html").splitlines()
    assert lines[:2] == ["<article>", "<h1>渡口来信</h1>"]
    assert sum(line.startswith("<p>第") for line in lines) == 6


def test_help_has_an_example() -> None:
    text = scrapy("extract", "--help").stdout.decode()
    assert "Example: scrapy extract" in " ".join(text.split())
