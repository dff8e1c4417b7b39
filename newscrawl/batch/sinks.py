"""Where rows go: JSON lines or Parquet, seen under their name only when they are whole."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, Self

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path

FORMATS: Final = ("jsonl.gz", "parquet")
#: Rows of a Parquet row group.
_GROUP: Final = 1000


class Sink(Protocol):
    """A file of rows; leaving its ``with`` block in good order gives the file its name."""

    def __enter__(self) -> Self: ...
    def __exit__(self, error: type[BaseException] | None, *_: object) -> None: ...
    def write(self, row: dict[str, Any]) -> None:
        """Add one row of :class:`newscrawl.batch.pages.PageResult`."""


def check_form(form: str) -> None:
    """Refuse what cannot be written.

    :raises UserError: a name that is not in ``FORMATS``; Parquet without pyarrow.
    """
    if form not in FORMATS:
        raise UserError(f"unknown output format {form!r}; accepted: {', '.join(FORMATS)}")
    if form == "parquet" and find_spec("pyarrow") is None:
        raise UserError("Parquet needs pyarrow: pip install -r requirements-parquet.txt")


def open_sink(path: Path, form: str) -> Sink:
    """Return the sink for a name of ``FORMATS``; :func:`check_form` has been asked before."""
    return _Parquet(path) if form == "parquet" else _JsonLines(path)


class _Whole:
    """Writes beside the name and moves there at the end; what was interrupted is taken away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.part = path.with_name(path.name + ".part")
        self.stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self.stack.close()
        if error is None:
            self.part.replace(self.path)
        else:
            self.part.unlink(missing_ok=True)


class _JsonLines(_Whole):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        # Level 1: packing must not cost more than extraction.
        packed = gzip.open(self.part, "wt", 1, encoding="utf-8")  # noqa: SIM115 (the stack closes it)
        self._file: IO[str] = self.stack.enter_context(packed)

    def write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False, default=_iso) + "\n")


class _Parquet(_Whole):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        from newscrawl.batch import parquet  # noqa: PLC0415 (needs the optional pyarrow)

        self._table = parquet.table_of
        self._writer = self.stack.enter_context(parquet.writer(self.part))
        self._rows: list[dict[str, Any]] = []

    def write(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= _GROUP:
            self._flush()

    def __exit__(self, error: type[BaseException] | None, *rest: object) -> None:
        if error is None:
            self._flush()
        super().__exit__(error, *rest)

    def _flush(self) -> None:
        self._writer.write_table(self._table(self._rows))
        self._rows.clear()


def _iso(value: Any) -> str:
    return str(value.isoformat())
