"""Metrics of extracted text.

The main figure is ``f1`` of :func:`summarise`: the F1 of mean precision and mean recall over pages, on 4-gram
shingles, as in Scrapinghub's article-extraction-benchmark (only the tokens differ: a character each for scripts
written without spaces, and width and case folded). ``page_f1``, the mean of the pages' own F1, stands beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.languages.characters import SOFT_HYPHEN
from newscrawl.languages.text import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SHINGLE: Final = 4
RIGHT_F1: Final = 0.9
"""A page is right when its own F1 is at least this."""

_SINGLE: Final = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3005\u3007"  # ideographs
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e4e\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f"  # Thai, Burmese
)
_TOKEN: Final = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+")

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


def lower(text: str) -> str:
    """Return ``text`` in NFKC and lower case, soft hyphens left out.

    >>> lower("ＡＢＣ１２，")
    'abc12,'
    """
    return unicodedata.normalize("NFKC", text.replace(SOFT_HYPHEN, "")).lower()


def tokens(text: str) -> list[str]:
    """Return the tokens: characters of scripts written without spaces, runs of letters and digits in others.

    >>> tokens("昨日WHO宣布，COVID-19…")
    ['昨', '日', 'who', '宣', '布', 'covid', '19']
    """
    return _TOKEN.findall(lower(text))


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
