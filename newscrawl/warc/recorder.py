"""Writes a crawl to a WARC file: each request and answer as it was on the wire, and what became of it.

One gzip member a record, flushed at once: a killed crawl loses at most the record being written. A WACZ file is made of
such files, when the crawl is over.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import logging
import re
import shutil
import tempfile
import zipfile
from contextlib import ExitStack
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from scrapy import signals
from scrapy.exceptions import NotConfigured
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newscrawl import __version__
from newscrawl.exceptions import UserError
from newscrawl.items import Article
from newscrawl.signals import ARCHIVED, FETCHED_AT, Component, hears, url_outcome
from newscrawl.store.row_files import whole_file
from newscrawl.warc.archive import DEFAULT_PORTS, ascii_host, recorded_place, responses
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response

logger = logging.getLogger(__name__)

RECORD_ID = "newscrawl_record_id"
_SECRET = frozenset([b"authorization", b"proxy-authorization", b"cookie"])
#: The body is recorded whole, not as it was cut into chunks.
_FRAMING = frozenset([b"transfer-encoding", b"content-length", b"connection", b"keep-alive"])


class WarcRecorder:
    """A WARC file, open for appending."""

    def __init__(self, path: Path, software: str) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and path.stat().st_size:
                _cut_broken_tail(path)
            self._file = path.open("ab")
        except OSError as error:
            raise UserError(f"cannot write WARC file {str(path)!r}: {error.strerror}") from error
        self._writer = WARCWriter(self._file, gzip=path.suffix == ".gz", warc_version="1.1")
        info = {"software": software, "format": "WARC file version 1.1"}
        self._write(self._writer.create_warcinfo_record(path.name, info))

    def close(self) -> None:
        self._file.close()

    def exchange(self, request: Request, response: Response, when: datetime) -> tuple[str, dict[str, str]]:
        """Write an answer and its request; return the id of the answer's record, and where that is."""
        dates = {"WARC-Date": when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")}
        if response.ip_address:
            dates["WARC-IP-Address"] = str(response.ip_address)
        try:
            phrase = HTTPStatus(response.status).phrase
        except ValueError:
            phrase = ""
        fields = [*_fields(response.headers, leave_out=_FRAMING), ("Content-Length", str(len(response.body)))]
        head = StatusAndHeaders(f"{response.status} {phrase}", fields, protocol="HTTP/1.1")
        answer = self._record(response.url, "response", response.body, http_headers=head, warc_headers_dict=dates)
        place = recorded_place(self.path, self._file.tell(), "")
        self._write(answer)
        place["archiveDigest"] = answer.rec_headers.get_header("WARC-Payload-Digest")
        record_id: str = answer.rec_headers.get_header("WARC-Record-ID")
        self._write(self._request_record(request, {**dates, "WARC-Concurrent-To": record_id}))
        return record_id, place

    def metadata(self, url: str, facts: dict[str, Any], record_id: str | None) -> None:
        """Write what became of a URL: a line for each fact, its name and its value as JSON.

        Other tools index a record of another type under the page's address, and then show it in place of the page.
        """
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}\r\n" for name, value in facts.items()]
        body = "".join(lines).encode("utf-8", "replace")
        headers = {"WARC-Refers-To": record_id} if record_id else {}
        kind = "application/warc-fields"
        self._write(self._record(url, "metadata", body, warc_content_type=kind, warc_headers_dict=headers))

    def _request_record(self, request: Request, headers: dict[str, str]) -> Any:
        parts = urlsplit(request.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        fields = [("Host", parts.netloc.rpartition("@")[2]), *_fields(request.headers, leave_out=_SECRET)]
        head = StatusAndHeaders(f"{request.method} {target} HTTP/1.1", fields, is_http_request=True)
        return self._record(request.url, "request", request.body, http_headers=head, warc_headers_dict=headers)

    def _record(self, url: str, kind: str, body: bytes, **headers: Any) -> Any:
        return self._writer.create_warc_record(url, kind, payload=BytesIO(body), length=len(body), **headers)

    def _write(self, record: Any) -> None:
        self._writer.write_record(record)
        self._file.flush()


class RecordMiddleware(Component):
    """Downloader middleware, next to the downloader. Setting ``NEWSCRAWL_WARC``; stat ``newscrawl/record/responses``.

    The ``metadata`` records are ``warc-fields``: ``outcome``, ``reason``, and of an article its fields without the
    body.
    """

    def __init__(self, crawler: Crawler) -> None:
        name = crawler.settings["NEWSCRAWL_WARC"]
        if not name:
            raise NotConfigured  # without a word: most crawls are not recorded
        super().__init__(crawler)
        self.recorder = WarcRecorder(Path(name), crawler.settings["USER_AGENT"])
        crawler.signals.connect(self.recorder.close, signals.engine_stopped)

    def process_response(self, request: Request, response: Response) -> Response:
        when = request.meta.get(FETCHED_AT) or datetime.now(UTC)
        request.meta[RECORD_ID], request.meta[ARCHIVED] = self.recorder.exchange(request, response, when)
        self.crawler.stats.inc_value("newscrawl/record/responses")
        return response

    @hears(signals.item_scraped)
    def _note_article(self, item: object, response: Response | None) -> None:
        if not isinstance(item, Article):
            return
        facts = {name: value for name, value in asdict(item).items() if name != "articleBody" and value}
        self.recorder.metadata(item.url, {"outcome": "stored", **facts}, _record_id(response))

    @hears(signals.item_dropped)
    def _note_dropped(self, item: object, response: Response | None, exception: Exception) -> None:
        url = getattr(item, "url", None)
        if url and is_dataclass(item):
            facts = {"outcome": "dropped", "reason": str(exception)}
            self.recorder.metadata(url, facts, _record_id(response))

    @hears(url_outcome)
    def _note_outcome(self, url: str, outcome: str, reason: str | None, status: int | None, detail: str | None) -> None:
        facts = {"outcome": outcome, "reason": reason, "status": status, "detail": detail}
        self.recorder.metadata(url, {name: value for name, value in facts.items() if value is not None}, None)


def _record_id(response: Response | None) -> str | None:
    if response is None or response.request is None:
        return None
    record_id: str | None = response.request.meta.get(RECORD_ID)
    return record_id


def _fields(headers: Headers, *, leave_out: frozenset[bytes]) -> list[tuple[str, str]]:
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        if name.lower() not in leave_out
        for value in values
    ]


def _cut_broken_tail(path: Path) -> None:
    """Cut off the half record that a killed crawl left: what follows it could not be read."""
    with WarcFile(path) as file:
        good = max((record.end for record in file.records()), default=0)
    size = path.stat().st_size
    if good < size and file.broken:
        logger.warning("Cut %d bytes of a broken record off %s", size - good, path)
        with path.open("r+b") as stream:
            stream.truncate(good)


_WWW: Final = re.compile(r"^www\d*\.")
_SAFE: Final = "%/?:@!$&'()*+,;=~"
_ZIP_TIME: Final = (2000, 1, 1, 0, 0, 0)
_PAGES: Final = {"format": "json-pages-1.0", "id": "pages", "title": "Articles", "hasText": True}


def write_wacz(rows: Iterable[Mapping[str, Any]], path: Path) -> tuple[int, int]:
    """Write articles as a WACZ file (1.1.1): the WARC files that they are recorded in, an index, the articles as pages.

    :return: the number of articles, and of those left out, as they are in no archive.
    :raises UserError: none is in an archive, an archive is not packed by records, or the file cannot be written.
    """
    archives: dict[str, Path] = {}
    n_pages = n_unrecorded = 0
    try:
        with tempfile.TemporaryFile() as pages:
            pages.write(_line(_PAGES))
            for row in rows:
                name = row["fieldSources"].get("archive")
                if name is None:
                    n_unrecorded += 1
                    continue
                n_pages += 1
                archives.setdefault(name, Path(name))
                pages.write(_line(_page(row)))
            if not archives:
                raise UserError("no article is in an archive: harvest with NEWSCRAWL_WARC or NEWSCRAWL_REPLAY")
            _pack(path, list(archives.values()), pages)
    except OSError as error:
        raise UserError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return n_pages, n_unrecorded


def _page(row: Mapping[str, Any]) -> dict[str, str]:
    page = {"id": row["contentHash"], "url": row["url"], "ts": _stamp(row["fetchedAt"], "%Y-%m-%dT%H:%M:%SZ")}
    return page | {"title": row["headline"] or row["url"], "text": row["articleBody"]}


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _pack(path: Path, archives: list[Path], pages: IO[bytes]) -> None:
    """Put the files in, none of them packed once more, and what describes them."""
    names = {f"{n}-{one.name}" if len(archives) > 1 else one.name: one for n, one in enumerate(archives, 1)}
    index = sorted(line for name, one in names.items() for line in _index_lines(one, name))
    packed = gzip.compress("".join(index).encode(), mtime=0)
    digest = f"sha256:{hashlib.sha256(packed).hexdigest()}"
    first = index[0].split(" {")[0] if index else ")/ 0"
    block = json.dumps({"offset": 0, "length": len(packed), "digest": digest})
    head = json.dumps({"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})
    texts = {
        "indexes/index.cdx.gz": io.BytesIO(packed),
        "indexes/index.idx": io.BytesIO(f"!meta 0 {head}\n{first} {block}\n".encode()),
        "pages/pages.jsonl": pages,
    }
    with ExitStack() as stack, whole_file(path, path.with_name(f".{path.name}.part")) as file:
        wacz = stack.enter_context(zipfile.ZipFile(file, "w"))
        resources = [_put(wacz, f"archive/{name}", stack.enter_context(one.open("rb"))) for name, one in names.items()]
        resources += [_put(wacz, name, text) for name, text in texts.items()]
        package = {
            "profile": "data-package",
            "resources": resources,
            "created": _stamp(datetime.now(UTC), "%Y-%m-%dT%H:%M:%SZ"),
            "wacz_version": "1.1.1",
            "software": f"newscrawl {__version__}",
        }
        described = _put(wacz, "datapackage.json", io.BytesIO(json.dumps(package, indent=2).encode()))
        of_package = {"path": "datapackage.json", "hash": described["hash"]}
        wacz.writestr("datapackage-digest.json", json.dumps(of_package))
        wacz.close()


def _put(wacz: zipfile.ZipFile, name: str, source: IO[bytes]) -> dict[str, Any]:
    """Copy a file into the package; return its line of the description."""
    source.seek(0)
    digest = hashlib.file_digest(source, "sha256").hexdigest()  # type: ignore[arg-type]
    size = source.seek(0, io.SEEK_END)
    source.seek(0)
    with wacz.open(zipfile.ZipInfo(name, _ZIP_TIME), "w", force_zip64=True) as target:
        shutil.copyfileobj(source, target)
    return {"name": name.rpartition("/")[2].lower(), "path": name, "hash": f"sha256:{digest}", "bytes": size}


def _index_lines(path: Path, name: str) -> list[str]:
    """Return the CDXJ lines of the answers in a WARC file.

    :raises UserError: it is a WACZ file, or one gzip stream: its records have no places of their own.
    """
    lines = []
    with WarcFile(path) as file:
        for end, answer in responses(file, limit=1):
            if answer is None or isinstance(answer, str):
                continue
            offset = int(answer.place["archiveOffset"])
            kind = next((value for key, value in answer.headers if key.lower() == "content-type"), "")
            facts = {
                "url": answer.url,
                "mime": kind.partition(";")[0].strip() or "unk",
                "status": str(answer.status),
                "digest": answer.place["archiveDigest"],
                "length": str(end - offset),
                "offset": str(offset),
                "filename": name,
            }
            when = _stamp(answer.fetched_at or datetime.fromtimestamp(0, UTC), "%Y%m%d%H%M%S")
            lines.append(f"{surt_of(answer.url)} {when} {json.dumps(facts)}\n")
        if not file.is_packed_by_records:
            raise UserError(f"{str(path)!r} is not packed by records, as newscrawl and other crawlers write WARC files")
    return lines


def _stamp(moment: datetime, form: str) -> str:
    return moment.astimezone(UTC).strftime(form)


def surt_of(url: str) -> str:
    """Return the key by which CDX indexes are sorted.

    >>> surt_of("https://www2.Example.org:443/A/b/?z=1&a=中#top"), surt_of("http://例子.org:8080")
    ('org,example)/a/b?a=%e4%b8%ad&z=1', 'org,xn--fsqu00a:8080)/')
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    host = ",".join(reversed(_WWW.sub("", ascii_host(host).decode()).split(".")))
    path = quote(parts.path, safe=_SAFE).lower().rstrip("/") or "/"
    query = "&".join(sorted(quote(parts.query, safe=_SAFE).lower().split("&")))
    return f"{host}{'' if port in DEFAULT_PORTS else f':{port}'}){path}" + (f"?{query}" if query else "")
