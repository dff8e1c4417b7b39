from __future__ import annotations

import gzip
import re
import resource
import shutil
import time
from contextlib import suppress
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.exceptions import UserError
from newscrawl.warc.archive import WarcArchive, dechunk, key_of, near_keys, paths_of
from tests.archives import write_warc

if TYPE_CHECKING:
    from pathlib import Path

SITE = "http://example.org"
PAGES = [{"url": f"{SITE}/{name}", "body": b"<html>%s" % name.encode()} for name in ("", "a", "b", "c")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://Example.org", "https://example.org/"),
        ("http://example.org:80/a#top", "https://example.org:443/a"),
        ("http://example.org/%e4%b8%ad", "http://example.org/中"),
        ("http://例子.测试/", "http://xn--fsqu00a.xn--0zwm56d/"),
    ],
)
def test_one_page_has_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize("url", ["ftp://a/", "mailto:x@y", "http://", "http://[::1", "dns:example.org", ""])
def test_what_is_no_web_address_has_no_key(url: str) -> None:
    assert key_of(url) is None


@given(st.text())
def test_any_text_may_be_asked_for(url: str) -> None:
    key = key_of("http://example.org/" + url)
    assert key is None or all(near != key for near in near_keys(key))


@pytest.mark.parametrize("form", ["members", "plain", "one gzip stream"])
def test_every_form_of_file(tmp_path: Path, form: str) -> None:
    path = write_warc(tmp_path / "a.warc", *PAGES, gzip=form == "members")
    if form == "one gzip stream":
        path.write_bytes(gzip.compress(path.read_bytes()))
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (4, 0)
        answer = archive.get(f"{SITE}/b")
        assert answer is not None
        assert (answer.status, answer.body) == (200, b"<html>b")
        assert answer.headers == (("Content-Type", "text/html; charset=utf-8"),)
        assert answer.fetched_at == datetime(2024, 3, 5, 2, 20, tzinfo=UTC)
        assert archive.get(f"{SITE}/d") is None


@pytest.mark.parametrize("size", [700, 10_000])
def test_gzip_members_that_are_no_records(tmp_path: Path, size: int) -> None:
    """``cat`` of files that went through gzip whole, and blocks of a fixed size."""
    path = write_warc(tmp_path / "a.warc.gz", *PAGES, gzip=False)
    plain = path.read_bytes()
    half = plain.find(b"WARC/1.0", len(plain) // 2)
    ends = range(0, len(plain), size) if size < len(plain) else (0, half)
    parts = [plain[start:end] for start, end in zip(ends, (*ends[1:], len(plain)), strict=True)]
    path.write_bytes(b"".join(map(gzip.compress, parts)))
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (4, 0)


def test_one_gzip_stream_is_read_up_to_where_it_is_cut(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *PAGES, gzip=False)
    packed = gzip.compress(path.read_bytes(), compresslevel=0)
    path.write_bytes(packed[:-60])
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (3, 1)


def _bomb(path: Path) -> Path:
    """A record of 80 MB that one gzip stream holds, with a record behind it: 78 KB."""
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.org/\r\nContent-Length: %d\r\n\r\n"
    record = head % 80_000_000 + bytes(80_000_000) + b"\r\n\r\n"
    path.write_bytes(gzip.compress(record + head % 1 + b"x\r\n\r\n"))
    return path


def test_one_gzip_stream_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    path = _bomb(tmp_path / "bomb.warc.gz")
    with pytest.raises(UserError, match=r"bomb\.warc\.gz' unpacks to more than \d+ bytes, 100 times .* plus 64 MiB"):
        WarcArchive([path])


def test_one_gzip_stream_is_refused_where_the_disk_has_less_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *PAGES, gzip=False)
    path.write_bytes(gzip.compress(path.read_bytes()))
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=100))
    with pytest.raises(UserError, match=r"a\.warc\.gz' unpacks to more than half of what is free in .*TMPDIR"):
        WarcArchive([path])


def test_one_gzip_stream_on_a_disk_that_takes_no_more_is_refused_in_a_line(tmp_path: Path) -> None:
    path = _bomb(tmp_path / "bomb.warc.gz")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, before[1]))
    try:
        with pytest.raises(UserError, match=r"cannot unpack .*bomb\.warc\.gz' in .*: File too large"):
            WarcArchive([path])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_records_behind_the_first_of_a_later_member_are_not_lost_without_a_word(tmp_path: Path) -> None:
    one = write_warc(tmp_path / "1.warc.gz", PAGES[0]).read_bytes()
    two = write_warc(tmp_path / "2.warc.gz", *PAGES[1:], gzip=False).read_bytes()
    path = tmp_path / "a.warc.gz"
    path.write_bytes(one + gzip.compress(two))
    with WarcArchive([path]) as archive:
        assert archive.broken == 1


def test_several_files_are_one_archive(tmp_path: Path) -> None:
    one = write_warc(tmp_path / "1.warc.gz", PAGES[0])
    two = write_warc(tmp_path / "2.warc.gz", PAGES[1])
    with WarcArchive(paths_of(f"{one}, {two}")) as archive:
        assert archive.urls == (f"{SITE}/", f"{SITE}/a")


@pytest.mark.parametrize("gzipped", [True, False])
@pytest.mark.parametrize("damage", ["cut", "middle"])
def test_a_broken_record_is_counted_and_stepped_over(tmp_path: Path, damage: str, *, gzipped: bool) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *PAGES, gzip=gzipped)
    with WarcArchive([path]) as archive:
        before = {url: archive.get(url) for url in archive.urls}
    data = bytearray(path.read_bytes())
    if damage == "cut":
        del data[-40:]
    else:
        start = data.find(b"\x1f\x8b\x08", len(data) // 2) if gzipped else data.find(b"WARC/1.0", len(data) // 2)
        data[start + 12 * gzipped : start + 12 * gzipped + 6] = b"\xff" * 6
    path.write_bytes(data)
    with WarcArchive([path]) as archive:
        assert archive.broken >= 1
        assert len(archive) == 3
        assert all(archive.get(url) == before[url] for url in archive.urls)


@pytest.mark.parametrize("n_digits", [30, 5_000])
def test_a_record_of_a_length_that_none_has_is_stepped_over(tmp_path: Path, n_digits: int) -> None:
    path = write_warc(tmp_path / "a.warc", *PAGES, gzip=False)
    before, mark, record = path.read_bytes().rpartition(b"WARC/1.0")
    path.write_bytes(before + mark + re.sub(rb"Content-Length: ", b"\\g<0>" + b"9" * n_digits, record, count=1))
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (3, 1)


def test_a_record_of_a_length_that_none_has_has_its_body_in_a_member_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    head = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: text/html; 中文\r\n"
    path.write_bytes(gzip.compress(f"{head}Content-Length: {'9' * 5_000}\r\n\r\n<html>".encode()))
    with WarcArchive([path]) as archive:
        answer = archive.get("http://e.org/")
        assert answer is not None
        assert (answer.body, answer.headers) == (b"<html>", (("Content-Type", "text/html; ??"),))


def test_members_that_begin_again_and_again_end_the_reading(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each stored block holds the beginning of another member, which goes on to the end: 30 GB to read in all."""
    path = write_warc(tmp_path / "a.warc.gz", *PAGES)
    begin = b"\x1f\x8b\x08\0\0\0\0\0\0\3"
    stored = b"\0\x0a\0\xf5\xff" + begin
    path.write_bytes(path.read_bytes() + begin + stored * 64_000)
    with WarcArchive([path]) as archive:
        assert len(archive) == 4
        assert 0 < archive.broken < 1_000
    assert "too much of it is broken" in caplog.text


def test_a_file_whose_first_record_is_broken_is_read_from_the_second(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *PAGES)
    whole = path.read_bytes()
    path.write_bytes(whole[:60] + whole)
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (4, 1)
    path.write_bytes(whole[:60])
    with pytest.raises(UserError, match="no http or https response"):
        WarcArchive([path])


def test_chunked_and_compressed_bodies(tmp_path: Path) -> None:
    packed = gzip.compress(b"<html>x")
    chunked = b"5\r\n" + packed[:5] + b"\r\n%x\r\n" % (len(packed) - 5) + packed[5:] + b"\r\n0\r\n\r\n"
    headers = [("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"), ("Content-Length", "99")]
    path = write_warc(
        tmp_path / "a.warc.gz",
        {"url": f"{SITE}/packed", "body": chunked, "headers": headers},
        {"url": f"{SITE}/unpacked", "body": b"<html>x", "headers": headers},
    )
    with WarcArchive([path]) as archive:
        answer = archive.get(f"{SITE}/packed")
        assert answer is not None
        assert (answer.body, answer.headers) == (packed, (("Content-Encoding", "gzip"),))
        answer = archive.get(f"{SITE}/unpacked")
        assert answer is not None
        assert (answer.body, answer.headers) == (b"<html>x", ())


def test_resource_and_revisit_records(tmp_path: Path) -> None:
    path = write_warc(
        tmp_path / "a.warc.gz",
        {"url": f"{SITE}/feed.xml", "body": b"<rss/>", "kind": "resource", "type": "application/rss+xml"},
        PAGES[1],
        {"url": f"{SITE}/same", "kind": "revisit", "warc": {"WARC-Refers-To-Target-URI": f"{SITE}/a"}},
        {"url": f"{SITE}/lost", "kind": "revisit", "warc": {"WARC-Refers-To-Target-URI": f"{SITE}/gone"}},
        {"url": f"{SITE}/a", "kind": "revisit", "status": 304},
    )
    with WarcArchive([path]) as archive:
        feed, same, page = (archive.get(f"{SITE}/{name}") for name in ("feed.xml", "same", "a"))
        assert feed is not None
        assert (feed.body, feed.headers) == (b"<rss/>", (("Content-Type", "application/rss+xml"),))
        assert same is not None
        assert (same.url, same.body) == (f"{SITE}/same", b"<html>a")
        assert page is not None
        assert page.status == 200
        assert archive.get(f"{SITE}/lost") is None


def test_the_last_good_answer_counts(tmp_path: Path) -> None:
    url = f"{SITE}/a"
    path = write_warc(
        tmp_path / "a.warc.gz",
        {"url": url, "status": 503},
        {"url": url, "body": b"old"},
        {"url": url, "body": b"new"},
        {"url": url, "status": 500},
        {"url": url, "status": 301, "headers": [("Location", "https://example.org/a")]},
    )
    with WarcArchive([path]) as archive:
        answer = archive.get(url)
        assert answer is not None
        assert answer.body == b"new"


def test_a_redirect_to_no_address_harms_no_archive(tmp_path: Path) -> None:
    broken = {"url": f"{SITE}/a", "status": 301, "headers": [("Location", "http://[x/")]}
    with WarcArchive([write_warc(tmp_path / "a.warc.gz", broken, {"url": f"{SITE}/b", "body": b"b"})]) as archive:
        answer = archive.get(f"{SITE}/b")
        assert answer is not None
        assert answer.body == b"b"
        assert archive.get(f"{SITE}/a") is not None


def test_a_long_body_is_cut(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", {"url": SITE, "body": b"x" * 1_000_000})
    with WarcArchive([path]) as archive:
        answer = archive.get(SITE, limit=1000)
        assert answer is not None
        assert (len(answer.body), answer.truncated) == (1000, True)


@pytest.mark.parametrize(
    ("asked", "stored"),
    [("/d", "/d/"), ("/d/index.html", "/d/"), ("/e/", "/e"), ("/f/", "/f/index.html"), ("/f", "/f/index.html")],
)
def test_stored_form(tmp_path: Path, asked: str, stored: str) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *({"url": SITE + form} for form in ("/d/", "/e", "/f/index.html")))
    with WarcArchive([path]) as archive:
        assert archive.stored_form(SITE + asked) == SITE + stored
        assert archive.stored_form(SITE + "/no") is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read WARC file .*: No such file"),
        (b"", "is not a WARC file"),
        (b"<html>", "is not a WARC file"),
        (gzip.compress(b"<html>", mtime=0), "no http or https response in"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "a.warc.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        WarcArchive([path])


@given(st.binary(max_size=200))
def test_what_was_never_chunked_loses_nothing_silly(body: bytes) -> None:
    assert dechunk(b"<" + body) == b"<" + body
    assert dechunk(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)) == body or not body


@pytest.mark.shared
def test_real_archives(shared: Path) -> None:
    with WarcArchive([shared / "corpus/warc/sample.warc.gz", shared / "sites/opensourceway.warc.gz"]) as archive:
        assert archive.broken == 0
        assert len(archive) == 4 + 685
        answers = [archive.get(url) for url in archive.urls]
        assert all(answer is not None and answer.status == 200 and answer.body for answer in answers)


LINE = b"WARC/1.0\r\n"
BROKEN_RECORDS = {
    "version lines": LINE,
    "version lines of 1.1": b"WARC/1.1\n",
    "empty heads": LINE + b"\r\n",
    "heads without a type": LINE + b"Content-Length: 0\r\n\r\n",
    "types without an end": LINE + b"WARC-Type: response\r\n",
    "lengths beyond the file": LINE + b"WARC-Type: response\r\nContent-Length: 99999999999\r\n\r\n",
    "lengths that are no numbers": LINE + b"WARC-Type: response\r\nContent-Length: x\r\n\r\n",
    "negative lengths": LINE + b"WARC-Type: response\r\nContent-Length: -5\r\n\r\n",
    "colons": LINE + b":" * 50 + b"\r\n",
    "NULs": LINE + bytes(20),
    "line ends": LINE + b"\r\n" * 20,
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", BROKEN_RECORDS)
def test_broken_records_cost_no_more_than_their_length(kind: str, packed: bool, tmp_path: Path) -> None:
    record = BROKEN_RECORDS[kind]
    data = record * (400_000 // len(record))
    path = tmp_path / "broken.warc"
    path.write_bytes(gzip.compress(data) if packed else data)
    before = time.process_time()
    with suppress(UserError):
        WarcArchive([path])
    assert time.process_time() - before < 3.0
