from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.spiders.responses import blocked_by
from newscrawl.warc.archive import WarcArchive

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "这是一篇关于反爬虫技术的长文章，其中提到各种验证页面的写法。" * 40


@pytest.mark.parametrize(
    "body",
    [
        "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><noscript>Enable JavaScript</noscript>",
        "<html><script>document.cookie=('_')+('_jsl');go({'ct':'x','tn':'__jsl_clearance_s'})</script></html>",
        "<html><script>var arg1='A9';function setCookie(){'acw_sc__v2'}</script></html>",
        "<html><body><script>var dd={'host':'geo.captcha-delivery.com'}</script></body></html>",
        "<html><head><title>百度安全验证</title></head><body><div>请完成下方验证</div></body></html>",
        "<html><head><TITLE>Access Denied</TITLE></head><body>You don't have permission. Reference #18.2</body></html>",
    ],
)
def test_test_pages_are_known_whatever_their_status(body: str) -> None:
    assert blocked_by(200, {}, body.encode()) == "challenge"
    assert blocked_by(403, {}, body.encode()) == "challenge"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html><title>头条</title><p>短讯。</p></html>",
        f"<title>人机验证是怎样工作的</title><p>{TEXT}</p>",
        f"<title>Analysis</title><pre>__jsl_clearance _cf_chl_opt</pre><p>{TEXT}</p>",
        f"<title>News</title><p>{TEXT}</p><script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>",
    ],
)
def test_pages_are_not_taken_for_test_pages(body: str) -> None:
    assert blocked_by(200, {}, body.encode()) is None


@pytest.mark.parametrize(
    ("title", "button"),
    [
        ("Before you continue | Example", "<button class=x>Accept all</button>"),
        ("Ihre Privatsphäre-Einstellungen", "<a href=#>Alle akzeptieren</a>"),
        ("Example Privacy Gate", "<input type=submit value='Akkoord'><button>Akkoord</button>"),
    ],
)
def test_pages_that_ask_for_consent_in_place_of_another(title: str, button: str) -> None:
    text = "We use cookies and data to deliver our services. " * 12
    page = f"<html><head><title>{title}</title></head><body><p>{text}</p>{button}</body></html>"
    assert blocked_by(200, {}, page.encode()) == "consent"
    assert blocked_by(200, {}, page.replace(button, "").encode()) is None
    assert blocked_by(200, {}, page.replace("<p>", f"<p>{TEXT}").encode()) is None
    assert blocked_by(200, {}, page.replace(title, "Before you continue to eat: a review").encode()) is None


def test_titles_in_chinese_charsets_are_read() -> None:
    page = "<html><head><title>访问验证</title></head><body>请滑动</body></html>"
    assert blocked_by(200, {}, page.encode("gb18030")) == "challenge"


@pytest.mark.shared
@pytest.mark.parametrize("site", ["deemable", "opensourceway"])
def test_no_real_page_is_taken_for_one(shared: Path, site: str) -> None:
    with WarcArchive([shared / "sites" / f"{site}.warc.gz"]) as archive:
        answers = (archive.get(url) for url in archive.urls)
        assert [answer.url for answer in answers if answer and blocked_by(200, {}, answer.body)] == []


def test_statuses_and_headers() -> None:
    assert blocked_by(403, {}, b"no") == "403"
    assert blocked_by(429, {}, b"") == "429"
    assert blocked_by(404, {}, b"") is None
    assert blocked_by(503, {}, b"busy") is None
    assert blocked_by(503, {"cf-mitigated": "challenge"}, b"") == "challenge"
    assert blocked_by(202, {"x-amzn-waf-action": "challenge"}, b"") == "challenge"
