"""Exact hashing of article text."""

from __future__ import annotations

import hashlib

from newscrawl.dom.text import squeeze

MIN_CHARS = 80
"""Texts with fewer characters (white space left out) say too little to be compared: a photo caption or a
one-line flash is a duplicate only where the headline is the same too, and never a near-duplicate."""


def content_hash(text: str) -> str:
    """Return 32 hex digits that are equal for texts equal but for width and white space; ``""`` for a blank text.

    >>> content_hash("a b") == content_hash("ａｂ"), content_hash(" ")
    (True, '')
    """
    folded = squeeze(text)
    if not folded:
        return ""
    return hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
