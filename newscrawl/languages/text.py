"""Text as a reader sees it, one line for each paragraph-like element; and text made comparable."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from newscrawl.languages.characters import SOFT_HYPHEN, normalize
from newscrawl.languages.tables import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newscrawl.page.measures import Measures


_NOT_ALNUM: Final = re.compile(r"[\W_]+")
_SINGLE: Final = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3005\u3007"  # ideographs
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e4e\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f"  # Thai, Burmese
)
_TOKEN: Final = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+")
MAX_COMPARED_CHARS: Final = 300
_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "å": "a", "ł": "l", "ı": "i"}
)


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the letters and digits of ``text``, width and case folded: what two titles are compared by.

    >>> fold("Ａｐｐｌｅ：新品 “发布”")
    'apple新品发布'
    """
    return _NOT_ALNUM.sub("", fold_width(text).casefold())


@cache
def folded_words(group: str) -> frozenset[str]:
    """Return the folded words of a group in all languages."""
    return frozenset(map(fold, words(group)))


def similarity(first: str, second: str) -> float:
    """Return how alike two folded titles are, 0..1: Dice's coefficient of their pairs of neighbouring characters.

    1.0 for equal ones, 0.0 where one is empty.
    """
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    if min(len(first), len(second)) < 3:
        return 0.0
    ours, theirs = _pairs(first), _pairs(second)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


@lru_cache(maxsize=1024)
def _pairs(text: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(text[:MAX_COMPARED_CHARS])))


def spelled_in_url(text: str, slug: str) -> float:
    """Return how alike a title and the words of an address are, 0..1; 0.0 for titles that no address spells.

    Addresses write umlauts as two letters or drop their marks; both are tried.

    >>> spelled_in_url("Eignet sich eine Wärmepumpe im Altbau?", "eignet-sich-eine-waermepumpe-im-altbau")
    1.0
    """
    words = fold(slug)
    lower = text.lower()
    spellings = {fold(lower.translate(_UMLAUTS)), fold(without_marks(lower))}
    return max(similarity(spelling, words) for spelling in spellings)


def without_marks(text: str) -> str:
    """Return ``text`` with letters for accented letters, and with compatibility forms folded (NFKD)."""
    if text.isascii():
        return text
    return "".join([letter for letter in normalize(text, "NFKD") if not unicodedata.combining(letter)])


def squeeze(text: str) -> str:
    """Return ``text`` with width folded (NFKC) and all white space left out.

    >>> squeeze("ＡＢＣ　新闻 1２")
    'ABC新闻12'
    """
    return "".join(fold_width(text).split())


_LONG: Final = 200
"""Characters from which it pays to look at a text's letters before it is normalised."""
_STABLE: Final = re.compile(r"[\x00-\x7f\u3001\u3002\u3041-\u3094\u30a1-\u30fa\u3400-\u9fff\uac00-\ud7a3]+")
"""Characters that NFKC leaves as they are, whatever stands before them."""


def fold_width(text: str) -> str:
    """Return ``text`` in Unicode's form NFKC: full-width letters as plain ones, compatibility forms as what they mean.

    Of a long text in Chinese, Japanese or Korean a few characters change, each by itself: they alone are replaced, at
    a fifth of the cost of normalising the text.
    """
    if text.isascii():
        return text
    return _folded_long(text) if len(text) >= _LONG else normalize(text, "NFKC")


@lru_cache(maxsize=8)
def _folded_long(text: str) -> str:
    """Remember the last ones: the hashes of an article's text all begin with this."""
    folded = text
    for char in set(_STABLE.sub("", text)):
        alone = _folded_alone(char)
        if alone is None:
            return normalize(text, "NFKC")
        if alone != char:
            folded = folded.replace(char, alone)
    return folded


@lru_cache(maxsize=4096)
def _folded_alone(char: str) -> str | None:
    """Return the character in NFKC; None where that may depend on the one before it: marks, the letters of Hangul."""
    first = unicodedata.normalize("NFKD", char)[0]
    category = unicodedata.category(first)
    if category.startswith("M") or "\u1100" <= first <= "\u11ff" or (first > "\uffff" and category != "So"):
        return None
    return unicodedata.normalize("NFKC", char)


def fold_space(text: str) -> str:
    """Return ``text`` with every run of white space as one space, none at the ends.

    >>> fold_space("  a　b  c ")
    'a b c'
    """
    return " ".join(text.split())


def lower(text: str) -> str:
    """Return ``text`` in NFKC and lower case, soft hyphens left out.

    >>> lower("ＡＢＣ１２，")
    'abc12,'
    """
    return normalize(text.replace(SOFT_HYPHEN, ""), "NFKC").lower()


def tokens(text: str) -> list[str]:
    """Return the tokens: characters of scripts written without spaces, runs of letters and digits in others.

    >>> tokens("昨日WHO宣布，COVID-19…")
    ['昨', '日', 'who', '宣', '布', 'covid', '19']
    """
    return _TOKEN.findall(lower(text))


MIN_STEM, STEM = 4, 5
"""Least letters of a word that has a stem, and the most letters of one."""


def stems(text: str) -> frozenset[str]:
    """Return the beginnings of the longer words of a text, and its pairs of letters of scripts without spaces.

    >>> sorted(stems("Bridges of 云川"))
    ['bridg', '云川']
    """
    words = tokens(text)
    pairs = [first + second for first, second in pairwise(words) if len(first) == len(second) == 1]
    return frozenset((*pairs, *(word[:STEM] for word in words if len(word) >= MIN_STEM)))


class VisibleTexts:
    """The visible text rows of a page, and the lines they make; for many questions about one page."""

    def __init__(self, measures: Measures) -> None:
        rows = measures.own.nonzero()[0]
        self._rows: list[int] = rows.tolist()
        self._numbers: list[int] = measures.line[rows].tolist()
        self._texts = measures.texts

    def of_rows(self, rows: Sequence[int]) -> list[str]:
        """Return the lines of some text rows, in document order; those without visible text are left out."""
        wanted = frozenset(rows)
        return self._joined([place for place, row in enumerate(self._rows) if row in wanted])

    def lines(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        """Return the lines of the rows ``start … end - 1`` of each span, spans in document order."""
        rows = self._rows
        places: list[int] = []
        for start, end in spans:
            first = bisect_left(rows, start)
            places += range(first, bisect_left(rows, end, first))
        return self._joined(places)

    def _joined(self, places: Sequence[int]) -> list[str]:
        """Join the texts that stand on one line, given by their places among the visible rows."""
        lines: list[list[str]] = []
        parts: list[str] = []
        current = -1
        for place in places:
            number = self._numbers[place]
            if number != current:
                current, parts = number, []
                lines.append(parts)
            parts.append(self._texts[self._rows[place]])
        return [fold_space("".join(parts)) for parts in lines]


def visible_text(measures: Measures, start: int = 0, end: int | None = None) -> str:
    """Return the visible text of the rows ``start … end - 1``, lines joined by newlines; ``""`` if there is none."""
    return "\n".join(VisibleTexts(measures).lines([(start, len(measures) if end is None else end)]))
