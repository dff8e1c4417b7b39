from __future__ import annotations

import gzip
import time
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.links.sitemap import (
    MAX_SITEMAPS,
    capture_queries,
    parse_captures,
    parse_date,
    parse_sitemap,
    sitemaps_of_robots,
)

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
    assert sitemaps_of_robots("Sitemap: /新闻.xml\n".encode()) == ["/新闻.xml"]
    assert sitemaps_of_robots("User-agent: *\nSitemap: /新闻.xml\n".encode("utf-16")) == ["/新闻.xml"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r", "\r\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_of_a_robots_txt_end_in_any_way(end: str, encoding: str) -> None:
    lines = ("User-agent: *", "Disallow: /x", "Sitemap: /a.xml", "", "sitemap: /b.xml")
    assert sitemaps_of_robots(end.join(lines).encode(encoding)) == ["/a.xml", "/b.xml"]


def test_a_robots_txt_of_empty_lines_takes_no_time() -> None:
    start = time.process_time()
    assert sitemaps_of_robots(b"\n" * 2**20 + b" " * 2**20) == []
    assert time.process_time() - start < 1


def test_news_sitemap() -> None:
    first, second = parse_sitemap(NEWS, URL)
    assert first.url == "http://example.org/1.html?a=1&b=2"
    assert first.published == datetime(2024, 3, 5, 10, 20, tzinfo=timezone(timedelta(hours=8)))
    assert first.changed == date(2024, 3, 6)
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


_BIG = b"x" * 11_000_000


@pytest.mark.parametrize(
    "entry",
    [
        b"<url><loc>http://example.org/%s</loc></url>" % _BIG,
        b"<url><loc>http://example.org/2</loc><title>%s</title></url>" % _BIG,
        b"<url><loc>http://example.org/2</loc><title>%s</title></url>" % ("标" * 4_000_000).encode(),
        b"<url><loc>http://example.org/2</loc>%s</url>" % (b" " * 11_000_000),
        b"<url><loc>http://example.org/2</loc></url>%s" % _BIG,
        b"<url><loc>http://example.org/2</loc><t%s>t</t%s></url>" % (_BIG, _BIG),
        b"<url><loc>http://example.org/2</loc><title><![CDATA[%s]]></title></url>" % _BIG,
    ],
    ids=["address", "title", "Chinese title", "spaces", "between", "name", "CDATA"],
)
def test_an_entry_larger_than_the_parser_takes_costs_itself_alone(entry: bytes) -> None:
    before, after = (b"<url><loc>http://example.org/%d</loc></url>" % n for n in (1, 3))
    first, second, third = parse_sitemap(b"<urlset>" + before + entry + after + b"</urlset>", URL)
    assert (first.url, third.url) == ("http://example.org/1", "http://example.org/3")
    assert second.url == "http://example.org/2" or len(second.url) > 1024  # which is counted as too long


def test_a_long_address_is_not_cut_to_another() -> None:
    url = "http://example.org/" + "a" * 1500
    (entry,) = parse_sitemap(f"<urlset><url><loc>{url}</loc></url></urlset>".encode(), URL)
    assert entry.url == url


_MARKS = {"utf-16-le": BOM_UTF16_LE, "utf-16-be": BOM_UTF16_BE, "utf-32-le": BOM_UTF32_LE, "utf-32-be": BOM_UTF32_BE}


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("declared", ["UTF-16", "UTF-8", None])
@pytest.mark.parametrize("codec", _MARKS)
def test_wide_charsets(codec: str, declared: str | None, *, mark: bool, is_packed: bool) -> None:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = (declaration + NEWS.decode().partition("?>")[2].lstrip()).encode(codec)
    body = _MARKS[codec] + body if mark else body
    first, second = parse_sitemap(gzip.compress(body) if is_packed else body, URL)
    assert (first.title, second.url) == ("标题", "http://example.org/3.html")


def test_a_text_sitemap_in_utf_16() -> None:
    body = "http://example.org/1\r\nhttp://example.org/新闻\r\n".encode("utf-16")
    assert [entry.url for entry in parse_sitemap(body, URL)][1] == "http://example.org/%E6%96%B0%E9%97%BB"


@pytest.mark.parametrize(
    ("declared", "codec", "title"),
    [
        ("gb2312", "gb18030", "中国科学家发布海水淡化研究的新成果"),
        ("UTF-8", "gb18030", "中国科学家发布海水淡化研究的新成果"),
        ("gb2312", "utf-8", "中国科学家发布海水淡化研究的新成果"),
        ("UTF-16", "utf-8", "中国科学家发布海水淡化研究的新成果"),
        ("windows-1251", "cp1251", "Учёные представили новые результаты"),
        ("Shift_JIS", "cp932", "新しい研究成果を発表した"),
        ("x-sjis", "cp932", "新しい研究成果を発表した"),
        ("iso-2022-jp", "iso2022_jp", "新しい研究成果を発表した"),
        ("no-such", "utf-8", "Größere Städte"),
    ],
)
def test_charsets_that_are_declared_rightly_and_wrongly(declared: str, codec: str, title: str) -> None:
    body = NEWS.decode().replace('"UTF-8"', f'"{declared}"').replace("标题", title).encode(codec)
    first, _ = parse_sitemap(body, URL)
    assert first.title == title


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


def test_an_index_names_no_more_sitemaps_than_a_run_reads() -> None:
    index = "".join(f"<sitemap><loc>https://e.org/{n}.xml</loc></sitemap>" for n in range(5_000))
    entries = list(parse_sitemap(f"<sitemapindex>{index}</sitemapindex>".encode(), "https://e.org/index.xml"))
    assert len(entries) == MAX_SITEMAPS


@pytest.mark.parametrize(
    "body",
    [
        """[["urlkey","timestamp","original","mimetype","statuscode","digest","length"],
["org,example)/a", "20190512093000", "http://example.org/a", "text/html", "200", "X", "9"],
["org,example)/b", "20190512093000", "http://example.org/b", "text/html", "404", "X", "9"],
["org,example)/c", "20190512093000", "http://example.org/c.png", "image/png", "200", "X", "9"]]""",
        """org,example)/a 20190512093000 http://example.org/a text/html 200 X 9
org,example)/b 20190512093000 http://example.org/b text/html 301 X 9
org,example)/c""",
        """org,example)/a 20190512093000 {"url": "http://example.org/a", "mime": "text/html", "status": "200"}
org,example)/b 20190512093000 {"url": "http://example.org/b", "mime": "application/pdf", "status": "200"}
org,example)/c 20190512093000 {"url": """,
        """{"urlkey": "org,example)/a", "timestamp": "20190512093000", "url": "http://example.org/a", "status": "200"}
{"timestamp": "2019", "url": "http://example.org/b"}
{"timestamp": "20191399093000", "url": "http://example.org/c"}
{"timestamp": "20190512093000", "url": "ftp://example.org/d"}""",
    ],
    ids=["json", "cdx", "cdxj", "lines"],
)
def test_captures_of_a_cdx_server(body: str) -> None:
    assert list(parse_captures(body.encode())) == [("http://example.org/a", datetime(2019, 5, 12, 9, 30, tzinfo=UTC))]


@pytest.mark.parametrize("body", [b"", b"<html>no index</html>", b"[", b"[1, null, [2]]", b"\xff {", b"{}", b"a b {1}"])
def test_what_is_no_answer_of_a_cdx_server(body: bytes) -> None:
    assert list(parse_captures(body)) == []


def test_each_host_is_asked_for_its_captures() -> None:
    until = datetime(2021, 1, 1, tzinfo=UTC)
    queries = list(capture_queries("https://i.org/cdx?fl=all", ["www.e.org", ".f.org", "www.e.org"], None, until))
    assert [query.partition("&")[2] for query in queries] == [
        f"url={host}&matchType={kind}&output=json&collapse=urlkey&limit=20000&to=20201231235959"
        for host, kind in (("www.e.org", "host"), ("f.org", "domain"))
    ]
