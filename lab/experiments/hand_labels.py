"""Pages labelled by hand, line by line, beside what the makers of the sets labelled: how far two readers agree.

    scrapy experiment hand_labels [--json]

An extractor that chose every line as our annotators did would have these scores: what is above them is a set's own
taste, and its mistakes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.evaluation.corpus import load_all
from lab.evaluation.hand_labels import hand_label
from lab.evaluation.leniency import expect
from lab.experiments.base import ExperimentResult, ResultTable, is_labelled, spread
from lab.training.news_gold import line_gold
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features
from newscrawl.serve.training.metrics import interval, mean, summarise, text_score

if TYPE_CHECKING:
    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell, Options
    from newscrawl.serve.training.metrics import TextScore

Scored = list[tuple["CorpusPage", "TextScore"]]


def run(options: Options) -> ExperimentResult:
    """Score our labels against the gold text of each set that has one."""
    scored: Scored = []
    for page in load_all(options.corpus, limit=options.limit):
        if hand_label(page) is not None and is_labelled(page):
            scored.append((page, _score(page)))
            options.advance()
    names = dict.fromkeys((page.corpus, page.set) for page, _ in scored)
    rows = (
        _row(corpus, name, [one for one in scored if (one[0].corpus, one[0].set) == (corpus, name)], options.seed)
        for corpus, name in names
    )
    table = ResultTable(
        title="hand labels against gold text",
        columns=("corpus", "set", "pages", "F1", "95 %", "precision", "recall"),
        rows=tuple(rows),
        note="4-grams, means over pages; intervals by bootstrap over sites.",
    )
    return ExperimentResult(
        title="Labels by hand", source="labels of the corpus", tables=(table,), pages=tuple(page for page, _ in scored)
    )


def _score(page: CorpusPage) -> TextScore:
    lines = line_features(Document.from_html(page.read(), page.url)).lines
    texts = lines.texts(range(len(lines)))
    gold, expected = line_gold(page, texts), expect(page, page.read())
    chosen = [text for text, is_body in zip(texts, gold.is_body.tolist(), strict=True) if is_body] if gold else []
    return text_score(expected.text, expected.comparable("\n".join(chosen)), neutral=expected.neutral)


def _row(corpus: str, name: str, scored: Scored, seed: int) -> tuple[Cell, ...]:
    summary = summarise([score for _, score in scored])
    values = [(score.f1, 1.0) for _, score in scored]
    bounds = interval(values, [page.group for page, _ in scored], mean, seed=seed)
    return corpus, name, len(scored), summary.f1, spread(bounds, signed=False), summary.precision, summary.recall
