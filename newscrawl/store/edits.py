"""What an edit changed of a text: numbers, names, a word, paragraphs; nothing where it changed clocks and marks only.

No list of words is asked, so it tells the same of every script. A word that came or went may be a *not*.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from newscrawl.methods.metrics import lower, tokens
from newscrawl.store.resemble import changes

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
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
        plain = _NUMBER.sub(" ", plain)
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
    return Counter(_NUMBER.findall(lower(line)))


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
