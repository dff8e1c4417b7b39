"""The figures as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.table import Table

from lab.evaluation.score import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lab.evaluation.score import BlockRow, CostRow, Evaluation, SnippetRow, TextRow, TypeRow


MIN_SHOWN: Final = 5
"""Languages with fewer pages of a set stand in the JSON and HTML only."""


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield the tables that have rows."""
    if evaluation.texts:
        yield _text_table([row for row in evaluation.texts if _is_shown(row)])
    if evaluation.snippets:
        yield _snippet_table([row for row in evaluation.snippets if _is_shown(row)])
    if evaluation.blocks:
        yield _block_table(evaluation.blocks)
    if evaluation.types:
        yield _type_table(evaluation.types)
    if evaluation.costs:
        yield _cost_table(evaluation.costs)
    if evaluation.failures:
        yield _failure_table(evaluation.failures)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> Table:
    """Return a table whose first ``words`` columns are text and whose others are numbers."""
    result = Table(title=title, title_justify="left", header_style="bold")
    for place, column in enumerate(columns):
        result.add_column(column, justify="left" if place < words else "right")
    for row in rows:
        result.add_row(*row)
    return result


def _is_shown(row: TextRow | SnippetRow) -> bool:
    return row.lang == ALL or row.n >= MIN_SHOWN


def _text_table(rows: Sequence[TextRow]) -> Table:
    ordered = sorted(rows, key=lambda row: (row.set, row.lang != ALL, row.lang, -row.f1))
    return table(
        "Text, 4-gram shingles: F1 of mean precision and mean recall [95 % interval]; languages of 5 pages or more",
        ("set", "lang", "method", "n", "P", "R", "F1", "interval", "by", "page F1", "right", "empty", "failed"),
        [
            (
                row.set,
                row.lang,
                row.method,
                str(row.n),
                *_f1_cells(row),
                _share(row.page_f1),
                _share(row.right),
                str(row.empty),
                str(row.failed),
            )
            for row in ordered
        ],
        words=3,
    )


def _snippet_table(rows: Sequence[SnippetRow]) -> Table:
    ordered = sorted(rows, key=lambda row: (row.set, row.lang != ALL, row.lang, -row.f1))
    return table(
        "Snippets that must, and must not, appear",
        ("set", "lang", "method", "pages", "snippets", "P", "R", "F1", "interval", "by", "accuracy", "empty", "failed"),
        [
            (
                row.set,
                row.lang,
                row.method,
                str(row.n),
                str(row.snippets),
                *_f1_cells(row),
                _share(row.accuracy),
                str(row.empty),
                str(row.failed),
            )
            for row in ordered
        ],
        words=3,
    )


def _block_table(rows: Sequence[BlockRow]) -> Table:
    return table(
        "Blocks by class, weighted by characters, mean over pages",
        ("set", "class", "method", "n", "P", "R", "F1", "interval", "by", "page F1"),
        [
            (
                row.set,
                row.label,
                row.method,
                str(row.n),
                *_f1_cells(row),
                _share(row.page_f1),
            )
            for row in sorted(rows, key=lambda row: (row.set, row.label, -row.f1))
        ],
        words=3,
    )


def _f1_cells(row: TextRow | SnippetRow | BlockRow) -> tuple[str, str, str, str, str]:
    """Return precision, recall, F1, its interval and what the interval was drawn by."""
    spread = _spread(row.f1_low, row.f1_high)
    return _share(row.precision), _share(row.recall), _share(row.f1), spread, row.unit


def _type_table(rows: Sequence[TypeRow]) -> Table:
    return table(
        "Page types",
        ("among", "type", "method", "n", "P", "R", "F1"),
        [
            (row.among, row.type, row.method, str(row.n), _share(row.precision), _share(row.recall), _share(row.f1))
            for row in sorted(rows, key=lambda row: (row.among, row.type, -row.f1))
        ],
        words=3,
    )


def _cost_table(rows: Sequence[CostRow]) -> Table:
    return table(
        "Cost: processor time a page and over lxml's parse of it (medians), peak memory of the method's process",
        ("method", "pages", "ms", "× lxml", "pages ≥ 20 kB", "ms", "× lxml", "peak MB", "failed"),
        [
            (
                row.method,
                str(row.pages),
                f"{row.ms:.2f}",
                f"{row.ratio:.1f}",
                str(row.big_pages),
                f"{row.big_ms:.2f}",
                f"{row.big_ratio:.1f}",
                f"{row.peak_mb:.0f}",
                str(row.failed),
            )
            for row in sorted(rows, key=lambda row: row.big_ratio)
        ],
    )


def _failure_table(failures: dict[str, dict[str, int]]) -> Table:
    rows = [(method, error, str(n)) for method, errors in failures.items() for error, n in errors.items()]
    return table("Pages that failed, counted as empty", ("method", "error", "pages"), rows, words=2)


def _share(value: float) -> str:
    return f"{value:.3f}"


def _spread(low: float, high: float) -> str:
    return f"{low:.3f}–{high:.3f}"
