"""WACZ files: what is in them is read as from a WARC file; those that are written hold articles and their records."""

from __future__ import annotations

import gzip as gz
import hashlib
import json
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.exceptions import UserError
from newscrawl.warc.archive import WarcArchive
from newscrawl.warc.recorder import write_wacz
from tests.archives import write_warc

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [{"url": f"https://example.org/{n}", "body": b"<p>%d" % n} for n in range(3)]


def wacz(tmp_path: Path, *names: str, packing: int = zipfile.ZIP_STORED, gzip: bool = True) -> Path:
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", packing) as packed:
        packed.writestr("datapackage.json", "{}")
        for page, name in zip(PAGES, names, strict=False):
            packed.write(write_warc(tmp_path / "x.warc.gz", page, gzip=gzip), name)
        packed.writestr("indexes/index.cdx.gz", b"")
    return path


def test_a_file_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("archive/a.warc", b"WARC/1.0\r\n" + bytes(90 * 2**20))
    with pytest.raises(UserError, match=r"bomb\.wacz' unpacks to \d+ bytes, more than 100 times its size plus 64 MiB"):
        WarcArchive([path])


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("gzip", [True, False])
def test_all_archives_in_it_are_read(tmp_path: Path, packing: int, *, gzip: bool) -> None:
    ending = ".gz" if gzip else ""
    names = [f"archive/{n}.warc{ending}" for n in range(3)]
    with WarcArchive([wacz(tmp_path, *names, packing=packing, gzip=gzip)]) as archive:
        assert sorted(archive.urls) == [page["url"] for page in PAGES]
        answer = archive.get("https://example.org/2")
        assert (answer.body if answer else b"", archive.broken) == (b"<p>2", 0)


def test_another_zip_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a ZIP file, and no WACZ: it has no archive"):
        WarcArchive([wacz(tmp_path, "pages/0.html")])


def test_a_broken_one_is_refused_in_one_line(tmp_path: Path) -> None:
    path = wacz(tmp_path, "archive/0.warc.gz")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(UserError, match="cannot read WACZ file"):
        WarcArchive([path])


def row(n: int, archive: Path | None) -> dict[str, Any]:
    return {
        "url": PAGES[n]["url"],
        "headline": f"标题 {n}",
        "articleBody": f"<p> & {n}",
        "contentHash": str(n) * 32,
        "fetchedAt": datetime(2024, 3, n + 1, tzinfo=UTC),
        "fieldSources": {} if archive is None else {"archive": str(archive)},
    }


def test_what_is_written_holds_articles_and_their_records(tmp_path: Path) -> None:
    first, second = (tmp_path / name / "a.warc.gz" for name in ("x", "y"))
    for path, pages in ((first, PAGES[:2]), (second, PAGES[2:])):
        path.parent.mkdir()
        write_warc(path, *pages)
    made = tmp_path / "made.wacz"
    rows = [row(0, first), row(1, first), row(2, second), row(0, None)]
    assert write_wacz(rows, made) == (3, 1)
    assert not list(tmp_path.glob(".*.part"))
    with WarcArchive([made]) as archive:
        assert sorted(archive.urls) == [page["url"] for page in PAGES]
    with zipfile.ZipFile(made) as packed:
        assert {one.compress_type for one in packed.infolist()} == {zipfile.ZIP_STORED}
        package = packed.read("datapackage.json")
        (digest,) = [json.loads(packed.read("datapackage-digest.json"))["hash"]]
        assert digest == f"sha256:{hashlib.sha256(package).hexdigest()}"
        listed = {one["path"]: one["hash"] for one in json.loads(package)["resources"]}
        assert {*listed, "datapackage.json", "datapackage-digest.json"} == set(packed.namelist())
        for name, stated in listed.items():
            assert stated == f"sha256:{hashlib.sha256(packed.read(name)).hexdigest()}"
        pages = [json.loads(line) for line in packed.read("pages/pages.jsonl").splitlines()]
        assert [(one["url"], one["title"], one["ts"]) for one in pages[1:]] == [
            (PAGES[n]["url"], f"标题 {n}", f"2024-03-0{n + 1}T00:00:00Z") for n in range(3)
        ]
        lines = gz.decompress(packed.read("indexes/index.cdx.gz")).decode().splitlines()
        assert [line.split(" ")[:2] for line in lines] == [[f"org,example)/{n}", "20240305022000"] for n in range(3)]
        for line in lines:
            place = json.loads(line.split(" ", 2)[2])
            start = int(place["offset"])
            member = packed.read(f"archive/{place['filename']}")[start : start + int(place["length"])]
            assert f"WARC-Target-URI: {place['url']}" in gz.decompress(member).decode()


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("none", "no article is in an archive"),
        ("unrecorded", "no article is in an archive"),
        ("absent", "cannot read WARC file"),
        ("page", "is not a WARC file"),
        ("stream", "is not packed by records"),
        ("wacz", "is not packed by records"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(tmp_path: Path, records: str, said: str) -> None:
    archive = tmp_path / "a.warc.gz"
    if records == "page":
        archive.write_bytes(b"<p>root:x:0:0")
    elif records == "stream":
        archive.write_bytes(gz.compress(write_warc(tmp_path / "plain.warc", *PAGES, gzip=False).read_bytes()))
    elif records == "wacz":
        archive = wacz(tmp_path, "archive/0.warc.gz")
    rows = [] if records == "none" else [row(0, None if records == "unrecorded" else archive)]
    made = tmp_path / "made.wacz"
    with pytest.raises(UserError, match=said):
        write_wacz(rows, made)
    assert [path.name for path in tmp_path.iterdir() if "made" in path.name] == []


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", *PAGES)
    with pytest.raises(UserError, match=r"cannot write .*none/made\.wacz"):
        write_wacz([row(0, archive)], tmp_path / "none" / "made.wacz")
