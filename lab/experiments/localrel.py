"""LocalRel rules with and without the context of the neighbouring text.

The source prints no table: its claim is that a block's neighbours keep short paragraphs in and lone advertisements
out. Both variants are run over the labelled Chinese and English news pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lab.evaluation.score import Scorer
from lab.experiments.base import (
    ExperimentResult,
    ResultTable,
    compare_by_set,
    document_of,
    labelled_pages,
    score_texts,
)
from newscrawl.methods.localrel import LocalRelExtractor

if TYPE_CHECKING:
    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Options

SETS: Final = ("daniel", "gne", "zhwced", "cx163", "cxhit", "l3s")


def run(options: Options) -> ExperimentResult:
    pages = labelled_pages(options, SETS, ("zh", "en"))
    scorer = Scorer()
    alone, beside = LocalRelExtractor(context=False), LocalRelExtractor()

    def text(extractor: LocalRelExtractor, page: CorpusPage) -> str:
        return extractor.extract(document_of(page)).text

    without = score_texts(pages, lambda page: text(alone, page), scorer, options)
    context = score_texts(pages, lambda page: text(beside, page), scorer, options)
    rows = compare_by_set(pages, without, context, seed=options.seed)
    table = ResultTable(
        title="4-gram precision, recall and F1 without and with context",
        columns=("set", "n", "P without", "R without", "F1 without", "P with", "R with", "F1 with", "gain in F1, 95 %"),
        rows=tuple((name, *row) for name, row in rows.items()),
        note="The source prints no figures to compare with.",
    )
    return ExperimentResult(
        title="LocalRel with and without context",
        source="提取网页主题相关内容, §3.1–3.2",
        tables=(table,),
        pages=tuple(pages),
    )
