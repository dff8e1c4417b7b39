from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import feedparser
import pytest
from lxml import etree

from newscrawl.serve.article_feed import FeedHead, atom, json_feed
from newscrawl.store.export import KEPT_ARTICLE

HEAD = FeedHead(title="手机 & <b>", key="sina?手机", address="http://127.0.0.1/feed", home="http://127.0.0.1/?q=a&b")
FETCHED = datetime(2024, 3, 6, tzinfo=UTC)


def article(**fields: Any) -> dict[str, Any]:
    empty = dict.fromkeys(KEPT_ARTICLE) | {"authors": [], "keywords": [], "articleBody": "", "firstFetchedAt": FETCHED}
    return empty | {"url": "https://e.org/a?b=1&c=2"} | fields


FULL = article(
    headline="新 <手机> & co",
    articleBody="第一段 <script>alert(1)</script>\n第二段\x0b\ud800",
    datePublished="2024-03-05T10:20:00+08:00",
    dateModified="2024-03-05T12:00:00+08:00",
    authors=[{"name": "张三"}, {"name": "A & B"}],
    keywords=["手机"],
    description="一句话",
    inLanguage="zh",
    mainImage={"url": "https://e.org/a.jpg"},
)


def test_atom_is_read_by_a_feed_reader() -> None:
    read = feedparser.parse(atom([FULL, article()], HEAD))
    assert not read.bozo
    assert (read.version, read.feed.title, read.feed.updated) == ("atom10", "手机 & <b>", "2024-03-06T00:00:00+00:00")
    assert [link.rel for link in read.feed.links] == ["self", "alternate"]
    full, bare = read.entries
    assert (full.title, full.link, full.id) == ("新 <手机> & co", FULL["url"], FULL["url"])
    assert (full.published, full.updated) == (FULL["datePublished"], FULL["dateModified"])
    assert [author.name for author in full.authors] == ["张三", "A & B"]
    assert [tag.term for tag in full.tags] == ["手机"]
    assert full.summary == "一句话"
    assert (bare.title, bare.updated) == (FULL["url"], "2024-03-06T00:00:00+00:00")
    assert "published" not in bare


def test_that_text_of_a_page_is_no_markup() -> None:
    (content,) = etree.fromstring(atom([FULL], HEAD)).iter("{*}content")
    shown = etree.fromstring(f"<div>{content.text}</div>")
    assert [paragraph.text for paragraph in shown] == ["第一段 <script>alert(1)</script>", "第二段"]
    assert content.get("{http://www.w3.org/XML/1998/namespace}lang") == "zh"


def test_that_kept_html_is_the_content() -> None:
    rich = article(articleBody="text", articleBodyHtml="<h2>text</h2>")
    assert json.loads(json_feed([rich], HEAD))["items"][0]["content_html"] == "<h2>text</h2>"


def test_json_feed() -> None:
    read = json.loads(json_feed([FULL, article()], HEAD))
    assert read["version"] == "https://jsonfeed.org/version/1.1"
    assert (read["title"], read["feed_url"], read["home_page_url"]) == (HEAD.title, HEAD.address, HEAD.home)
    full, bare = read["items"]
    assert full["authors"] == [{"name": "张三"}, {"name": "A & B"}]
    assert (full["date_published"], full["tags"], full["image"]) == (
        FULL["datePublished"], ["手机"], "https://e.org/a.jpg",
    )  # fmt: skip
    assert bare == {"id": FULL["url"], "url": FULL["url"], "content_html": "", "content_text": ""}


@pytest.mark.parametrize("write", [atom, json_feed])
def test_that_a_feed_keeps_its_identifier_and_may_be_empty(write: Any) -> None:
    assert write([], HEAD) == write([], HEAD)
    assert HEAD.identifier != FeedHead(title=HEAD.title, key="other").identifier
    assert not feedparser.parse(atom([], HEAD)).bozo
