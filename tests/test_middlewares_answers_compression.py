from __future__ import annotations

import gzip

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.packed import MAX_PARTS, has_many_parts, is_cut

PAGE = b"<html><body>" + b"<p>some text</p>" * 50 + b"</body></html>"
PACKED = gzip.compress(PAGE, mtime=0)


@pytest.mark.parametrize(
    ("encoding", "packed", "unpacked", "cut"),
    [
        (b"gzip", PACKED, PAGE, False),
        (b"GZip ", PACKED, PAGE, False),
        (b"gzip", PACKED[:-20], PAGE[:400], True),
        (b"x-gzip", PACKED[:-20], PAGE[:400], True),
        (b"gzip", PACKED[:-8], PAGE, False),  # no trailer, but the page is whole
        (b"gzip", PACKED + b"\0\0\0", PAGE, False),  # padding
        (b"gzip", PACKED + PACKED, PAGE + PAGE[:20], False),  # two members, both whole
        (b"br", PACKED[:-20], PAGE[:400], False),  # its own decoder judges
        (b"", PAGE, PAGE, False),
        (b"gzip", b"", b"", False),
    ],
)
def test_cut_streams(encoding: bytes, packed: bytes, unpacked: bytes, *, cut: bool) -> None:
    assert is_cut(encoding, packed, unpacked) is cut


@given(st.binary(max_size=2000))
def test_a_whole_stream_is_never_cut(body: bytes) -> None:
    assert not is_cut(b"gzip", gzip.compress(body, mtime=0), body)


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=20), st.integers(1, 8))
def test_every_member_is_looked_at(bodies: list[bytes], missing: int) -> None:
    packed = b"".join(gzip.compress(body, mtime=0) for body in bodies)
    assert not is_cut(b"gzip", packed, b"".join(bodies) + b"x")
    assert is_cut(b"gzip", packed[:-missing], b"".join(bodies) + b"x")


@pytest.mark.parametrize("part", [PACKED, zstd.compress(b"")])
def test_a_body_of_many_parts_is_not_unpacked(part: bytes) -> None:
    assert not has_many_parts(part * MAX_PARTS)
    assert has_many_parts(part * (MAX_PARTS + 1))
