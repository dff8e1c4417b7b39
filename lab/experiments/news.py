"""The news extractor on sites it was not trained on, beside the rules and the best of the other tools.

A page of a training set is judged by the model that was trained without its site. The figures of the rules and of the
other tools are those of ``data/results``, where they are on the same pages.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.evaluation.corpus import corpora, load_all
from lab.evaluation.harness import Harness
from lab.evaluation.score import ALL, Evaluation, Scorer
from lab.experiments.base import ExperimentResult, ResultTable
from newscrawl.serve.training.metrics import summarise, word_f1

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lab.evaluation.score import PageScore, SnippetRow, TextRow
    from lab.experiments.base import Cell, Options
    from newscrawl.serve.training.metrics import TextScore

TRAINED_SETS: Final = ("fundus", "daniel", "zhwced", "cx163", "gne", "andy", "wcxb", "trafilatura")
UNSEEN_SETS: Final = ("l3s", "dragnet", "cleaneval", "cleanportal")
TARGETS: Final = {
    ("fundus", ALL): 0.975,
    ("daniel", ALL): 0.97,
    ("daniel", "zh"): 0.98,
    ("zhwced", ALL): 0.985,
    ("cx163", ALL): 0.985,
    ("gne", ALL): 0.965,
    ("wcxb", ALL): 0.8,
    ("trafilatura", ALL): 0.93,
    ("l3s", ALL): 0.965,
    ("dragnet", ALL): 0.94,
    ("cleaneval", ALL): 0.91,
    ("cleanportal", ALL): 0.86,
}
"""What was asked for, by set and language; F1 of snippets for ``trafilatura``, of 4-grams for all others."""
SECOND_TARGETS: Final = {
    ("andy", ALL): 0.97,
    ("wcxb", ALL): 0.94,
    ("daniel", ALL): 0.96,
    ("fundus", ALL): 0.98,
    ("l3s", ALL): 0.982,
    ("dragnet", ALL): 0.93,
    ("cleaneval", ALL): 0.92,
}
"""F1 asked on the sets of the second corpus."""
TYPED_SET: Final = "wcxb"
METHOD: Final = "news"
RESULTS: Final = Path("data") / "results"
REPEATS: Final = 1
CONFIDENCES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)


def run(options: Options) -> ExperimentResult:
    pages = load_all(options.corpus, (*TRAINED_SETS, *UNSEEN_SETS), limit=options.limit)
    scorer = Scorer()
    found = Harness(repeats=REPEATS, on_page=lambda *_: options.advance()).run(METHOD, pages)
    scores = scorer.scores(found, pages)
    tables = []
    for corpus, targets in zip(corpora(options.corpus), (TARGETS, SECOND_TARGETS), strict=False):
        evaluation = Evaluation()
        chosen = [place for place, page in enumerate(pages) if page.corpus == corpus.name]
        run_of_corpus = replace(found, answers=tuple(found.answers[place] for place in chosen))
        evaluation.add(run_of_corpus, [scores[place] for place in chosen], seed=options.seed)
        tables.append(_texts(evaluation, corpus.name, targets))
        tables.append(_costs(evaluation, corpus.name))
    return ExperimentResult(
        title="Text of articles on unseen sites",
        source="DESIGN §3.6, §9",
        tables=(*tables, _types(scores), _confidences(scores)),
        pages=pages,
    )


def _texts(evaluation: Evaluation, corpus: str, targets: Mapping[tuple[str, str], float]) -> ResultTable:
    found: list[TextRow | SnippetRow] = [*evaluation.texts, *evaluation.snippets]
    rows = {(row.set, row.lang): row for row in found if _is_main(row)}
    rules = _best(RESULTS / "methods.json", ("rules",))
    peers = _best(RESULTS / "peers.json", ())
    cells: list[tuple[Cell, ...]] = []
    for name in (*TRAINED_SETS, *UNSEEN_SETS):
        for (of_set, lang), row in rows.items():
            if of_set != name:
                continue
            ruled, peer = (kept.get((of_set, lang, row.n), (None, None)) for kept in (rules, peers))
            spread = f"{row.f1_low:.3f} … {row.f1_high:.3f}"
            asked = targets.get((of_set, lang))
            cells.append((of_set, lang, row.n, row.precision, row.recall, row.f1, spread, asked, ruled[0], *peer))
    return ResultTable(
        title=f"{corpus}: F1 of 4-grams; of snippets for trafilatura",
        columns=("set", "language", "n", "P", "R", "F1", "95 %", "asked", "F1 of rules", "best other", "its name"),
        rows=tuple(cells),
        note=f"{', '.join(UNSEEN_SETS)} were never trained on. The rules were written while looking at the other sets.",
    )


def _is_main(row: TextRow | SnippetRow) -> bool:
    """Snippets count where there is no full text."""
    return hasattr(row, "accuracy") == (row.set == "trafilatura")


def _best(path: Path, methods: Sequence[str]) -> dict[tuple[str, str, int], tuple[float, str]]:
    """Return the best F1 and its method by set, language and number of pages; nothing where there is no such file."""
    if not path.is_file():
        return {}
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    best: dict[tuple[str, str, int], tuple[float, str]] = {}
    for row in [*figures["texts"], *(row for row in figures["snippets"] if row["set"] == "trafilatura")]:
        if not methods or row["method"] in methods:
            key = row["set"], row["lang"], row["n"]
            best[key] = max(best.get(key, (0.0, "")), (row["f1"], row["method"].removeprefix("peer:")))
    return best


def _costs(evaluation: Evaluation, corpus: str) -> ResultTable:
    return ResultTable(
        title=f"{corpus}: processor time, bytes to text, over lxml's parse of the page",
        columns=("method", "pages", "× parse", "ms", "pages of 20 kB and more", "× parse", "ms", "failed"),
        rows=tuple(
            (row.method, row.pages, row.ratio, row.ms, row.big_pages, row.big_ratio, row.big_ms, row.failed)
            for row in evaluation.costs
        ),
        note="Medians over pages.",
    )


def _types(scores: Sequence[PageScore]) -> ResultTable:
    """Return the figures of the set whose pages are of every type, by type; others publish the F1 of words."""
    by_type: dict[str, list[tuple[TextScore, float]]] = {}
    for score in scores:
        if score.page.set == TYPED_SET and score.text is not None:
            of_words = word_f1(score.page.gold.text or "", score.answer.text)
            by_type.setdefault(score.page.page_type or "unknown", []).append((score.text, of_words))
    rows = []
    for name, found in sorted(by_type.items(), key=lambda item: -len(item[1])):
        row = summarise([text for text, _ in found])
        rows.append((name, row.n, row.precision, row.recall, row.f1, sum(words for _, words in found) / row.n))
    return ResultTable(
        title=f"{TYPED_SET} of both corpora, by type of page",
        columns=("type", "n", "P", "R", "F1", "F1 of words"),
        rows=tuple(rows),
        note="F1 of words: of the multisets of words of each page, mean over pages.",
    )


def _confidences(scores: Sequence[PageScore]) -> ResultTable:
    pairs = np.array([(score.answer.confidence, score.text.f1) for score in scores if score.text is not None])
    rows: list[tuple[Cell, ...]] = []
    for low, high in itertools.pairwise(CONFIDENCES):
        inside = pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)] if len(pairs) else pairs
        if len(inside):
            rows.append(
                (
                    f"{low:.2f} … {min(high, 1.0):.2f}",
                    len(inside),
                    float(inside[:, 0].mean()),
                    float(inside[:, 1].mean()),
                )
            )
    return ResultTable(
        title="Confidence of news beside the F1 it had",
        columns=("confidence", "pages", "mean confidence", "mean F1"),
        rows=tuple(rows),
    )
