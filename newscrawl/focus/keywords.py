"""Finds a topic's keywords in text."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newscrawl.focus.model import Topic

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
