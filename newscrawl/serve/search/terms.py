"""The terms of a text: what the search index holds, the same whichever database keeps it.

Runs of scripts written without spaces (Chinese, Japanese, Thai), and of Korean, whose words take endings, give each
character and each pair of neighbours: words of one and two characters are terms. Other words are terms as a whole. The
classes of characters are written out as ranges, and folding is four steps that PostgreSQL has too:
:mod:`newscrawl.serve.search.index` says the same in SQL.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import add
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.languages.characters import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

#: Characters of a folded text that are indexed. A ``tsvector`` has at most 1 MB.
INDEXED_CHARS: Final = 80_000
#: Characters of a word that count; of a longer one, the first.
WORD_CHARS: Final = 40

ACCENTS: Final = r"\u0300-\u036f"
"""Marks of decomposed letters of Latin, Greek and Cyrillic; those of kana and Indic scripts make other letters."""
SEPARATORS: Final = (
    r"\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7"
    r"\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965"
    r"\u0e4f\u0e5a\u0e5b\u104a-\u104f\u1361-\u1368\u1680\u17d4-\u17da\u2000-\u206f\u207a-\u207e\u208a-\u208e"
    r"\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u309b\u309c\u30a0\u30fb"
    r"\u3200-\u33ff\ud800-\uf8ff\ufe00-\ufe6f\ufeff\ufff0-\uffff\U0001f000-\U0001faff"
)
"""Between words: punctuation, symbols, white space, private characters."""
SPACELESS: Final = (
    r"\u0e00-\u0e4e\u0e50-\u0e59\u0e5c-\u0eff\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u17db-\u17ff"
    r"\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts whose words are not told apart by spaces."""

_ACCENT: Final = re.compile(f"[{ACCENTS}]+")
_RUN: Final = re.compile(f"[{SPACELESS}]+|[^{SPACELESS}{SEPARATORS}\0]+")
_LONG_WORD: Final = re.compile(f"([^ ]{{{WORD_CHARS}}})[^ ]+")
_BEYOND: Final = 0x40000
"""The code that stands for all behind the last range."""
_SPACELESS_CHARACTER: Final = re.compile(f"[{SPACELESS}]")


def fold(text: str) -> str:
    """Return the text without case, accents and forms of width; its length may differ."""
    if not text.isascii():
        text = normalize(_ACCENT.sub("", normalize(text, "NFKD")), "NFKC")
    return text.lower().replace("ς", "σ").replace("ß", "ss")


def runs(text: str) -> list[str]:
    """Return the words of the text, folded, and runs of scripts without spaces, in their order; of its beginning.

    >>> runs("Élysée: 华为Mate60手机！")
    ['elysee', '华为', 'mate60', '手机']
    """
    found: list[str] = _RUN.findall(fold(text)[:INDEXED_CHARS])
    return found


def is_spaceless(run: str) -> bool:
    """Tell whether the run, not empty, is of a script without spaces."""
    return _SPACELESS_CHARACTER.match(run) is not None


def terms(text: str) -> set[str]:
    """Return the terms of the text, each once.

    >>> sorted(terms("手机 Mate"))
    ['mate', '手', '手机', '机']
    """
    return set(term_text(text).split())


def term_text(text: str) -> str:
    """Return the terms of the text between spaces, each as often as it stands there.

    A set of them is made of thousands of strings; this is made at once, and the index counts each term of it once.
    """
    folded = fold(text)[:INDEXED_CHARS]
    codes = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    places = np.minimum(codes, _BEYOND)
    spaceless = _table(SPACELESS).take(places)
    gaps = spaceless | _table(f"{SEPARATORS}\0").take(places)
    written = np.where(gaps, ord(" "), codes)
    gaps[1:] &= gaps[:-1]  # of a run the first is written
    gaps[:1] = False
    words = _LONG_WORD.sub(r"\1", _decoded(written[~gaps]))
    return words if folded.isascii() else f"{words} {_spaceless_terms(codes, spaceless)}"


def _spaceless_terms(codes: NDArray[np.uint32], spaceless: NDArray[np.bool_]) -> str:
    """Return each character of a script without spaces, and each pair of neighbours, between spaces."""
    if not spaceless.any():
        return ""
    # a row a character: itself, space, itself and the next one or two spaces, space
    written = np.full((len(codes), 5), ord(" "), dtype="<u4")
    written[:, 0] = codes
    paired = (spaceless[:-1] & spaceless[1:]).nonzero()[0]
    written[paired, 2] = codes[paired]
    written[paired, 3] = codes[paired + 1]
    return _decoded(written[spaceless])


def _decoded(codes: NDArray[np.uint32]) -> str:
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def stands(found: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where the runs, one or more, stand one behind the other in a folded text: start and end; words as a whole.

    A pattern of a phrase would take longer to compile than a text to look through: the classes are large.

    >>> list(stands(["climate", "change"], "climates; climate: change"))
    [(10, 25)]
    """
    end = 0
    for at in _starts(found, text):
        if at >= end and (here := _end(found, text, at)):
            yield at, here
            end = here


def _starts(found: Sequence[str], text: str) -> Iterator[int]:
    """Yield where the first run stands: of a word, most places inside of another are passed over at once."""
    if not is_spaceless(found[0]):
        yield from (match.start() for match in _word(found[0]).finditer(text))
        return
    at = text.find(found[0])
    while at >= 0:
        yield at
        at = text.find(found[0], at + 1)


@lru_cache(maxsize=256)
def _word(run: str) -> re.Pattern[str]:
    word = re.escape(run)
    return re.compile(f"{word}(?<![0-9a-z]{word})(?![0-9a-z])")


def _end(found: Sequence[str], text: str, start: int) -> int:
    """Return where the runs end of which the first stands at the start; 0 where they do not follow."""
    end, before = start, None
    for run in found:
        spaceless, at = is_spaceless(run), end
        is_apart = before is None and (spaceless or start == 0 or _is_break(text[start - 1]))
        if before is not None:
            while at < len(text) and _is_in(SEPARATORS, text[at]):
                at += 1
            is_apart = at > end or spaceless is not before
        if not is_apart or not text.startswith(run, at):
            return 0
        end, before = at + len(run), spaceless
    return end if before or end == len(text) or _is_break(text[end]) else 0


def _is_break(character: str) -> bool:
    """Tell whether the character may stand beside a word."""
    if character.isascii():
        return not character.isalnum() and character != "\0"
    return _is_in(SEPARATORS, character) or _is_in(SPACELESS, character)


def _is_in(ranges: str, character: str) -> bool:
    return bool(_table(ranges)[min(ord(character), _BEYOND)])


@cache
def _table(ranges: str) -> NDArray[np.bool_]:
    """Return which characters the ranges have, by code."""
    found = np.zeros(_BEYOND + 1, dtype=np.bool_)
    for first, last, single in re.findall("(.)-(.)|(.)", ranges.encode().decode("unicode_escape")):
        found[ord(first or single) : ord(last or single) + 1] = True
    return found


def needed_terms(found: Iterable[str]) -> tuple[str, ...]:
    """Return the terms that a text with these runs has; of a run of several characters its pairs say it all."""
    needed: dict[str, None] = {}
    for run in found:
        pairs = map(add, run, run[1:]) if is_spaceless(run) and len(run) > 1 else (run[:WORD_CHARS],)
        needed.update(dict.fromkeys(pairs))
    return tuple(needed)
