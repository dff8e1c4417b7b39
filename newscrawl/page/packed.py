"""Decompress bodies; raise for truncated ones and for types never read. Crawls and archives share it."""

from __future__ import annotations

import re
import sys
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import brotli  # type: ignore[import-untyped]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_LAYERS: Final = 3
MAX_PARTS: Final = 1000
"""Gzip members or zstd frames of one body. Servers send one, or one for each block; an empty one has 9 to 20 bytes, and
costs a look of its own."""
GZIP_MAGIC: Final = b"\x1f\x8b"
GZIP_ERRORS: Final = (EOFError, zlib.error)
_MEMBER: Final = GZIP_MAGIC + b"\x08"
_WINDOW: Final = 4096
"""Bytes looked at together: what stands behind a member is copied."""
_CHUNK: Final = 2**16
_RAW_DEFLATE: Final = -15
_GZIP: Final = 31
_ZEROS: Final = re.compile(rb"\0*")
"""Between members, and behind the last, as of tapes."""
_PAGE_END: Final = re.compile(rb"</html\s*>\s*(?:<!--.*-->\s*)?$", re.IGNORECASE | re.DOTALL)
"""A stream whose end is missing is forgiven if the page is whole: some servers leave out the trailer."""
_TAIL_BYTES: Final = 2048


class UnpackError(ValueError):
    """The body cannot be unpacked; the message is a reason to count: ``broken`` or ``too_large``."""


def unpack(body: bytes, encoding: str, limit: int) -> bytes:
    """Return the body as the page's bytes.

    :param encoding: the value of ``Content-Encoding``; unknown names are left as they are.
    :param limit: bytes that the unpacked body may have.
    :raises UnpackError: broken or cut data, or more than ``limit`` bytes.
    """
    layers = [name.strip().lower() for name in encoding.split(",") if name.strip()] if body else []
    if len(layers) > MAX_LAYERS:
        raise UnpackError("broken")
    for name in reversed(layers):
        unpacker = _UNPACKERS.get(name)
        if unpacker is None:
            continue
        try:
            unpacked, is_whole = unpacker(body, limit + 1)
        except (brotli.error, zstd.ZstdError, *GZIP_ERRORS) as error:
            raise UnpackError("broken") from error
        if len(unpacked) > limit:
            raise UnpackError("too_large")
        if not is_whole and not _PAGE_END.search(unpacked[-_TAIL_BYTES:]):
            raise UnpackError("broken")
        body = unpacked
    return body


def gunzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Unpack all members, at most ``limit`` bytes; a wrong checksum is forgiven. Tell whether their end is there.

    O(bytes packed and unpacked), zeros between members and what stands behind them included.

    :raises Exception: one of ``GZIP_ERRORS``: nothing can be read, or there are too many members.
    """
    if body.count(_MEMBER) > MAX_PARTS or not body.startswith(GZIP_MAGIC):
        raise EOFError
    data, at, is_whole = bytearray(), 0, True
    while is_whole and body.startswith(GZIP_MAGIC, at):
        unpacker = zlib.decompressobj(_GZIP)
        while not unpacker.eof and is_whole and (rest := body[at : at + _WINDOW]):
            at += len(rest)
            while rest and not unpacker.eof and is_whole:
                if len(data) >= limit:
                    return bytes(data), True  # too large, whatever follows: nothing of a bomb is unpacked beyond that
                before = unpacker.copy()
                try:
                    data += unpacker.decompress(rest, min(_CHUNK, limit - len(data)))
                except zlib.error:
                    data += _salvaged(before, rest)
                    if not data:
                        raise
                    is_whole = False
                rest = unpacker.unconsumed_tail
        is_whole = is_whole and unpacker.eof
        zeros = _ZEROS.match(body, at - len(unpacker.unused_data))
        at = zeros.end() if zeros else at
    # the trailer says how many bytes there are (RFC 1952, ISIZE)
    return bytes(data), is_whole or int.from_bytes(body[-4:], "little") == len(data) % 2**32


def _salvaged(unpacker: zlib._Decompress, packed: bytes) -> bytes:
    """Return what comes before the place that cannot be unpacked; at a wrong checksum that is all."""
    data = bytearray()
    with suppress(zlib.error):
        for i in range(len(packed)):
            data += unpacker.decompress(packed[i : i + 1], _CHUNK)
    return bytes(data)


def _inflate(body: bytes, limit: int) -> tuple[bytes, bool]:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(body, limit)
    except zlib.error:
        unpacker = zlib.decompressobj(_RAW_DEFLATE)  # "deflate" as some servers understand it
        data = unpacker.decompress(body, limit)
    return data, unpacker.eof


def _unbrotli(body: bytes, limit: int) -> tuple[bytes, bool]:
    unpacker = brotli.Decompressor()
    data = bytearray(unpacker.process(body, output_buffer_limit=limit))
    while len(data) < limit and not unpacker.is_finished():
        part = unpacker.process(b"", output_buffer_limit=limit - len(data))
        if not part:
            break
        data += part
    return bytes(data), unpacker.is_finished()


def _unzstd(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Unpack all frames, at most ``limit`` bytes; some hold nothing."""
    unpacker, data = zstd.ZstdDecompressor(), bytearray()
    at = n_frames = 0
    while at < len(body) and len(data) < limit:
        if unpacker.eof:
            n_frames += 1
            if n_frames >= MAX_PARTS:
                raise EOFError
            unpacker = zstd.ZstdDecompressor()
        window = body[at : at + _CHUNK]
        data += unpacker.decompress(window, max_length=limit - len(data))
        at += len(window) - len(unpacker.unused_data)
    return bytes(data), unpacker.eof


_UNPACKERS: Final[dict[str, Callable[[bytes, int], tuple[bytes, bool]]]] = {
    "gzip": gunzip,
    "x-gzip": gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
