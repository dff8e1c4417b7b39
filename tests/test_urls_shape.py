from __future__ import annotations

import gzip
import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.urls.shape import UrlKind, is_about_site, list_days, sitemap_days, url_date, url_shape

if TYPE_CHECKING:
    from pathlib import Path

A, H, O, U = UrlKind.ARTICLE, UrlKind.HUB, UrlKind.OTHER, UrlKind.UNKNOWN  # noqa: E741


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", H),
        ("/", H),
        ("/index.html", H),
        ("/tech/", H),
        ("/page/2/", H),
        ("/tags/Linux/page/10/", H),
        ("/category/how-to-fix-things/", H),
        ("/author/jane-van-doe/", H),
        ("/2013/09/", H),
        ("/2013/09/05/", H),
        ("/list_3.html", H),
        ("/html/2024-03/05/node_2.htm", H),
        ("/rmrb/pc/layout/202403/05/node_01.html", H),
        ("/html/2024-03/05/content_88001.htm", A),
        ("/node/1234567", A),
        ("/?page=2", H),
        ("/article-1-1.html", A),
        ("/2013/09/some-title/", A),
        ("/news/2024-03-05/the-title.html", A),
        ("/story/a-long-headline-here", A),
        ("/a/1234567", A),
        ("/posts/4b2bd4d0.html", A),
        ("/?p=123", A),
        ("/archives/1234.html", A),
        ("/archives/17", A),
        ("/archive/17", A),
        ("/archive/2013/", H),
        ("/archives/2013/09/", H),
        ("/archive/author/jane-van-doe/", H),
        ("/topics/2024/03/05/a-story/", A),
        ("/sport/story.html?id=ee4ea2e7", A),
        ("/posts/开源之道一周精选文章/", A),
        ("/2010/08/30/story/index.html", A),
        ("/2010/08/30/12345/index.html", A),
        ("/pub/20230410-some-title/index.html", A),
        ("/world/a-long-headline-stands-here/index.html", A),
        ("/world/middle-east-and-africa/index.html", H),
        ("/2010/08/30/index.html", H),
        ("/n1/2019/0905/index.html", H),
        ("/GB/16902462/index.html", H),
        ("/tech/index.html", H),
        ("/tech/index_2.html", H),
        ("/tag/linux/page/2/index.html", H),
        ("/about/index.html", O),
        ("/login", O),
        ("/search?q=x", O),
        ("/about/", O),
        ("/datenschutz/", O),
        ("/关于我们", O),
        ("/forum/viewtopic.php?t=1", O),
    ],
)
def test_kinds(path: str, kind: UrlKind) -> None:
    assert url_shape("https://example.org" + path) is kind


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2024/03/05/x.html", date(2024, 3, 5)),
        ("/c/2019-09-07/doc-x.shtml", date(2019, 9, 7)),
        ("/20240305/x", date(2024, 3, 5)),
        ("/2016_5_21/", date(2016, 5, 21)),
        ("/2024/03/05-x.html", date(2024, 3, 5)),
        ("/2024/03/15_4567.html", date(2024, 3, 15)),
        ("/2024-3-15-x.html", date(2024, 3, 15)),
        ("/2024/03/5-ways-to-cook-rice/", None),
        ("/2024/03/10_besten-filme/", None),
        ("/2024/13/05/", None),
        ("/2023/02/31/", None),
        ("/id/120240305999", None),
        ("/x?date=2024-03-05", None),
    ],
)
def test_dates(path: str, day: date | None) -> None:
    assert url_date("https://2020-01-01.example.org" + path) == day


@given(st.text(max_size=80))
def test_anything_has_a_shape(text: str) -> None:
    assert url_shape(text) in UrlKind
    assert url_shape("http://example.org/" + text) in UrlKind


@pytest.mark.shared
@pytest.mark.parametrize("name", ["linuxcn", "deemable", "opensourceway"])
def test_real_sites(shared: Path, name: str) -> None:
    right = n = 0
    with gzip.open(shared / "sites" / f"{name}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            right += (url_shape(page["url"]) is A) == (page["kind"] == "article")
            n += 1
    assert right / n >= 0.99


def test_hosts_that_hold_no_news() -> None:
    assert url_shape("http://comment.example.org/2024/05/06/a-long-story-12345.html") is UrlKind.OTHER
    assert url_shape("http://login.example.org/2024/05/06/a-long-story-12345.html") is UrlKind.OTHER
    assert url_shape("http://comment.org/2024/05/06/a-long-story-12345.html") is UrlKind.ARTICLE
    assert is_about_site("http://www.example.pl/deklaracja-dostepnosci")
    assert is_about_site("http://www.example.org/subscribe/")
    assert is_about_site("http://www.example.org/shop/forgot_password.asp?p=/shop/")
    assert is_about_site("http://www.example.org/create-account/")
    assert not is_about_site("http://www.example.org/2024/05/help/")
    assert is_about_site("http://comment.example.org/30059.html")


@pytest.mark.parametrize(
    ("address", "days"),
    [
        ("/2019/", "2019-01-01 2019-12-31"),
        ("/archive/2019", "2019-01-01 2019-12-31"),
        ("/archives/2019/05/", "2019-05-01 2019-05-31"),
        ("/2020/02", "2020-02-01 2020-02-29"),
        ("/news/2019/5/12/", "2019-05-12 2019-05-12"),
        ("/2019-05-12.html", "2019-05-12 2019-05-12"),
        ("/html/2019-05/12/node_1.htm", None),  # a page of a printed paper, judged as any link
        ("/rollnews/20190512/", "2019-05-12 2019-05-12"),
        ("/2019/12/page/3/", "2019-12-01 2019-12-31"),
        ("/2019/12/index_2.html", "2019-12-01 2019-12-31"),
        ("/scroll-news/news/2019/0512/12/", "2019-05-12 2019-05-12"),
        ("/roll.shtml?date=2019-05-12", "2019-05-12 2019-05-12"),
        ("/archive?year=2019&month=5", "2019-05-01 2019-05-31"),
        ("/?m=201905", "2019-05-01 2019-05-31"),
        ("/cal.php?y=2019&m=12&d=31", "2019-12-31 2019-12-31"),
        ("/calendar?day=12&month=05&year=2019", "2019-05-12 2019-05-12"),
        ("/olympics-2020/", None),
        ("/2019-in-review/", None),
        ("/topics/1984/", "1984-01-01 1984-12-31"),
        ("/2019/13/", "2019-01-01 2019-12-31"),
        ("/2019/02/31/", None),
        ("/?year=soon", None),
        ("/news/", None),
    ],
)
def test_the_days_of_a_list(address: str, days: str | None) -> None:
    found = list_days(f"https://2021.example.org{address}")
    assert (None if found is None else " ".join(map(str, found))) == days


@pytest.mark.parametrize(
    ("address", "days"),
    [
        ("/sitemap-2019-05.xml", "2019-05-01 2019-05-31"),
        ("/sitemap-pt-post-2019-12.xml.gz", "2019-12-01 2019-12-31"),
        ("/sitemaps/2019/05/12.xml", "2019-05-12 2019-05-12"),
        ("/sitemap.xml?yyyy=2019&mm=05&dd=12", "2019-05-12 2019-05-12"),
        ("/sitemap.xml?date=2019-05-12", "2019-05-12 2019-05-12"),
        ("/sitemap_201905.xml", "2019-05-01 2019-05-31"),
        ("/archive_2019.xml", "2019-01-01 2019-12-31"),
        ("/sitemap/20190512/news.xml", "2019-05-12 2019-05-12"),
        ("/sitemap12.xml", None),
        ("/sitemap-120190.xml", None),
        ("/news.xml", None),
    ],
)
def test_the_days_of_a_sitemap(address: str, days: str | None) -> None:
    found = sitemap_days(f"https://example.org{address}")
    assert (None if found is None else " ".join(map(str, found))) == days
