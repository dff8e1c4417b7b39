"""Metrics of extracted text, and bootstrap intervals of them.

The main figure is ``f1`` of :func:`summarise`: the F1 of mean precision and mean recall over pages, on 4-gram
shingles, as in Scrapinghub's article-extraction-benchmark (only the tokens differ: a character each for scripts
written without spaces, and width and case folded). ``page_f1``, the mean of the pages' own F1, stands beside it.

Pages of one site share a template, so errors come in sites: where a sample has ``MIN_SITES`` sites or more, whole
sites are drawn, else pages are. The result names the unit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from newscrawl.languages.text import squeeze, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


SHINGLE: Final = 4
RIGHT_F1: Final = 0.9
"""A page is right when its own F1 is at least this."""

Shingles = Counter[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScore:
    """One page's text against its gold. ``precision`` is None where there is no output, ``recall`` where no gold."""

    precision: float | None
    recall: float | None
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSummary:
    """Means over pages; all 0.0 where there is no page."""

    n: int
    precision: float
    """Mean over pages with output."""
    recall: float
    """Mean over pages with gold text."""
    f1: float
    """F1 of the two means: the main figure."""
    page_f1: float
    """Mean of the pages' own F1; an empty output counts 0."""
    right: float
    """Share of pages with a page F1 of at least ``RIGHT_F1``."""


def comparable(text: str) -> str:
    """Return ``text`` in NFKC and lower case without white space, so that line breaks and spacing never count."""
    return squeeze(text).lower()


def word_shingles(words: Sequence[str]) -> Shingles:
    """Return the multiset of ``SHINGLE``-grams; of a shorter, non-empty text the one gram of all its words.

    >>> sorted(word_shingles(["a", "b"]).items())
    [(('a', 'b'), 1)]
    """
    if not words:
        return Counter()
    return Counter(tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1)))


def text_score(gold: str, output: str, *, neutral: Iterable[str] = ()) -> TextScore:
    """Score ``output`` against ``gold`` on the multiset of 4-grams.

    :param neutral: texts that may stand in the output or not: their shingles, where the gold has none left to
        match, are not counted as wrong.
    """
    return shingle_score(word_shingles(tokens(gold)), word_shingles(tokens(output)), _neutral(neutral))


def word_f1(gold: str, output: str) -> float:
    """Return the F1 of the multisets of words, whatever their order; two empty texts agree.

    >>> word_f1("one two two", "two one three")
    0.6666666666666666
    """
    wanted, found = (Counter[tuple[str, ...]]((word,) for word in tokens(text)) for text in (gold, output))
    return shingle_score(wanted, found, Counter()).f1


def shingle_score(gold: Mapping[tuple[str, ...], int], output: Shingles, neutral: Shingles) -> TextScore:
    """Score multisets of shingles. Two empty ones agree: F1 1.0."""
    hits = surplus = 0
    for shingle, count in output.items():
        hit = min(count, gold.get(shingle, 0))
        hits += hit
        surplus += max(0, count - hit - neutral.get(shingle, 0))
    expected = sum(gold.values())
    if not expected and not output:
        return TextScore(precision=None, recall=None, f1=1.0)
    if not hits and not surplus and output:  # nothing but neutral text: as good as no output
        return TextScore(precision=None, recall=0.0 if expected else None, f1=0.0 if expected else 1.0)
    precision = hits / (hits + surplus) if output else None
    recall = hits / expected if expected else None
    return TextScore(precision=precision, recall=recall, f1=harmonic(precision or 0.0, recall or 0.0))


def summarise(scores: Sequence[TextScore]) -> TextSummary:
    """Return the means over ``scores``."""
    precision = _mean([score.precision for score in scores if score.precision is not None])
    recall = _mean([score.recall for score in scores if score.recall is not None])
    return TextSummary(
        n=len(scores),
        precision=precision,
        recall=recall,
        f1=harmonic(precision, recall),
        page_f1=_mean([score.f1 for score in scores]),
        right=_mean([float(score.f1 >= RIGHT_F1) for score in scores]),
    )


def harmonic(precision: float, recall: float) -> float:
    """Return F1; 0.0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _neutral(texts: Iterable[str]) -> Shingles:
    counts: Shingles = Counter()
    for text in texts:
        counts.update(word_shingles(tokens(text)))
    return counts


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


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
