"""What changed between two texts of an article, paragraph by paragraph."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A comparison is quadratic in paragraphs. In a longer text, all between the equal ends is one change.
MAX_PARAGRAPHS: Final = 1_000


def changes(before: str, after: str) -> tuple[str, ...]:
    r"""Return paragraphs that went (``"- …"``) and came (``"+ …"``), in reading order.

    >>> changes("Same.\nThree were hurt.", "Same.\nFour were hurt.\nMore soon.")
    ('- Three were hurt.', '+ Four were hurt.', '+ More soon.')
    """
    return tuple(_lines(_paragraphs(before), _paragraphs(after)))


def _paragraphs(text: str) -> list[str]:
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def _lines(old: list[str], new: list[str]) -> Iterator[str]:
    start = _n_equal(old, new)
    end = _n_equal(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(old), len(new)) > MAX_PARAGRAPHS:
        yield from _replaced(old, new)
        return
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from _replaced(old[i:i_end], new[j:j_end])


def _n_equal(old: list[str], new: list[str]) -> int:
    """Paragraphs that both begin with."""
    n = 0
    for a, b in zip(old, new, strict=False):
        if a != b:
            break
        n += 1
    return n


def _replaced(old: list[str], new: list[str]) -> Iterator[str]:
    yield from (f"- {line}" for line in old)
    yield from (f"+ {line}" for line in new)
