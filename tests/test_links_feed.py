from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.links.feed import MAX_TAGS, feed_links, looks_like, parse_feed
from newscrawl.page.document import parse

URL = "http://example.org/feed/"
RSS = """<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><title>频道</title>
<item><title>标题一</title><link>/1.html?utm_source=rss</link><pubDate>Tue, 05 Mar 2024 10:20:00 +0800</pubDate></item>
<item><title>no link</title><guid isPermaLink="false">17</guid></item>
<item><guid>http://example.org/3.html</guid></item>
<item><link>javascript:alert(1)</link></item>
</channel></rss>""".encode("gb18030")
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><link href="http://example.org/a"/>
<published>2024-03-05T10:20:00Z</published><updated>2024-03-06T10:20:00Z</updated></entry></feed>"""


def test_rss() -> None:
    first, third = parse_feed(RSS, URL, {"Content-Type": "application/rss+xml"})
    assert first.url == "http://example.org/1.html"
    assert first.title == "标题一"
    assert first.published == datetime(2024, 3, 5, 10, 20, tzinfo=timezone(timedelta(hours=8)))
    assert third.url == "http://example.org/3.html"


def test_atom() -> None:
    (entry,) = parse_feed(ATOM, URL)
    assert entry.published == datetime(2024, 3, 5, 10, 20, tzinfo=UTC)
    assert entry.changed == datetime(2024, 3, 6, 10, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("feed", "labels", "text"),
    [
        (
            (
                "<rss><channel><item><link>/1</link><category>Law &amp; Crime</category><category>法</category>"
                "<category>法</category><description>&lt;p&gt;Short.&lt;/p&gt;</description></item></channel></rss>"
            ),
            ("Law & Crime", "法"),
            "Short.",
        ),
        (
            (
                '<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><link>/1</link>'
                "<description>Cut</description><content:encoded><![CDATA[<p>The <b>whole</b> caf&eacute;</p>]]>"
                "</content:encoded></item></channel></rss>"
            ),
            (),
            "The  whole  café",
        ),
        (
            (
                '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/1"/><category term="it" label="Linux"/>'
                '<category term="桌面"/><summary>Über alles</summary></entry></feed>'
            ),
            ("Linux", "桌面"),
            "Über alles",
        ),
        (
            (
                '{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1", "tags": ["a", 7, "b"], '
                '"content_html": "<p>Text</p>"}]}'
            ),
            ("a", "b"),
            "Text",
        ),
        ("<rss><channel><item><link>/1</link></item></channel></rss>", (), ""),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/1", "tags": "a"}]}', (), ""),
    ],
    ids=["RSS", "RSS with whole texts", "Atom", "JSON Feed", "neither", "tags that are no list"],
)
def test_what_a_feed_says_of_an_article(feed: str, labels: tuple[str, ...], text: str) -> None:
    (entry,) = parse_feed(feed.encode(), URL)
    assert (entry.labels, entry.text) == (labels, text)


def test_a_cut_feed_gives_what_is_there() -> None:
    assert [entry.url for entry in parse_feed(RSS[:300], URL)] == ["http://example.org/1.html"]


@given(st.binary(max_size=100))
@settings(max_examples=25)
def test_never_raises(body: bytes) -> None:
    list(parse_feed(body, URL))
    list(parse_feed(b"<rss><channel><item>" + body, URL))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("tag", [b"<a>", b"<>\n"])
def test_only_so_many_tags_are_parsed(tag: bytes) -> None:
    entry = b"<item><title>%d</title><link>/%d</link></item>"
    feed = b"<rss><channel>" + entry % (1, 1) + tag * MAX_TAGS + entry % (2, 2)
    assert [found.url for found in parse_feed(feed, URL)] == ["http://example.org/1"]


def test_offered_feeds() -> None:
    root = parse(
        """<link rel="alternate" type="application/rss+xml" href="/feed/">
        <link rel="ALTERNATE" type="application/atom+xml; charset=utf-8" href="http://example.org/atom.xml">
        <link rel="alternate" type="application/rss+xml" title="Comments" href="/x/">
        <link rel="alternate" type="application/rss+xml" href="/comments/feed/">
        <link rel="alternate" hreflang="en" href="/en/"><link rel="stylesheet" href="/a.css">
        <link rel="alternate" type="application/rss+xml">"""
    )
    assert root is not None
    assert feed_links(root, "http://example.org/tech/") == (URL, "http://example.org/atom.xml")


@pytest.mark.parametrize("page", ["http://example.org/a-story/", "http://example.org/a-story"])
def test_the_feed_below_an_article_holds_its_comments(page: str) -> None:
    root = parse("<link rel=alternate type=application/rss+xml href=/a-story/feed/ title='江畔 » 评论'>")
    assert root is not None
    assert feed_links(root, page) == ("http://example.org/a-story/feed/",)
    assert feed_links(root, page, own=False) == ()


@pytest.mark.parametrize(
    ("body", "kind"),
    [(RSS, "feed"), (ATOM, "feed"), (b"<urlset>", "sitemap"), (b"<sitemapindex>", "sitemap"), (b"<html>", None)],
)
def test_looks(body: bytes, kind: str | None) -> None:
    assert looks_like(body) == kind


@pytest.mark.parametrize("content_type", [None, "application/rss+xml", "text/xml; charset=iso-8859-1"])
def test_charset_that_nobody_states_or_states_wrongly(content_type: str | None) -> None:
    """The crawl's own judgement of charsets decides, not a detector of the parser's."""
    title = "中国科学家发布海水淡化研究的新成果"
    feed = f"<rss version='2.0'><channel><item><title>{title}</title><link>http://example.com/1</link></item></channel></rss>"
    headers = {"Content-Type": content_type} if content_type else {}
    (entry,) = parse_feed(feed.encode("gb18030"), "http://example.com/feed", headers)
    assert entry.title == title


@pytest.mark.parametrize(
    ("item", "address"),
    [
        ('{"id": "1", "url": "http://example.org/a.html", "title": "T"}', "http://example.org/a.html"),
        ('{"id": "1", "url": "/a.html?utm_source=feed"}', "http://example.org/a.html"),
        ('{"id": "http://example.org/a.html"}', "http://example.org/a.html"),
        ('{"id": "1", "external_url": "http://example.org/a.html"}', "http://example.org/a.html"),
        ('{"id": 7, "url": "http:\\/\\/example.org\\/a.html"}', "http://example.org/a.html"),
        ('{"id": "1", "url": null}', None),
        ('{"id": "17"}', None),
        ('"http://example.org/a.html"', None),
        ('{"url": ["http://example.org/a.html"]}', None),
        ('{"url": "javascript:alert(1)"}', None),
    ],
)
@pytest.mark.parametrize("version", ["1", "1.1"])
def test_json_feed(item: str, address: str | None, version: str) -> None:
    feed = f'\ufeff{{"version": "https://jsonfeed.org/version/{version}", "items": [{item}]}}'.encode()
    assert looks_like(feed) == "feed"
    assert [entry.url for entry in parse_feed(feed, URL)] == ([address] if address else [])


def test_dates_of_a_json_feed() -> None:
    item = b'{"url": "/a", "title": " T ", "date_published": "2024-03-05T10:20:00Z", "date_modified": "2024-03-06"}'
    (entry,) = parse_feed(b'{"version": "https://jsonfeed.org/version/1.1", "items": [' + item + b"]}", URL)
    assert (entry.title, entry.published) == ("T", datetime(2024, 3, 5, 10, 20, tzinfo=UTC))
    assert str(entry.changed) == "2024-03-06"


@pytest.mark.parametrize("body", [b"{", b"{}", b'{"items": 7}', b"[" * 100_000, b'{"items": ' + b"[" * 100_000])
def test_other_json_is_no_feed(body: bytes) -> None:
    assert looks_like(body) is None
    assert list(parse_feed(body, URL)) == []
