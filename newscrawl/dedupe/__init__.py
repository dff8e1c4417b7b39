"""Equal and nearly equal texts: hashes, 64-bit SimHash and the test that decides."""

from newscrawl.dedupe.resemble import Resemblance, is_near_duplicate, is_same_document, resemblance
from newscrawl.dedupe.simhash import MIN_CHARS, band_keys, content_hash, hamming, simhash, url_key

__all__ = [
    "MIN_CHARS",
    "Resemblance",
    "band_keys",
    "content_hash",
    "hamming",
    "is_near_duplicate",
    "is_same_document",
    "resemblance",
    "simhash",
    "url_key",
]
