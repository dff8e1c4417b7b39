"""WARC files as one look-up table: URL → the archived answer."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes, urljoin, urlsplit

from newscrawl.console.wording import separated
from newscrawl.exceptions import UserError
from newscrawl.warc.records import HEAD_BYTES, WarcFile, WarcRecord, split_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

DEFAULT_PORTS = (None, 80, 443)
_STATUS = re.compile(rb"HTTP/[\d.]+ +(\d{3})")
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r?\n")
_HOP = frozenset(["transfer-encoding", "connection", "keep-alive", "content-length", "proxy-connection"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An archived answer; ``body`` is as it was sent, compressed if ``headers`` say so."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    fetched_at: datetime | None
    place: dict[str, str]  # of its record: ``recorded_place``
    truncated: bool = False  # the body was longer than asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    file: WarcFile
    offset: int
    end: int
    url: str
    status: int
    date: str
    content_type: str | None  # of a ``resource`` record, which has no HTTP headers; else None
    body_key: bytes | None  # of a ``revisit`` record: where the body is
    digest: str = ""  # of the body, as the record has it


class WarcArchive(ExitStack):
    """The answers of one or more WARC files. Of several answers for one URL, the last good one counts."""

    def __init__(self, paths: Iterable[Path]) -> None:
        super().__init__()
        self._entries: dict[bytes, _Entry] = {}
        self._files: list[WarcFile] = []
        try:
            for path in paths:
                file = self.enter_context(WarcFile(path))
                self._files.append(file)
                for record in file.records():
                    self._add(file, record)
            if not self._entries:
                names = ", ".join(str(file.path) for file in self._files)
                raise UserError(f"no http or https response in {names}")
        except UserError:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def broken(self) -> int:
        """Return the number of records that could not be read."""
        return sum(file.broken for file in self._files)

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(entry.url for entry in self._entries.values())

    def stored_form(self, url: str) -> str | None:
        """Return the stored URL that differs only by a final slash or ``index.html``, or None."""
        key = key_of(url)
        near = next((near for near in near_keys(key) if near in self._entries), None) if key else None
        return self._entries[near].url if near else None

    def get(self, url: str, *, limit: int = 0) -> Answer | None:
        """Return the archived answer, or None. A body longer than ``limit`` bytes (0: any) is cut."""
        key = key_of(url)
        entry = self._entries.get(key) if key else None
        if entry is None:
            return None
        body_entry = self._entries.get(entry.body_key) if entry.body_key else None
        return _answer(entry, body_entry or entry, limit)

    def _add(self, file: WarcFile, record: WarcRecord) -> None:
        entry = _entry_of(file, record)
        key = key_of(entry.url) if entry else None
        if entry is None or key is None:
            return
        if 300 <= entry.status < 400 and _leads_to_itself(entry.url, key, record.block_start):
            return
        old = self._entries.get(key)
        if entry.body_key and (entry.body_key == key or entry.body_key not in self._entries):
            return  # a revisit of what is here already, or of what is nowhere
        if old is None or _rank(entry.status) >= _rank(old.status):
            self._entries[key] = entry


def paths_of(value: str | list[str]) -> list[Path]:
    """Return the files that ``NEWSCRAWL_REPLAY`` names, separated by commas."""
    return list(map(Path, separated(value)))


def responses(
    file: WarcFile, *, limit: int = 0, wanted: Callable[[str], bool] = lambda _url: True
) -> Iterator[tuple[int, Answer | str | None]]:
    """Give, for every record of a file in order, the bytes of the file read so far and its answer.

    The answer is None for records without a body of their own: requests, notes, revisits; it is the address alone
    where that is not wanted, and nothing else of it is read. A body longer than ``limit`` bytes (0: any) is cut. No
    record is kept, so that files may be of any size.
    """
    for record in file.records():
        entry = _entry_of(file, record)
        if entry is None or entry.body_key:
            yield record.end, None
        else:
            yield record.end, _answer(entry, entry, limit) if wanted(entry.url) else entry.url


def _entry_of(file: WarcFile, record: WarcRecord) -> _Entry | None:
    """Return where a record's answer is; None if it has none. A response without a status counts as broken."""
    kind = record.headers["warc-type"]
    if kind not in ("response", "resource", "revisit"):
        return None
    url = record.headers.get("warc-target-uri", "").strip("<>")
    key = key_of(url)
    if key is None:
        return None
    match = _STATUS.match(record.block_start)
    if kind != "resource" and not match:
        file.broken += 1
        return None
    body_key = key_of(record.headers.get("warc-refers-to-target-uri", "").strip("<>")) or key
    return _Entry(
        file=file,
        offset=record.offset,
        end=record.end,
        url=url,
        status=int(match[1]) if match and kind != "resource" else 200,
        date=record.headers.get("warc-date", ""),
        content_type=record.headers.get("content-type", "") if kind == "resource" else None,
        body_key=body_key if kind == "revisit" else None,
        digest=record.headers.get("warc-payload-digest", ""),
    )


def _answer(entry: _Entry, body_entry: _Entry, limit: int) -> Answer:
    headers, body, truncated = _read(entry, limit)
    if body_entry is not entry:
        _, body, truncated = _read(body_entry, limit)
    digest = (
        body_entry.digest or f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"
    )
    return Answer(
        url=entry.url,
        status=entry.status,
        headers=headers,
        body=body,
        fetched_at=_date(entry.date),
        place=recorded_place(body_entry.file.path, body_entry.offset, digest),
        truncated=truncated,
    )


def recorded_place(path: Path, offset: int, digest: str) -> dict[str, str]:
    """Return where an answer is: the file as the user named it, the first byte of the record, the body's digest.

    A file that is packed in any other way than by records, or a WACZ file, is counted as it is unpacked.
    """
    return {"archive": str(path), "archiveOffset": str(offset), "archiveDigest": digest}


def answer_at(file: WarcFile, offset: int, digest: str) -> tuple[Answer | None, bool]:
    """Return the answer whose record begins there, and whether its body has a digest."""
    record = file.record_at(offset)
    entry = _entry_of(file, record) if record is not None else None
    if entry is None or entry.body_key:
        return None, False
    answer = _answer(entry, entry, 0)
    _, recorded = _block(entry, 0)
    return answer, any(has_digest(body, digest) for body in (recorded, answer.body))


def has_digest(body: bytes, digest: str) -> bool:
    """Tell whether a body has a digest, in base 32 or 16.

    >>> has_digest(b"", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
    True
    >>> has_digest(b"", "md5:d41d8cd98f00b204e9800998ecf8427e")
    True
    >>> has_digest(b"x", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"), has_digest(b"", "sha1:?"), has_digest(b"", "crc:1")
    (False, False, False)
    """
    name, _, value = digest.partition(":")
    name = name.lower().replace("-", "")
    if name not in hashlib.algorithms_guaranteed or name.startswith("shake"):
        return False
    found = hashlib.new(name, body, usedforsecurity=False).digest()
    try:
        stated = bytes.fromhex(value) if len(value) == 2 * len(found) else base64.b32decode(value.upper())
    except (ValueError, binascii.Error):
        return False
    return stated == found


def _rank(status: int) -> int:
    """Return how good an answer is: of retries, the last one counts unless an earlier one was better."""
    if status == 304:
        return 0
    return 1 if status == 429 or status >= 500 else 2


def _leads_to_itself(url: str, key: bytes, block_start: bytes) -> bool:
    """Tell whether a redirect leads to its own key, as from http to https: both are one page."""
    headers, _ = _http_headers(split_head(block_start)[0])
    location = next((value for name, value in headers if name.lower() == "location"), None)
    try:
        return location is not None and key_of(urljoin(url, location)) == key
    except ValueError:
        return False  # a broken address leads nowhere


def _read(entry: _Entry, limit: int) -> tuple[tuple[tuple[str, str], ...], bytes, bool]:
    """Return HTTP headers, body, and whether the body was longer than ``limit``."""
    http_head, body = _block(entry, limit)
    if entry.content_type is not None:
        kind = entry.content_type.encode("latin-1", "replace").decode("latin-1")  # as all headers are
        headers: tuple[tuple[str, str], ...] = (("Content-Type", kind),)
    else:
        headers, chunked = _http_headers(http_head)
        if chunked:
            body = dechunk(body)
        if body.lstrip()[:1] in (b"<", b"{", b"["):  # the archiver has unpacked it
            headers = tuple((name, value) for name, value in headers if name.lower() != "content-encoding")
    return (headers, body[:limit], True) if limit and len(body) > limit else (headers, body, False)


def _block(entry: _Entry, limit: int) -> tuple[bytes, bytes]:
    """Return the HTTP headers of a record, if it has some, and its body as it was recorded."""
    record = entry.file.read(entry.offset, entry.end, limit + HEAD_BYTES if limit else 0)
    head, block = split_head(record)
    size = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
    if size:
        block = block[: int(size[1][:18])]
    return (b"", block) if entry.content_type is not None else split_head(block)


def _http_headers(head: bytes) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Return the end-to-end headers, and whether the body was sent in chunks."""
    headers: list[tuple[str, str]] = []
    chunked = False
    for line in head.decode("latin-1").splitlines()[1:]:
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if name.lower() == "transfer-encoding":
            chunked = "chunked" in value.lower()
        elif colon and name and name.lower() not in _HOP:
            headers.append((name, value))
    return tuple(headers), chunked


def dechunk(body: bytes) -> bytes:
    r"""Undo chunked transfer. A body that is cut ends there; one that never was in chunks stays as it is.

    >>> dechunk(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")
    b'abcde'
    >>> dechunk(b"<html>")
    b'<html>'
    """
    parts = []
    position = 0
    while match := _CHUNK.match(body, position):
        size = int(match[1], 16)
        position = match.end() + size
        if not size:
            break
        parts.append(body[match.end() : position])
    return b"".join(parts) if position else body


def _date(text: str) -> datetime | None:
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def key_of(url: str) -> bytes | None:
    """Return host and path as bytes, or None for what is no http(s) URL.

    http and https are one; the host is lower case, a default port and the fragment are dropped, percent
    escapes are decoded.

    >>> key_of("https://Example.org:443/a%20b?q=1#top")
    b'example.org/a b?q=1'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host:
        return None
    netloc = ascii_host(host) + (b"" if port in DEFAULT_PORTS else b":%d" % port)
    path = unquote_to_bytes(parts.path or "/")
    return netloc + path + (b"?" + unquote_to_bytes(parts.query) if parts.query else b"")


def ascii_host(host: str) -> bytes:
    try:
        return host.encode("ascii" if host.isascii() else "idna")
    except UnicodeError:
        return host.encode()


def near_keys(key: bytes) -> tuple[bytes, ...]:
    """Keys that differ by a final slash or ``index.html``, the likelier first.

    >>> near_keys(b"example.org/a/?p=2")
    (b'example.org/a/index.html?p=2', b'example.org/a?p=2')
    """
    path, mark, query = key.partition(b"?")
    tail = mark + query
    if path.endswith(b"/index.html"):
        found = (path[: -len(b"index.html")], path[: -len(b"/index.html")])
    elif path.endswith(b"/"):
        found = (path + b"index.html", path[:-1])
    else:
        found = (path + b"/", path + b"/index.html")
    return tuple(near + tail for near in found if b"/" in near)
