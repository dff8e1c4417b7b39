"""Extraction as a PySpark job: a list of WARC paths in, one Parquet table out.

The convention is Common Crawl's: the input is a text file with one WARC path a line, records are judged one by one, the
output is a table. Every executor needs this project on its path and the WARC files in
reach: a shared folder, or any address that fsspec opens where fsspec is installed.

    spark-submit --py-files newscrawl.zip newscrawl/warc/spark.py warc.paths articles.parquet --method news
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pyspark.sql import SparkSession
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from newscrawl.exceptions import UserError
from newscrawl.extractors import DEFAULT_METHOD, get_extractor, names
from newscrawl.items import ARTICLE, FieldKind
from newscrawl.read.model import Wants, format_names
from newscrawl.warc.archives import local_copy
from newscrawl.warc.files import MAX_BYTES, results_of
from newscrawl.warc.pages import AnswerReader
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newscrawl.items import Field, Fields

_TYPES: Final[dict[FieldKind, DataType]] = {
    FieldKind.TEXT: StringType(),
    FieldKind.ZONED_MOMENT: StringType(),
    FieldKind.NUMBER: DoubleType(),
    FieldKind.COUNT: IntegerType(),
    FieldKind.TRUTH: BooleanType(),
    FieldKind.MOMENT: TimestampType(),
    FieldKind.TEXTS: ArrayType(StringType()),
    FieldKind.FACTS: MapType(StringType(), StringType()),
}


def spark_type(fields: Fields) -> StructType:
    return StructType([StructField(name, _field_type(field)) for name, field in fields.items()])


def _field_type(field: Field) -> DataType:
    if not field.parts:
        return _TYPES[field.kind]
    record = spark_type(field.parts)
    return record if field.kind is FieldKind.RECORD else ArrayType(record)


class ExtractJob:
    """Extract the articles of WARC files on a cluster."""

    def __init__(self, wants: Wants, max_bytes: int = MAX_BYTES) -> None:
        """:raises UserError: for an unknown method."""
        get_extractor(wants.method)
        self.wants = wants
        self.max_bytes = max_bytes

    def run(self, session: SparkSession, paths: Sequence[str], output: str) -> dict[str, int]:
        """Write the table and return reason → pages; ``unreadable`` counts files.

        Paths are spread one a partition, as a task that fails is tried again by Spark from its file's beginning.
        """
        context = session.sparkContext
        pages = context.parallelize(paths, max(1, len(paths))).mapPartitions(self.process_files).cache()
        table = pages.filter(lambda pair: pair[1] is not None).map(lambda pair: pair[1])
        session.createDataFrame(table, spark_type(ARTICLE)).write.mode("overwrite").parquet(output)
        counts = pages.map(lambda pair: (pair[0], 1)).reduceByKey(lambda one, other: one + other).collect()
        pages.unpersist()
        return dict(sorted(counts))

    def process_files(self, paths: Iterable[str]) -> Iterator[tuple[str, dict[str, Any] | None]]:
        """Yield (reason, row or None) of every page; a file that cannot be read is one ``unreadable``."""
        reader = AnswerReader(wants=self.wants, max_bytes=self.max_bytes)
        for path in paths:
            try:
                with local_copy(path) as local, WarcFile(local) as file:
                    for _, result in results_of(file, reader):
                        yield result.reason, result.row
            except (UserError, OSError):
                yield "unreadable", None


def submit(arguments: Sequence[str] | None = None) -> int:
    """Run the job from ``spark-submit``; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Extract the articles of WARC files with Spark.",
        epilog="Example: spark-submit newscrawl/warc/spark.py a.paths out",
    )
    parser.add_argument("paths", help="text file, one WARC path a line")
    parser.add_argument("output", help="folder of the Parquet table; an earlier one is replaced")
    parser.add_argument("--method", default=DEFAULT_METHOD, choices=names(), metavar="NAME", help=", ".join(names()))
    parser.add_argument("--formats", default="", metavar="NAMES", help="the text also as markdown, html")
    options = parser.parse_args(arguments)
    try:
        formats = format_names(options.formats)
        lines = Path(options.paths).read_text(encoding="utf-8").splitlines()
    except UserError as error:
        sys.stderr.write(f"spark: --formats: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"spark: cannot read {options.paths!r}: {error.strerror}\n")
        return 2
    paths = [line.strip() for line in lines if line.strip()]
    if not paths:
        sys.stderr.write(f"spark: {options.paths!r} names no WARC file: expected one path a line\n")
        return 2
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # local workers would take the system's Python
    session = SparkSession.builder.appName("newscrawl").getOrCreate()
    counts = ExtractJob(Wants(method=options.method, formats=formats)).run(session, paths, options.output)
    for reason, count in counts.items():
        sys.stdout.write(f"{reason}\t{count}\n")
    return 1 if counts.get("unreadable") else 0


if __name__ == "__main__":
    sys.exit(submit())
