from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest
from itemadapter import ItemAdapter

from newscrawl.items import Article, Author, PageType
from tests.archives import write_warc
from tests.crawling import PROJECT, crawl
from tests.newspages import article

if TYPE_CHECKING:
    from pathlib import Path

LOOKING = """
import json
from itemadapter import ItemAdapter


class Looking:
    def __init__(self, path):
        self.path = path

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings["LOOKED"])

    def process_item(self, item):
        seen = ItemAdapter(item).asdict()
        found = seen.get("article") or seen
        line = {"order": self.order, "type": type(item).__name__, "url": seen["url"], "headline": found.get("headline")}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\\n")
        return item


for order in (50, 250, 350, 450, 800, 950):
    globals()[f"At{order}"] = type(f"At{order}", (Looking,), {"order": order})
"""


def test_an_article_is_a_value() -> None:
    made = Article(url="http://example.org/1", authors=(Author(name="Ada Fenn"),))
    assert dataclasses.replace(made, headline="River rises").headline == "River rises"
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.headline = "x"  # type: ignore[misc]


def test_feeds_export_an_article_with_the_names_of_the_common_schema() -> None:
    exported = ItemAdapter(Article(url="http://example.org/1", authors=(Author(name="Ada Fenn"),))).asdict()
    names = {
        "url",
        "headline",
        "articleBody",
        "datePublished",
        "datePublishedRaw",
        "authors",
        "inLanguage",
        "mainImage",
    }
    assert names <= exported.keys()
    assert exported["authors"] == ({"name": "Ada Fenn", "nameRaw": None, "role": None},)
    assert exported["pageType"] is PageType.ARTICLE


def test_the_log_shows_an_article_in_one_short_line() -> None:
    made = Article(
        url="http://example.org/1", headline="River rises\n" * 50, articleBody="text " * 9_000, method="news"
    )
    assert repr(made).startswith("<Article http://example.org/1 'River rises")
    assert repr(made).endswith("45,000 characters by news>")
    assert len(repr(made)) < 200


def test_a_page_converts_at_every_order_of_the_pipelines(tmp_path: Path) -> None:
    """A pipeline of one's own, spidermon's for one, turns each item into a dict."""
    (tmp_path / "looking.py").write_text(LOOKING, encoding="utf-8")
    story = {"url": "http://e.org/2024/03/05/story.html", "body": article(0).encode()}
    home = {"url": "http://e.org/", "body": b"<p><a href='/2024/03/05/story.html'>A story of the river</a></p>"}
    orders = {f"looking.At{order}": order for order in (50, 250, 350, 450, 800, 950)}
    settings = {
        "NEWSCRAWL_REPLAY": write_warc(tmp_path / "a.warc.gz", home, story),
        "ITEM_PIPELINES": json.dumps(orders),
        "LOOKED": tmp_path / "looked.jsonl",
    }
    env = {"PYTHONPATH": f"{tmp_path}:{PROJECT}"}
    done = crawl(tmp_path, "crawl", "site", "-a", "url=http://e.org/", settings=settings, env=env)
    assert len(done.items) == 1, done.log
    looked = [json.loads(line) for line in (tmp_path / "looked.jsonl").read_text(encoding="utf-8").splitlines()]
    of_story = [seen for seen in looked if seen["url"].endswith("story.html")]
    assert [(seen["order"], seen["type"]) for seen in of_story] == [
        *[(order, "Page") for order in (50, 250, 350, 450, 800)],
        (950, "Article"),
    ]
    assert [seen["headline"] for seen in of_story[:2]] == [None, done.items[0]["headline"]]
