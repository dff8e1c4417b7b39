"""Do two texts say the same, and what did an edit change? Behind every near-duplicate: SimHash only proposes.

A lightly edited copy (byline, tail line, a sentence more or less, a word changed) is contained in its original
but for a few shingles, and states the same numbers. Two bulletins made from one form (earthquakes, closing
prices, share sales) and two short news with one disclaimer are not. ``experiments/near_duplicates.py`` measures
both: of 790,653 pairs of labelled texts 3 are linked, all of them one agency report on two sites; of 8,161 pairs
of bulletins from five forms none, though SimHash alone would take 9 % of them for copies; of light edits 66 % are
found in texts under 200 characters, 82 % under 400, 90 % under 800, 95 % under 1,600, 99 % above.

No list of words is asked for what an edit changed, so that it tells the same of every script. A word that came or went
may be a *not*.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from newscrawl.extract.simhash import MIN_CHARS, shingles
from newscrawl.languages.characters import normalize
from newscrawl.languages.text import lower, squeeze, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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
    numbers_a, numbers_b = (Counter(_NUMBER.findall(normalize(text, "NFKC"))) for text in (a, b))
    new_numbers = 0.0
    if numbers_a and numbers_b:
        gone, came = (numbers_a - numbers_b).total(), (numbers_b - numbers_a).total()
        new_numbers = min(gone / numbers_a.total(), came / numbers_b.total())
    return Resemblance(new=min(only_a, only_b), added=max(only_a, only_b), new_numbers=new_numbers)


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


# --- kinds of edits -----------------------------------------------------------------------------------------

KINDS: Final = ("headline", "numbers", "names", "word", "reworded", "deleted", "added")
"""In the order in which they are told."""
ALIKE: Final = 0.6
"""Share of tokens in common from which two paragraphs are one that was edited."""
FEW: Final = 3
"""Most tokens that come and go where an edit is one word: *not*, *ne … pas*, 不会 for 将."""
SHORT: Final = 30
"""Characters of a line whose numbers are a counter's or a clock's, where it has no mark of a sentence."""
_CLOCK: Final = re.compile(r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?")
_SENTENCE: Final = re.compile(r"[.!?。！？؟।…]\s*$|[,，、；;](?!\d)")
_ANY_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_WORD: Final = re.compile(r"(?<=[^\W\d_]\s)[^\W\d_]+")
"""A word behind another word: with a capital, a name."""
_TITLE: Final = re.compile(r"[《「『“\"]([^》」』”\"]{1,40})[》」』”\"]")


def edit_kinds(before: str, after: str, *, headlines: tuple[str | None, str | None] = (None, None)) -> tuple[str, ...]:
    """Return the kinds of the changes from one text to the next, of ``KINDS``; ``()`` for small ones."""
    found = set()
    if tokens(headlines[0] or "") != tokens(headlines[1] or ""):
        found.add("headline")
    lines = changes(before, after)
    gone = [line[2:] for line in lines if line.startswith("-")]
    came = [line[2:] for line in lines if line.startswith("+")]
    gone, came = _without_small(gone, came)
    for line in gone:
        likest = max(came, key=lambda other: _likeness(line, other), default=None)
        if likest is not None and _likeness(line, likest) >= ALIKE:
            came.remove(likest)
            found |= _kinds_of_line(line, likest)
        else:
            found.add("deleted")
    if came:
        found.add("added")
    return tuple(kind for kind in KINDS if kind in found)


def _without_small(gone: Sequence[str], came: Sequence[str]) -> tuple[list[str], list[str]]:
    """Leave out lines that differ by white space, marks, clocks, and the numbers of short lines alone."""
    masks = Counter(map(_mask, gone)) & Counter(map(_mask, came))
    return _left(gone, masks), _left(came, masks)


def _left(lines: Sequence[str], masks: Counter[str]) -> list[str]:
    same, found = masks.copy(), []
    for line in lines:
        mask = _mask(line)
        if same[mask] > 0 or not mask:
            same[mask] -= 1
        else:
            found.append(line)
    return found


def _mask(line: str) -> str:
    plain = _CLOCK.sub(" ", lower(line))
    if len(plain) <= SHORT and not _SENTENCE.search(plain):
        plain = _ANY_NUMBER.sub(" ", plain)
    return " ".join(tokens(plain))


def _likeness(line: str, other: str) -> float:
    one, two = Counter(tokens(line)), Counter(tokens(other))
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def _kinds_of_line(before: str, after: str) -> set[str]:
    kinds = set()
    if _numbers(before) != _numbers(after):
        kinds.add("numbers")
    if _names(before) != _names(after):
        kinds.add("names")
    if not kinds:
        kinds.add("word" if _n_changed(before, after) <= FEW else "reworded")
    return kinds


def _numbers(line: str) -> Counter[str]:
    return Counter(_ANY_NUMBER.findall(lower(line)))


def _names(line: str) -> Counter[str]:
    return Counter([*filter(_is_capital, _WORD.findall(line)), *_TITLE.findall(line)])


def _is_capital(word: str) -> bool:
    return word[0].isupper()


def _n_changed(before: str, after: str) -> int:
    """Return how many tokens came or went, the more of the two."""
    one, two = tokens(before), tokens(after)
    gone = came = 0
    for kind, i, i_end, j, j_end in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind != "equal":
            gone, came = gone + i_end - i, came + j_end - j
    return max(gone, came)
