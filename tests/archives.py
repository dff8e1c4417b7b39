"""WARC files for tests, written by warcio."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from pathlib import Path

DATE = "2024-03-05T02:20:00Z"
HTML = [("Content-Type", "text/html; charset=utf-8")]


def write_warc(path: Path, *records: dict[str, Any], gzip: bool = True) -> Path:
    """Each record: ``url``, and ``body``, ``status``, ``headers``, ``kind``, ``date``, ``warc`` (extra headers)."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "tests"}))
        for record in records:
            kind = record.get("kind", "response")
            http = None
            if kind != "resource":
                http = StatusAndHeaders(
                    f"{record.get('status', 200)} -", list(record.get("headers", HTML)), protocol="HTTP/1.1"
                )
            writer.write_record(
                writer.create_warc_record(
                    record["url"],
                    kind,
                    payload=BytesIO(record.get("body", b"")),
                    length=len(record.get("body", b"")),
                    http_headers=http,
                    warc_content_type=record.get("type", ""),
                    warc_headers_dict={"WARC-Date": record.get("date", DATE), **record.get("warc", {})},
                )
            )
    return path
