"""Bootstrap intervals: sites, or pages, drawn with replacement.

Pages of one site share a template, so errors come in sites: where a sample has ``MIN_SITES`` sites or more, whole
sites are drawn, else pages are. The result names the unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MIN_SITES: Final = 8
"""With fewer sites, intervals over sites say nothing."""
ROUNDS: Final = 1000
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    low: float
    high: float
    unit: str
    """What was drawn: ``"site"`` or ``"page"``."""


def interval(
    rows: Sequence[Sequence[float]],
    groups: Sequence[str],
    statistic: Callable[[Floats], Floats],
    *,
    seed: int,
    rounds: int = ROUNDS,
) -> Interval:
    """Return the central 95 % of ``statistic`` over resampled sums of ``rows``.

    :param rows: ``(n_pages, n_columns)``; sums are taken down the columns.
    :param groups: the site of each page.
    :param statistic: from sums of shape ``(rounds, n_columns)`` to values of shape ``(rounds,)``.
    """
    table = np.asarray(rows, dtype=np.float64)
    if not len(table):
        return Interval(low=0.0, high=0.0, unit="page")
    names = sorted(set(groups))
    by_site = len(names) >= MIN_SITES
    if by_site:
        index = {name: i for i, name in enumerate(names)}
        sums = np.zeros((len(names), table.shape[1]))
        np.add.at(sums, [index[group] for group in groups], table)
        table = sums
    draws = np.random.default_rng(seed).multinomial(len(table), np.full(len(table), 1 / len(table)), size=rounds)
    values = statistic(draws @ table)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high), unit="site" if by_site else "page")


class Scored(Protocol):
    """Precision and recall of one page; None where they are not defined."""

    @property
    def precision(self) -> float | None: ...
    @property
    def recall(self) -> float | None: ...


def means_row(score: Scored) -> tuple[float, float, float, float]:
    """Return the row of :func:`interval` from which :func:`f1_of_means` is computed."""
    precision, recall = score.precision, score.recall
    return precision or 0.0, float(precision is not None), recall or 0.0, float(recall is not None)


def f1_of_means(sums: Floats) -> Floats:
    """From sums of (precision, has precision, recall, has recall) to the F1 of the means."""
    precision = _divide(sums[:, 0], sums[:, 1])
    recall = _divide(sums[:, 2], sums[:, 3])
    return _divide(2 * precision * recall, precision + recall)


def mean(sums: Floats) -> Floats:
    """From sums of (value, 1) to the mean."""
    return _divide(sums[:, 0], sums[:, 1])


def f1_of_counts(sums: Floats) -> Floats:
    """From sums of (true positives, false positives, false negatives) to F1."""
    return _divide(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])


def _divide(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
