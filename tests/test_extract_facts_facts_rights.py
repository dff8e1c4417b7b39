"""What pages and hosts state about rights, and entries of live blogs."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.extract.facts.facts import page_reservations
from newscrawl.items import Article, Update
from newscrawl.middlewares.robots import DeclaredRights, HostReservations
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


SAID = (
    "The council met in the town hall this morning to talk about the ferry.",
    "The mayor said that the boat would sail again before the autumn.",
    "Some two hundred people stood outside and sang until the doors opened.",
    "A vote was taken: nineteen were for it, and four were against it.",
)
TIMES = ("14:05", "13:40", "12:10", "9:30")
CHAPTERS = ("First", "Second", "Third", "Fourth")


SHORT = ("第一班船靠岸。", "Капитан дал гудок.", "أضيء الفنار.", "Les ailes tournent.")
OTHERS = ("Freibad", "Brücke", "Linie", "Hundesteuer")


@pytest.mark.parametrize(
    ("entry", "times", "days"),
    [
        ("<li><span>{time}</span><div>{text}</div></li>", ("下午6点42分", "下午5点05分", "16:30", "15:10"), "4444"),
        ("<li><span>{time}</span> {text}</li>", ("午後6時42分", "午後5時5分", "午後4時30分", "午後3時10分"), "4444"),
        ("<dt>{time}</dt><dd>{text}</dd>", ("18h42", "17h05", "16h30", "15h10"), "4444"),
        ("<p>{time}</p><p>{text}</p>", ("오후 6시 42분", "오후 5시 5분", "오후 4시 30분", "오후 3시 10분"), "4444"),
        ("<div><h4>{time} | {text}</h4></div>", ("15:10", "16:30", "17:05", "18:42"), "4444"),
        ("<p><b>【{time}】</b></p><p>{text}</p>", ("18:42", "17:05", "<i>March 3, 2024</i><br>23:30", "9:10"), "4433"),
    ],
)
def test_short_entries_and_days_between_them(entry: str, times: tuple[str, ...], days: str) -> None:
    entries = "".join(entry.format(time=time, text=text) for time, text in zip(times, SHORT, strict=True))
    entries = entries.replace("<p><b>【<i>March 3, 2024</i><br>", "<h4>March 3, 2024</h4><p><b>【")
    page = f"<title>The ferry sails again</title><h1>The ferry sails again</h1><p>March 4, 2024</p>{entries}"
    found = extract_metadata(Document.from_html(page, "https://e.org/a"), fetched_at=datetime(2024, 3, 5, tzinfo=UTC))
    assert "".join((update.datePublished or "")[9:10] for update in found.updates) == days
    assert found.dateModified == max(datetime.fromisoformat(update.datePublished or "") for update in found.updates)
    programme = page.replace(SHORT[0], OTHERS[0]).replace(SHORT[1], OTHERS[1]).replace(SHORT[2], OTHERS[2])
    assert not extract_metadata(Document.from_html(programme), fetched_at=datetime(2024, 3, 5, tzinfo=UTC)).updates


@pytest.mark.parametrize(
    ("entry", "times", "n_updates"),
    [
        ("<div class=entry><span class=when>{time}</span><p>{text}</p></div>", TIMES, 4),
        ("<p><b>{time}</b> – {text}</p>", TIMES, 4),
        ("<p>{time} Uhr: {text}</p>", TIMES[::-1], 4),
        (
            "<section><h3>{time}</h3><p>{text}</p><p>{text}</p></section>",
            ("14時05分", "14時20分", "15時01分", "16時30分"),
            4,
        ),
        ("<div><time>{time}</time><p>{text}</p></div>", ("2:05 p.m.", "2:10 p.m.", "3:40 p.m.", "4:15 p.m."), 4),
        ("<li>{time} <a href=/s/{time}>{text}</a></li>", ("14:05", "11:40", "12:10", "9:30"), 0),
        ("<p>{time}</p>", TIMES, 0),
        ("<p><b>{time}</b> {text}</p>", TIMES[:3], 3),
        ("<p><b>{time}</b> {text}</p>", TIMES[:0:-1], 0),
        ("<div><span>4 March 2024, {time} IST</span><p>{text}</p></div>", ("07:45 PM", "06:10 PM", "04:30 PM"), 3),
        ("<p><b>{time}</b> {text}</p>", CHAPTERS, 0),
        ("<p>{time} PM ∙ May 25, 2021 {text}</p>", TIMES, 0),
        ("<p>{time} {text}</p>", ("00:00", "00:04", "00:07", "00:13"), 0),
        ("<p><b>{time}</b> {text}</p>", ("3:1", "2:2", "0:4", "1:1"), 0),
    ],
)
def test_entries_that_the_text_shows_below_their_times(entry: str, times: tuple[str, ...], n_updates: int) -> None:
    told = list(zip(times, SAID, strict=False))
    entries = "".join(entry.format(time=time, text=text) for time, text in told)
    body = re.sub("</?(?:div|p|li|h3|section|time|span)[^>]*>", "\n", re.sub("</?(?:b|a)[^>]*>", "", entries))
    page = (
        f"<html lang=en><title>The ferry sails again</title><h1>The ferry sails again</h1><p>March 4, 2024</p>{entries}"
    )
    document = Document.from_html(page, "https://www.example.org/a.html")
    found = extract_metadata(document, fetched_at=datetime(2024, 3, 5, tzinfo=UTC), body_text=body)
    assert [update.text.count(text) >= 1 for update, text in zip(found.updates, SAID, strict=False)] == [
        True
    ] * n_updates
    assert all((update.datePublished or "").startswith("2024-03-04T") for update in found.updates)


POLICY = '{"location": "/news/*", "tdm-reservation": 1, "tdm-policy": "https://e.org/p.json"}'
FREE = '{"location": "/news/free/*", "tdm-reservation": 0}'


@pytest.mark.parametrize(
    ("tdm", "ai", "path", "reserved"),
    [
        (f"[{POLICY}]", "", "/news/1", [("tdmrep", "https://e.org/p.json")]),
        (f"[{POLICY}]", "", "/about", []),
        (f"[{POLICY}, {FREE}]", "", "/news/free/1", []),
        (f"[{FREE}, {POLICY}]", "", "/news/1", [("tdmrep", "https://e.org/p.json")]),
        ('[{"location": "/", "tdm-reservation": "1"}]', "", "/a", [("tdmrep", "/.well-known/tdmrep.json")]),
        ('[{"location": "*", "tdm-reservation": 1}]', "", "/a", [("tdmrep", "/.well-known/tdmrep.json")]),
        ('[{"location": 3}, 4, {"tdm-reservation": 1}]', "", "/a", []),
        ("<html>none</html>", "<html>Disallow: / </html>", "/a", []),
        ("[" * 100_000, "", "/a", []),
        ("", "User-Agent: *\nDisallow: *.txt\nDisallow: *.html", "/a", [("ai.txt", "Disallow")]),
        ("", "User-Agent: *\rDisallow: /", "/a", [("ai.txt", "Disallow")]),
        ("", "User-Agent: *\nDisallow: *.jpg\nAllow: *.txt", "/a", []),
        ("", "", "/a", []),
    ],
)
def test_what_files_beside_robots_txt_reserve(tdm: str, ai: str, path: str, reserved: list[tuple[str, str]]) -> None:
    found = DeclaredRights(tdm, ai).of(f"https://www.example.org{path}")
    assert [(one.source, one.value) for one in found] == reserved
