"""The HTML report of an evaluation: one file, everything escaped, with the worst pages of each method."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader

from lab.evaluation.diff import Piece, diff
from lab.evaluation.leniency import expect
from lab.pictures import as_file
from newscrawl.serve.reports.charts import Bar, bars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lab.evaluation.score import Evaluation, PageScore
    from newscrawl.serve.reports.charts import Drawing

WORST: Final = 10
WEAK_SETS: Final = frozenset({"readability", "newspaper4k", "llmwebkit"})
"""Sets whose gold is another program's output: not shown among the worst pages."""
_HISTOGRAM_BINS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPage:
    name: str
    lang: str
    site: str
    precision: float
    recall: float
    f1: float
    error: str
    pieces: list[Piece]


def render(evaluation: Evaluation, figures: dict[str, Any], scores: Sequence[PageScore]) -> str:
    """Return the report as HTML; every text of a page is escaped by the template.

    It quotes the pages: it belongs in a private folder such as ``build/``.
    """
    environment = Environment(loader=PackageLoader("lab.evaluation", "."), autoescape=True)
    methods = [row.method for row in evaluation.costs]
    return environment.get_template("report.html.jinja").render(
        figures=figures,
        plots=[as_file(plot) for plot in _plots(evaluation, scores)],
        tables=[(title, [asdict(row) for row in rows]) for title, rows in _tables(evaluation) if rows],
        worst=[(method, list(_worst(method, scores))) for method in methods],
    )


def _tables(evaluation: Evaluation) -> list[tuple[str, Sequence[Any]]]:
    return [
        ("Text", evaluation.texts),
        ("Snippets", evaluation.snippets),
        ("Blocks", evaluation.blocks),
        ("Page types", evaluation.types),
        ("Cost", evaluation.costs),
    ]


def _plots(evaluation: Evaluation, scores: Sequence[PageScore]) -> Iterator[Drawing]:
    for name in dict.fromkeys(row.set for row in evaluation.texts):
        rows = [row for row in evaluation.texts if row.set == name and row.lang == "all"]
        best = sorted(rows, key=lambda row: -row.f1)
        yield bars(
            f"{name}: F1 of {rows[0].n} pages",
            [Bar(label=row.method, value=row.f1, low=row.f1_low, high=row.f1_high) for row in best],
            top=1.0,
        )
    costs = sorted(evaluation.costs, key=lambda row: row.big_ratio)
    yield bars(
        "Cost over lxml's parse, pages ≥ 20 kB", [Bar(label=row.method, value=row.big_ratio) for row in costs], digits=1
    )
    yield bars("Peak memory, MB", [Bar(label=row.method, value=row.peak_mb) for row in costs], digits=0)
    for row in costs:
        yield _histogram(row.method, [score.text.f1 for score in scores if score.method == row.method and score.text])


def _histogram(method: str, values: Sequence[float]) -> Drawing:
    counts = [0] * _HISTOGRAM_BINS
    for value in values:
        counts[min(int(value * _HISTOGRAM_BINS), _HISTOGRAM_BINS - 1)] += 1
    rows = [
        Bar(label=f"{place / _HISTOGRAM_BINS:.1f}–{(place + 1) / _HISTOGRAM_BINS:.1f}", value=count)
        for place, count in enumerate(counts)
    ]
    return bars(f"{method}: pages by their own F1", rows, digits=0)


def _worst(method: str, scores: Sequence[PageScore]) -> Iterator[WorstPage]:
    judged = [
        (score.text.f1, score)
        for score in scores
        if score.method == method and score.text is not None and score.page.set not in WEAK_SETS
    ]
    judged.sort(key=lambda pair: pair[0])
    for f1, score in judged[:WORST]:
        expected = expect(score.page, score.page.read())
        yield WorstPage(
            name=f"{score.page.set}/{score.page.id}",
            lang=score.page.lang,
            site=score.page.site or "",
            precision=(score.text.precision if score.text else None) or 0.0,
            recall=(score.text.recall if score.text else None) or 0.0,
            f1=f1,
            error=score.answer.error or "",
            pieces=diff(expected.text, expected.comparable(score.answer.text)),
        )
