"""Redirects in a circle that set a cookie."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from newscrawl.middlewares.redirect import ReportedMetaRefreshMiddleware, ReportedRedirectMiddleware
from newscrawl.spiders.loader import SiteSpider

PAGE, GATE = "http://example.org/a.html", "http://example.org/consent?url=%2Fa.html"


def middleware(**settings: Any) -> ReportedRedirectMiddleware:
    crawler: Any = get_crawler(SiteSpider, {"COOKIES_ENABLED": False, **settings})
    crawler.spider = SiteSpider.from_crawler(crawler, url="http://example.org/")
    made: ReportedRedirectMiddleware = ReportedRedirectMiddleware.from_crawler(crawler)
    return made


def follow(own: ReportedRedirectMiddleware, request: Request, to: str, *cookies: str) -> Request:
    headers: dict[str, Any] = {"Location": to}
    if cookies:
        headers["Set-Cookie"] = list(cookies)
    result = own.process_response(request, Response(request.url, status=302, headers=headers, request=request))
    assert isinstance(result, Request)
    return result


def test_a_cookie_opens_the_circle_and_is_kept_for_the_host() -> None:
    own = middleware()
    gate = follow(own, Request(PAGE), GATE)
    assert "Cookie" not in gate.headers
    back = follow(own, gate, PAGE, "consent=yes; Path=/; HttpOnly", "id=7")
    assert (back.url, back.headers["Cookie"]) == (PAGE, b"consent=yes; id=7")
    later, elsewhere = Request("http://example.org/b.html"), Request("http://example.com/")
    own.process_request(later)
    own.process_request(elsewhere)
    assert later.headers["Cookie"] == b"consent=yes; id=7"
    assert "Cookie" not in elsewhere.headers


def test_a_cookie_of_a_redirect_that_leads_on_is_not_sent() -> None:
    own = middleware()
    there = follow(own, Request(PAGE), "http://example.org/b.html", "id=7")
    own.process_request(later := Request(PAGE))
    assert "Cookie" not in there.headers
    assert "Cookie" not in later.headers


def test_a_cookie_stays_with_its_host() -> None:
    own = middleware()
    gate = follow(own, Request(PAGE), "http://gate.example.com/", "own=1")
    back = follow(own, gate, PAGE, "other=2")
    assert back.headers["Cookie"] == b"own=1"


def test_a_circle_without_a_cookie_is_left() -> None:
    own = middleware(REDIRECT_MAX_TIMES=2)
    request = follow(own, follow(own, Request(PAGE), GATE), PAGE)
    with pytest.raises(IgnoreRequest):
        follow(own, request, GATE)


def test_where_cookies_are_on_scrapy_keeps_them() -> None:
    own = middleware(COOKIES_ENABLED=True)
    assert "Cookie" not in follow(own, Request(PAGE), PAGE, "id=7").headers


def test_a_page_that_is_but_a_script_is_a_redirect() -> None:
    crawler: Any = get_crawler(SiteSpider)
    crawler.spider = SiteSpider.from_crawler(crawler, url="http://example.org/")
    own = ReportedMetaRefreshMiddleware.from_crawler(crawler)
    page = b"<script>location.replace('/b.html')</script>"
    result = own.process_response(Request(PAGE), HtmlResponse(PAGE, body=page, encoding="utf-8"))
    assert result.url == "http://example.org/b.html"
    story = HtmlResponse(PAGE, body=page + b"<p>A story.</p>" * 40, encoding="utf-8")
    assert own.process_response(Request(PAGE), story) is story
