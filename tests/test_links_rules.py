from __future__ import annotations

from datetime import UTC, date, datetime
from types import MappingProxyType

import pytest

from newscrawl.links.model import ListedEntry
from newscrawl.links.rules import KIND_PRIORITY, Wanted, judge_url, lists_wanted
from newscrawl.outcomes import Rejection
from newscrawl.sites.model import NewsSite
from newscrawl.urls.shape import UrlKind

SITE = NewsSite(
    name="example",
    title="Example",
    hosts=(".example.org",),
    seeds=("http://example.org/",),
    channels=MappingProxyType({"tech": ("http://tech.example.org/",), "world": ("http://example.org/world/",)}),
    article_patterns=(r"/(?P<y>20\d\d)/(?P<m>\d\d)(?P<d>\d\d)/\d+\.html",),
    deny_patterns=(r"^bbs\.",),
    timezone="Asia/Shanghai",
)
ARTICLE = "http://example.org/2024/0305/17.html"


@pytest.mark.parametrize(
    ("url", "rejection"),
    [
        (ARTICLE, None),
        ("http://tech.example.org/", None),
        ("ftp://example.org/", Rejection.SCHEME),
        ("http://example.org/" + "a" * 1024, Rejection.URL_TOO_LONG),
        ("http://example.com/", Rejection.OFFSITE),
        ("http://notexample.org/", Rejection.OFFSITE),
        ("http://example.org/a.JPG?x=1", Rejection.FILE_TYPE),
        ("http://example.org/report.pdf", Rejection.FILE_TYPE),
        ("http://example.org/a.html?file=b.pdf", None),
        ("http://bbs.example.org/1.html", Rejection.PATTERN),
        ("http://example.org/wiki.php?id=flood&rev=17&do=diff", Rejection.PATTERN),
        ("http://example.org/w/index.php?title=Flood&action=edit", Rejection.PATTERN),
        ("http://example.org/forum.php?mod=post&action=reply&tid=7", Rejection.PATTERN),
        ("http://example.org/news.php?action=view&id=7", None),
        ("http://example.org/wiki/Special:WhatLinksHere/Flood", Rejection.PATTERN),
        ("http://example.org/w/index.php?title=Spezial:Anmelden&page=Flood", Rejection.PATTERN),
        ("http://example.org/wiki/%E7%89%B9%E6%AE%8A:%E6%90%9C%E7%B4%A2", Rejection.PATTERN),
        ("http://example.org/wiki/User_talk:Jane", Rejection.PATTERN),
        ("http://example.org/w/index.php?title=Flood&oldid=90017", Rejection.PATTERN),
        ("http://example.org/w/index.php?title=Flood&action=info", Rejection.PATTERN),
        ("http://example.org/wiki/Special:NewPages", None),
        ("http://example.org/2024/05/special-report-flood", None),
        ("http://example.org:8080/wiki/The_flood:_a_view", None),
        ("http://example.org/forum.php?mod=redirect&goto=findpost&ptid=7&pid=8", Rejection.PATTERN),
        ("http://example.org/home.php?mod=space&uid=7", Rejection.PATTERN),
        ("http://example.org/home.php?mod=space&uid=7&do=blog&id=9", None),
        ("http://example.org/memberlist.php?mode=viewprofile&u=7", Rejection.PATTERN),
        ("http://example.org/comment/reply/1290/12", Rejection.PATTERN),
        ("http://example.org/plus/stow.php?aid=18300", Rejection.PATTERN),
        ("http://example.org/plus/view.php?aid=18300", None),
        ("http://example.org/e/tool/feedback/?bid=7", Rejection.PATTERN),
        ("http://example.org/index.php?m=comment&c=index&a=init", Rejection.PATTERN),
        ("http://example.org/index.php?m=content&c=index&a=show&id=7", None),
        ("http://example.org/user/password", Rejection.PATTERN),
        ("http://example.org/index.php?option=com_mailto&tmpl=component&link=7", Rejection.PATTERN),
        ("http://example.org/index.php?option=com_content&view=article&id=7", None),
        ("http://example.org/user/jane-doe", None),
        ("http://example.org/module/downfile.jsp?classid=0&filename=plan.doc", Rejection.FILE_TYPE),
        ("http://example.org/download.php?file=/a/plan.pdf&id=7", Rejection.FILE_TYPE),
        ("http://example.org/down-in-the-valley.php?page=2", None),
        ("http://example.org/down-in-the-valley?host=example.org", None),
        ("http://example.org/edit?q=do=edition", None),
    ],
)
def test_addresses(url: str, rejection: Rejection | None) -> None:
    decision = judge_url(url, SITE, Wanted())
    assert decision.rejection is rejection
    assert decision.follow is (rejection is None)
    assert decision.why


SINCE = Wanted(since=datetime(2024, 3, 5, 20, tzinfo=UTC))  # 4 o'clock of 6 March in Shanghai


@pytest.mark.parametrize(
    ("wanted", "published", "modified", "rejection"),
    [
        # the address says 5 March, Shanghai: over at 16:00 UTC
        (SINCE, None, None, Rejection.BEFORE_SINCE),
        (Wanted(since=datetime(2024, 3, 5, 15, tzinfo=UTC)), None, None, None),
        (Wanted(until=datetime(2024, 3, 4, 16, tzinfo=UTC)), None, None, Rejection.AFTER_UNTIL),
        (Wanted(until=datetime(2024, 3, 4, 17, tzinfo=UTC)), None, None, None),
        # what a sitemap says wins over the address
        (SINCE, date(2024, 3, 6), None, None),
        (SINCE, datetime(2024, 3, 5, 19, tzinfo=UTC), None, Rejection.BEFORE_SINCE),
        # days at the ends of the calendar
        (SINCE, date.max, None, None),
        (SINCE, date.min, None, Rejection.BEFORE_SINCE),
    ],
)
def test_dates(wanted: Wanted, published: date | None, modified: date | None, rejection: Rejection | None) -> None:
    assert judge_url(ARTICLE, SITE, wanted, published=published, modified=modified).rejection is rejection


def test_a_modification_time_can_only_be_too_early() -> None:
    site = NewsSite(name="x", title="x", hosts=("x.org",), seeds=(), article_patterns=(r"/a/\d+",))
    url = "http://x.org/a/1"
    assert judge_url(url, site, SINCE, modified=date(2024, 3, 4)).rejection is Rejection.BEFORE_SINCE
    late = Wanted(until=datetime(2024, 3, 1, tzinfo=UTC))
    assert judge_url(url, site, late, modified=date(2024, 3, 4)).rejection is None
    assert judge_url(url, site, late, published=date(2024, 3, 4)).rejection is Rejection.AFTER_UNTIL


def test_dates_concern_articles_only() -> None:
    assert judge_url("http://example.org/2019/01/", SITE, SINCE).follow


def test_channels() -> None:
    wanted = Wanted(channels=("tech",))
    assert judge_url("http://tech.example.org/mobile/", SITE, wanted).follow
    assert judge_url("http://example.org/world/", SITE, wanted).rejection is Rejection.CHANNEL
    assert judge_url(ARTICLE, SITE, wanted).follow  # where it was found decides


def test_articles_come_first() -> None:
    assert KIND_PRIORITY[UrlKind.ARTICLE] > KIND_PRIORITY[UrlKind.HUB] > KIND_PRIORITY[UrlKind.OTHER]
    assert judge_url(ARTICLE, SITE, Wanted()).priority == KIND_PRIORITY[UrlKind.ARTICLE]


IN_2019 = Wanted(since=datetime(2019, 1, 1, tzinfo=UTC), until=datetime(2020, 1, 1, tzinfo=UTC), is_history=True)


@pytest.mark.parametrize(
    ("url", "rejection", "is_first"),
    [
        ("http://example.org/archive/2019/05/", None, True),
        ("http://example.org/archive/2019/", None, True),
        ("http://example.org/archive?year=2019&month=12", None, True),
        ("http://example.org/archive/2018/12/", Rejection.BEFORE_SINCE, False),
        ("http://example.org/archive/2020/02/", Rejection.AFTER_UNTIL, False),
        ("http://example.org/archive/2020/01/02/", Rejection.AFTER_UNTIL, False),
        ("http://example.org/world/", None, False),
        ("http://example.org/2019/0305/17.html", None, False),
        (ARTICLE, Rejection.AFTER_UNTIL, False),
    ],
)
def test_lists_of_another_time_are_not_asked_for_and_those_of_the_time_come_first(
    url: str, rejection: Rejection | None, is_first: bool
) -> None:
    decision = judge_url(url, SITE, IN_2019)
    assert decision.rejection is rejection
    assert (decision.priority > max(KIND_PRIORITY.values())) is is_first
    daily = judge_url(url, SITE, Wanted())
    assert (daily.rejection, daily.priority) == (None, KIND_PRIORITY[daily.kind])


@pytest.mark.parametrize(
    ("name", "lastmod", "is_asked"),
    [
        ("sitemap-2019-05.xml", None, True),
        ("sitemap-2019-05.xml", date(2024, 1, 1), True),
        ("sitemap-2018-12.xml", date(2024, 1, 1), False),
        ("sitemap-2020-01.xml", None, False),
        ("sitemap-2019.xml", None, True),
        ("sitemap-7.xml", date(2018, 3, 1), False),
        ("sitemap-7.xml", date(2024, 3, 1), True),
    ],
)
def test_sitemaps_of_another_time_are_not_asked_for(name: str, lastmod: date | None, is_asked: bool) -> None:
    entry = ListedEntry(url=f"http://example.org/{name}", is_sitemap=True, changed=lastmod)
    assert lists_wanted(entry, IN_2019, "UTC") is is_asked
    assert lists_wanted(entry, Wanted(), "UTC")
