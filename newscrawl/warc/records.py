"""The places of the records in a WARC file of any form: a gzip member a record, one gzip stream, or plain.

Broken records are counted and stepped over: a crawl that was killed leaves half a record behind. A WACZ file, as
browsertrix, ArchiveWeb.page and Webrecorder write it, is a ZIP with WARC files in ``archive/``.
"""

from __future__ import annotations

import io
import logging
import mmap
import re
import shutil
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


logger = logging.getLogger(__name__)

GZIP_MAGIC = b"\x1f\x8b\x08"
_WARC_MAGIC = b"WARC/"
_NEXT = b"\nWARC/1."
_HEAD_END = re.compile(rb"\r?\n\r?\n")
#: WARC and HTTP headers are looked for in so many bytes of a record.
HEAD_BYTES = 256 * 1024
#: What a file that is not packed by records may unpack to: so many times its bytes, and so many bytes more.
MAX_RATIO = 100
FREE_BYTES = 64 * 2**20
_STEP = 16 * 1024
#: Bytes after a record's block: two line ends.
_PADDING = 4
ZIP_MAGIC: Final = b"PK\x03\x04"
_WARC: Final = re.compile(r"archive/[^/]+\.warc(?:\.gz)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcRecord:
    """One record: its bytes in the file, its own headers, and the beginning of its block."""

    offset: int
    end: int
    headers: dict[str, str]  # names in lower case
    block_start: bytes


class _Member(NamedTuple):
    """A member of a gzip file, or as much of a broken or cut one as can be read."""

    head: bytes
    size: int  # unpacked
    end: int  # where it ends in the file, or breaks off
    whole: bool


class WarcFile(ExitStack):
    """A WARC file, open for reading until it is closed; ``broken`` counts the records that were stepped over."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.broken = 0
        self._is_copy = False  # what is read is unpacked from a WACZ file, or from one gzip stream
        try:
            file: IO[bytes] = self.enter_context(path.open("rb"))
            magic = file.read(5)
        except (OSError, ValueError) as error:  # ValueError: a list's line with NUL
            raise UserError(f"cannot read WARC file {str(path)!r}: {getattr(error, 'strerror', error)}") from error
        if magic.startswith(ZIP_MAGIC):
            with file:
                file = self.enter_context(copy_warcs(path, file))
            magic = file.read(5)
            self._is_copy = True
        self._gzip = magic.startswith(GZIP_MAGIC)
        if not self._gzip and magic != _WARC_MAGIC:
            self.close()
            raise UserError(f"{str(path)!r} is not a WARC file (WARC/1.0 or 1.1, plain or gzip; or WACZ)")
        self._map = self._map_file(file)

    @property
    def is_packed_by_records(self) -> bool:
        """Tell whether a record's bytes in the file are the record: known once the records were asked for."""
        return not self._is_copy

    def records(self) -> Iterator[WarcRecord]:
        """Give all readable records, in order."""
        if self._gzip and self._is_one_stream():
            self._unpack()
        yield from self._gzip_records() if self._gzip else self._plain_records()

    def record_at(self, offset: int) -> WarcRecord | None:
        """Return the record that begins at a byte; None where none does."""
        if not 0 <= offset < len(self._map):
            return None
        if self._gzip and self._is_one_stream():
            self._unpack()
        if self._gzip:
            member = self._begun(offset)
            return _parse(member.head, offset, member.end) if member.whole else None
        head = self._map[offset : offset + HEAD_BYTES]
        record = _parse(head, offset, 0)
        if record is None:
            return None
        end = offset + len(head) - len(record.block_start) + _content_length(record.headers)
        return replace(record, end=end) if end <= len(self._map) else None

    def read(self, offset: int, end: int, limit: int = 0) -> bytes:
        """Return a record's bytes, unpacked, at most ``limit`` of them (0: all)."""
        data = self._map[offset:end]
        if not self._gzip:
            return data[:limit] if limit else data
        return zlib.decompressobj(31).decompress(data, limit)

    def _map_file(self, file: IO[bytes]) -> mmap.mmap:
        return self.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def _is_one_stream(self) -> bool:
        """Tell whether the file went through gzip whole, or in blocks: its members are not its records."""
        first = self._begun(0)
        record = _parse(first.head, 0, 0)
        if record is None:
            return False  # a broken first record is stepped over as any other
        size = len(first.head) - len(record.block_start) + _content_length(record.headers)
        if first.size > size + _PADDING:
            return True
        following = self._begun(first.end).head if first.whole else b""
        return first.size < size and bool(following) and not following.startswith(_WARC_MAGIC)

    def _unpack(self) -> None:
        """Unpack all members to a temporary file, and read that instead.

        It may have ``MAX_RATIO`` times the bytes of the archive (web archives have 4 to 30) and ``FREE_BYTES`` more,
        and never more than half of what was free on its disk, also where several files are unpacked at once.

        :raises UserError: there is more than that, or the disk takes no more.
        """
        try:
            spool = self.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (the stack closes it)
            try:
                self._unpack_to(spool)
                spool.flush()
            except OSError:
                with suppress(OSError):
                    spool.close()  # which writes what is left, and fails once more
                raise
        except OSError as error:
            raise UserError(
                f"cannot unpack {str(self.path)!r} in {tempfile.gettempdir()!r} (TMPDIR): {error.strerror or error}"
            ) from error
        self._gzip = False
        self._is_copy = True
        self._map = self._map_file(spool)

    def _unpack_to(self, spool: IO[bytes]) -> None:
        folder = tempfile.gettempdir()
        more = f"{str(self.path)!r} unpacks to more than"
        most = MAX_RATIO * len(self._map) + FREE_BYTES
        start = written = 0
        while start >= 0:
            unpacker = zlib.decompressobj(31)
            position = start
            try:
                while not unpacker.eof and (chunk := self._map[position : position + _STEP]):
                    position += len(chunk)
                    data = unpacker.decompress(chunk)
                    written += len(data)
                    if written > most:
                        times = f"{MAX_RATIO} times its size plus {FREE_BYTES // 2**20} MiB"
                        raise UserError(f"{more} {most} bytes, {times}: it is not read")
                    if written > shutil.disk_usage(folder).free:
                        raise UserError(f"{more} half of what is free in {folder!r}: set TMPDIR to a larger disk")
                    spool.write(data)
                start = position - len(unpacker.unused_data)
            except zlib.error:
                self.broken += 1
                start += 1
            start = self._map.find(GZIP_MAGIC, start)

    def _begun(self, offset: int) -> _Member:
        unpacker = zlib.decompressobj(31)
        head = b""
        size, position = 0, offset
        try:
            while not unpacker.eof and (chunk := self._map[position : position + _STEP]):
                position += len(chunk)
                data = unpacker.decompress(chunk)
                size += len(data)
                if len(head) < HEAD_BYTES:
                    head += data[:HEAD_BYTES]
        except zlib.error:
            pass
        return _Member(head, size, position - len(unpacker.unused_data), unpacker.eof)

    def _gzip_records(self) -> Iterator[WarcRecord]:
        """Give the records of a file that has a member for each. What is broken has the bounds of what is unpacked."""
        position = in_vain = 0
        while 0 <= position < len(self._map):
            head, size, end, whole = self._begun(position)
            if not whole:
                self.broken += 1
                in_vain += size + end - position
                if in_vain > MAX_RATIO * len(self._map) + FREE_BYTES:
                    logger.warning("%s is not read after byte %d: too much of it is broken", self.path, position)
                    return
                position = self._map.find(GZIP_MAGIC, position + 1)
                continue
            record = _parse(head, position, end)
            position = self._next(GZIP_MAGIC, end)
            if record is None:
                self.broken += 1
                continue
            if size > len(head) - len(record.block_start) + _content_length(record.headers) + _PADDING:
                self.broken += 1  # more than one record in this member, and not in the first
            yield record

    def _plain_records(self) -> Iterator[WarcRecord]:
        position = 0
        while 0 <= position < len(self._map):
            following = self._map.find(_NEXT, position + 1, position + HEAD_BYTES) + 1
            head = self._map[position : following or position + HEAD_BYTES]  # a head ends where the next one begins
            record = _parse(head, position, 0)
            end = position
            if record:
                end += len(head) - len(record.block_start) + _content_length(record.headers)
            if record is None or end > len(self._map):
                self.broken += 1
                position = following or self._map.find(_NEXT, position + 1) + 1 or -1
                continue
            start = record.block_start[: _content_length(record.headers)]
            yield WarcRecord(offset=position, end=end, headers=record.headers, block_start=start)
            position = self._next(_WARC_MAGIC, end)

    def _next(self, magic: bytes, end: int) -> int:
        """Return where the next record starts, or -1. Anything but padding before it counts as a broken record."""
        start = self._map.find(magic, end)
        between = self._map[end : start if start >= 0 else end + HEAD_BYTES]
        if between.strip(b"\r\n\0"):
            self.broken += 1
        return start


def split_head(data: bytes) -> tuple[bytes, bytes]:
    """Return the header part and the rest. Without an empty line, all is header."""
    match = _HEAD_END.search(data)
    return (data[: match.start()], data[match.end() :]) if match else (data, b"")


def _parse(head: bytes, offset: int, end: int) -> WarcRecord | None:
    if not head.startswith(_WARC_MAGIC) or not _HEAD_END.search(head):
        return None
    lines, block = split_head(head)
    headers: dict[str, str] = {}
    for line in lines.decode("utf-8", "replace").splitlines()[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    return WarcRecord(offset=offset, end=end, headers=headers, block_start=block) if "warc-type" in headers else None


def _content_length(headers: dict[str, str]) -> int:
    value = headers.get("content-length", "")
    return int(value[:18]) if value.isascii() and value.isdigit() else 0


def copy_warcs(path: Path, file: IO[bytes]) -> IO[bytes]:
    """Return a temporary file with all WARC files of a WACZ file, one after the other.

    WACZ keeps them unpacked in its ZIP, so that the copy is as long as the file is. One that is packed once more, and
    unpacks to more than a gzip file may or than half of what is free on its disk, is refused.

    :raises UserError: the file is broken, has no WARC file, or the disk takes no more.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            members = [one for one in packed.infolist() if _WARC.fullmatch(one.filename)]
            if not members:
                raise UserError(f"{str(path)!r} is a ZIP file, and no WACZ: it has no archive/*.warc.gz")
            size = sum(one.file_size for one in members)
            if size > MAX_RATIO * file.seek(0, io.SEEK_END) + FREE_BYTES:
                times = f"{MAX_RATIO} times its size plus {FREE_BYTES // 2**20} MiB"
                raise UserError(f"{str(path)!r} unpacks to {size} bytes, more than {times}: it is not read")
            if size > shutil.disk_usage(tempfile.gettempdir()).free // 2:
                raise UserError(f"{str(path)!r} unpacks to more than half of what is free: set TMPDIR to a larger disk")
            copy = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
            for one in members:
                with packed.open(one) as source:
                    shutil.copyfileobj(source, copy)
    except (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise UserError(f"cannot read WACZ file {str(path)!r}: {error}") from error
    copy.flush()
    copy.seek(0)
    return copy
