"""Packed bodies: where a gzip one ends, and whether one is worth unpacking."""

from __future__ import annotations

import re
import zlib
from typing import Final

MAX_PARTS: Final = 1000
"""Gzip members or zstd frames of one body. Servers send one, or one for each block; an empty one has 9 to 20 bytes, and
costs a look of its own."""
GZIP_MAGIC: Final = b"\x1f\x8b"
_PARTS: Final = (GZIP_MAGIC + b"\x08", b"\x28\xb5\x2f\xfd")
_WINDOW: Final = 4096
"""Bytes looked at together: what stands behind a member is copied."""
_PAGE_END: Final = re.compile(rb"</html\s*>\s*(?:<!--.*-->\s*)?$", re.IGNORECASE | re.DOTALL)
"""A stream whose end is missing is forgiven if the page is whole: some servers leave out the trailer."""
_TAIL_BYTES: Final = 2048


def has_many_parts(packed: bytes) -> bool:
    """Tell whether a body is made of so many parts that unpacking it is an attack. O(bytes)."""
    return any(packed.startswith(magic) and packed.count(magic) > MAX_PARTS for magic in _PARTS)


def is_cut(encoding: bytes, packed: bytes, unpacked: bytes) -> bool:
    """Tell whether a gzip body ends before its stream does, and in the middle of the page."""
    if encoding.strip().lower() not in (b"gzip", b"x-gzip") or not packed:
        return False
    if int.from_bytes(packed[-4:], "little") == len(unpacked) % 2**32:
        return False  # the trailer is there and says so (RFC 1952, ISIZE)
    return not _has_end(packed) and not _PAGE_END.search(unpacked[-_TAIL_BYTES:])


def _has_end(body: bytes) -> bool:
    """Tell whether all gzip members are complete: unpack them, and keep nothing. O(bytes packed and unpacked)."""
    at = 0
    while body.startswith(GZIP_MAGIC, at):
        unpacker = zlib.decompressobj(31)
        try:
            while not unpacker.eof and (rest := body[at : at + _WINDOW]):
                at += len(rest)
                while rest and not unpacker.eof:
                    unpacker.decompress(rest, 65536)
                    rest = unpacker.unconsumed_tail
        except zlib.error:
            return False
        if not unpacker.eof:
            return False
        at -= len(unpacker.unused_data)
    return True
