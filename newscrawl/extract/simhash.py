"""Exact hashes of an article's text and address; 64-bit SimHash for nearly equal texts."""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import numpy as np

from newscrawl.languages.text import fold_width, squeeze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.items import Article


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


def with_text(article: Article, text: str, **fields: Any) -> Article:
    """Return the article with this text, with what is counted of a text, and with other ``fields``.

    Every article has its text from here, whether it is one page's, joined, or corrected by site memory.
    """
    return replace(article, articleBody=text, contentHash=content_hash(text), **fields)


@lru_cache(maxsize=1 << 13)
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


#: Share of Chinese and Japanese characters from which a text is cut into character pairs, not into words.
CJK_SHARE = 1 / 3
_BEGINNING = 4 * MIN_CHARS

#: Kana; Han with extension A; compatibility forms; further planes.
_CJK = ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_CJK_LETTER: Final = 2
_BEYOND: Final = 0xFFFF
_SEPARATOR = re.compile(r"[\W_]+")
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
#: _BITS[byte, i] is bit i of the byte.
_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float64)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the values well spread over 64 bits (the finaliser of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def shingles(text: str) -> NDArray[np.uint64]:
    """Return hashes of the text's shingles, in order: pairs of characters, or words and pairs of words.

    Letters and digits alone count, width and case folded. Empty for a text without any.
    """
    folded = fold_width(text).lower()
    if not folded.isascii():
        codes = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        classes = _class_table().take(np.minimum(codes, _BEYOND))
        beyond = (codes >= _BEYOND).nonzero()[0]
        for place, code in zip(beyond.tolist(), codes[beyond].tolist(), strict=True):
            is_cjk = any(first <= code <= last for first, last in _CJK)
            classes[place] = chr(code).isalnum() * (_CJK_LETTER if is_cjk else 1)
        if np.count_nonzero(classes == _CJK_LETTER) > CJK_SHARE * np.count_nonzero(classes):
            return _pairs(_mix(codes[classes > 0].astype(np.uint64) + _GOLDEN))
    words = _SEPARATOR.sub("\n", folded).encode("utf-8", "surrogatepass").split(b"\n")
    units = _mix(np.array([zlib.crc32(word) for word in words if word], dtype=np.uint64) + _GOLDEN)
    return np.concatenate([units, _pairs(units)])


@cache
def _class_table() -> NDArray[np.uint8]:
    """Return of each character of the basic plane ``_CJK_LETTER`` for kana and Han, 1 for others that count, else 0."""
    table = np.array([chr(code).isalnum() for code in range(_BEYOND + 1)], dtype=np.uint8)
    for first, last in _CJK:
        table[first : last + 1] *= _CJK_LETTER
    return table


def _pairs(units: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return _mix(units[:-1] * _GOLDEN + units[1:])


def simhash(text: str) -> int | None:
    """Return the text's SimHash, ``0 .. 2**64 - 1``; None for a text of fewer than ``MIN_CHARS`` characters."""
    # the beginning tells for most
    if len(squeeze(text[:_BEGINNING])) < 2 * MIN_CHARS and len(squeeze(text)) < MIN_CHARS:
        return None
    hashes = np.sort(shingles(text))
    if not len(hashes):
        return None
    firsts = np.append(0, (hashes[1:] != hashes[:-1]).nonzero()[0] + 1)
    counts = np.diff(firsts, append=len(hashes))
    hashes = hashes.take(firsts)
    weights = 1.0 + np.log(counts)
    octets = hashes.astype("<u8").view(np.uint8).reshape(-1, 8)
    sums = np.concatenate([np.bincount(octets[:, i], weights, 256) @ _BITS for i in range(8)])
    return int.from_bytes(np.packbits(sums * 2 > weights.sum(), bitorder="little").tobytes(), "little")


def hamming(a: int, b: int) -> int:
    """Return the number of bits in which two SimHashes differ, 0..64."""
    return (a ^ b).bit_count()


@lru_cache(maxsize=4096)
def band_keys(value: int) -> tuple[int, ...]:
    """Return eight index keys: table number × 65536 + 16 bits of the SimHash.

    Tables 0–3 take the four runs of 16 neighbouring bits, tables 4–7 every fourth bit. Two values within 3 bits
    share a key in either half, always (three flaws cannot spoil four tables); at 5 bits 94 % do, at 7 bits 74 %.
    """
    bits = np.unpackbits(np.frombuffer(value.to_bytes(8, "little"), np.uint8), bitorder="little")
    runs = bits.reshape(4, 16)
    combs = bits.reshape(16, 4).T
    packed = np.packbits(np.concatenate([runs, combs]), axis=1, bitorder="little").view("<u2").ravel()
    return tuple(int(key) + (table << 16) for table, key in enumerate(packed))
