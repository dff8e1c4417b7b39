from __future__ import annotations

import gzip
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
from backports import zstd

from newscrawl.batch.pages import UnpackError, unpack

PAGE = b"<html>" + b"page " * 20_000
RAW = zlib.compressobj(9, zlib.DEFLATED, -15)
PACKED = {
    "gzip": gzip.compress(PAGE, mtime=0),
    "deflate": zlib.compress(PAGE),
    "br": brotli.compress(PAGE),
    "zstd": zstd.compress(PAGE),
}


@pytest.mark.parametrize("name", PACKED)
def test_each_coding(name: str) -> None:
    assert unpack(PACKED[name], name, len(PAGE)) == PAGE
    for limit in (10, len(PAGE) - 1):
        with pytest.raises(UnpackError, match="too_large"):
            unpack(PACKED[name], name, limit)
    for bad in (PACKED[name][:-20], b"<html>not packed at all</html>"):
        with pytest.raises(UnpackError, match="broken"):
            unpack(bad, name, len(PAGE))


def test_what_servers_send() -> None:
    raw = RAW.compress(PAGE) + RAW.flush()
    assert unpack(raw, "deflate", len(PAGE)) == PAGE  # without zlib's frame
    assert unpack(brotli.compress(PACKED["gzip"]), "gzip, br", len(PAGE)) == PAGE
    for name in ("gzip", "zstd"):  # one member or frame after the other
        assert unpack(PACKED[name] * 3, name, 3 * len(PAGE)) == PAGE * 3
    assert unpack(PACKED["gzip"][:-8] + b"wrong sum"[:4] + PACKED["gzip"][-4:], "gzip", len(PAGE)) == PAGE
    assert unpack(PAGE, "identity", len(PAGE)) == PAGE
    assert unpack(PAGE, "", 1) == PAGE  # never packed: its size was limited where it was read
    with pytest.raises(UnpackError, match="broken"):
        unpack(gzip.compress(b"", mtime=0) * 100_000, "gzip", len(PAGE))  # a member costs more than its bytes
    with pytest.raises(UnpackError, match="broken"):
        unpack(PAGE, "gzip,gzip,gzip,gzip", len(PAGE))
