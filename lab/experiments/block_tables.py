"""Main text blocks and related link blocks by six methods, from five labelled pages (tables 4 and 5).

Chinese news: five pages of ``gne`` are labelled, a hundred of other sets are not, and the rest is tested: main text on
all of them, related links on those of ``gne``, the only Chinese pages where they are labelled.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from lab.charts import Curve, chart
from lab.experiments import published
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.paper_blocks import (
    CSS,
    EQ5,
    LABELLED_PAGES,
    MAIN,
    OTHER,
    RELATED,
    VECTORS,
    WIDE,
    Split,
    body_pages,
    labels_of,
    paper_pages,
    samples_of,
    split,
    spread_of,
)
from lab.learn.baselines import KNN, SelfTrainingSVM, TransductiveSVM
from lab.learn.label_propagation import KNNLP
from lab.learn.propagation import LNP, LP
from lab.learn.two_steps import SVM
from lab.learn.user import extend_training_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lab.experiments.base import Cell, Options
    from lab.experiments.paper_blocks import PaperPage
    from lab.experiments.published import Score
    from lab.learn.user import Propagation
    from newscrawl.serve.reports.charts import Drawing

DRAWS: Final = 20
SIZES: Final = (10, 20, 30, 50, 100, 120, 150, 200, 250)
UNLABELLED: Final = 100
"""Pages; the paper adds 1,325 blocks, about 150 pages."""
PROPAGATIONS: Final[Mapping[str, Callable[[], Propagation]]] = {
    "KNNLP+SVM": KNNLP,
    "LNP+SVM": LNP,
    "LNP (α = 0.5)+SVM": lambda: LNP(alpha=0.5),
    "LP+SVM": LP,
}

WEIGHTED: Final = "KNNLP+SVM, classes weighted"
"""Ours: each class has the same weight in the SVM, however few of the blocks are in it."""

Machine = SVM | KNN | SelfTrainingSVM | TransductiveSVM
Scores = dict[tuple[str, str, int, int], list[tuple[float, float, float]]]
"""(vector, method, class, N) → precision, recall, F1 of each draw."""


def run(options: Options) -> ExperimentResult:
    three, body = paper_pages(options, ["gne"]), body_pages(options)
    found: Scores = {}
    for seed in range(options.seed, options.seed + DRAWS):
        drawn = _draw(three, body, seed)
        gne = [page for page in drawn.tested if page.page.set == "gne"]
        for kind in VECTORS:
            machines = _machines(drawn, kind)
            _score(drawn.tested, machines, kind, MAIN, found)
            _score(gne, machines, kind, RELATED, found)
        options.advance()
    return ExperimentResult(
        title="Blocks by six methods",
        source="Zhang, Cao, Li (2015), §5.3.3, tables 4 and 5",
        tables=(
            _table("Table 4, main text blocks", found, MAIN, published.MAIN_TEXT_BLOCKS),
            _table("Table 5, related link blocks", found, RELATED, published.RELATED_LINK_BLOCKS),
            _ceiling(three),
        ),
        pages=tuple(page.page for page in (*three, *body)),
        figures={
            "main": _figure("F1@N of main text blocks (table 4), own CSS", found, MAIN),
            "related": _figure("F1@N of related link blocks (table 5), own CSS", found, RELATED),
        },
    )


def _draw(three: Sequence[PaperPage], body: Sequence[PaperPage], seed: int) -> Split:
    """Draw labelled pages from ``three``, unlabelled ones from ``body``; test the pages of all other sites."""
    first = split(three, seed=seed, n_unlabelled=0)
    labelled = {page.page.group for page in first.labelled}
    random = np.random.default_rng(seed)
    names = sorted({page.page.group for page in body} - labelled)
    by_site = {
        names[place]: [page for page in body if page.page.group == names[place]]
        for place in random.permutation(len(names)).tolist()
    }
    unlabelled: list[PaperPage] = []
    tested = list(first.tested)
    for site, pages in by_site.items():
        n_left = min(UNLABELLED, len(body) // 2) - len(unlabelled)
        if n_left > 0:
            unlabelled += pages[:n_left]
            tested = [page for page in tested if page.page.group != site]
        else:
            tested += pages
    mixed = random.permutation(len(tested)).tolist()
    return Split(labelled=first.labelled, unlabelled=tuple(unlabelled), tested=tuple(tested[place] for place in mixed))


def _machines(drawn: Split, kind: str) -> dict[str, Machine | None]:
    """Return the trained classifier of each method; None for CETD-DS, which needs no training."""
    known, given = samples_of(drawn.labelled, kind), labels_of(drawn.labelled)
    rest = samples_of(drawn.unlabelled, kind)
    machines: dict[str, Machine | None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, make in PROPAGATIONS.items():
            extended = extend_training_set(known, given, rest, make=make)
            machines[name] = SVM().fit(extended.samples, extended.labels)
            if make is KNNLP:
                machines[WEIGHTED] = SVM(class_weight="balanced").fit(extended.samples, extended.labels)
    both, partly = np.concatenate((known, rest)), np.concatenate((given, np.full(len(rest), -1)))
    machines["S3VM"] = TransductiveSVM().fit(both, partly)
    machines["self-training SVM"] = SelfTrainingSVM().fit(both, partly)
    machines["KNN"] = KNN().fit(known, given)
    machines["CETD-DS"] = None
    return machines


def _score(
    pages: Sequence[PaperPage], machines: Mapping[str, Machine | None], kind: str, code: int, found: Scores
) -> None:
    for method, machine in machines.items():
        if machine is None and (code != MAIN or kind != EQ5):
            continue
        labels = [page.cetd if machine is None else machine.predict(page.samples(kind)) for page in pages]
        for size in SIZES:
            if size <= len(pages):
                given = np.concatenate(labels[:size])
                scores = _prf(given == code, labels_of(pages[:size]) == code)
                found.setdefault((kind, method, code, size), []).append(scores)


def _prf(output: np.ndarray, gold: np.ndarray) -> tuple[float, float, float]:
    both, n_output, n_gold = int((output & gold).sum()), int(output.sum()), int(gold.sum())
    return (
        both / n_output if n_output else 0.0,
        both / n_gold if n_gold else 0.0,
        2 * both / (n_output + n_gold) if n_output + n_gold else 0.0,
    )


def _table(title: str, found: Scores, code: int, theirs: Mapping[str, Mapping[int, Score]]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for kind, method in _methods(found, code):
        for size in SIZES:
            draws = found.get((kind, method, code, size), [])
            if 2 * len(draws) >= DRAWS:
                score = theirs.get(method, {}).get(size)
                printed = (None,) * 3 if score is None else (score.precision, score.recall, score.f1)
                means = np.mean(draws, axis=0).tolist()
                rows.append((kind, method, size, *means, spread_of([draw[2] for draw in draws]), *printed))
    return ResultTable(
        title=f"{title}, {LABELLED_PAGES} labelled pages, {DRAWS} draws",
        columns=("vector", "method", "N", "P", "R", "F1", "95 % of F1", "P published", "R published", "F1 published"),
        rows=tuple(rows),
        note=(
            "Pooled over the blocks of N tested pages; no site is both tested and trained on. Each N is of at least "
            "half of the draws. Table 5 has no KNN. LNP with its published α = 0.99 gives every block the class with "
            "most labels; α = 0.5, classes weighted and self-training are ours."
        ),
    )


def _methods(found: Scores, code: int) -> list[tuple[str, str]]:
    """Return the vectors and methods that were scored on a class, in their order."""
    return list(dict.fromkeys((kind, name) for kind, name, of_code, _ in found if of_code == code))


def _ceiling(pages: Sequence[PaperPage]) -> ResultTable:
    """Return what the vectors can tell: each site's blocks by an SVM that has seen all other sites' labels."""
    rows: list[tuple[Cell, ...]] = []
    sites = sorted({page.page.group for page in pages})
    for kind in (*VECTORS, WIDE):
        given, truth = [], []
        for site in sites:
            seen = [page for page in pages if page.page.group != site]
            left = [page for page in pages if page.page.group == site]
            machine = SVM(class_weight="balanced").fit(samples_of(seen, kind), labels_of(seen))
            given.append(machine.predict(samples_of(left, kind)))
            truth.append(labels_of(left))
        labels, gold = np.concatenate(given), np.concatenate(truth)
        f1s = [_prf(labels == code, gold == code)[2] for code in (MAIN, RELATED, OTHER)]
        rows.append((kind, len(pages), len(gold), float((labels == gold).mean()), *f1s))
    return ResultTable(
        title="What the vectors can tell: an SVM, classes weighted, with the labels of all other sites of gne",
        columns=("vector", "pages", "blocks", "blocks right", "F1 main", "F1 related", "F1 other"),
        rows=tuple(rows),
        note=(
            "Why table 5 is not reached. Eq. 5 has no measure of a link's length, and the saved pages came without "
            "their style sheets: bars of links and lists of stories look alike in it, and there are three of the "
            "former to one of the latter. Five labelled pages hold about five related blocks."
        ),
    )


def _figure(title: str, found: Scores, code: int) -> Drawing:
    curves = []
    for kind, method in _methods(found, code):
        points = tuple(
            (float(size), float(np.mean([draw[2] for draw in found[kind, method, code, size]])))
            for size in SIZES
            if 2 * len(found.get((kind, method, code, size), ())) >= DRAWS
        )
        if kind == CSS or method == "CETD-DS":
            curves.append(Curve(label=method, points=points))
    return chart(title, curves, x_label="tested pages N", y_label="F1")
