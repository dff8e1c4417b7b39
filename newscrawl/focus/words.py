"""Words of a text: its terms, hashed for tables, and a topic's keywords in it."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.focus.topic import Topic

HASH_BITS: Final = 18
N_HASHES: Final = 1 << HASH_BITS

_RUNS: Final = re.compile(r"[㐀-鿿぀-ヿ豈-﫿]+|[^\W_㐀-鿿぀-ヿ豈-﫿]+(?:[+#]+)?")
_IDEOGRAPH: Final = re.compile(r"[㐀-鿿぀-ヿ豈-﫿]")
MAX_WORD: Final = 30


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeated as often as they stand there.

    Ideographs give overlapping pairs, so that no segmentation is needed; a word of another script is itself in
    lower case, an English plural without its ``s``. Bare numbers and single letters are left out.

    >>> terms("苹果手机 and 3 Phones")
    ['苹果', '果手', '手机', 'and', 'phone']
    """
    found = []
    for run in _RUNS.findall(text.lower()):
        if _IDEOGRAPH.match(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)]
        elif len(run) > 1 and not run.isdecimal():
            found.append(stem(run[:MAX_WORD]))
    return found


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Return an English noun's singular; other words as they are.

    >>> stem("phones"), stem("stories"), stem("news"), stem("glass")
    ('phone', 'story', 'news', 'glass')
    """
    if len(word) > 4 and word.endswith("ies") and word.isascii():
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news", "os")) and word.isascii():
        return word[:-1]
    return word


@lru_cache(maxsize=1 << 16)
def term_hash(term: str) -> int:
    """Return the term's place in tables of ``N_HASHES`` rows: the same on every machine and in every run."""
    return zlib.crc32(term.encode("utf-8", "replace")) & (N_HASHES - 1)


@lru_cache(maxsize=8192)
def term_hashes(text: str) -> tuple[int, ...]:
    """Return the places of the different terms of a short text, in order of first appearance."""
    return tuple(term_hash(term) for term in dict.fromkeys(terms(text)))


_JOINTS = re.compile(r"[\s_-]")
#: Short texts remembered: anchors and headings come again and again.
MAX_KNOWN = 8192


class KeywordMatcher:
    """Counts mentions. Alphabetic words match whole words, also in the plural; ideographs match anywhere."""

    def __init__(self, topic: Topic) -> None:
        self._weights: dict[str, float] = {}
        self._names: dict[str, str] = {}
        self._spellings: list[str] = []
        for keyword in topic.keywords:
            for spelling in (keyword.term, *keyword.synonyms):
                self._names.setdefault(_bare(spelling), keyword.term)
                self._spellings.append(spelling.lower())
                self._weights.setdefault(keyword.term, keyword.weight)
        self._pattern = _pattern(self._spellings)
        self._known: dict[str, float] = {}
        self._exclusions = _pattern(word.lower() for word in topic.exclusions)

    def counts(self, text: str) -> Counter[str]:
        """Return keyword → mentions of it or a synonym."""
        if self._pattern is None:
            return Counter()
        return Counter(self._names[_bare(found)] for found in self._pattern.findall(text.lower()))

    def weight(self, counts: Counter[str]) -> float:
        """Return the weighted number of mentions."""
        return sum(self._weights[name] * count for name, count in counts.items())

    def distinct_weight(self, text: str) -> float:
        """Return the weights of the different keywords in a short text, summed."""
        if self._pattern is None or not text:
            return 0.0
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            found = self._known[text] = self._distinct_weight(text, self._pattern)
        return found

    def _distinct_weight(self, text: str, pattern: re.Pattern[str]) -> float:
        names = {self._names[_bare(found)] for found in pattern.findall(text.lower())}
        return sum(self._weights[name] for name in sorted(names))

    def has_exclusion(self, text: str) -> bool:
        return self._exclusions is not None and self._exclusions.search(text.lower()) is not None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All spellings, in lower case."""
        return tuple(self._spellings)


def _bare(spelling: str) -> str:
    """Return what is the same for all ways to join the words of a phrase: ``cell phone``, ``cell-phone``."""
    return _JOINTS.sub("", spelling.lower())


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern whose matches are the words themselves; longer ones first."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    parts = [
        f"{before}(?:{'|'.join(map(_expression, group))}){after}"  # words apart would each look back at every place
        for (before, after), group in groupby(ordered, key=_bounds)
    ]
    return re.compile("|".join(parts)) if parts else None


def _bounds(word: str) -> tuple[str, str]:
    """Return what must stand before and after a word."""
    if not word.isascii():
        return "", ""
    before = r"(?<![a-z0-9])" if word[0].isalnum() else ""
    after = r"(?=(?:e?s)?(?![a-z0-9]))" if word[-1].isalnum() else ""
    return before, after


def _expression(word: str) -> str:
    return re.escape(word).replace(r"\ ", r"[\s_-]?")
