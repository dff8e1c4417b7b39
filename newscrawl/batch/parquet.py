"""Rows of articles as Arrow tables. Needs pyarrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyarrow import parquet as pq

from newscrawl.batch.columns import AUTHOR_FIELDS, COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TYPES: Final = {
    "text": pa.string(),
    "number": pa.float64(),
    "moment": pa.timestamp("ms", tz="UTC"),
    "texts": pa.list_(pa.string()),
    "facts": pa.map_(pa.string(), pa.string()),
    "authors": pa.list_(pa.struct([(name, pa.string()) for name in AUTHOR_FIELDS])),
}
SCHEMA: Final = pa.schema([(name, _TYPES[kind]) for name, kind in COLUMNS.items()])


def writer(path: Path) -> Any:
    """Return a writer of the articles' schema, zstd inside."""
    return pq.ParquetWriter(path, SCHEMA, compression="zstd")


def table_of(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Return the rows as a table; a column that a row lacks is null."""
    maps = [name for name, kind in COLUMNS.items() if kind == "facts"]
    listed = [row | {name: list((row.get(name) or {}).items()) for name in maps} for row in rows]
    return pa.Table.from_pylist(listed, schema=SCHEMA)
