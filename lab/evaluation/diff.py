"""Gold and output side by side in one text: what agrees, what is missing, what is too much."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from newscrawl.serve.training.metrics import comparable

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE: Final = re.compile(r"[^。！？!?\n]*(?:[。！？!?\n]+|$)|[^\n]+")
MAX_CHARS: Final = 20_000
"""Longer texts are cut: the picture is for a person's eyes."""
KEPT: Final = 60
"""Characters shown at each end of a long stretch that agrees."""


@dataclass(frozen=True, slots=True)
class Piece:
    kind: str
    """``same``, ``missing`` (only in the gold) or ``extra`` (only in the output)."""
    text: str


def diff(gold: str, output: str) -> list[Piece]:
    """Return the pieces in reading order, compared sentence by sentence; spacing and width never count."""
    left, right = _pieces(gold[:MAX_CHARS]), _pieces(output[:MAX_CHARS])
    matcher = SequenceMatcher(
        None, [comparable(text) for text in left], [comparable(text) for text in right], autojunk=False
    )
    found: list[Piece] = []
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            found.append(Piece("same", _shorten("".join(left[i:i_end]))))
            continue
        if i_end > i:
            found.append(Piece("missing", "".join(left[i:i_end])))
        if j_end > j:
            found.append(Piece("extra", "".join(right[j:j_end])))
    return found


def _pieces(text: str) -> list[str]:
    return list(_split(text))


def _split(text: str) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        if match.group().strip():
            yield match.group()


def _shorten(text: str) -> str:
    if len(text) <= 4 * KEPT:
        return text
    return f"{text[:KEPT]} […{len(text) - 2 * KEPT} characters agree…] {text[-KEPT:]}"
