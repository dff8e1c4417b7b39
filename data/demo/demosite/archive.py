"""Writes records and truth to disk, the same bytes every time."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from io import BytesIO
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from demosite.model import CRAWL_START, Record

if TYPE_CHECKING:
    from pathlib import Path

_UTC = timezone.utc  # noqa: UP017


def write_warc(path: Path, records: list[Record], start: datetime = CRAWL_START) -> None:
    """Write one gzip member for each record; dates and ids follow from order and URL.

    :param start: when the recorded crawl began.
    """
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True, warc_version="1.1")
        info = {"software": "newscrawl demo generator", "format": "WARC File Format 1.1", "isPartOf": "newscrawl demo"}
        record = writer.create_warcinfo_record(path.name, info)
        record.rec_headers.replace_header("WARC-Date", _stamp(start))
        record.rec_headers.replace_header("WARC-Record-ID", _identifier("warcinfo"))
        writer.write_record(record)
        for i, answer in enumerate(records, 1):
            _write(writer, answer, answer.fetched_at or start + timedelta(seconds=i))


def _write(writer: WARCWriter, answer: Record, when: datetime) -> None:
    headers = [*answer.headers, *answer.validators, ("Content-Length", str(len(answer.body)))]
    http = StatusAndHeaders(answer.status, headers, protocol="HTTP/1.1")
    warc = {"WARC-Date": _stamp(when), "WARC-Record-ID": _identifier(answer.url)}
    record = writer.create_warc_record(
        answer.url, "response", payload=BytesIO(answer.body), http_headers=http, warc_headers_dict=warc
    )
    writer.write_record(record)


def write_truth(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write one JSON object a line, sorted by URL."""
    hidden = {"linked", "title"}
    lines = [
        json.dumps({key: value for key, value in row.items() if key not in hidden}, ensure_ascii=False)
        for row in sorted(rows, key=lambda row: str(row["url"]))
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _stamp(when: datetime) -> str:
    return when.astimezone(_UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _identifier(name: str) -> str:
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>"
