"""What pages and hosts state about rights, and entries of live blogs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.extract.facts.rights import page_reservations
from newscrawl.items import Article, Update
from newscrawl.middlewares.robots import HostReservations
from newscrawl.page.document import Document
from newscrawl.page.statements import gather

FETCHED = datetime(2024, 3, 5, 12, 0, tzinfo=UTC)
URL = "https://www.example.org/a.html"
BY = "https://creativecommons.org/licenses/by/4.0/"


def page(head: str, body: str = "") -> Document:
    return Document.from_html(f"<html lang=en><head>{head}</head><body><h1>A story</h1>{body}</body></html>", URL)


def read(head: str, body: str = "") -> Article:
    return extract_metadata(page(head, body), fetched_at=FETCHED)


def linked(**said: object) -> str:
    return f"<script type=application/ld+json>{json.dumps({'@type': 'NewsArticle', **said})}</script>"


@pytest.mark.parametrize(
    ("head", "free"),
    [
        (linked(isAccessibleForFree=True), True),
        (linked(isAccessibleForFree=False), False),
        (linked(isAccessibleForFree="False"), False),
        (linked(isAccessibleForFree="http://schema.org/True"), True),
        ('<meta property="article:content_tier" content="free">', True),
        ('<meta property="article:content_tier" content="locked">', False),
        ('<meta property="article:content_tier" content="metered">', False),
        (linked(isAccessibleForFree="perhaps"), None),
        ("", None),
    ],
)
def test_whether_it_is_free(head: str, free: bool | None) -> None:
    found = read(head)
    assert found.isAccessibleForFree is free
    assert ("isAccessibleForFree" in found.fieldSources) == (free is not None)


@pytest.mark.parametrize(
    ("head", "body", "stated"),
    [
        (linked(license=BY), "", BY),
        (linked(license={"@type": "CreativeWork", "name": "CC BY", "url": BY}), "", BY),
        (f'<link rel="license" href="{BY}">', "", BY),
        ('<link rel="license" href="/licence.html">', "", "https://www.example.org/licence.html"),
        ("", f'<p>Text: <a rel="license" href="{BY}">CC BY 4.0</a></p>', BY),
        ("", '<a rel="license nofollow" href="/terms">Terms</a>', "https://www.example.org/terms"),
        ('<meta name="dcterms.license" content="Open Government Licence">', "", "Open Government Licence"),
        ('<meta name="dc.rights" content="© Example">', "", None),
        ('<link rel="license" type="application/rsl+xml" href="/rsl.xml">', "", None),
        (linked(license=""), "", None),
    ],
)
def test_under_which_licence(head: str, body: str, stated: str | None) -> None:
    assert read(head, body).license == stated


@pytest.mark.parametrize(
    ("head", "holder"),
    [
        (linked(copyrightHolder={"@type": "Organization", "name": "Example Media"}), "Example Media"),
        (linked(copyrightHolder="Example Media"), "Example Media"),
        ('<meta name="copyright" content="© 2024 Example Media">', "Example Media"),
        ('<meta name="dcterms.rightsHolder" content="例示新聞社">', "例示新聞社"),
        ('<meta name="copyright" content="© 2024">', None),
        ("", None),
    ],
)
def test_whose_it_is(head: str, holder: str | None) -> None:
    assert read(head).copyrightHolder == holder


@pytest.mark.parametrize(
    ("head", "robots", "headers", "reserved"),
    [
        ('<meta name="robots" content="noai, noimageai">', (), (), [("meta", "noai, noimageai")]),
        ('<meta name="googlebot" content="max-snippet:-1, noai">', (), (), [("meta", "noai")]),
        ("", ("noindex, noai",), (), [("x-robots-tag", "noai")]),
        ("", (), (("tdm-reservation", "1"),), [("tdmrep", "header")]),
        (
            "",
            (),
            (("tdm-reservation", "1"), ("tdm-policy", "https://e.org/p.json")),
            [("tdmrep", "https://e.org/p.json")],
        ),
        ("", (), (("tdm-reservation", "0"),), []),
        ('<meta name="tdm-reservation" content="1">', (), (), [("tdmrep", "meta")]),
        (
            '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="https://e.org/p.json">',
            (),
            (),
            [("tdmrep", "https://e.org/p.json")],
        ),
        (
            '<link rel="license" type="application/rsl+xml" href="/rsl.xml">',
            (),
            (),
            [("rsl", "https://www.example.org/rsl.xml")],
        ),
        ('<meta name="robots" content="noarchive"><meta name="author" content="noai">', ("nosnippet",), (), []),
    ],
)
def test_what_a_page_reserves(
    head: str, robots: tuple[str, ...], headers: tuple[tuple[str, str], ...], reserved: list[tuple[str, str]]
) -> None:
    found = page_reservations(page(head).once(gather), robots, headers)
    assert [(one.source, one.value) for one in found] == reserved


@pytest.mark.parametrize(
    ("robots", "reserved"),
    [
        ("User-agent: GPTBot\nDisallow: /", [("robots.txt", "GPTBot")]),
        ("User-agent: GPTBot\nUser-agent: ccbot\nDisallow: /a", [("robots.txt", "GPTBot, CCBot")]),
        ("User-agent: Google-Extended\rDisallow: /\r\rUser-agent: *\rAllow: /", [("robots.txt", "Google-Extended")]),
        ("User-agent: GPTBot\nDisallow: /private/", []),
        ("User-agent: GPTBot\nAllow: /", []),
        ("User-agent: *\nDisallow: /", []),
        (
            "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /",
            [("content-signal", "search=yes, ai-train=no")],
        ),
        ("Content-Signal: ai-train=yes", []),
        ("License: https://e.org/license.xml\nUser-agent: *\nAllow: /", [("rsl", "https://e.org/license.xml")]),
        ("<html>User-agent is not said here</html>", []),
        ("", []),
    ],
)
def test_what_a_robots_txt_reserves(robots: str, reserved: list[tuple[str, str]]) -> None:
    assert [(one.source, one.value) for one in HostReservations(robots).of(URL)] == reserved


ENTRY = {
    "@type": "BlogPosting",
    "headline": "Open",
    "articleBody": "<p>It is open.</p>",
    "datePublished": "2024-03-05T10:25:00Z",
}


@pytest.mark.parametrize(
    ("entries", "updates"),
    [
        ([ENTRY], (Update(text="It is open.", headline="Open", datePublished="2024-03-05T10:25:00Z"),)),
        (ENTRY, (Update(text="It is open.", headline="Open", datePublished="2024-03-05T10:25:00Z"),)),
        ([{"headline": "Open"}, {"url": "https://e.org/"}, 7], (Update(text="Open", headline="Open"),)),
        ([], ()),
        ("text", ()),
    ],
)
def test_entries_of_a_live_blog(entries: object, updates: tuple[Update, ...]) -> None:
    data = json.dumps({"@type": "LiveBlogPosting", "headline": "A story", "liveBlogUpdate": entries})
    assert read(f"<script type=application/ld+json>{data}</script>").updates == updates
