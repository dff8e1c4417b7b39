"""Line-block distribution: the improved method against the original, step by step, with the curve of a page.

The patent prints no table: it shows one page, with noise that the original keeps and the improved method drops.
Here the same comparison is made over the labelled Chinese and English news pages, and each of the patent's two
steps is switched off in turn. The curve is drawn for the page on which the improved method gains most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lab.charts import Curve, Mark, chart
from lab.evaluation.score import Scorer
from lab.experiments.base import (
    ExperimentResult,
    ResultTable,
    compare_by_set,
    document_of,
    labelled_pages,
    score_texts,
)
from newscrawl.methods.lineblock import LineBlockExtractor, OriginalLineBlockExtractor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Options
    from newscrawl.serve.reports.charts import Drawing
    from newscrawl.serve.training.metrics import TextScore

SETS: Final = ("daniel", "gne", "zhwced", "cx163", "cxhit", "l3s")
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "improved": {},
    "without the last-line check": {"check_last_line": False},
    "without the title step": {"title_share": 2.0},
}
"""Names of variants → constants. No line shares twice the title, so 2.0 switches that step off."""


def run(options: Options) -> ExperimentResult:
    pages = labelled_pages(options, SETS, ("zh", "en"))
    scorer = Scorer()
    original = _scores(OriginalLineBlockExtractor(), pages, scorer, options)
    variants = {
        name: _scores(LineBlockExtractor(**constants), pages, scorer, options) for name, constants in VARIANTS.items()
    }
    best = max(range(len(pages)), key=lambda place: variants["improved"][place].f1 - original[place].f1)
    return ExperimentResult(
        title="Line blocks, improved against original",
        source="Patent of 中山大学 (2022), figs. 2–4; cx-extractor (陈鑫)",
        tables=(_table(pages, original, variants, options.seed),),
        pages=tuple(pages),
        figures={"": _figure(pages[best])},
    )


def _scores(
    extractor: OriginalLineBlockExtractor, pages: Sequence[CorpusPage], scorer: Scorer, options: Options
) -> list[TextScore]:
    return score_texts(pages, lambda page: extractor.extract(document_of(page)).text, scorer, options)


def _table(
    pages: Sequence[CorpusPage], original: Sequence[TextScore], variants: dict[str, list[TextScore]], seed: int
) -> ResultTable:
    tables = {variant: compare_by_set(pages, original, scores, seed=seed) for variant, scores in variants.items()}
    sets = dict.fromkeys(page.set for page in pages)
    return ResultTable(
        title="4-gram precision, recall and F1 of the original and of each variant",
        columns=("set", "variant", "n", "P original", "R original", "F1 original", "P", "R", "F1", "gain in F1, 95 %"),
        rows=tuple((name, variant, *found[name]) for name in sets for variant, found in tables.items()),
        note="The patent prints no figures to compare with: it claims that noise is dropped, that is, precision.",
    )


def _figure(page: CorpusPage) -> Drawing:
    """Draw the line-block distribution of a page, as the patent's figure does. Holds lengths only, no text."""
    document = document_of(page)
    before, after = OriginalLineBlockExtractor().curve(document), LineBlockExtractor().curve(document)
    marks = (Mark(x=after.first, label="first"), Mark(x=after.last, label="last"))
    return chart(
        f"Line-block distribution of {page.set}/{page.id}",
        [
            Curve(label="original", points=tuple(enumerate(map(float, before.lengths)))),
            Curve(label="improved", points=tuple(enumerate(map(float, after.lengths)))),
        ],
        x_label="line of the page",
        y_label="characters in the block",
        marks=marks,
    )
