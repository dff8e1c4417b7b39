"""Scores of snippets that must, and must not, stand in a text, as in Trafilatura's evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.serve.training.metrics import comparable, harmonic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def snippet_score(must_have: Sequence[str], must_not_have: Sequence[str], output: str) -> SnippetScore:
    """Look for each snippet in ``output``; white space, width and case never count."""
    text = comparable(output)
    found = sum(comparable(snippet) in text for snippet in must_have)
    wrong = sum(comparable(snippet) in text for snippet in must_not_have)
    return SnippetScore(found=found, missing=len(must_have) - found, wrong=wrong, absent=len(must_not_have) - wrong)


def total(scores: Iterable[SnippetScore]) -> SnippetScore:
    """Return the counts of all pages together, as Trafilatura's evaluation counts them."""
    found = missing = wrong = absent = 0
    for score in scores:
        found += score.found
        missing += score.missing
        wrong += score.wrong
        absent += score.absent
    return SnippetScore(found=found, missing=missing, wrong=wrong, absent=absent)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
