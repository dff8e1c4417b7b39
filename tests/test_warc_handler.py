from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.http import Headers
from scrapy.utils.test import get_crawler

from newscrawl.warc.handler import MAX_FORESEEN_BYTES, ReplayExtension, is_unchanged
from tests.archives import HTML, write_warc
from tests.crawling import crawl_all

if TYPE_CHECKING:
    from pathlib import Path

    from newscrawl.warc.archive import Answer

DAY, NEXT = "Mon, 04 Mar 2024 00:00:00 GMT", "Tue, 05 Mar 2024 00:00:00 GMT"


@pytest.mark.parametrize(
    ("asked", "stored", "unchanged"),
    [
        ({"If-None-Match": '"a", W/"b"'}, {"ETag": '"b"'}, True),
        ({"If-None-Match": '"a"'}, {"ETag": '"b"'}, False),
        ({"If-None-Match": "*"}, {"ETag": '"b"'}, True),
        ({"If-None-Match": '"a"'}, {}, False),
        ({"If-None-Match": '"a"', "If-Modified-Since": NEXT}, {"ETag": '"b"', "Last-Modified": DAY}, False),
        ({"If-Modified-Since": NEXT}, {"Last-Modified": DAY}, True),
        ({"If-Modified-Since": DAY}, {"Last-Modified": DAY}, True),
        ({"If-Modified-Since": DAY}, {"Last-Modified": NEXT}, False),
        ({"If-Modified-Since": "yesterday"}, {"Last-Modified": NEXT}, False),
        ({"If-Modified-Since": "Mon, 04 Mar 2024 00:00:00"}, {"Last-Modified": DAY}, False),
        ({"If-Modified-Since": "Mon, 04 Mar 99999999999 00:00:00 GMT"}, {"Last-Modified": DAY}, False),
        ({}, {"ETag": '"b"', "Last-Modified": DAY}, False),
    ],
)
def test_validators(asked: dict[str, str], stored: dict[str, str], *, unchanged: bool) -> None:
    assert is_unchanged(Headers(asked), Headers(stored)) is unchanged


def test_an_answer_looked_up_early_is_given_once_again_unless_it_is_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = "http://example.org/small", "http://example.org/large"
    archive = write_warc(
        tmp_path / "site.warc.gz",
        {"url": small, "body": b"<p>small"},
        {"url": large, "body": b"<p>" + b"x" * MAX_FORESEEN_BYTES},
    )
    replay = ReplayExtension(get_crawler(settings_dict={"NEWSCRAWL_REPLAY": str(archive)}))
    asked, get = list[str](), replay.archive.get

    def counted(url: str, *, limit: int) -> Answer | None:
        asked.append(url)
        return get(url, limit=limit)

    monkeypatch.setattr(replay.archive, "get", counted)
    for url in (small, large):
        request = Request(url)
        early = replay.answer(request, is_early=True)
        assert [replay.answer(request).body for _ in range(2)] == [early.body] * 2
    assert asked == [small] * 2 + [large] * 3
    early = replay.answer(Request(small), is_early=True)
    assert replay.answer(Request(small, headers={"If-None-Match": "*"})) is not early, "another request, another answer"
    replay.archive.close()


def test_a_replay_answers_as_the_site_did(tmp_path: Path) -> None:
    home = (
        '<a href="/dir">slash</a><a href="https://example.org/gbk">gbk</a><a href="/secret">robots</a>'
        '<a href="/gone">404</a><a href="/big">big</a><a href="/moved">301</a>'
    )
    archive = write_warc(
        tmp_path / "site.warc.gz",
        {
            "url": "http://example.org/robots.txt",
            "body": b"User-agent: *\nDisallow: /secret\nCrawl-delay: 60",
            "headers": [],
        },
        {
            "url": "http://example.org/",
            "body": gzip.compress(home.encode()),
            "headers": [*HTML, ("Content-Encoding", "gzip")],
        },
        {"url": "http://example.org/dir/", "body": b"<p>dir"},
        {
            "url": "http://example.org/gbk",
            "body": "<p>标题".encode("gbk"),
            "headers": [("Content-Type", "text/html; charset=gbk")],
        },
        {"url": "http://example.org/secret", "body": b"<p>secret"},
        {"url": "http://example.org/big", "body": b"x" * 5000},
        {"url": "http://example.org/moved", "status": 301, "headers": [("Location", "/target")]},
        {"url": "http://example.org/target", "body": b"<p>target", "date": "2025-01-01T00:00:00Z"},
    )
    run = crawl_all(tmp_path, "https://example.org/", NEWSCRAWL_REPLAY=archive, DOWNLOAD_MAXSIZE=4000, DOWNLOAD_DELAY=0)
    texts = {item["url"]: item["text"] for item in run.items}
    assert texts == {
        "https://example.org/": home,
        "https://example.org/dir/": "<p>dir",
        "https://example.org/gbk": "<p>标题",
        "https://example.org/target": "<p>target",
    }
    assert {item["fetched_at"][:10] for item in run.items} == {"2024-03-05", "2025-01-01"}
    assert run.stats["robotstxt/forbidden"] == 1
    assert run.stats["downloader/response_status_count/404"] == 1
    assert run.stats["newscrawl/replay/records"] == 8
    assert run.stats["elapsed_time_seconds"] < 10  # no Crawl-delay, no throttle


def test_private_addresses_may_be_replayed(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "site.warc.gz", {"url": "http://127.0.0.1:8000/", "body": b"<p>local"})
    run = crawl_all(tmp_path, "http://127.0.0.1:8000/", NEWSCRAWL_REPLAY=archive)
    assert [item["text"] for item in run.items] == ["<p>local"]
