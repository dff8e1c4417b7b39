"""Text → terms: words of alphabetic scripts, character pairs of Chinese and Japanese; hashed for tables."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Final

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
