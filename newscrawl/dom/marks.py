"""A subtree as XML made in C, and its tags as marks: numbers that say what begins and ends where.

Walking the nodes in Python costs 0.6 of lxml's parse of the same page, reading this 0.3 (medians, 40 corpus pages of
20 kB or more): each walk over a tree, in Python or in C, costs a tenth for the memory it goes through alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from lxml import etree

from newscrawl.dom.kinds import KIND_OF, NAMES, OTHER_KIND
from newscrawl.dom.tags import DROPPED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.dom.kinds import Bools

    Numbers = NDArray[np.intp]

END: Final = 0
"""End of an element; a begin is the tag's kind. No element has the kind of text."""
DROP: Final = 0xFE
"""Stands for an element without a row, once for each element in it too."""
NOTE: Final = 0xFF
"""Stands for a comment or processing instruction, and for what else only parts one text from another."""

STEPS: Final = np.array([-1, *[1] * (len(NAMES) - 1), *[0] * (256 - len(NAMES))], dtype=np.int8)
"""Mark → how many levels it goes down."""

_NOTE: Final = b"<!>"
_UNREADABLE: Final = (b"<![", b"&#x")
"""Sections of XML, and characters that XML has no way to write, for which libxml2 puts others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The tags of a subtree in order; arrays have an entry for each, an empty element's ``<br/>`` has two."""

    data: bytes
    """The subtree as XML, a comment as ``<!>``."""
    marks: NDArray[np.uint8]
    start: Numbers
    """Where the text behind the mark begins in ``data``."""
    stop: Numbers
    """Where it ends; the same as ``start`` for none, and for the text of elements without rows."""
    tag_start: Numbers
    """Of a begin: where its name begins in ``data``; elsewhere without meaning."""
    tag_stop: Numbers
    """Of a begin: the ``>`` of its tag."""


def read_marks(body: HtmlElement) -> Marks | None:
    """Return the marks of ``body``; None for names that hold a ``<`` and other trees that cannot be read so."""
    data = etree.tostring(body, encoding="utf-8", with_tail=False)
    for begin, end in ((b"<!--", b"-->"), (b"<?", b"?>")):
        if begin in data:
            data = _without_notes(data, begin, end)
    if any(mark in data for mark in _UNREADABLE) or body.nsmap:
        return None
    codes = np.frombuffer(data, dtype=np.uint8)
    opening, closing = np.flatnonzero(codes == ord("<")), np.flatnonzero(codes == ord(">"))
    if len(opening) != len(closing) or (closing[:-1] > opening[1:]).any():
        return None
    return _marks_of_tags(data, codes, opening, closing)


def _without_notes(data: bytes, begin: bytes, end: bytes) -> bytes:
    """Return the XML with ``_NOTE`` for each comment, or for each of what else begins and ends so."""
    first, *parts = data.split(begin)
    behind = (part.partition(end) for part in parts)
    return b"".join([first, *(_NOTE + rest if found else b"" for _, found, rest in behind)])


def _marks_of_tags(data: bytes, codes: NDArray[np.uint8], opening: Numbers, closing: Numbers) -> Marks:
    second = codes.take(opening + 1)
    is_begin = (second != ord("/")) & (second != ord("!"))
    is_empty = is_begin & (codes.take(closing - 1) == ord("/"))
    place = np.cumsum(is_empty)
    place += np.arange(len(opening))  # of a tag's last mark
    begins = np.flatnonzero(is_begin)
    begin_marks = place.take(begins) - is_empty.take(begins)
    n = int(place[-1]) + 1
    marks = np.zeros(n, dtype=np.uint8)
    marks[place[second == ord("!")]] = NOTE
    marks[begin_marks] = _kinds_of(data, opening.take(begins) + 1)
    start, stop, tag_start, tag_stop = np.zeros((4, n), dtype=np.intp)
    start[place] = closing + 1
    stop[place[:-1]] = opening[1:]
    stop[-1] = start[-1]
    tag_start[begin_marks] = opening.take(begins) + 1
    tag_stop[begin_marks] = closing.take(begins)
    _drop(marks, start, stop)
    return Marks(data=data, marks=marks, start=start, stop=stop, tag_start=tag_start, tag_stop=tag_stop)


def _drop(marks: NDArray[np.uint8], start: Numbers, stop: Numbers) -> None:
    """Leave of dropped elements and of all in them a ``DROP`` each, without text; a note before the text behind."""
    dropped = np.flatnonzero(marks == DROP)
    if not len(dropped):
        return
    step = STEPS.take(marks)
    step[dropped] = 1
    begins, ends = np.array(list(_spans(dropped.tolist(), step.tolist())), dtype=np.intp).T
    change = np.zeros(len(marks), dtype=np.int8)
    change[begins] = 1
    change[ends] = -1
    is_inside: Bools = np.cumsum(change, dtype=np.int8).view(np.bool_)
    marks[is_inside] = np.where(step[is_inside] > 0, DROP, NOTE)
    stop[is_inside] = start[is_inside]
    marks[ends] = NOTE


def _spans(begins: list[int], steps: list[int]) -> Iterator[tuple[int, int]]:
    """Return the marks of begin and end of some elements; of those in one another, of the outer one alone."""
    end = -1
    for begin in begins:
        if begin < end:
            continue
        depth, end = 1, begin
        while depth:
            end += 1
            depth += steps[end]
        yield begin, end


_WORD: Final = 8
"""Letters of names that are compared at once."""
_NAME: Final = re.compile(rb"[^\s/>]+")
_IS_DELIMITER: Final = np.isin(np.arange(256), [ord(" "), ord("/"), ord(">")])
_LETTERS: Final = np.array([2**64 - 1, *(2 ** (8 * length) - 1 for length in range(1, _WORD))], dtype=np.uint64)
"""Letters of a name, 0 for ``_WORD`` and more, → the bits that are them."""


def _known() -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the short names with marks of their own as numbers, sorted, and the marks."""
    marks = KIND_OF | dict.fromkeys(DROPPED, DROP)
    words = {int.from_bytes(name.encode(), "little"): mark for name, mark in marks.items() if len(name) < _WORD}
    return np.array(sorted(words), dtype=np.uint64), np.array([words[word] for word in sorted(words)], dtype=np.uint8)


_WORDS, _MARKS = _known()
_LONG: Final = {
    name.encode(): mark for name, mark in (KIND_OF | dict.fromkeys(DROPPED, DROP)).items() if len(name) >= _WORD
}


def _kinds_of(data: bytes, names: Numbers) -> NDArray[np.uint8]:
    """Return the marks of elements, given where their names begin."""
    # every name has its end tag or "/>" behind it, and the last its body's: 8 more bytes are there
    words = np.ndarray(len(data) - _WORD + 1, dtype="<u8", buffer=data, strides=(1,))[names]
    length = _IS_DELIMITER.take(words.view(np.uint8)).reshape(-1, _WORD).argmax(axis=1)
    words &= _LETTERS.take(length)
    place = np.minimum(np.searchsorted(_WORDS, words), len(_WORDS) - 1)
    kinds: NDArray[np.uint8] = np.where(_WORDS.take(place) == words, _MARKS.take(place), np.uint8(OTHER_KIND))
    for number in np.flatnonzero(length == 0).tolist():
        name = _NAME.match(data, int(names[number]))
        kinds[number] = OTHER_KIND if name is None else _LONG.get(name[0], OTHER_KIND)
    return kinds
