from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import BaseSettings
from warcio.archiveiterator import ArchiveIterator

from newscrawl.addon import wire_recording
from newscrawl.exceptions import UserError
from newscrawl.warc.archive import WarcArchive, answer_at
from newscrawl.warc.recorder import WarcRecorder
from newscrawl.warc.records import WarcFile
from tests.archives import HTML, write_warc
from tests.crawling import crawl, crawl_all
from tests.newspages import SUBJECTS, article

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawling import Crawl

SITE: list[dict[str, Any]] = [
    {"url": "http://example.org/", "body": b'<a href="/a">a</a><a href="/old">old</a><a href="/no">no</a>'},
    {
        "url": "http://example.org/a",
        "body": "<p>标题".encode("gbk"),
        "headers": [("Content-Type", "text/html; charset=gbk")],
    },
    {"url": "http://example.org/old", "status": 302, "headers": [*HTML, ("Location", "/new")]},
    {"url": "http://example.org/new", "body": b"<p>new", "date": "2020-02-02T00:00:00Z"},
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawl, Path]:
    """A crawl and its recording."""
    folder = tmp_path_factory.mktemp("recorded")
    archive, recording = write_warc(folder / "site.warc.gz", *SITE), folder / "recording.warc.gz"
    return crawl_all(folder, SITE[0]["url"], NEWSCRAWL_REPLAY=archive, NEWSCRAWL_WARC=recording), recording


def test_a_replay_of_a_recording_is_the_same_crawl(recorded: tuple[Crawl, Path], tmp_path: Path) -> None:
    first, recording = recorded
    second = crawl_all(tmp_path, SITE[0]["url"], NEWSCRAWL_REPLAY=recording)
    assert len(first.items) == 3
    assert sorted(second.items, key=str) == sorted(first.items, key=str)
    assert first.stats["newscrawl/record/responses"] == 6  # robots.txt and the missing page too


def test_a_recording_is_a_valid_warc_of_one_member_a_record(recorded: tuple[Crawl, Path]) -> None:
    _, recording = recorded
    kinds = []
    with recording.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            record.content_stream().read()
            kinds.append(record.rec_type)
            if record.rec_type == "request":
                assert record.http_headers.get_header("User-Agent").startswith("newscrawl/")
    assert kinds[:3] == ["warcinfo", "response", "request"]
    assert kinds.count("response") == kinds.count("request") == 6


@pytest.mark.slow
def test_a_replay_of_a_recorded_harvest_gives_the_same_articles(tmp_path: Path) -> None:
    paths = [f"/2024/030{n + 1}/{n}.html" for n in range(4)]
    home = "".join(f"<p><a href='{path}'>{path}</a></p>" for path in paths)
    pages = [{"url": "http://example.org" + path, "body": article(n).encode()} for n, path in enumerate(paths)]
    archive = write_warc(tmp_path / "site.warc.gz", {"url": "http://example.org/", "body": home.encode()}, *pages)
    recording = tmp_path / "recording.warc.gz"
    command = ("crawl", "site", "-a", "url=http://example.org/")
    settings = {"NEWSCRAWL_DATABASE": "", "NEWSCRAWL_REPLAY": archive, "NEWSCRAWL_WARC": recording}
    first = crawl(tmp_path, *command, settings=settings)
    second = crawl(tmp_path, *command, settings={**settings, "NEWSCRAWL_REPLAY": recording, "NEWSCRAWL_WARC": ""})
    assert len(first.items) == 4
    assert sorted(second.items, key=str) == sorted(first.items, key=str)
    assert {item["fetchedAt"][:10] for item in second.items} == {"2024-03-05"}
    assert second.counts("newscrawl/outcome/") == first.counts("newscrawl/outcome/")
    told = [facts["headline"] for facts in _metadata(recording) if facts["outcome"] == "stored"]
    assert sorted(told) == sorted(item["headline"] for item in first.items)
    assert all(any(subject in headline for subject in SUBJECTS) for headline in told)
    with WarcFile(recording) as file:
        for item in first.items:
            place = item["fieldSources"]
            assert place["archive"] == str(recording)
            answer, is_intact = answer_at(file, int(place["archiveOffset"]), place["archiveDigest"])
            assert answer is not None
            assert (answer.url, is_intact) == (item["url"], True)


def _metadata(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        return [
            _facts(record.content_stream().read()) for record in ArchiveIterator(file) if record.rec_type == "metadata"
        ]


def _facts(body: bytes) -> dict[str, Any]:
    lines = body.decode().split("\r\n")[:-1]
    return {name: json.loads(value) for name, _, value in (line.partition(": ") for line in lines)}


def test_a_killed_crawl_is_recorded_on(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", *SITE)
    path.write_bytes(path.read_bytes()[:-20])
    recorder = WarcRecorder(path, "tests")
    recorder.metadata("http://example.org/", {"outcome": "stored", "headline": "标题"}, None)
    recorder.close()
    with WarcArchive([path]) as archive:
        assert (len(archive), archive.broken) == (3, 0)
    with path.open("rb") as file:
        last = list(ArchiveIterator(file))[-1].rec_type
    assert last == "metadata"


def test_metadata_records_are_of_the_type_that_indexers_skip(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.warc"
    recorder = WarcRecorder(path, "tests")
    recorder.metadata("http://example.org/", {"outcome": "failed", "reason": "timeout"}, "<urn:uuid:1>")
    recorder.close()
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "metadata":
                assert record.content_type == "application/warc-fields"
                assert _facts(record.content_stream().read()) == {"outcome": "failed", "reason": "timeout"}
                assert record.rec_headers.get_header("WARC-Refers-To") == "<urn:uuid:1>"
                return
    pytest.fail("no metadata record")


@pytest.mark.parametrize(
    ("content", "message"), [(b"<html>", "is not a WARC file"), (None, "cannot write WARC file .*: Is a directory")]
)
def test_a_file_that_cannot_be_recorded_to_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "a.warc.gz"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(UserError, match=message):
        WarcRecorder(path, "tests")


def test_recording_over_the_replayed_file_is_refused(tmp_path: Path) -> None:
    name = str(tmp_path / "a.warc.gz")
    with pytest.raises(UserError, match="also in NEWSCRAWL_REPLAY"):
        wire_recording(BaseSettings({"NEWSCRAWL_WARC": name, "NEWSCRAWL_REPLAY": f"b.warc, {name}"}))
