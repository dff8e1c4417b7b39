"""Pages that only lead on."""

from __future__ import annotations

import pytest

from newscrawl.middlewares.redirect import MAX_CHARS, forwarded_to

URL, THERE = "http://www.example.org/a.html", "http://www.example.org/b.html"


@pytest.mark.parametrize(
    "page",
    [
        '<script>window.location.replace("http://www.example.org/b.html")</script>',
        "<script>location.href = '/b.html';</script>",
        '<script>window.location="b.html"</script>',
        '<html><head><title>Moved</title></head><body onload=""><script>top.location.assign("/b.html");</script>',
        '<script>document.location.href="http:\\/\\/www.example.org\\/b.html"</script>',
        "<noscript><META http-equiv='refresh' content=\"0;URL='http://www.example.org/b.html'\"></noscript>",
        '<noscript><meta http-equiv="refresh" content="3; url=/b.html"></noscript><p>You are being redirected …</p>',
        '<body><meta http-equiv=refresh content="0,/b.html"></body>',
        '<script>self.location = "/b.html"</script><p>页面正在跳转</p>',
        '<script>setTimeout(function(){ location.replace("/b.html") }, 500)</script><a href="/b.html">Weiter</a>',
        "<script>parent.location.href='\\x2fb.html'</script>",
        '<script>var to = "/b.html"; window.location.href = to;</script>',
        '<script>window["location"]["href"] = "/b.html"</script>',
        "<script>globalThis.location.assign(`/b.html`)</script>",
        "<noscript><meta content=\"0;url='/b.html'\" http-equiv=refresh></noscript>",
    ],
)
def test_a_page_that_only_leads_on(page: str) -> None:
    assert forwarded_to(page, URL) == THERE


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>No script.</p>",
        '<script>location.replace("http://elsewhere.example.com/")</script>',
        '<script>location.replace("/a.html#top")</script>',
        '<script>var location_name = "/b.html"; mylocation = "/b.html"</script>',
        '<script>if (location == "/b.html") {}</script>',
        "<script>var to = place(); location.href = to;</script>",
        '<noscript><meta http-equiv="refresh" content="600; url=/b.html"></noscript>',
        "<script>location = '/b.html'</script><p>" + "A story with many words. " * 20 + "</p>",
        "<script>location = '/b.html'</script>" + " " * MAX_CHARS,
        '<script>location.replace("javascript:alert(1)")</script>',
        """<div onclick="location.href='/b.html'">Old cinema becomes a library</div>""",
    ],
)
def test_others_stay(page: str) -> None:
    assert forwarded_to(page, URL) is None
