"""Rows of fields to JSON lines, CSV or Parquet. A file appears under its name when it is whole."""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import os
import sys
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from itemadapter import ItemAdapter
from scrapy.exporters import CsvItemExporter, MarshalItemExporter, XmlItemExporter

from newscrawl.exceptions import UserError
from newscrawl.items import FieldKind, iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from newscrawl.items import Field, Fields

    Row: TypeAlias = Mapping[str, Any]
    Write: TypeAlias = Callable[[Row], object]

#: Ending of a file → format.
_ENDINGS: Final = MappingProxyType(
    {".jsonl": "jsonl", ".jl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet"}
)
#: Rows of a Parquet row group.
_GROUP: Final = 1000
#: A spreadsheet takes a cell that begins so for a formula.
_FORMULA: Final = frozenset("=+-@\t\r\n＝＋－＠")
_BLANK: Final = " \u00a0\u200b\u3000\ufeff"


def format_of(name: str, given: str | None) -> str:
    """Return the format asked for, else that of the file's ending; ``-`` is JSON lines."""
    formats = tuple(dict.fromkeys(_ENDINGS.values()))
    if given is not None:
        if given not in formats:
            raise UserError(f"--format {given!r} is not accepted; give {', '.join(formats)}")
        return given
    if name == "-":
        return "jsonl"
    found = _ENDINGS.get(Path(name).suffix.lower())
    if found is None:
        raise UserError(f"--output {name!r}: its ending names no format; end it in .jsonl, .csv or .parquet")
    return found


def need_parquet(form: str) -> None:
    """:raises UserError: the format is Parquet, and pyarrow is not installed."""
    if form == "parquet" and find_spec("pyarrow") is None:
        raise UserError("Parquet needs pyarrow: pip install -r requirements-parquet.txt, or 'newscrawl[parquet]'")


def write_rows(rows: Iterable[Row], fields: Fields, name: str, form: str) -> int:
    """Write the rows and return their number.

    :param name: a file, or ``-`` for standard output.
    :param form: of :func:`format_of`.
    :raises UserError: the file cannot be written.
    """
    count = 0
    try:
        with _output(name) as file, row_writer(file, fields, form) as write:
            for count, row in enumerate(rows, 1):  # noqa: B007 (the last number is the answer)
                write(row)
    except BrokenPipeError:
        raise UserError("standard output was closed before the export had ended") from None
    except OSError as error:
        raise UserError(f"cannot write {name!r}: {error.strerror or error}") from error
    return count


@contextmanager
def _output(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, path.with_name(f".{path.name}.{os.getpid()}.part")) as file:
            yield file


@contextmanager
def whole_file(path: Path, part: Path) -> Iterator[IO[bytes]]:
    """Open ``part``, and give it the name ``path`` at the end of the block; after an error it is taken away."""
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def row_writer(file: IO[bytes], fields: Fields, form: str) -> AbstractContextManager[Write]:
    """Return what writes rows into the file in its ``with`` block.

    :param form: ``jsonl``, ``jsonl.gz``, ``csv`` or ``parquet``.
    """
    writers = {"jsonl": _json_lines, "jsonl.gz": _packed_lines, "csv": _csv, "parquet": _parquet}
    return writers[form](file, fields)


@contextmanager
def _json_lines(file: IO[bytes], fields: Fields) -> Iterator[Write]:
    def write(row: Row) -> None:
        line = json.dumps({name: row[name] for name in fields}, ensure_ascii=False, default=iso)
        file.write(line.encode("utf-8", "replace") + b"\n")

    yield write


@contextmanager
def _packed_lines(file: IO[bytes], fields: Fields) -> Iterator[Write]:
    # Level 1: packing must not cost more than extraction.
    with gzip.GzipFile("", "wb", 1, file) as packed, _json_lines(packed, fields) as write:  # type: ignore[arg-type]
        yield write


@contextmanager
def _csv(file: IO[bytes], fields: Fields) -> Iterator[Write]:
    class _Line:
        """What ``csv`` writes to: hands each line on, so that no text layer closes standard output."""

        def write(self, text: str) -> None:
            file.write(text.encode("utf-8", "replace"))

    file.write(codecs.BOM_UTF8)  # a spreadsheet takes a file without one for another charset
    writer = csv.writer(_Line())
    writer.writerow(fields)
    yield lambda row: writer.writerow([_cell(row[name]) for name in fields])


def _cell(value: object) -> str:
    """Return the cell; a spreadsheet must not take a page's text for a formula."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=iso)
    text = iso(value)
    return f"'{text}" if isinstance(value, str) and text.lstrip(_BLANK)[:1] in _FORMULA else text


class ArticleCsvExporter(CsvItemExporter):
    """CSV feeds that other programs can read: times in ISO 8601, nested values as JSON.

    Scrapy's own writes ``2024-03-05 10:20:00+08:00`` and Python's ``repr`` of authors. A byte order mark tells
    spreadsheets that the file is UTF-8, unless ``FEED_EXPORT_ENCODING`` names another charset.
    """

    def __init__(self, file: Any, **options: Any) -> None:
        if str(options.get("encoding") or "utf-8").lower() == "utf-8":
            options["encoding"] = "utf-8-sig"
        super().__init__(file, **options)

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        plain = plain_value(super().serialize_field(field, name, value))
        return json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict) else plain


class ArticleXmlExporter(XmlItemExporter):
    """XML feeds: times in ISO 8601, records as elements, and an empty element where there is no value."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return plain_value(super().serialize_field(field, name, value), empty="")


class ArticleMarshalExporter(MarshalItemExporter):
    """Feeds in the format ``marshal``, which holds nothing but plain values."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return plain_value(super().serialize_field(field, name, value))


def plain_value(value: Any, *, empty: str | None = None) -> Any:
    """Return a field's value as text, numbers, lists and mappings alone.

    :param empty: what stands for no value.
    """
    if value is None:
        return empty
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if ItemAdapter.is_item(value):
        return {name: plain_value(part, empty=empty) for name, part in ItemAdapter(value).items()}
    if isinstance(value, list | tuple):
        return [plain_value(part, empty=empty) for part in value]
    return value


@contextmanager
def _parquet(file: IO[bytes], fields: Fields) -> Iterator[Write]:
    """All moments are timestamps in UTC. A mapping is a column of JSON text: several readers know no maps."""
    need_parquet("parquet")
    import pyarrow as pa  # noqa: PLC0415 (an extra, and slow to load)
    from pyarrow import parquet  # noqa: PLC0415

    facts = [name for name, field in fields.items() if field.kind is FieldKind.FACTS]
    moments = [name for name, field in fields.items() if field.kind is FieldKind.ZONED_MOMENT]
    schema = pa.schema([(name, _arrow_type(pa, field)) for name, field in fields.items()])
    group: list[dict[str, Any]] = []

    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:

        def flush() -> None:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            group.clear()

        def write(row: Row) -> None:
            texts = {name: json.dumps(row[name] or {}, ensure_ascii=False) for name in facts}
            times = {name: datetime.fromisoformat(row[name]) for name in moments if row[name]}
            group.append({**row, **texts, **times})
            if len(group) == _GROUP:
                flush()

        yield write
        if group:
            flush()


def _arrow_type(pa: Any, field: Field) -> Any:
    if field.kind in {FieldKind.RECORD, FieldKind.RECORDS}:
        record = pa.struct([(name, _arrow_type(pa, part)) for name, part in field.parts.items()])
        return record if field.kind is FieldKind.RECORD else pa.list_(record)
    return {
        FieldKind.NUMBER: pa.float64(),
        FieldKind.COUNT: pa.int32(),
        FieldKind.TRUTH: pa.bool_(),
        FieldKind.MOMENT: pa.timestamp("ms", tz="UTC"),
        FieldKind.ZONED_MOMENT: pa.timestamp("ms", tz="UTC"),
        FieldKind.TEXTS: pa.list_(pa.string()),
    }.get(field.kind, pa.string())
