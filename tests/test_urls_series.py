"""Addresses of the pages of one article and of one list."""

from __future__ import annotations

import pytest

from newscrawl.urls.canonical import without_index
from newscrawl.urls.series import list_of, series_key


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://e.org/tag/x", "e.org/tag/x"),
        ("http://e.org/tag/x/", "e.org/tag/x"),
        ("http://e.org/tag/x/index.html", "e.org/tag/x"),
        ("http://e.org/tag/x/page/3/", "e.org/tag/x"),
        ("http://e.org/tag/x/page/3/index.html", "e.org/tag/x"),
        ("http://e.org/tag/x/page-3/default.aspx", "e.org/tag/x"),
        ("http://e.org/news/index_2.html", "e.org/news"),
        ("http://e.org/news/list_12.shtml", "e.org/news"),
        ("http://e.org/news/12.html", "e.org/news/12.html"),
        ("http://e.org/news?page=4&id=7", "e.org/news?id=7"),
        ("http://e.org/", "e.org"),
    ],
)
def test_pages_of_a_list_have_one_address_in_common(url: str, expected: str) -> None:
    assert list_of(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://e.org/2010/08/30/story/index.html", ("e.org/2010/08/30/story", 1)),
        ("http://e.org/2010/08/30/story/index_2.html", ("e.org/2010/08/30/story", 2)),
        ("http://e.org/2010/08/30/story/page/2/", ("e.org/2010/08/30/story", 2)),
        ("http://e.org/2010/08/30/story/page/2/index.html", ("e.org/2010/08/30/story", 2)),
        ("http://e.org/a/123/index.html", ("e.org/a/123", 1)),
        ("http://e.org/daily/2016-10-10/", ("e.org/daily/2016-10-10", 1)),
        ("http://e.org/2016_10/每日阅读2016-10-9/", ("e.org/2016_10/每日阅读2016-10-9", 1)),
        ("http://e.org/2016_10/%E9%81%932016-10-9/", ("e.org/2016_10/%E9%81%932016-10-9", 1)),
        ("http://e.org/blog/2016/10/3", ("e.org/blog/2016/10/3", 1)),
        ("http://e.org/live_1999_01_31.html", ("e.org/live_1999_01_31", 1)),
        ("http://e.org/2016-10/03.php", ("e.org/2016-10/03", 1)),
        ("http://e.org/daily/2016-10-10_2.html", ("e.org/daily/2016-10-10", 2)),
        ("http://e.org/daily/2016-10-10/2/", ("e.org/daily/2016-10-10", 2)),
        ("http://e.org/daily/2016-10-10/page/3", ("e.org/daily/2016-10-10", 3)),
        ("http://e.org/vote-2012-2.html", ("e.org/vote-2012", 2)),
        ("http://e.org/id-2016-13-2.html", ("e.org/id-2016-13", 2)),
        ("http://e.org/id-12016-10-2.html", ("e.org/id-12016-10", 2)),
    ],
)
def test_pages_of_an_article_have_one_key(url: str, expected: tuple[str, int]) -> None:
    assert series_key(url) == expected


@pytest.mark.parametrize("path", ["/a/index.html", "/a/INDEX.shtml", "/a/default.aspx", "/a/index"])
def test_an_index_file_is_its_folder(path: str) -> None:
    assert without_index(path) == "/a/"


@pytest.mark.parametrize("path", ["/a/", "/a/index_2.html", "/a/indexes.html", "/indexed/a.html", "/a-index.html", ""])
def test_another_file_is_itself(path: str) -> None:
    assert without_index(path) == path
