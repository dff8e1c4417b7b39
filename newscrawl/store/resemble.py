"""Do two texts say the same, and what changed between two? Behind every near-duplicate: SimHash only proposes.

A lightly edited copy (byline, tail line, a sentence more or less, a word changed) is contained in its original
but for a few shingles, and states the same numbers. Two bulletins made from one form (earthquakes, closing
prices, share sales) and two short news with one disclaimer are not. ``experiments/near_duplicates.py`` measures
both: of 790,653 pairs of labelled texts 3 are linked, all of them one agency report on two sites; of 8,161 pairs
of bulletins from five forms none, though SimHash alone would take 9 % of them for copies; of light edits 66 % are
found in texts under 200 characters, 82 % under 400, 90 % under 800, 95 % under 1,600, 99 % above.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from newscrawl.extract.simhash import MIN_CHARS, shingles
from newscrawl.languages.plain import normalized
from newscrawl.languages.text import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Hamming distance up to which two SimHashes make a pair worth comparing. 3 bits are found always, up to 7
#: nearly always (``band_keys``); 7 holds 96 % of light edits of texts of 200–400 characters, 3 holds 44 %.
MAX_DISTANCE = 7
#: At most this share of the shingles of one of the two texts may be missing in the other.
MAX_NEW = 0.06
#: At most this share of the longer text's shingles may be missing in the shorter: a copy may have a paragraph
#: more, but a short news that a long one quotes is no copy.
MAX_ADDED = 0.35
#: At most this share of the numbers of one of the two may be missing in the other: numbers are the news of a form.
MAX_NEW_NUMBERS = 0.2
#: Below this length texts under different headlines are different news, even equal ones: most of them, or all an
#: extractor got hold of, may be a disclaimer.
SHORT_CHARS = 400
#: Two pages that claim one canonical URL are believed when they agree this much; many sites' claims are wrong.
MAX_NEW_CANONICAL = 0.2
MAX_NEW_NUMBERS_CANONICAL = 0.5
#: Headlines are the same if they share this part of their characters' or words' shingles.
SAME_HEADLINE = 0.9

_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """Shares in 0..1; 0 everywhere for equal texts."""

    new: float  # smaller of the two shares of shingles that the other text lacks: 0 if one holds the other
    added: float  # larger of the two
    new_numbers: float  # smaller of the two shares of numbers (with repetition) that the other text lacks


def resemblance(a: str, b: str) -> Resemblance:
    """Compare two texts; symmetric. A text without letters and digits lacks everything the other has."""
    in_a, in_b = set(shingles(a).tolist()), set(shingles(b).tolist())
    only_a = len(in_a - in_b) / len(in_a) if in_a else float(bool(in_b))
    only_b = len(in_b - in_a) / len(in_b) if in_b else float(bool(in_a))
    return Resemblance(new=min(only_a, only_b), added=max(only_a, only_b), new_numbers=_new_numbers(a, b))


def _new_numbers(a: str, b: str) -> float:
    numbers_a, numbers_b = (Counter(_NUMBER.findall(normalized(text, "NFKC"))) for text in (a, b))
    if not numbers_a or not numbers_b:
        return 0.0
    only_a = (numbers_a - numbers_b).total() / numbers_a.total()
    only_b = (numbers_b - numbers_a).total() / numbers_b.total()
    return min(only_a, only_b)


def same_headline(a: str | None, b: str | None) -> bool:
    """Tell whether two headlines may stand over one text; a missing one may stand over any."""
    if not a or not b or squeeze(a) == squeeze(b):
        return True
    in_a, in_b = set(shingles(a).tolist()), set(shingles(b).tolist())
    smaller = min(len(in_a), len(in_b))
    return bool(smaller) and len(in_a & in_b) / smaller >= SAME_HEADLINE


def is_near_duplicate(a: str, b: str, headline_a: str | None = None, headline_b: str | None = None) -> bool:
    """Tell whether one text is a lightly edited copy of the other; symmetric.

    False if either has fewer than ``MIN_CHARS`` characters.
    """
    shorter = min(len(squeeze(a)), len(squeeze(b)))
    if shorter < MIN_CHARS:
        return False
    if shorter < SHORT_CHARS and not same_headline(headline_a, headline_b):
        return False
    found = resemblance(a, b)
    return found.new <= MAX_NEW and found.added <= MAX_ADDED and found.new_numbers <= MAX_NEW_NUMBERS


def is_same_document(a: str, b: str) -> bool:
    """Tell whether two texts agree enough for two pages' claim of one canonical URL to be believed."""
    found = resemblance(a, b)
    return found.new <= MAX_NEW_CANONICAL and found.new_numbers <= MAX_NEW_NUMBERS_CANONICAL


#: A comparison is quadratic in paragraphs. In a longer text, all between the equal ends is one change.
MAX_PARAGRAPHS: Final = 1_000
#: Pairs of equal paragraphs, one of each text: a comparison goes through all of them again and again.
MAX_PAIRS: Final = 10_000


def changes(before: str, after: str) -> tuple[str, ...]:
    r"""Return paragraphs that went (``"- …"``) and came (``"+ …"``), in reading order.

    >>> changes("Same.\nThree were hurt.", "Same.\nFour were hurt.\nMore soon.")
    ('- Three were hurt.', '+ Four were hurt.', '+ More soon.')
    """
    return tuple(_lines(_paragraphs(before), _paragraphs(after)))


def _paragraphs(text: str) -> list[str]:
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def _lines(old: list[str], new: list[str]) -> Iterator[str]:
    start = _n_equal(old, new)
    end = _n_equal(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    here = Counter(old)
    if max(len(old), len(new)) > MAX_PARAGRAPHS or sum(here[line] for line in new) > MAX_PAIRS:
        yield from _replaced(old, new)
        return
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from _replaced(old[i:i_end], new[j:j_end])


def _n_equal(old: list[str], new: list[str]) -> int:
    """Paragraphs that both begin with."""
    n = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        n += 1
    return n


def _replaced(old: list[str], new: list[str]) -> Iterator[str]:
    yield from (f"- {line}" for line in old)
    yield from (f"+ {line}" for line in new)
