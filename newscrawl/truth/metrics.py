"""Metrics of extracted text.

The main figure is ``f1`` of :func:`summarise`: the F1 of mean precision and mean recall over pages, on 4-gram
shingles, as in Scrapinghub's article-extraction-benchmark (only the tokens differ: a character each for scripts
written without spaces, and width and case folded). ``page_f1``, the mean of the pages' own F1, stands beside it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.truth.tokens import comparable, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """Of the two means: the main figure."""
    page_f1: float
    """Mean of the pages' own F1; an empty output counts 0."""
    right: float
    """Share of pages with a page F1 of at least ``RIGHT_F1``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetScore:
    """Counts over the snippets of one page, or of many."""

    found: int = 0
    """Snippets of ``with`` that occur in the output: true positives."""
    missing: int = 0
    wrong: int = 0
    """Snippets of ``without`` that occur in the output: false positives."""
    absent: int = 0

    @property
    def precision(self) -> float:
        """0.0 where no snippet was found at all."""
        return _ratio(self.found, self.found + self.wrong)

    @property
    def recall(self) -> float:
        return _ratio(self.found, self.found + self.missing)

    @property
    def f1(self) -> float:
        return harmonic(self.precision, self.recall)

    @property
    def accuracy(self) -> float:
        """Share of snippets treated as they should be."""
        return _ratio(self.found + self.absent, self.found + self.missing + self.wrong + self.absent)


def shingles(words: Sequence[str], n: int = SHINGLE) -> Shingles:
    """Return the multiset of ``n``-grams; of a shorter, non-empty text the one gram of all its words.

    >>> sorted(shingles(["a", "b"]).items())
    [(('a', 'b'), 1)]
    """
    if not words:
        return Counter()
    return Counter(tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1)))


def text_score(gold: str, output: str, *, neutral: Iterable[str] = ()) -> TextScore:
    """Score ``output`` against ``gold`` on the multiset of 4-grams.

    :param neutral: texts that may stand in the output or not: their shingles, where the gold has none left to
        match, are not counted as wrong.
    """
    return shingle_score(shingles(tokens(gold)), shingles(tokens(output)), _neutral(neutral))


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


def snippet_score(must_have: Sequence[str], must_not_have: Sequence[str], output: str) -> SnippetScore:
    """Look for each snippet in ``output``; white space, width and case never count."""
    text = comparable(output)
    found = sum(comparable(snippet) in text for snippet in must_have)
    wrong = sum(comparable(snippet) in text for snippet in must_not_have)
    return SnippetScore(found=found, missing=len(must_have) - found, wrong=wrong, absent=len(must_not_have) - wrong)


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


def total(scores: Iterable[SnippetScore]) -> SnippetScore:
    """Return the counts of all pages together, as Trafilatura's evaluation counts them."""
    found = missing = wrong = absent = 0
    for score in scores:
        found += score.found
        missing += score.missing
        wrong += score.wrong
        absent += score.absent
    return SnippetScore(found=found, missing=missing, wrong=wrong, absent=absent)


def harmonic(precision: float, recall: float) -> float:
    """Return F1; 0.0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _neutral(texts: Iterable[str]) -> Shingles:
    counts: Shingles = Counter()
    for text in texts:
        counts.update(shingles(tokens(text)))
    return counts


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
