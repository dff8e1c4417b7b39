"""The lines of a page as input of the line network: text, place, tags, names, ancestors, words in common.

Everything is an array over all lines at once.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.classify.lines.cohesion import cohesion
from newscrawl.classify.lines.columns import (
    FEATURES,
    FIRST_TAGS,
    GROUP_LEVELS,
    LEVELS,
    OWN_TAGS,
    PER_LEVEL,
    TAG_GROUPS,
)
from newscrawl.classify.lines.names import N_BITS, NamedLines, element_names
from newscrawl.languages.characters import CLOSING, PAUSE, STOP, character_classes
from newscrawl.page.lines import find_headline, line_features
from newscrawl.page.tags import KIND_OF, NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.lines.names import Names
    from newscrawl.page.document import Document
    from newscrawl.page.lines import LineFeatures, Lines
    from newscrawl.page.measures import Ints, Measures

    Array = NDArray[np.float32]
    Values = NDArray[np.float64] | NDArray[np.int64] | NDArray[np.int32] | NDArray[np.bool_]

FAR: Final = 5.0
STEP: Final = 10.0
"""Unit of distances in lines; they are at most ``FAR`` units."""

_TAG_NAMES: Final = tuple(TAG_GROUPS)
_IMAGE: Final = _TAG_NAMES.index("image")
_OTHER: Final = len(TAG_GROUPS)
_N_AROUND: Final = _IMAGE + N_BITS
_GROUP_OF: Final = {tag: place for place, tags in enumerate(TAG_GROUPS.values()) for tag in tags.split()}
_TAG_IDS: Final = np.array([_GROUP_OF.get(tag, _OTHER) for tag in NAMES], dtype=np.int32)
_IMAGE_KIND: Final = KIND_OF["img"]
_KINDS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkInput:
    """Input of the network for a page of ``n`` lines."""

    values: Array
    """Shape ``(n, len(FEATURES))``."""
    begins: Ints
    """First line inside each of the ``m`` elements that stand around lines; shape ``(m,)``."""
    ends: Ints
    """One past the last line inside it."""
    around: NDArray[np.int64]
    """Numbers of the ``LEVELS`` elements around each line; shape ``(n, LEVELS)``."""
    chars: Array
    """Characters of each line without white space."""
    features: LineFeatures
    lines: Lines
    named: NamedLines
    url: str | None = None
    """Address of the page."""

    @property
    def low(self) -> Ints:
        """First line inside each of the elements around a line; shape ``(n, LEVELS)``."""
        return self.begins.take(self.around)

    @property
    def high(self) -> Ints:
        return self.ends.take(self.around)


def page_lines(document: Document) -> NetworkInput | None:
    """Return the lines of a page as numbers; None for a page without visible text. O(characters + rows)."""
    features = document.once(line_features)
    lines = features.lines
    if not len(lines):
        return None
    headline = document.once(find_headline)
    tree, measures = _tree(lines), lines.measures
    names = element_names(measures)
    columns = (
        *_text_columns(features),
        *_page_columns(features, headline),
        *_tag_columns(lines, tree, names),
        _level_columns(features, tree),
        _group_columns(measures, tree, names),
        cohesion(document),
    )
    values, at = np.empty((len(FEATURES), len(lines)), dtype=np.float32), 0
    for column in columns:
        width = 1 if column.ndim == 1 else len(column)
        values[at : at + width] = column
        at += width
    return NetworkInput(
        values=values.T,
        begins=tree.low.take(tree.elements),
        ends=tree.high.take(tree.elements),
        around=tree.around.T,
        chars=lines.chars.astype(np.float32),
        features=features,
        lines=lines,
        named=NamedLines(
            texts=names.texts,
            number=names.number,
            parent=measures.parent,
            own=np.array([lines.block, tree.block]),
            near=np.array([tree.parent, tree.levels[:, 0]]),
        ),
        url=document.url,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """Elements around lines."""

    low: Ints
    """First line inside each row's subtree."""
    high: Ints
    block: Ints
    """Row of the outermost element with the same lines as each line's block."""
    levels: Ints
    """Rows around ``block``, shape ``(n, LEVELS)``: the outermost of each chain of elements with the same lines."""
    elements: NDArray[np.intp]
    """The rows among ``levels``, each once."""
    around: NDArray[np.int64]
    """Place in ``elements`` of each of ``levels``; shape ``(LEVELS, n)``."""
    parent: Ints
    """Row of the element around ``block``: the innermost of its chain."""


def _tree(lines: Lines) -> _Tree:
    measures = lines.measures
    n = len(measures)
    low, high = lines.spans
    above = np.maximum(measures.parent, 0)
    is_same = (low == low.take(above)) & (high == high.take(above))
    top = np.where(is_same, above, np.arange(n, dtype=np.int32))
    while True:
        higher = top.take(top)
        if (higher == top).all():
            break
        top = higher
    block = top.take(lines.block)
    parent = above.take(block)
    levels = np.empty((LEVELS, len(lines)), dtype=np.int32)
    row = parent
    for level in levels:
        top.take(row, out=level, mode="clip")
        row = above.take(level)
    is_around = np.zeros(n, dtype=np.bool_)
    is_around[levels] = True
    return _Tree(
        low=low,
        high=high,
        block=block,
        levels=levels.T,
        elements=is_around.nonzero()[0],
        around=(is_around.cumsum() - 1).take(levels),
        parent=parent,
    )


_DIGIT, _CAPITAL, _SEPARATOR, _QUOTE, _BLANK = 1, 2, 4, 8, 16
_COUNTED: Final = np.array([[_DIGIT], [_CAPITAL], [_SEPARATOR], [_QUOTE]], dtype=np.uint8)
_SEPARATORS: Final = "|>›»/\\·•_-—–[]【】()（）<^#@©®:：+=~→▶►■◆●*"
_QUOTES: Final = '"“”„‘’「」『』«»'


@cache
def _counters() -> NDArray[np.uint8]:
    """Return for each character below U+10000 the count that it increases; ``_BLANK`` for white space and NUL.

    Ideographs, syllables of Hangul and private characters, two thirds of all, increase none.
    """
    table = np.zeros(0x10000, dtype=np.uint8)
    for code in (*range(0x3400), *range(0xA000, 0xAC00), *range(0xF900, 0x10000)):
        category = unicodedata.category(chr(code))
        if category == "Nd":
            table[code] = _DIGIT
        elif category == "Lu":
            table[code] = _CAPITAL
        elif not code or chr(code).isspace():
            table[code] = _BLANK
    table[[ord(char) for char in _SEPARATORS]] = _SEPARATOR
    table[[ord(char) for char in _QUOTES]] = _QUOTE
    return table


def _text_columns(features: LineFeatures) -> list[Values]:
    lines = features.lines
    chars = np.maximum(lines.chars, 1)
    counters = _counters().take(lines.codes)
    starts = lines.at[:-1]
    counted = np.add.reduceat((counters & _COUNTED) != 0, starts, axis=1, dtype=np.int32)
    # the first, the last but one, and the last character of each line, blanks left out
    inked = (counters != _BLANK).nonzero()[0]
    after = np.searchsorted(inked, lines.at)
    at_end = inked.take(after[1:] - 1)
    first, last = lines.codes.take(inked.take(after[:-1])), lines.codes.take(at_end)
    before = lines.codes.take(at_end - 1, mode="wrap")
    classes = _edge_classes().take(last)
    ends_stop = (classes & STOP) | ((classes & CLOSING) * (_edge_classes().take(before) & STOP))
    begins = _counters().take(first)
    texts = lines.measures.texts
    heads = [texts[row] for row in lines.start.tolist()]
    times = Counter(heads)  # lines that begin with the same text
    same = np.zeros(len(lines) + 1, dtype=np.bool_)
    np.equal(lines.block[1:], lines.block[:-1], out=same[1:-1])
    return [
        np.log1p(features.weight),
        features.link_share,
        np.log1p(np.array([lines.link_chars, np.subtract(lines.first[1:], lines.first[:-1])])),
        np.array([lines.stops, lines.pauses, lines.wide, lines.unmarked]) / chars,
        np.minimum(lines.currencies, 3),
        counted / chars,
        np.log1p(np.array([lines.stops, lines.pauses])),
        ends_stop > 0,
        (classes & PAUSE) > 0,
        (last == ord(":")) | (last == ord("：")),
        begins == _CAPITAL,
        begins == _DIGIT,
        np.minimum(np.fromiter(map(times.__getitem__, heads), dtype=np.int64, count=len(heads)), 5) - 1,
        same[:-1],
        same[1:],
    ]


@cache
def _edge_classes() -> NDArray[np.uint8]:
    """Return the flags of each character below U+10000 at the end of a line."""
    table = character_classes(np.arange(0x10000, dtype=np.uint16))
    table[0xD800:0xE000] = 0  # no characters
    table[ord(".")] |= STOP
    return table


_NONE: Final = np.zeros(1)
_ALL: Final = np.ones(1)


def _page_columns(features: LineFeatures, headline: int) -> list[Values]:
    """Return the features of the whole page, each line's place in it, its prose, and how far its headline is."""
    lines, n = features.lines, len(features)
    chars, place = lines.chars, np.arange(n)
    total = max(1, int(chars.sum()))
    prose = features.free * features.is_prose
    before = prose.cumsum()
    total_prose = max(1.0, float(before[-1]))
    linked, wide = float(lines.link_chars.sum()) / total, float(lines.wide.sum()) / total
    return [
        np.array([[math.log1p(n)], [math.log1p(total)], [linked], [wide], [math.log1p(float(prose.sum()))]]),
        place / n,
        (chars.cumsum() - chars) / total,
        features.is_prose,
        features.is_links,
        features.is_heading,
        np.log1p(features.free),
        (before - prose) / total_prose,
        1 - before / total_prose,
        np.minimum(np.maximum((place - headline) / STEP, -FAR), FAR) if headline >= 0 else _NONE,
        _ALL if headline >= 0 else _NONE,
        place == headline,
    ]


def _tag_columns(lines: Lines, tree: _Tree, names: Names) -> list[Values]:
    """Return tags and names around each line, of its block, of the element around it, and of its first text."""
    n = len(lines)
    measures = lines.measures
    ids: Ints = _TAG_IDS.take(measures.kinds)
    bits = names.bits
    tagged = ((tree.high > tree.low) & (ids < _IMAGE)).nonzero()[0]
    named = bits.nonzero()[0]
    bit, of = np.nonzero(_unpacked(bits.take(named)))
    rows = np.concatenate((tagged, named.take(of)))
    column: Ints = np.concatenate((ids.take(tagged), _IMAGE + bit), dtype=np.int32)
    column *= n + 1
    size = (n + 1) * _N_AROUND
    change: NDArray[np.int64] = np.bincount(column + tree.low.take(rows), minlength=size)
    change -= np.bincount(column + tree.high.take(rows), minlength=size)
    sums = change.cumsum(out=change)  # each element begins and ends within a column: the sum returns to 0
    around = np.minimum(sums.reshape(_N_AROUND, n + 1)[:, :-1], 3)
    return [
        around[:_IMAGE],
        ids.take(lines.block) == _OWN_IDS,
        ids.take(measures.parent.take(lines.start)) == _FIRST_IDS,
        around[_IMAGE:],
        _unpacked(bits.take(lines.block) | bits.take(tree.block)),
        _unpacked(bits.take(tree.parent) | bits.take(tree.levels[:, 0])),
    ]


_OWN_IDS: Final = np.array([[_TAG_NAMES.index(name)] for name in OWN_TAGS])
_FIRST_IDS: Final = np.array([[_TAG_NAMES.index(name)] for name in FIRST_TAGS])
_SHIFTS: Final = np.arange(N_BITS)[:, None]


def _unpacked(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bits as zeros and ones, shape ``(N_BITS, n)``."""
    result: NDArray[np.int64] = (bits >> _SHIFTS) & 1
    return result


def _level_columns(features: LineFeatures, tree: _Tree) -> Values:
    """Return for elements around each line how much prose and how many links they hold."""
    lines = features.lines
    n = len(lines)
    prose = features.free * features.is_prose
    before = np.zeros((6, n + 1))
    counted = [prose, lines.chars, lines.link_chars, features.is_links, features.is_prose, features.is_heading]
    np.array(counted).cumsum(axis=1, out=before[:, 1:])
    low, high = tree.low.take(tree.elements), tree.high.take(tree.elements)
    before_low = before.take(low, axis=1)
    sums = before.take(high, axis=1)
    sums -= before_low
    size = np.maximum(high - low, 1)
    own_prose = np.maximum(sums[0], 1.0)
    of_element = np.zeros((len(PER_LEVEL), len(size)))  # the last two depend on the line, too
    np.divide(sums[0], max(1.0, float(before[0, -1])), out=of_element[0])
    np.divide(sums[2], np.maximum(sums[1], 1.0), out=of_element[1])
    of_element[2] = size
    np.divide(sums[0], size, out=of_element[3])
    np.log1p(of_element[2:4], out=of_element[2:4])
    np.divide(sums[3:], size, out=of_element[4:7])
    columns = of_element.take(tree.around, axis=1)
    np.divide(np.arange(n) - low.take(tree.around), size.take(tree.around), out=columns[7])
    prose_before = before[0, :-1] - before_low[0].take(tree.around)
    np.divide(prose_before, own_prose.take(tree.around), out=columns[8])
    return columns.reshape(-1, n)


def _group_columns(measures: Measures, tree: _Tree, names: Names) -> Values:
    """Return features of siblings of one tag and class: rows of teasers, paragraphs, comments."""
    rows = np.concatenate((tree.block[None], tree.levels.T[: GROUP_LEVELS - 1]))
    is_asked = np.zeros(len(measures), dtype=np.bool_)
    is_asked[rows] = True
    asked = is_asked.nonzero()[0]
    where = (is_asked.cumsum() - 1).take(rows)
    sign = names.classes.take(asked) * _KINDS + measures.kinds.take(asked)
    sign *= len(measures)
    sign += measures.parent.take(asked)
    signs = sign.tolist()
    numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs))}
    group = np.fromiter(map(numbers.__getitem__, signs), dtype=np.int64, count=len(signs))
    images = np.zeros(len(measures) + 1, dtype=np.int32)
    np.cumsum(measures.kinds == _IMAGE_KIND, out=images[1:])
    has_images = images.take(measures.end.take(asked)) > images.take(asked)
    size = np.bincount(group)
    chars = np.bincount(group, weights=measures.chars.take(asked))
    of_group = np.array(
        [
            np.log1p(size),
            np.bincount(group, weights=measures.links.take(asked) > 0) / size,
            np.bincount(group, weights=has_images) / size,
            np.bincount(group, weights=measures.link_chars.take(asked)) / np.maximum(chars, 1),
        ]
    )
    of_row = np.concatenate((of_group.take(group, axis=1), has_images[None]))
    columns: NDArray[np.float64] = of_row.take(where, axis=1).reshape(-1, rows.shape[1])
    return columns
