"""One archived answer → the row of its article, or the reason why there is none."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import brotli  # type: ignore[import-untyped]
from lxml import etree
from scrapy.http import Response
from scrapy.utils.gz import gunzip

from newscrawl.fields import ARTICLE, values_of
from newscrawl.items import PageType
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.packed import has_many_parts, is_cut
from newscrawl.readers.worker import PageTimeoutError, page_alarm
from newscrawl.reading.model import NO_SITE, RawPage, Wants, site_facts
from newscrawl.reading.read import PAGE_ERRORS, reader_for
from newscrawl.sites.catalogue import catalogued_host
from newscrawl.spiders.responses import kind_of
from newscrawl.storage.columns import storable_row
from newscrawl.urls.canonical import host_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.replay.archive import Answer
    from newscrawl.sites.model import NewsSite


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """The fields of an article, by name (``newscrawl.fields.ARTICLE``), or None and why."""

    row: dict[str, Any] | None
    reason: str
    """``stored``, a page type, ``no_text``, a rejection, ``http_error``, ``broken`` or ``timeout``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Reads archived answers as the crawl does, page by page.

    :ivar hosts: whose pages are read, and those of the hosts below them; empty: all.
    :ivar site_at: gives the site of an address.
    :ivar max_bytes: of an unpacked page.
    :ivar seconds: of work on one page; 0 for any. The alarm needs the main thread of a process.
    """

    wants: Wants = field(default_factory=Wants)
    hosts: frozenset[str] = frozenset()
    site_at: Callable[[str], NewsSite | None] = catalogued_host
    max_bytes: int = 16 * 2**20
    seconds: float = 30.0
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """Taken as the time of fetch where the record has no date."""

    def is_wanted(self, url: str) -> bool:
        """Tell whether the address is on one of the hosts."""
        host = host_of(url)
        while host and host not in self.hosts:
            host = host.partition(".")[2]
        return bool(host) or not self.hosts

    def read(self, answer: Answer) -> PageResult:
        """Return the page's row or reason; never raises for what is in the answer."""
        if answer.status != 200:
            return _nothing(Outcome.HTTP_ERROR)
        if answer.truncated:
            return _nothing(Rejection.TOO_LARGE)
        try:
            with page_alarm(self.seconds):
                return self._read(answer)
        except UnpackError as error:
            return _nothing(str(error))
        except PageTimeoutError:
            return _nothing("timeout")
        except (*PAGE_ERRORS, RecursionError, etree.LxmlError):
            return _nothing(Rejection.BROKEN)

    def _read(self, answer: Answer) -> PageResult:
        page = raw_page(answer, site_at=self.site_at, max_bytes=self.max_bytes, now=self.now)
        if not isinstance(page, RawPage):
            return _nothing(page)
        reading = reader_for(self.wants.of_site(page.site.name)).read(page)
        if reading.failures and reading.article is None:
            return _nothing(Rejection.BROKEN)
        if reading.page_type is not PageType.ARTICLE:
            return _nothing(reading.page_type)
        if reading.article is None:
            return _nothing("no_text")
        return PageResult(row=storable_row(values_of(reading.article, ARTICLE)), reason=Outcome.STORED)


def raw_page(
    answer: Answer, *, site_at: Callable[[str], NewsSite | None], max_bytes: int, now: datetime
) -> RawPage | Rejection:
    """Return an archived answer as it is read, or why it is no page.

    :param now: taken as the time of fetch where the record has no date.
    :raises UnpackError: its body cannot be unpacked.
    """
    headers = {name.lower(): value for name, value in answer.headers}
    content_type = headers.get("content-type", "")
    body = unpack(answer.body, headers.get("content-encoding", ""), max_bytes)
    kind = kind_of(Response(answer.url, headers={"Content-Type": content_type.encode("latin-1")}, body=body))
    if kind != "html":
        return kind if isinstance(kind, Rejection) else Rejection.NOT_HTML
    site = site_at(answer.url)
    return RawPage(
        body=body,
        url=answer.url,
        fetched_at=answer.fetched_at or now,
        content_type=content_type or None,
        site=NO_SITE if site is None else site_facts(site, answer.url),
    )


def _nothing(reason: str) -> PageResult:
    return PageResult(row=None, reason=str(reason))


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
        except (zlib.error, brotli.error, zstd.ZstdError, OSError, EOFError) as error:
            raise UnpackError("broken") from error
        if len(body) > limit:
            raise UnpackError("too_large")
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    """As a crawl does: all members, a wrong checksum is forgiven."""
    if has_many_parts(body):
        raise EOFError
    try:
        data = gunzip(body, max_size=limit)
    except ValueError as error:
        raise UnpackError("too_large") from error
    if is_cut(b"gzip", body, data):
        raise EOFError
    return data


def _inflate(body: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(body, limit)
    except zlib.error:
        unpacker = zlib.decompressobj(_RAW_DEFLATE)  # "deflate" as some servers understand it
        data = unpacker.decompress(body, limit)
    if not unpacker.eof and len(data) < limit:
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
    if has_many_parts(body):
        raise EOFError
    unpacker = zstd.ZstdDecompressor()
    data = bytes(unpacker.decompress(body, max_length=limit))
    while unpacker.eof and unpacker.unused_data and len(data) < limit:  # one frame after the other
        unpacker, rest = zstd.ZstdDecompressor(), unpacker.unused_data
        data += unpacker.decompress(rest, max_length=limit - len(data))
    if len(data) < limit and not unpacker.eof:
        raise EOFError
    return data


_UNPACKERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
