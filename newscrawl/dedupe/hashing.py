"""Folding and exact hashing of article text."""

from __future__ import annotations

import hashlib
import unicodedata

MIN_CHARS = 80
"""Texts with fewer characters (white space left out) say too little to be compared: a photo caption or a
one-line flash is a duplicate only where the headline is the same too, and never a near-duplicate."""


def fold(text: str) -> str:
    """Return ``text`` with full-width forms folded (NFKC) and all white space left out.

    >>> fold("ＡＢＣ　新闻 1２")
    'ABC新闻12'
    """
    return "".join(unicodedata.normalize("NFKC", text).split())


def content_hash(text: str) -> str:
    """Return 32 hex digits that are equal for texts equal after :func:`fold`; ``""`` for a blank text.

    >>> content_hash("a b") == content_hash("ａｂ"), content_hash(" ")
    (True, '')
    """
    folded = fold(text)
    if not folded:
        return ""
    return hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
