"""Exact hashing of article text."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

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


def url_key(url: str) -> str:
    """Return the URL without scheme, ``www.``, default port, fragment and final slash.

    Meant for canonical URLs: trackers and defaults are gone already (``newscrawl.urls.canonical``).

    >>> url_key("https://www.example.org/a/?id=1#top"), url_key("http://example.org/a?id=1")
    ('example.org/a?id=1', 'example.org/a?id=1')
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    host = parts.netloc.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    path = parts.path.rstrip("/")
    return host + path + (f"?{parts.query}" if parts.query else "")
