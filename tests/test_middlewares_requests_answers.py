from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.responsetypes import responsetypes
from scrapy.utils.test import get_crawler

from newscrawl.middlewares.outcome import RefusedError
from newscrawl.middlewares.requests import CharsetMiddleware
from newscrawl.signals import ENCODING, url_outcome

PAGE = "<!DOCTYPE html><html><head><title>标题</title></head><body><p>正文的第一段</p></body></html>"


def through(body: bytes, content_type: str | None) -> tuple[Response, Request, list[dict[str, Any]]]:
    """The answer as the spider gets it, its request, and the outcomes reported."""
    crawler = get_crawler(Spider)
    crawler._apply_settings()
    told: list[dict[str, Any]] = []

    def listen(**facts: Any) -> None:
        told.append(facts)

    crawler.signals.connect(listen, url_outcome)
    headers = {"Content-Type": content_type} if content_type else {}
    request = Request("http://example.org/a")
    plain = Response(request.url, headers=headers)
    cls = responsetypes.from_args(headers=plain.headers, url=request.url, body=body)
    response = cls(request.url, headers=headers, body=body, request=request)
    return CharsetMiddleware(crawler).process_response(request, response), request, told


@pytest.mark.parametrize(
    ("encoding", "content_type", "name"),
    [
        ("gb18030", "text/html; charset=iso-8859-1", "gb18030"),
        ("gb18030", "text/html", "gb18030"),
        ("utf-8", "text/plain", "utf-8"),
        ("utf-8", "application/xhtml+xml; charset=gbk", "utf-8"),
        ("utf-8", None, "utf-8"),
        ("utf-8", "application/octet-stream", "utf-8"),
        ("utf-16", "text/html", "utf-16-le"),
    ],
)
def test_pages_are_html_in_their_charset(encoding: str, content_type: str | None, name: str) -> None:
    response, request, told = through(PAGE.encode(encoding), content_type)
    assert isinstance(response, HtmlResponse)
    assert response.text == PAGE
    assert response.css("p::text").get() == "正文的第一段"
    assert request.meta[ENCODING].encoding == name
    assert told == []


@pytest.mark.parametrize(
    ("body", "content_type", "cls"),
    [
        (b"User-agent: *", "text/plain", TextResponse),
        (b"<?xml version='1.0'?><rss/>", "application/rss+xml", XmlResponse),
        (b"{}", "application/json", TextResponse),
        (b"", "text/html", HtmlResponse),
        (b"%PDF-1.7", "text/html", HtmlResponse),  # the spider refuses it by its first bytes
    ],
)
def test_what_is_no_page_goes_through(body: bytes, content_type: str, cls: type[Response]) -> None:
    response, request, told = through(body, content_type)
    assert isinstance(response, cls)
    assert response.body == body
    assert (ENCODING in request.meta, told) == (False, [])


def test_binary_as_a_page_is_refused() -> None:
    with pytest.raises(RefusedError, match="not_html"):
        through(bytes(range(256)) * 40, "text/html")
