"""Addresses of the sites in the box that state patterns: each has cases here."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlsplit

import pytest

from newscrawl.sites import NewsSite, UrlKind, catalogue
from newscrawl.urls.canonical import canonicalize

SITES = {
    site.name: site
    for site in catalogue()
    if site.article_patterns or site.guessed_patterns or site.hub_patterns or site.deny_patterns
}
ARTICLES = [
    ("sina", "https://news.sina.com.cn/c/2019-09-07/doc-iicezzrq4076655.shtml", date(2019, 9, 7)),
    ("sina", "https://finance.sina.com.cn/stock/usstock/c/2019-09-09/doc-iicezzrq4681677.shtml", date(2019, 9, 9)),
    ("sina", "http://gongyi.sina.com.cn/gyzx/2009-02-04/09346152.html", date(2009, 2, 4)),
    ("sina", "http://tech.sina.com.cn/s/2012-01-12/17066632680_2.shtml", date(2012, 1, 12)),
    ("sina", "http://finance.sina.com.cn/stock/t/20120112/091211184.shtml", date(2012, 1, 12)),
    ("sina", "https://news.sina.cn/gn/2023-05-01/detail-imyskwxq0000000.d.html", date(2023, 5, 1)),
    ("sina", "http://blog.sina.com.cn/s/blog_17d8ee0500102ydhv.html", None),
    ("sina", "https://k.sina.com.cn/article_6586884461_1889be16d00100juvx.html", None),
    ("netease", "http://news.163.com/20/0229/18/F6ISIFBD0001899O.html", date(2020, 2, 29)),
    ("netease", "http://tech.163.com/digi/12/0112/12/7NIMNP9S001624J2.html", date(2012, 1, 12)),
    ("netease", "http://money.163.com/15/0704/10/ATM2AF3B00253B0H_all.html", date(2015, 7, 4)),
    ("netease", "https://www.163.com/dy/article/G33O1QTA05372UZS.html", None),
    ("netease", "https://www.163.com/news/article/GLLBT0EG0528BM0N.html", None),
    ("netease", "http://dy.163.com/v2/article/detail/EFDAIN1E054550F0.html", None),
    ("netease", "http://biz.163.com/50110/3/19O6S1IU00020QBS.html", None),
    ("sohu", "https://www.sohu.com/a/434365209_123753", None),
    ("sohu", "http://news.sohu.com/20091104/n267968398.shtml", date(2009, 11, 4)),
    ("sohu", "http://business.sohu.com/06/46/article213514606.shtml", None),
    ("people", "http://politics.people.com.cn/n1/2024/0305/c1001-40189012.html", date(2024, 3, 5)),
    ("people", "http://world.people.com.cn/n/2015/0704/c1002-27254112.html", date(2015, 7, 4)),
    ("people", "http://opinion.people.com.cn/GB/16902462.html", None),
    (
        "people",
        "http://paper.people.com.cn/rmrb/html/2019-09/10/nw.D110000renmrb_20190910_1-01.htm",
        date(2019, 9, 10),
    ),
    ("xinhua", "http://news.xinhuanet.com/world/2015-07/04/c_1115815908.htm", date(2015, 7, 4)),
    ("xinhua", "http://www.news.cn/politics/20240305/0f9c3a5d7b1e4f2a8c6d0e1f2a3b4c5d/c.html", date(2024, 3, 5)),
]
OTHERS = [
    ("sina", "https://news.sina.com.cn/china/", UrlKind.HUB),
    ("sina", "https://roll.news.sina.com.cn/news/gnxw/gdxw1/index.shtml", UrlKind.HUB),
    ("sina", "http://comment5.news.sina.com.cn/comment/skin/default.html?channel=kj&newsid=1", UrlKind.OTHER),
    ("sina", "http://slide.news.sina.com.cn/w/slide_1_2841_393728.html", UrlKind.OTHER),
    ("netease", "http://news.163.com/special/chavez/", UrlKind.HUB),
    ("netease", "http://comment.tie.163.com/EUR4LSBU000189FH.html", UrlKind.OTHER),
    ("netease", "http://news.163.com/photoview/00AO0001/2309506.html", UrlKind.OTHER),
    ("netease", "http://quotes.money.163.com/0601998.html", UrlKind.OTHER),
    ("sohu", "https://www.sohu.com/subject/320264", UrlKind.HUB),
    ("sohu", "https://www.sohu.com/picture/406445155", UrlKind.OTHER),
    ("sohu", "http://business.sohu.com/7/0404/55/column219715545.shtml", UrlKind.HUB),
    ("people", "http://politics.people.com.cn/index2.html", UrlKind.HUB),
    ("people", "http://www.people.com.cn/GB/paper66/", UrlKind.HUB),
    ("xinhua", "http://www.news.cn/politics/", UrlKind.HUB),
    ("xinhua", "http://www.news.cn/video/2024-03/05/c_1211111111.htm", UrlKind.OTHER),
]


@pytest.mark.parametrize(("name", "url", "day"), ARTICLES)
def test_articles(name: str, url: str, day: date | None) -> None:
    assert SITES[name].covers(url)
    assert SITES[name].url_kind(url) is UrlKind.ARTICLE
    assert SITES[name].url_date(url) == day


@pytest.mark.parametrize(("name", "url", "kind"), OTHERS)
def test_other_pages(name: str, url: str, kind: UrlKind) -> None:
    assert SITES[name].covers(url)
    assert SITES[name].url_kind(url) is kind


@pytest.mark.parametrize("site", SITES.values(), ids=str)
def test_the_data_are_sound(site: NewsSite) -> None:
    hubs = [url for urls in site.channels.values() for url in urls]
    for url in (*site.seeds, *hubs, *site.feeds, *site.sitemaps):
        assert canonicalize(url) == url
        assert site.covers(url)
    for url in (*site.seeds, *hubs):
        assert site.url_kind(url) is not UrlKind.ARTICLE
        assert site.denied_by(url) is None, url
    assert site.timezone != "UTC"


def test_each_site_has_cases() -> None:
    assert {name for name, *_ in ARTICLES} == {
        name for name, site in SITES.items() if site.article_patterns or site.guessed_patterns
    }
    assert {name for name, *_ in OTHERS} == SITES.keys()


def test_tracking_queries_of_articles_are_dropped() -> None:
    sohu = SITES["sohu"]
    assert sohu.clean_url("https://www.sohu.com/a/1_2?scm=1&spm=2") == "https://www.sohu.com/a/1_2"
    assert sohu.clean_url("https://www.sohu.com/c/8?x=1") == "https://www.sohu.com/c/8?x=1"


def test_hosts() -> None:
    sina = SITES["sina"]
    assert sina.covers("http://sina.com.cn/")
    assert not sina.covers("http://notsina.com.cn/")
    assert not sina.covers("http://sina.com.cn.evil.org/")
    assert not sina.covers("http://[::1")
    assert urlsplit(sina.seeds[0]).hostname == "news.sina.com.cn"


@pytest.mark.shared
def test_precision_and_recall_on_the_corpus(shared: object) -> None:
    from pathlib import Path  # noqa: PLC0415

    from lab.evaluation.corpus import load  # noqa: PLC0415
    from lab.experiments.url_rules import count, labelled_addresses  # noqa: PLC0415

    assert isinstance(shared, Path)
    pages = load(shared / "corpus", ("cx163", "gne", "daniel", "zhwced", "cxhit", "llmwebkit"))
    counts, _ = count(labelled_addresses(pages, lambda: None), lambda site, url: site.url_kind(url))
    assert counts["all"].right > 1_000
    assert (counts["all"].precision or 0) >= 0.95
    assert (counts["all"].recall or 0) >= 0.95
