"""Undo ``Content-Encoding`` of archived answers, within a size."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Final

import brotli  # type: ignore[import-untyped]

from newscrawl.middlewares.compression import is_cut

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable

_GZIP_OR_ZLIB: Final = 47
_RAW_DEFLATE: Final = -15
_MAX_LAYERS: Final = 3


class UnpackError(ValueError):
    """The body cannot be unpacked; the message is a reason to count: ``broken`` or ``too_large``."""


def unpack(body: bytes, encoding: str, limit: int) -> bytes:
    """Return the body as the page's bytes.

    :param encoding: the value of ``Content-Encoding``; unknown names are left as they are.
    :param limit: bytes that the unpacked body may have.
    :raises UnpackError: broken or cut data, or more than ``limit`` bytes.
    """
    layers = [name.strip().lower() for name in encoding.split(",") if name.strip()]
    if len(layers) > _MAX_LAYERS:
        raise UnpackError("broken")
    for name in reversed(layers):
        unpacker = _UNPACKERS.get(name)
        if unpacker is None:
            continue
        try:
            body = unpacker(body, limit + 1)
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
            raise UnpackError("broken") from error
        if len(body) > limit:
            raise UnpackError("too_large")
    return body


def _inflate(body: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        data = unpacker.decompress(body, limit)
    except zlib.error:
        unpacker = zlib.decompressobj(_RAW_DEFLATE)  # "deflate" as some servers understand it
        data = unpacker.decompress(body, limit)
    if not unpacker.eof and len(data) < limit and (body[:1] != b"\x1f" or is_cut(b"gzip", body, data)):
        raise EOFError
    return data


def _unbrotli(body: bytes, limit: int) -> bytes:
    unpacker = brotli.Decompressor()
    parts = [unpacker.process(body, output_buffer_limit=limit)]
    size = len(parts[0])
    while size < limit and not unpacker.is_finished():
        part = unpacker.process(b"", output_buffer_limit=limit - size)
        if not part:
            raise EOFError
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _unzstd(body: bytes, limit: int) -> bytes:
    unpacker = zstd.ZstdDecompressor()
    data = bytes(unpacker.decompress(body, max_length=limit))
    if len(data) < limit and not unpacker.eof:
        raise EOFError
    return data


_UNPACKERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _inflate,
    "x-gzip": _inflate,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
