from __future__ import annotations

import gzip
import random
import time
import zlib

import brotli  # type: ignore[import-untyped]
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.packed import MAX_PARTS, UnpackError, unpack

PAGE = b"<html><body>" + b"".join(b"<p>some text, %d</p>" % n for n in range(500)) + b"</body></html>"
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
    with pytest.raises(UnpackError, match="broken"):
        unpack(b"<p>not packed at all</p>", name, len(PAGE))


@pytest.mark.parametrize("name", PACKED)
def test_a_cut_stream_is_broken(name: str) -> None:
    packed = PACKED[name]
    for length in (len(packed) // 2, len(packed) * 3 // 4):
        with pytest.raises(UnpackError, match="broken"):
            unpack(packed[:length], name, len(PAGE))


_RAW = zlib.compressobj(9, zlib.DEFLATED, -15)
RAW = _RAW.compress(PAGE) + _RAW.flush()


@pytest.mark.parametrize(
    ("name", "packed", "expected"),
    [
        ("GZip ", PACKED["gzip"], PAGE),
        ("x-gzip", PACKED["gzip"], PAGE),
        ("gzip", PACKED["gzip"][:-8], PAGE),  # no trailer, but the page is whole
        ("gzip", PACKED["gzip"] + b"\0\0\0", PAGE),  # padding
        ("gzip", PACKED["gzip"] * 2, PAGE * 2),
        ("deflate", PACKED["deflate"][:-4], PAGE),
        ("zstd", PACKED["zstd"] * 2, PAGE * 2),
        ("br", b"", b""),  # of an answer that goes elsewhere
        ("", PAGE, PAGE),
        ("identity", PAGE, PAGE),
        ("deflate", RAW, PAGE),  # without zlib's frame
        ("gzip, br", brotli.compress(PACKED["gzip"]), PAGE),
        ("gzip", PACKED["gzip"][:-8] + b"sum!" + PACKED["gzip"][-4:], PAGE),
    ],
)
def test_what_is_whole(name: str, packed: bytes, expected: bytes) -> None:
    assert unpack(packed, name, 2 * len(PAGE)) == expected


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=20), st.integers(5, 8))
def test_every_member_is_looked_at(bodies: list[bytes], missing: int) -> None:
    packed = b"".join(gzip.compress(body, mtime=0) for body in [b"begins", *bodies, b"ends"])
    whole = b"".join([b"begins", *bodies, b"ends"])
    assert unpack(packed, "gzip", len(whole)) == whole
    with pytest.raises(UnpackError, match="broken"):
        unpack(packed[:-missing], "gzip", len(whole))


SKIPPED = b"\x50\x2a\x4d\x18" + bytes(4)
"""A zstd frame that holds nothing of the page."""


@pytest.mark.parametrize(
    ("name", "part"), [("gzip", gzip.compress(b"x", mtime=0)), ("zstd", zstd.compress(b"x")), ("zstd", SKIPPED)]
)
def test_a_body_of_many_parts_is_broken(name: str, part: bytes) -> None:
    assert unpack(part * MAX_PARTS, name, 10**6) in {b"x" * MAX_PARTS, b""}
    with pytest.raises(UnpackError, match="broken"):
        unpack(part * (MAX_PARTS + 1), name, 10**6)


def test_many_layers_are_not_unpacked() -> None:
    with pytest.raises(UnpackError, match="broken"):
        unpack(PAGE, "gzip,gzip,gzip,gzip", len(PAGE))
    inner = gzip.compress(b"", mtime=0) * (MAX_PARTS + 1)
    with pytest.raises(UnpackError, match="broken"):
        unpack(gzip.compress(inner), "gzip, gzip", 10**6)


def test_a_bomb_is_not_unpacked_beyond_the_limit() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = b"\x1f\x8b\x08" + bytes(7) + block * 8000  # 8 GB of 8 MB
    start = time.process_time()
    with pytest.raises(UnpackError, match="too_large"):
        unpack(bomb, "gzip", 2**20)
    assert time.process_time() - start < 2


def test_zeros_between_members_are_skipped_at_once() -> None:
    padded = PACKED["gzip"] + bytes(2**24)
    start = time.process_time()
    assert unpack(padded * 2, "gzip", 2 * len(PAGE)) == PAGE * 2
    assert time.process_time() - start < 1


def test_what_comes_before_a_wrong_checksum_is_kept() -> None:
    page = PAGE + random.Random(1).randbytes(50_000) + b"</html>"
    packed = gzip.compress(page, mtime=0)
    assert unpack(packed[:-8] + b"sum!" + packed[-4:], "gzip", len(page)) == page
