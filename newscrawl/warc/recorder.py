"""Writes a crawl to a WARC file: each request and answer as it was on the wire, and what became of it.

One gzip member a record, flushed at once: a killed crawl loses at most the record being written.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import NotConfigured
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newscrawl.exceptions import UserError
from newscrawl.items import Article
from newscrawl.signals import FETCHED_AT, Component, url_outcome
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
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

    def exchange(self, request: Request, response: Response, when: datetime) -> str:
        """Write an answer and its request; return the id of the answer's record."""
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
        self._write(answer)
        record_id: str = answer.rec_headers.get_header("WARC-Record-ID")
        self._write(self._request_record(request, {**dates, "WARC-Concurrent-To": record_id}))
        return record_id

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
        crawler.signals.connect(self._note_article, signals.item_scraped)
        crawler.signals.connect(self._note_dropped, signals.item_dropped)
        crawler.signals.connect(self._note_outcome, url_outcome)
        crawler.signals.connect(self.recorder.close, signals.engine_stopped)

    def process_response(self, request: Request, response: Response) -> Response:
        when = request.meta.get(FETCHED_AT) or datetime.now(UTC)
        request.meta[RECORD_ID] = self.recorder.exchange(request, response, when)
        self.crawler.stats.inc_value("newscrawl/record/responses")
        return response

    def _note_article(self, item: object, response: Response | None) -> None:
        if not isinstance(item, Article):
            return
        facts = {name: value for name, value in asdict(item).items() if name != "articleBody" and value}
        self.recorder.metadata(item.url, {"outcome": "stored", **facts}, _record_id(response))

    def _note_dropped(self, item: object, response: Response | None, exception: Exception) -> None:
        url = getattr(item, "url", None)
        if url and is_dataclass(item):
            facts = {"outcome": "dropped", "reason": str(exception)}
            self.recorder.metadata(url, facts, _record_id(response))

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
