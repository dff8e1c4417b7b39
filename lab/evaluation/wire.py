"""What passes between the harness and the process that runs a method: JSON, one object a line.

Only bytes and address of a page go out: labels never reach the code that is measured. This module and
``worker`` need nothing but the standard library and lxml, so that they also run in the peers' environment.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class WirePage:
    id: str
    html: bytes
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Pages that may know of each other: one page, or those of one site."""

    pages: tuple[WirePage, ...]
    targets: tuple[str, ...]
    """Ids of the pages to extract, in this order."""
    repeats: int = 1
    """Times each page is extracted; the fastest counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """A worker's first line."""

    needs: str = "page"
    """``page``, ``reference`` or ``site``."""
    versions: dict[str, str] = field(default_factory=dict)
    refused: str | None = None
    """Why the method cannot run, in one line; None if it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a method made of one page. Seconds are processor time of the worker."""

    id: str
    text: str = ""
    seconds: float = 0.0
    """Decoding, parsing and extraction; what other pages cost is shared out."""
    parse_seconds: float = 0.0
    """lxml's parse of the same bytes, in the same process; 0 if lxml found no document."""
    spans: tuple[tuple[int, int, str], ...] = ()
    """First row, one past the last row, and label of each labelled block, for methods that work on blocks."""
    page_type: str | None = None
    confidence: float = 0.0
    """What the method thinks of its text, 0..1; 0 where it has no notion of it."""
    error: str | None = None
    """Class and message of what the method raised; the page counts as empty."""
    peak_mb: float = 0.0
    """Highest resident memory of the worker so far."""


def dump_group(group: Group) -> bytes:
    pages = [
        {"id": page.id, "url": page.url, "html": base64.b64encode(page.html).decode("ascii")} for page in group.pages
    ]
    return _line({"pages": pages, "targets": group.targets, "repeats": group.repeats})


def load_group(line: bytes) -> Group:
    record = json.loads(line)
    pages = tuple(
        WirePage(id=page["id"], url=page["url"], html=base64.b64decode(page["html"])) for page in record["pages"]
    )
    return Group(pages=pages, targets=tuple(record["targets"]), repeats=record["repeats"])


def dump(message: Hello | Answer) -> bytes:
    return _line(asdict(message))


def load_hello(line: bytes) -> Hello:
    return Hello(**json.loads(line))


def load_answer(line: bytes) -> Answer:
    record: dict[str, Any] = json.loads(line)
    known = {item.name for item in fields(Answer)}
    record["spans"] = tuple((start, end, label) for start, end, label in record.get("spans") or ())
    return Answer(**{name: value for name, value in record.items() if name in known})


def _line(record: dict[str, Any]) -> bytes:
    # ASCII only: lone surrogates, which a broken page may give, survive.
    return json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n"
