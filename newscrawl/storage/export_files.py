"""Rows to JSON lines, CSV or Parquet, a chunk at a time. A file appears under its name when it is whole."""

from __future__ import annotations

import csv
import json
import os
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FORMATS: Final = ("jsonl", "csv", "parquet")
_CHUNK: Final = 500
#: Columns that are no text, and their types in Parquet; all others are text.
_LISTS: Final = frozenset({"keywords", "pages", "diff"})
_TIMES: Final = frozenset({"fetchedAt", "firstFetchedAt", "goneAt", "nextFetchedAt"})
_NUMBERS: Final = frozenset({"revision", "nextRevision"})


def format_of(name: str, given: str | None) -> str:
    """Return the format asked for, else that of the file's ending; ``-`` is JSON lines."""
    if given is not None:
        if given not in FORMATS:
            raise UserError(f"--format {given!r} is not accepted; give {', '.join(FORMATS)}")
        return given
    if name == "-":
        return "jsonl"
    ending = {"jsonl": "jsonl", "jl": "jsonl", "ndjson": "jsonl", "csv": "csv", "parquet": "parquet"}
    found = ending.get(Path(name).suffix.lstrip(".").lower())
    if found is None:
        raise UserError(f"--output {name!r}: its ending names no format; end it in .jsonl, .csv or .parquet")
    return found


def write_rows(rows: Iterable[Mapping[str, Any]], fields: Sequence[str], name: str, kind: str) -> int:
    """Write the rows and return their number.

    :param name: a file, or ``-`` for standard output.
    :raises UserError: the file cannot be written.
    """
    writer = {"jsonl": _write_jsonl, "csv": _write_csv, "parquet": _write_parquet}[kind]
    try:
        if name == "-":
            count = writer(rows, fields, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return count
        with _whole_file(Path(name)) as file:
            return writer(rows, fields, file)
    except BrokenPipeError:
        raise UserError("standard output was closed before the export had ended") from None
    except OSError as error:
        raise UserError(f"cannot write {name!r}: {error.strerror or error}") from error


@contextmanager
def _whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Write beside the file, and move it there at the end: nobody reads half an export."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_jsonl(rows: Iterable[Mapping[str, Any]], fields: Sequence[str], file: IO[bytes]) -> int:
    count = 0
    for row in rows:
        line = json.dumps({name: row[name] for name in fields}, ensure_ascii=False, default=_as_text)
        file.write(line.encode("utf-8", "replace") + b"\n")
        count += 1
    return count


def _write_csv(rows: Iterable[Mapping[str, Any]], fields: Sequence[str], file: IO[bytes]) -> int:
    def lines() -> Iterator[list[str]]:
        yield list(fields)
        for row in rows:
            yield [_cell(row[name]) for name in fields]

    count = -1
    line: list[str] = []

    class _Line:
        """What ``csv`` writes to: hands each line on, so that no text layer closes standard output."""

        def write(self, text: str) -> None:
            file.write(text.encode("utf-8", "replace"))

    writer = csv.writer(_Line())
    for line in lines():
        writer.writerow(line)
        count += 1
    return count


def _cell(value: object) -> str:
    """Return the cell; a spreadsheet must not take a page's text for a formula."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=_as_text)
    text = _as_text(value)
    return f"'{text}" if isinstance(value, str) and text[:1] in _FORMULA else text


_FORMULA: Final = frozenset("=+-@\t\r")


def _as_text(value: object) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


def _write_parquet(rows: Iterable[Mapping[str, Any]], fields: Sequence[str], file: IO[bytes]) -> int:
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra, and slow to load)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise UserError("Parquet needs pyarrow: pip install -r requirements-parquet.txt") from None
    schema = pa.schema([pa.field(name, _parquet_type(pa, name)) for name in fields])
    count = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for chunk in _chunks(rows):
            cells = [{name: _parquet_cell(name, row[name]) for name in fields} for row in chunk]
            writer.write_table(pa.Table.from_pylist(cells, schema=schema))
            count += len(chunk)
    return count


def _parquet_type(pa: Any, name: str) -> Any:
    if name == "authors":
        return pa.list_(pa.struct([(part, pa.string()) for part in ("name", "nameRaw", "role")]))
    if name in _LISTS:
        return pa.list_(pa.string())
    if name in _TIMES:
        return pa.timestamp("ms", tz="UTC")
    if name in _NUMBERS:
        return pa.int32()
    return pa.float32() if name == "confidence" else pa.string()


def _parquet_cell(name: str, value: Any) -> Any:
    if name == "mainImage":
        return value["url"] if value else None
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _chunks(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    chunk: list[Mapping[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
