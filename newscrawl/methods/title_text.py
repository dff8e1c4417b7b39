"""The page's title without the site's name, and how alike a line and the title are."""

from __future__ import annotations

import math
import re
from typing import Final

MAX_TITLE_CHARS: Final = 300
STRIDE: Final = 32
"""After so many characters of a line each it is asked whether it has enough in common."""

_SEPARATOR: Final = re.compile(r"[_|｜│»«›‹·•—–]+|\s-+\s|--+")
_PUNCTUATION: Final = re.compile(r"[\W_]+")


def core_title(title: str) -> str:
    """Return the first 300 characters of ``title`` without the site's name and punctuation.

    The patent does not say how the site's name is found. Ours: of the parts between separators, the longest stays.

    >>> core_title("车企年报：44家“上涨”_新浪财经_新浪网")
    '车企年报44家上涨'
    """
    parts = (_PUNCTUATION.sub("", part) for part in _SEPARATOR.split(title[:MAX_TITLE_CHARS]))
    return max(parts, key=len)


class TitleMatcher:
    """Compares lines with one title.

    :param share: lines match whose longest common subsequence with the title has at least this share of the
        title's characters.
    """

    def __init__(self, title: str, share: float) -> None:
        self._least = share * len(title)
        self._length = len(title)
        self.min_chars = math.ceil(self._least)
        """A line with fewer characters cannot match; 0 if the title is empty, which no line matches."""
        self._masks: dict[str, int] = {}
        for place, char in enumerate(title):
            self._masks[char] = self._masks.get(char, 0) | 1 << place
        self._counts = {char: mask.bit_count() for char, mask in self._masks.items()}
        self._chars = frozenset(self._masks)

    def matches(self, line: str) -> bool:
        """Tell whether the line matches; never where the title is empty."""
        if not self._length or len(line) < self._least:
            return False
        # The subsequence has each character at most as often as the title has it.
        if sum(map(self._counts.__getitem__, self._chars.intersection(line))) < self._least:
            return False
        return self.common(line, self._least) >= self._least

    def common(self, line: str, enough: float = math.inf) -> int:
        """Return the length of the longest common subsequence, a word operation for each character of ``line``.

        Hyyrö (2004), "Bit-parallel LCS-length computation revisited": the zeros of ``row`` are its steps.

        :param enough: of a line that has so much in common, what its beginning has in common may be returned.
        """
        row = full = (1 << self._length) - 1
        found = 0
        for start in range(0, len(line), STRIDE):
            for mask in filter(None, map(self._masks.get, line[start : start + STRIDE])):
                hits = row & mask
                row = ((row + hits) | (row - hits)) & full
            found = self._length - row.bit_count()
            if found >= enough:
                break
        return found
