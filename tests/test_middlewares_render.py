"""Rendering. The crawl with a browser is skipped where scrapy-playwright or chromium is missing; required in CI."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest
from scrapy import Spider
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Request
from scrapy.utils.test import get_crawler

from newscrawl.console.files import CHROMIUM_VARIABLE
from newscrawl.middlewares.render import Forbidden, RenderMiddleware, needs_browser
from tests.conftest import unavailable
from tests.crawling import crawl
from tests.hostile import answer, serving

if TYPE_CHECKING:
    from pathlib import Path

SENTENCES = [f"The river rose by {n} metres over night, and the lower bridge was closed at six." for n in range(2, 12)]
TEXT = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
SHELL = "<title>River rises</title><body><div id=app></div><script>{}</script></body>"
FILL = (
    "fetch('/data.json').then(a => a.json()).then(d => {document.getElementById('app').innerHTML ="
    " '<h1>River rises</h1>' + d.map(s => '<p>' + s + '</p>').join('')}); fetch('http://10.0.0.1/').catch(() => 0)"
)
URL = "http://news.example/2024/0301/river-rises-12345.html"


def response(body: str) -> HtmlResponse:
    return HtmlResponse(URL, body=body.encode(), encoding="utf-8")


def made(**settings: object) -> RenderMiddleware:
    return RenderMiddleware.from_crawler(get_crawler(Spider, {"NEWSCRAWL_REPLAY": "", **settings}))


def test_it_is_off_by_default_and_in_replays() -> None:
    for settings in ({"NEWSCRAWL_RENDER_SCRIPTS": False}, {"NEWSCRAWL_RENDER_SCRIPTS": True, "NEWSCRAWL_REPLAY": "a"}):
        with pytest.raises(NotConfigured):
            made(**settings)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SHELL.format(FILL), True),
        (f"<title>River rises</title><body><h1>River rises</h1>{TEXT}", False),
        (SHELL.format("window.__STATE__ = " + json.dumps({"body": " ".join(SENTENCES)})), False),
        ("", False),
    ],
    ids=["shell", "visible", "data", "nothing"],
)
def test_pages_that_need_a_browser(body: str, expected: bool) -> None:
    assert needs_browser(response(body)) is expected


def test_a_page_is_asked_for_again_once() -> None:
    middleware = made(NEWSCRAWL_RENDER_SCRIPTS=True)
    shell = response(SHELL.format(FILL))
    again = middleware.process_response(Request(URL, meta={"depth": 2}), shell)
    assert isinstance(again, Request)
    assert (again.meta["playwright"], again.meta["depth"], again.dont_filter) == (True, 2, True)
    assert middleware.process_response(again, shell) is shell


@dataclass
class Asked:
    url: str
    resource_type: str = "script"


@pytest.mark.parametrize(
    ("url", "kind", "forbidden"),
    [
        ("http://93.184.216.34/a.js", "script", False),
        ("http://93.184.216.34/a.png", "image", True),
        ("http://127.0.0.1/a.js", "script", True),
        ("http://2130706433/a.js", "script", True),
        ("http://10.1.2.3/a", "fetch", True),
        ("http://[::1]/a", "xhr", True),
        ("http://localhost/a", "fetch", True),
        ("file:///etc/passwd", "document", True),
        ("http:///a", "fetch", True),
    ],
)
def test_what_a_browser_may_fetch(url: str, kind: str, forbidden: bool) -> None:
    assert asyncio.run(Forbidden()(Asked(url, kind))) is forbidden


def test_allowed_networks_may_be_fetched_from() -> None:
    assert not asyncio.run(Forbidden((ip_network("127.0.0.0/8"),))(Asked("http://127.0.0.1/a.js")))


def test_a_page_is_rendered_and_stored(tmp_path: Path) -> None:
    if find_spec("scrapy_playwright") is None:
        unavailable("scrapy-playwright is not installed")
    if not (os.environ.get(CHROMIUM_VARIABLE) or shutil.which("chromium")):
        unavailable("no chromium on the path")
    path = "/2024/0301/river-rises-again-12345.html"
    home = f"<html><body><h1>News</h1><ul><li><a href='{path}'>River rises</a></li></ul></body></html>"
    data = answer(json.dumps(SENTENCES), content_type="application/json")
    with serving({"/": answer(home), path: answer(SHELL.format(FILL)), "/data.json": data}) as site:
        settings = {
            "NEWSCRAWL_RENDER_SCRIPTS": True,
            "NEWSCRAWL_ALLOW_NETS": "127.0.0.0/8",
            "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/rendered.sqlite",
            "AUTOTHROTTLE_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
        }
        run = crawl(tmp_path, "crawl", "site", "-a", f"url={site.url}/", settings=settings)
    assert [item["articleBody"] for item in run.items] == ["\n".join(SENTENCES)]
    assert run.stats["newscrawl/outcome/stored"] == 1
    assert run.stats["newscrawl/render/asked"] == 1
    assert run.stats["playwright/request_count/aborted"] == 1
