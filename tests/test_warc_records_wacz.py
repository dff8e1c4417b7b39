"""WACZ files as input: what is in them is read as from a WARC file."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from newscrawl.exceptions import UserError
from newscrawl.warc.archive import WarcArchive
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
