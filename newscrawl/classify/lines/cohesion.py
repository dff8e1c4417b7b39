"""Words that a line shares with its page: evidence for the line network, in any language.

An article keeps to its subject: its lines share words with each other, with the title and the description. A plea
for subscriptions, a note on the author or a teaser shares few. Words are compared, never looked up.

Beside it stands what a line's wording says by itself: a linear model over its runs of characters tells how much it
speaks like a notice of the site, another how much a short line reads like a control of the page.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.model_file import load_model, no_model
from newscrawl.console.files import shipped_file
from newscrawl.languages.characters import codes_of, is_wide_among
from newscrawl.page.lines import find_headline, line_features

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newscrawl.languages.characters import Codes
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools, Ints

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]
    Hashes = NDArray[np.uint64]

WORDING_MODEL: Final = shipped_file("classify/models/notices.npz")
wording_model = WORDING_MODEL
"""The model that is asked. The laboratory puts another one here, which has not seen the sites that it measures."""
KIND: Final = "notices"
ORDERS: Final = (2, 3, 4, 5)
"""Lengths of the runs of characters that the model of wording weighs."""
BITS: Final = 18
"""Runs are hashed to so many bits."""
MIN_LETTERS: Final = 4
"""Least letters of a word that counts. Shorter words occur in any text."""
MAX_LETTERS: Final = 12
"""Letters of a word that are compared."""
N_BITS: Final = 15
N_WORDS: Final = 1 << N_BITS
"""Numbers of words, by hash. On a page of 500 words, one in 65 collides."""
NEAR: Final = 4
"""Lines of prose before a line that count as near; lines of prose at the beginning that count as first."""

_NO_WORDS: Final = re.compile(r"(?:\b\w\b|[\W\d_])+")
_DESCRIPTIONS: Final = frozenset(("description", "og:description", "twitter:description"))
_FACTOR: Final = 0x9E3779B97F4A7C15
_COMMON_BITS: Final = 17
"""Few pages have more characters."""
_MANY_LINES: Final = (1 << 31) // N_WORDS
"""Most lines for which word and line fit a number of 32 bits, which sorts in half the time."""
_SHIFT: Final = np.uint64(64 - N_BITS)


def cohesion(document: Document) -> Floats:
    """Return ``COHESION`` of the page's lines, shape ``(len(COHESION), n)``. O(characters + words · log words)."""
    features = document.once(line_features)
    lines = features.lines
    n = len(lines)
    title = codes_of(document.title + "\x00")
    said = [
        (node.get("name") or node.get("property") or "", node.get("content") or "") for node in document.by_tag["meta"]
    ]
    description = codes_of("\x00".join(text for name, text in said if name.lower() in _DESCRIPTIONS))
    at, words = words_in(np.concatenate((lines.codes, title, description)))
    in_lines, in_title = at < len(lines.codes), at < len(lines.codes) + len(title)
    is_title, is_told = np.zeros((2, N_WORDS), dtype=np.bool_)
    is_title[words[in_title & ~in_lines]] = True
    is_told[words[~in_title]] = True
    # each word of a line once, sorted by word, then by line
    pairs = words[in_lines] * n + np.arange(n).repeat(lines.at[1:] - lines.at[:-1]).take(at[in_lines])
    pairs = np.sort(pairs.astype(np.int32) if n <= _MANY_LINES else pairs).astype(np.int64)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    hashed, line = np.divmod(pairs, n)
    word = (np.diff(hashed, prepend=-1) > 0).cumsum() - 1  # from 0 on: tables of the page's words alone
    size = int(word[-1]) + 1 if len(word) else 0
    is_prose, is_links = features.is_prose.take(line), features.is_links.take(line)
    n_prose = np.bincount(word[is_prose], minlength=size)
    n_links = np.bincount(word[is_links], minlength=size)
    n_lines = np.bincount(word, minlength=size)
    other_prose = np.log1p(n_prose.take(word) - is_prose)
    length = float(np.sqrt((np.log1p(n_prose[n_prose > 0]) ** 2).sum())) or 1.0
    is_title[hashed[line == document.once(find_headline)]] = True
    is_near, is_first = _in_prose_before(word, line, is_prose, features.is_prose.cumsum())
    n_words = np.bincount(line, minlength=n)
    shared = (
        other_prose > 0,
        is_title.take(hashed),
        n_links.take(word) > is_links,
        n_lines.take(word) == 1,
        other_prose,
        is_told.take(hashed),
        is_near,
        is_first,
    )
    prose, titled, linked, alone, count, described, near, first = [
        np.bincount(line, found, n) / np.maximum(n_words, 1) for found in shared
    ]
    cosine = count * np.sqrt(n_words) / length
    return np.array([prose, titled, linked, alone, count, cosine, described, np.log1p(n_words), near, first])


def _in_prose_before(word: Places, line: Places, is_prose: Bools, n_prose: Places) -> tuple[Bools, Bools]:
    """Tell for each word of a line whether it occurs in the prose just before it, and in the first prose of the page.

    :param n_prose: lines of prose up to each line, itself included.
    """
    before = n_prose.take(line) - is_prose
    room = int(n_prose[-1]) + 1
    first = word * room
    here = first + before
    known = np.where(is_prose, here, -1)
    last = np.full(len(known), -1, dtype=known.dtype)
    np.maximum.accumulate(known[:-1], out=last[1:])
    near = (last >= first) & (here - last <= NEAR)
    earliest = np.full(int(word[-1]) + 1 if len(word) else 0, room)
    earliest[word[is_prose][::-1]] = before[is_prose][::-1]  # the first of a word is written last
    return near, earliest.take(word) < np.minimum(before, NEAR)


def words_in(codes: Codes) -> tuple[Places, Places]:
    """Return the beginning of each word (letters, or pairs of ideographs), and its number below ``N_WORDS``.

    Case is folded. O(characters).
    """
    lower = _lower().take(codes)
    is_wide = is_wide_among(codes)
    is_letter = np.zeros(len(codes) + 2, dtype=np.bool_)
    np.logical_and(lower, ~is_wide, out=is_letter[1:-1])
    bounds = (is_letter[1:] != is_letter[:-1]).nonzero()[0]
    begins, length = bounds[::2], bounds[1::2] - bounds[::2]
    is_long = length >= MIN_LETTERS
    begins, length = begins[is_long], np.minimum(length[is_long], MAX_LETTERS)
    pairs = (is_wide[1:] & is_wide[:-1]).nonzero()[0]
    begins, length = np.concatenate((begins, pairs)), np.concatenate((length, np.full(len(pairs), 2)))
    power, inverse = _powers(max(_COMMON_BITS, len(codes).bit_length()))
    total = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(lower * power[: len(codes)], out=total[1:])  # of a word's letters as if it began the text
    hashes = (total.take(begins + length) - total.take(begins)) * inverse.take(begins)
    return begins, (hashes >> _SHIFT).astype(np.int64)


@lru_cache(maxsize=2)
def _powers(bits: int) -> tuple[Hashes, Hashes]:
    """Return powers of the factor from the first on, and of its inverse from the zeroth on, modulo 2⁶⁴."""
    factors = np.full((2, 1 << bits), _FACTOR, dtype=np.uint64)
    factors[1] = pow(_FACTOR, -1, 1 << 64)
    factors[1, 0] = 1
    power, inverse = np.cumprod(factors, axis=1)
    return power, inverse


@cache
def _lower() -> NDArray[np.uint16]:
    """Return for each character below U+10000 its lower-case letter; 0 for characters that are no letters."""
    letters = np.arange(0x10000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    small = "İ".join(map(str.lower, letters.split("İ")))  # its small letter is two characters
    codes = np.frombuffer(small.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    return codes * np.fromiter(map(str.isalpha, letters), dtype=np.bool_, count=len(letters))


@lru_cache(maxsize=1)
def load_wording(path: Path) -> tuple[NDArray[np.float32], Floats]:
    """Return the weights of the runs of characters, for notices and for controls, shape ``(2, 2**BITS)``; and the
    offsets of notices in scripts with spaces and without, and of controls.

    :raises UserError: if the model is missing, no model, or of another version.
    """
    arrays = load_model(path, kind=KIND, features=tuple(map(str, ORDERS))).arrays
    try:
        weights = np.array([arrays["weights"] * arrays["line"][0], arrays["controls"] * arrays["control_line"][0]])
        offsets = np.concatenate((arrays["line"][1:], arrays["control_line"][1:])).astype(np.float64)
    except (KeyError, ValueError, IndexError) as error:
        raise no_model(path, error) from error
    if weights.shape != (2, 2**BITS) or offsets.shape != (3,):
        raise no_model(path, f"{weights.shape} weights")
    return weights.astype(np.float32), offsets


def character_runs(texts: Sequence[str]) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each length the texts of all runs of so many characters, and the hashes of the runs."""
    joined = "\n".join(f" {text.lower()} " for text in texts) + "\n" * ORDERS[-1]
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32).copy()
    codes[(codes >= ord("0")) & (codes <= ord("9"))] = ord("0")
    is_end = codes == ord("\n")
    text = is_end.cumsum() - is_end
    left = is_end.nonzero()[0].take(text) - np.arange(len(codes))
    hashed = np.zeros(len(codes), dtype=np.uint32)
    for length in range(1, ORDERS[-1] + 1):
        hashed *= np.uint32(0x9E3779B1)
        hashed[: len(codes) - length + 1] += codes[length - 1 :]
        hashed += np.uint32(length)
        if length in ORDERS:
            inside = (left >= length).nonzero()[0]
            mixed = hashed.take(inside)
            mixed ^= mixed >> np.uint32(15)
            mixed *= np.uint32(0x85EBCA6B)
            yield text.take(inside), mixed >> np.uint32(32 - BITS)


def wording(texts: Sequence[str], is_wide: Bools) -> Floats:
    """Return how much each text speaks like a notice. O(characters)."""
    weights, offsets = load_wording(wording_model)
    return _told(texts, weights[0]) + offsets.take(is_wide)


def controls(texts: Sequence[str]) -> Floats:
    """Return how much each short text reads like a control of a page: listen, print, 5 minutes. O(characters)."""
    weights, offsets = load_wording(wording_model)
    said: Floats = _told([*map(bare_words, texts)], weights[1]) + offsets[2]
    return said


def bare_words(text: str) -> str:
    """Return the words of a text, without numbers, signs and single letters."""
    return _NO_WORDS.sub(" ", text).strip()


def _told(texts: Sequence[str], weights: NDArray[np.float32]) -> Floats:
    told, n_runs = np.zeros((2, len(texts)))
    for text, run in character_runs(texts):
        told += np.bincount(text, weights=weights.take(run), minlength=len(texts))
        n_runs += np.bincount(text, minlength=len(texts))
    said: Floats = told / np.sqrt(np.maximum(n_runs, 1))
    return said
