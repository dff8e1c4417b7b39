"""Charsets of one byte a letter, told by the letters that a language has: equal bytes are letters of many scripts.

Bytes beyond ASCII are counted once; each pair of a charset and a language has a weight for each of them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from newscrawl.languages.tables import languages
from newscrawl.urls.domains import home_languages

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from newscrawl.languages.tables import Language

FITS: Final = 1.25
"""Mean weight of bytes from which they are taken for the letters of a language that the page names."""
NAMED_BONUS: Final = 0.4
"""Head start of a language that the page or its host names."""
_BY_QUARTER: Final = (2.2, 1.5, 0.7, 0.2)
"""Weights of a script's letters, by which quarter of them by frequency a letter is of."""
_LATIN_BY_QUARTER: Final = (1.9, 1.6, 1.4, 1.2)
"""Those of letters with marks among plain ones: each is seldom, and tells much."""
_CAPITAL: Final = 0.4
"""Part of a letter's weight that its capital has, where the script has both."""
_SIGN, _RARE_SIGN, _FOREIGN, _NONE = 1.2, 0.6, -1.2, -3.0
_SIGNS: Final = frozenset("“”„‘’‚«»‹›–—…·•°§©®™€£\u00a0\u00ad№")
_RARE_SIGNS: Final = frozenset("¿¡²³¹º½¼¾±×÷´ª¥¢¨µ")
_USUAL: Final = "cp1252"
_DOUBT: Final = 5.0
"""Weight, in bytes, by which another charset than the usual one has to fit better: pages hold single odd signs."""
_LATIN: Final = "\u0250"
_LANG: Final = re.compile(rb"<html\b[^>]{0,500}?\blang\s*=\s*[\"']?\s*([a-zA-Z]{2,3})", re.IGNORECASE)
_CONTENT_LANGUAGE: Final = re.compile(
    rb"<meta\b[^>]{0,200}?content-language[^>]{0,100}?content\s*=\s*[\"']?\s*([a-zA-Z]{2,3})", re.IGNORECASE
)
_HEAD_BYTES: Final = 4096


class _Pairs(NamedTuple):
    charsets: list[str]
    codes: list[str]
    is_latin: NDArray[np.bool_]
    is_usual: NDArray[np.bool_]
    weights: NDArray[np.float64]
    """Shape ``(pairs, 128)``."""


def named_languages(body: bytes, url: str | None) -> frozenset[str]:
    """Return the languages that a page names, and those at home in the country of its host."""
    head = body[:_HEAD_BYTES]
    found = (pattern.search(head) for pattern in (_LANG, _CONTENT_LANGUAGE))
    named = {match[1].decode("ascii").lower() for match in found if match}
    return frozenset(named) | home_languages(url)


def charset_of_letters(sample: bytes, named: Collection[str], *, latin: bool | None = None) -> tuple[str, float]:
    """Return the charset, and its mean weight, whose bytes are letters of one language.

    :param named: languages that the page or its host names; they have a head start.
    :param latin: whether letters are of Latin script; None: of one of the named languages.
    """
    counts = np.bincount(np.frombuffer(sample, dtype=np.uint8), minlength=256)[128:]
    pairs = _pairs()
    n = max(1, int(counts.sum()))
    scores: NDArray[Any] = pairs.weights @ counts / n
    is_named = np.array([code in named for code in pairs.codes])
    is_asked = is_named if latin is None else pairs.is_latin == latin
    ranked = np.where(is_asked, scores + NAMED_BONUS * is_named + _DOUBT / n * (is_named | pairs.is_usual), -np.inf)
    best = int(ranked.argmax())
    return pairs.charsets[best], float(scores[best]) if is_asked[best] else -np.inf


@cache
def _pairs() -> _Pairs:
    """Return charsets and languages that go together, Western Europe first: of equal weights the first wins."""
    found = [(charset, table) for table in languages() if table.letters for charset in table.charsets]
    found.sort(key=lambda pair: pair[0] != _USUAL)
    return _Pairs(
        charsets=[charset for charset, _ in found],
        codes=[table.code for _, table in found],
        is_latin=np.array([table.letters[0] < _LATIN for _, table in found]),
        is_usual=np.array([charset == _USUAL for charset, _ in found]),
        weights=np.array([_weights(charset, table) for charset, table in found]),
    )


def _weights(charset: str, table: Language) -> list[float]:
    return [_weight(bytes((byte,)).decode(charset, "replace"), table.letters) for byte in range(128, 256)]


def _weight(char: str, letters: str) -> float:
    if char == "\ufffd" or "\x80" <= char < "\xa0":
        return _NONE
    place = letters.find(char.lower())
    if place < 0:
        return _SIGN if char in _SIGNS else _RARE_SIGN if char in _RARE_SIGNS else _FOREIGN
    weight = (_LATIN_BY_QUARTER if letters[0] < _LATIN else _BY_QUARTER)[4 * place // len(letters)]
    return weight if char == char.lower() else _CAPITAL * weight
