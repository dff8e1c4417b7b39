"""Links to the same article for the printer or for phones."""

import pytest

from newscrawl.links.model import Link, LinkPosition
from newscrawl.links.rules import copy_of

STORY = "http://example.org/news/articleView.html?idxno=30059"


def _link(url: str, anchor: str = "") -> Link:
    return Link(url=url, anchor=anchor, position=LinkPosition.ELSEWHERE)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/news/articlePrint.html?idxno=30059",
        "http://example.org/print.php?id=2001",
        "http://example.org/2024/05/a-long-story/print/",
        "http://example.org/2024/05/a-long-story/amp",
        "http://example.org/comment/12",
        "http://example.org/index.php?option=com_content&view=article&id=7&tmpl=component&print=0",
        "http://example.org/story-12345.html?print=1",
        "http://example.org/story-12345.html?amp",
        "http://example.org/story-12345.html?view=print",
        "http://example.org/politik/eine-lange-geschichte-123456/druckversion",
    ],
)
def test_addresses_of_print_and_phone_versions(url: str) -> None:
    assert copy_of(_link(url), STORY)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/print/",
        "http://example.org/print/2024/05/a-long-story.html",
        "http://example.org/news/articleView.html?idxno=30060",
        "http://example.org/business/print",
        "http://example.org/comment/2024-a-year-of-floods",
        "http://example.org/guitars/amp",
        "http://example.org/story-12345.html?print=0",
        "http://example.org/list.html?view=grid",
    ],
)
def test_other_addresses(url: str) -> None:
    assert copy_of(_link(url), STORY) is None


@pytest.mark.parametrize(
    "anchor", ["打印", "【打印】", "Print", "Druckversion", "Версия для печати", "طباعة", "프린트"]
)
def test_links_called_print_that_name_the_article(anchor: str) -> None:
    assert copy_of(_link("http://example.org/p/0/30059.html", anchor), STORY)


def test_a_print_version_by_the_end_of_the_name() -> None:
    page = "http://news.example.org/c/2024-04-19/doc-id3d42c335e77.shtml"
    assert copy_of(_link("http://news.example.org/print/d3d42c335e77.shtml", "打印"), page)
    assert copy_of(_link("http://news.example.org/print/0a3d42c335e7.shtml", "打印"), page) is None


def test_links_called_print_that_lead_elsewhere() -> None:
    assert copy_of(_link("http://example.org/printed-edition/", "Print"), STORY) is None
    assert copy_of(_link("http://example.org/print/1290", "The 1290 edition"), STORY) is None
    assert copy_of(_link("http://example.org/print/1290", "Version imprimable"), "http://example.org/news/a-story")
    assert copy_of(_link("http://example.org/p/0/30059.html", "Print is dead, long live print"), STORY) is None


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        ("http://comment.example.org/30059.html", "参与评论"),
        ("http://comment.example.org/30059.html", "评论(12)"),
        ("http://example.org/2024/05/a-long-story/comments/", "12 comments"),
        ("http://example.org/show.php?id=30059&comments=1", "Leave a comment"),
    ],
)
def test_comments_by_name_and_address(url: str, anchor: str) -> None:
    assert copy_of(_link(url, anchor), STORY)


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        ("http://example.org/2024/05/a-long-story/", "12 comments"),
        ("http://comment.example.org/30059.html", "A comment on the new law"),
        ("http://comment.example.org/30059.html", "Comments" + "!" * 40),
        ("http://example.org/comment/2024/05/a-long-story.html", "What nobody says of the new law"),
    ],
)
def test_comments_by_one_of_them(url: str, anchor: str) -> None:
    assert copy_of(_link(url, anchor), STORY) is None
