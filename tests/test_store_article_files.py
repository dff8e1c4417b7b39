"""One file an article: names that any file system takes, facts that can be read back, and earlier texts kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from newscrawl.exceptions import UserError
from newscrawl.extensions.files import FilesExtension
from newscrawl.store.article_files import FORMATS, facts_of, path_of, safe_name, write_article
from tests.records import article

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://www.example.org/2024/05/30/the-bridge-opens.html"


def row(**fields: Any) -> dict[str, Any]:
    given = {
        "url": URL,
        "site": "example",
        "headline": "The bridge: open",
        "articleBody": "The bridge opened.\n# 1 in ten came.\n- Nobody <b>left</b>.",
        "datePublished": "2024-05-30T10:00:00+08:00",
        "authors": [{"name": 'Ada "A" Löv', "role": None}],
        "keywords": ["a: b", "# c", "城市"],
        "inLanguage": "en",
        "contentHash": "0123abcd",
        "description": None,
    }
    return given | fields


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({}, "example/2024/05/30/the-bridge-opens-"),
        ({"datePublished": None}, "example/undated/the-bridge-opens-"),
        ({"url": "https://e.org/1234.html"}, "example/2024/05/30/the-bridge-open-"),
        ({"url": "https://e.org/1234.html", "headline": "城市轨道 / 交通"}, "example/2024/05/30/城市轨道-交通-"),
        ({"url": "https://e.org/1234.html", "headline": "Новая станция"}, "example/2024/05/30/новая-станция-"),
        ({"url": "https://e.org/a/%E6%96%B0%E9%97%BB%E9%80%9A%E7%A8%BF.htm"}, "example/2024/05/30/新闻通稿-"),
        ({"url": "https://e.org/?p=7", "headline": None}, "example/2024/05/30/article-"),
        ({"url": "https://e.org/doc-inxslwwlx2597203.shtml", "headline": "云驰"}, "example/2024/05/30/云驰-"),
        ({"url": "https://e.org/doc-inxslwwlx25.shtml", "headline": None}, "example/2024/05/30/doc-inxslwwlx25-"),
        ({"url": "https://e.org/index_7.html", "headline": "..\\..//etc"}, "example/2024/05/30/etc-"),
        ({"site": "../../root"}, "root/2024/05/30/the-bridge-opens-"),
        ({"site": None}, "www-example-org/2024/05/30/the-bridge-opens-"),
    ],
)
def test_a_file_is_named_by_site_day_and_address(fields: dict[str, Any], path: str) -> None:
    found = str(path_of(row(**fields), "md"))
    assert found.startswith(path)
    assert len(found.removeprefix(path)) == len("1f0c9a.md")


def test_two_addresses_never_share_a_file_and_one_keeps_its_own() -> None:
    urls = [f"https://e.org/{section}/the-bridge-opens.html" for section in ("a", "b", "A")]
    assert len({path_of(row(url=url), "md") for url in urls}) == 3
    assert path_of(row(), "md") == path_of(row(headline="Another"), "md")


@given(st.text(max_size=400))
def test_any_file_system_takes_a_name(text: str) -> None:
    name = safe_name(text)
    assert not set(name) & set('<>:"/\\|?*\0. \t\n')
    assert name == name.lower()
    assert len(name.encode()) <= 121
    assert name.rstrip("-") not in ("con", "nul", "com1") or name.endswith("-")


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_has_all_facts_and_the_text(form: str, tmp_path: Path) -> None:
    given = row(description="</script><script>alert(1)</script>\x85\u2028")
    text = write_article(given, tmp_path, form).read_text(encoding="utf-8")
    if form == "json":
        assert json.loads(text) == given
        return
    if form == "html":
        root = html.fromstring(text)
        assert json.loads(root.xpath("string(//script[@id='facts'])")) == facts_of(given)
        assert root.xpath("count(//script)") == 1
        assert root.xpath("//article//b") == [], "a text is no markup"
        assert "Nobody <b>left</b>." in root.xpath("string(//article)")
        return
    _, front, body = text.split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in front.splitlines())
    assert {name: json.loads(value) for name, value in facts.items()} == facts_of(given)
    yaml = pytest.importorskip("yaml", reason="pip install pyyaml")
    assert yaml.safe_load(front) == facts_of(given)
    assert "The bridge opened." in body
    if form == "md":
        assert body.lstrip().startswith("# The bridge: open\n")
        assert "\n# 1 in ten" not in body, "a text is no heading"


def test_a_changed_text_keeps_the_earlier_one_and_changed_facts_do_not(tmp_path: Path) -> None:
    first = write_article(row(), tmp_path, "md")
    write_article(row(headline="The bridge is open"), tmp_path, "md")
    assert [path.name for path in first.parent.iterdir()] == [first.name]
    for number, words in enumerate(("Two came.", "Three came."), start=1):
        write_article(row(articleBody=words, contentHash=f"f{number}"), tmp_path, "md")
    names = sorted(path.name for path in first.parent.iterdir())
    assert names == sorted([first.name, f"{first.stem}.1.md", f"{first.stem}.2.md"])
    assert "Three came." in first.read_text(encoding="utf-8")
    assert "Nobody" in (first.parent / f"{first.stem}.1.md").read_text(encoding="utf-8")


def test_a_crawl_writes_files_as_articles_come(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = {"NEWSCRAWL_FILES": str(tmp_path / "new" / "files"), "NEWSCRAWL_FILES_FORMAT": "json"}
    crawler = get_crawler(settings_dict=settings)
    extension = FilesExtension.from_crawler(crawler)
    for item in (article("https://e.org/a-bridge", "It opened."), {"url": "no article"}):
        extension.scraped(item)
    (file,) = (tmp_path / "new" / "files").rglob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["articleBody"] == "It opened."
    assert crawler.stats.get_value("newscrawl/files/written") == 1
    file.parent.rename(tmp_path / "moved")
    file.parent.write_text("in the way", encoding="utf-8")
    for _ in range(2):
        extension.scraped(article("https://e.org/a-bridge", "It opened."))
    assert crawler.stats.get_value("newscrawl/files/failed") == 2
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1


def test_files_are_written_where_they_are_asked_for_and_a_wrong_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured):
        FilesExtension.from_crawler(get_crawler(settings_dict={"NEWSCRAWL_FILES": "", "NEWSCRAWL_FILES_FORMAT": "md"}))
    wrong = {"NEWSCRAWL_FILES": str(tmp_path), "NEWSCRAWL_FILES_FORMAT": "docx"}
    with pytest.raises(UserError, match="'docx'; accepted: md, txt, html, json"):
        FilesExtension.from_crawler(get_crawler(settings_dict=wrong))
