"""Algorithm 2: five labelled pages made a training set, round by round, by KNNLP, LP and LNP (fig. 6).

The paper: 44 labelled blocks, 25 unlabelled ones a round, 53 rounds, 1,369 blocks at a mean precision of 0.87.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from lab.charts import Curve, chart
from lab.experiments import published
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.paper_blocks import (
    EQ5,
    LABELLED_PAGES,
    OTHER,
    RELATED,
    SETS,
    VECTORS,
    WIDE,
    labels_of,
    paper_pages,
    samples_of,
    split,
    spread_of,
)
from lab.learn.label_propagation import KNNLP
from lab.learn.propagation import LNP, LP
from lab.learn.user import extend_training_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lab.experiments.base import Cell, Options
    from lab.experiments.paper_blocks import PaperPage
    from lab.learn.user import Propagation

DRAWS: Final = 20
PAPER_BLOCKS_PAGES: Final = 8
"""Pages of ``gne`` that hold the paper's 44 labelled blocks: they have fewer blocks than its portals."""
MAX_UNLABELLED: Final = 150
ESTIMATORS: Final[dict[str, Callable[[], Propagation]]] = {
    "KNNLP": KNNLP,
    "LP": LP,
    "LNP": LNP,
    "LNP, α = 0.5": lambda: LNP(alpha=0.5),
}
BASELINE: Final = "always other"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """One method on one draw."""

    n_labelled: int
    """Blocks of the labelled pages."""
    n_blocks: int
    """Blocks labelled from them."""
    by_round: tuple[float, ...]
    """Share of right labels among all that were added so far."""
    related_f1: float

    @property
    def precision(self) -> float:
        return self.by_round[-1]


def run(options: Options) -> ExperimentResult:
    pages = paper_pages(options)
    rows: list[tuple[Cell, ...]] = []
    curves: list[Curve] = []
    gne = ("gne",)
    for name, sets, n in (
        ("gne and l3s", SETS, LABELLED_PAGES),
        ("gne", gne, LABELLED_PAGES),
        ("gne", gne, PAPER_BLOCKS_PAGES),
    ):
        chosen = [page for page in pages if page.page.set in sets]
        for kind in (*VECTORS, WIDE):
            found = _draws(chosen, kind, n, options)
            rows += [(name, kind, method, n, *_cells(method, kind, outcomes)) for method, outcomes in found.items()]
            if not curves:
                curves = [_curve(method, outcomes) for method, outcomes in found.items()]
    table = ResultTable(
        title=f"Blocks of other sites labelled from a few pages, {DRAWS} draws",
        columns=(
            "pages",
            "vector",
            "method",
            "labelled pages",
            "labelled blocks",
            "blocks",
            "P",
            "95 %",
            "F1 related links",
            "P published",
        ),
        rows=tuple(rows),
        note=(
            "P: share of right labels among the blocks added. The paper's pages are of more than ten Chinese portals; "
            "ours of 15 Chinese sites (gne) and 168 English ones of 2008 (l3s), where related links are rare. Its five "
            "pages hold 44 blocks, five of gne 27: eight pages hold as many."
        ),
    )
    return ExperimentResult(
        title="Extension of the training set",
        source="Zhang, Cao, Li (2015), §5.3.2, fig. 6",
        tables=(table,),
        pages=tuple(page.page for page in pages),
        figures={
            "": chart(
                "Mean precision after n rounds (fig. 6), gne and l3s, vectors of eq. 5",
                curves,
                x_label="rounds",
                y_label="P",
            )
        },
    )


def _draws(pages: Sequence[PaperPage], kind: str, n_labelled: int, options: Options) -> dict[str, list[_Outcome]]:
    found: dict[str, list[_Outcome]] = {name: [] for name in (*ESTIMATORS, BASELINE)}
    for seed in range(options.seed, options.seed + DRAWS):
        drawn = split(pages, seed=seed, n_unlabelled=MAX_UNLABELLED, n_labelled=n_labelled)
        known, given = samples_of(drawn.labelled, kind), labels_of(drawn.labelled)
        rest, truth = samples_of(drawn.unlabelled, kind), labels_of(drawn.unlabelled)
        for name, make in ESTIMATORS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                extended = extend_training_set(known, given, rest, make=make)
            ends = [end - len(given) for end in extended.batch_ends]
            found[name].append(_outcome(len(given), extended.labels[len(given) :], truth, ends))
        found[BASELINE].append(_outcome(len(given), np.full(len(truth), OTHER), truth, [len(truth)]))
        options.advance()
    return found


def _outcome(n_labelled: int, labels: np.ndarray, truth: np.ndarray, ends: Sequence[int]) -> _Outcome:
    right = np.cumsum(labels == truth)
    both = int(((labels == RELATED) & (truth == RELATED)).sum())
    whole = int((labels == RELATED).sum() + (truth == RELATED).sum())
    return _Outcome(
        n_labelled=n_labelled,
        n_blocks=len(truth),
        by_round=tuple(float(right[end - 1] / end) for end in ends),
        related_f1=2 * both / whole if whole else 0.0,
    )


def _cells(method: str, kind: str, outcomes: Sequence[_Outcome]) -> tuple[Cell, ...]:
    precisions = [outcome.precision for outcome in outcomes]
    return (
        round(float(np.mean([outcome.n_labelled for outcome in outcomes]))),
        round(float(np.mean([outcome.n_blocks for outcome in outcomes]))),
        float(np.mean(precisions)),
        spread_of(precisions),
        float(np.mean([outcome.related_f1 for outcome in outcomes])),
        published.KNNLP_PRECISION if (method, kind) == ("KNNLP", EQ5) else None,
    )


def _curve(method: str, outcomes: Sequence[_Outcome]) -> Curve:
    """Return the mean over the draws that have so many rounds, at least half of them."""
    if method == BASELINE:
        longest = float(max(len(outcome.by_round) for outcome in outcomes))
        level = float(np.mean([outcome.precision for outcome in outcomes]))
        return Curve(label=method, points=((1.0, level), (max(longest, 20.0), level)))
    points = []
    for number in range(max(len(outcome.by_round) for outcome in outcomes)):
        values = [outcome.by_round[number] for outcome in outcomes if number < len(outcome.by_round)]
        if 2 * len(values) >= len(outcomes):
            points.append((float(number + 1), float(np.mean(values))))
    return Curve(label=method, points=tuple(points))
