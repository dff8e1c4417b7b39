from __future__ import annotations

import gzip
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.discovery.sitemap import parse_date, parse_sitemap, sitemaps_of_robots

URL = "http://example.org/sitemap.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
NEWS = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {NAMESPACE} xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> http://example.org/1.html?a=1&b=2 </loc><lastmod>2024-03-06</lastmod>
 <news:news><news:publication><news:name>N</news:name><news:language>zh</news:language></news:publication>
 <news:publication_date>2024-03-05T10:20:00+08:00</news:publication_date><news:title>标题</news:title>
 <news:keywords>a, b,</news:keywords></news:news>
 <image:image><image:loc>http://example.org/1.jpg</image:loc></image:image></url>
<url><image:image><image:loc>http://example.org/2.jpg</image:loc></image:image></url>
<url><loc>javascript:void(0)</loc></url>
<url><loc>http://example.org/3.html</loc></url>
</urlset>""".encode()


def test_robots_txt_names_sitemaps() -> None:
    body = b"\xef\xbb\xbfSITEMAP: a.xml\r\n  Sitemap:http://e.org/b.xml # new\nDisallow: /sitemap: x\n# sitemap: c\n"
    assert sitemaps_of_robots(body + b"sitemap:\n") == ["a.xml", "http://e.org/b.xml"]


def test_a_robots_txt_of_empty_lines_takes_no_time() -> None:
    start = time.process_time()
    assert sitemaps_of_robots(b"\n" * 2**20 + b" " * 2**20) == []
    assert time.process_time() - start < 1


def test_news_sitemap() -> None:
    first, second = parse_sitemap(NEWS, URL)
    assert first.url == "http://example.org/1.html?a=1&b=2"
    assert first.published == datetime(2024, 3, 5, 10, 20, tzinfo=timezone(timedelta(hours=8)))
    assert first.lastmod == date(2024, 3, 6)
    assert first.title == "标题"
    assert second.url == "http://example.org/3.html"


def test_gzip_whole_and_cut() -> None:
    entries = "".join(f"<url><loc>http://example.org/{i * 7919}</loc></url>" for i in range(5000))
    packed = gzip.compress(f"<urlset {NAMESPACE}>{entries}</urlset>".encode(), mtime=0)
    assert len(list(parse_sitemap(packed, URL))) == 5000
    assert 0 < len(list(parse_sitemap(packed[: len(packed) // 2], URL))) < 5000
    assert len(list(parse_sitemap(packed, URL, max_entries=10))) == 10
    assert len(list(parse_sitemap(packed, URL, max_bytes=1000))) < 30


def test_index() -> None:
    index = f"""<sitemapindex {NAMESPACE}><sitemap><loc>/a.xml.gz</loc><lastmod>2024-03-05</lastmod></sitemap>
    <sitemap><loc>http://example.org/b.xml</loc></sitemap></sitemapindex>""".encode()
    entries = list(parse_sitemap(index, URL))
    assert [entry.url for entry in entries] == ["http://example.org/a.xml.gz", "http://example.org/b.xml"]
    assert all(entry.is_sitemap for entry in entries)


@pytest.mark.parametrize(
    ("body", "n"),
    [
        (b"", 0),
        (b"<html><body><p>Not found</body></html>", 0),
        (b"\x1f\x8bbroken", 0),
        (b"\xef\xbb\xbf\n<urlset><url><loc>http://example.org/1</loc></url></urlset>", 1),
        (b"<urlset><url><loc>http://example.org/1</loc></url><url><loc>http://exam", 1),
        (b"<urlset><url><loc>http://example.org/1</wrong></url><url><loc>http://example.org/2</loc></url>", 1),
        (b"http://example.org/1\r\nhttp://example.org/2\n# no\n", 2),
        (f"<urlset {NAMESPACE}><url><loc><![CDATA[http://example.org/1]]></loc></url></urlset>".encode(), 1),
    ],
)
def test_lenient(body: bytes, n: int) -> None:
    assert len([entry for entry in parse_sitemap(body, URL) if "example.org" in entry.url]) >= n


def test_entities_are_not_expanded() -> None:
    bomb = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">
    <!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://example.org/&b;&e;</loc></url></urlset>"""
    urls = [entry.url for entry in parse_sitemap(bomb, URL)]
    assert not any("aaaa" in url or "root" in url for url in urls)


@given(st.binary(max_size=200))
def test_never_raises(body: bytes) -> None:
    list(parse_sitemap(body, URL))
    list(parse_sitemap(b"<urlset><url><loc>" + body, URL))
    list(parse_sitemap(b"\x1f\x8b\x08\x00" + body, URL))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-05", date(2024, 3, 5)),
        ("2024-03-05T10:20Z", datetime(2024, 3, 5, 10, 20, tzinfo=UTC)),
        ("2024-03-05 10:20:30.5+0800", datetime(2024, 3, 5, 10, 20, 30, tzinfo=timezone(timedelta(hours=8)))),
        ("Tue, 05 Mar 2024 10:20:00 GMT", datetime(2024, 3, 5, 10, 20, tzinfo=UTC)),
        ("2024-02-31", None),
        ("0001-01-01T00:00:00+08:00", None),
        ("Fri, 31 Dec 9999 23:59:59 -0800", None),
        ("2024-03", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_dates(text: str | None, expected: date | None) -> None:
    assert parse_date(text) == expected


@given(st.text(alphabet="0123456789-T:+Z GMTue,", max_size=30))
def test_dates_never_raise(text: str) -> None:
    parse_date(text)
