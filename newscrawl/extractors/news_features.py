"""The lines of a page as numbers for the line network: text, place, tags, names, ancestors; no words of any language.

Everything is an array over all lines at once.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.features import line_features
from newscrawl.blocks.headline import find_headline
from newscrawl.dom.characters import CLOSING, PAUSE, STOP, character_classes
from newscrawl.dom.kinds import KIND_OF, NAMES, TEXT_KIND, kinds_among
from newscrawl.dom.tags import FORMATTING
from newscrawl.extractors.news_hints import HINTS, N_BITS, element_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.blocks.features import LineFeatures
    from newscrawl.dom.document import Document
    from newscrawl.dom.lines import Lines
    from newscrawl.dom.measures import Ints, Measures
    from newscrawl.extractors.news_hints import Names

    Array = NDArray[np.float32]
    Values = NDArray[np.float64] | NDArray[np.int64] | NDArray[np.bool_]

LEVELS: Final = 6
"""Elements around a line's block that are looked at; those with the same lines count as one."""
GROUP_LEVELS: Final = 4
FAR: Final = 5.0
STEP: Final = 10.0
"""Distances in lines are given in tens, at most ``FAR``."""

TAG_GROUPS: Final[dict[str, str]] = {
    "paragraph": "p", "item": "li dd dt", "cell": "td th", "heading": "h1 h2 h3 h4 h5 h6",
    "link": "a", "figure": "figure figcaption caption", "quote": "blockquote q", "code": "pre code", "header": "header",
    "footer": "footer", "nav": "nav", "aside": "aside", "article": "article", "main": "main", "form": "form fieldset",
    "bold": "strong b", "italic": "em i", "list": "ul ol dl menu", "section": "section", "button": "button label",
    "table": "table", "details": "details summary dialog", "time": "time address", "image": "img picture",
}  # fmt: skip
"""Tags that say the same of the text in them."""

_TAG_NAMES: Final = tuple(TAG_GROUPS)
_IMAGE: Final = _TAG_NAMES.index("image")
_OTHER: Final = len(TAG_GROUPS)
_N_AROUND: Final = _IMAGE + N_BITS
_GROUP_OF: Final = {tag: place for place, tags in enumerate(TAG_GROUPS.values()) for tag in tags.split()}
_TAG_IDS: Final = np.array([_GROUP_OF.get(tag, _OTHER) for tag in NAMES], dtype=np.int32)
_IS_INLINE: Final = kinds_among(FORMATTING) | (np.arange(256) == TEXT_KIND)
_IMAGE_KIND: Final = KIND_OF["img"]
_KINDS: Final = 256
_OWN_TAGS: Final = ("paragraph", "item", "cell", "heading", "figure", "quote", "code", "link")
_FIRST_TAGS: Final = ("link", "bold", "italic", "time")
_PER_LEVEL: Final = ("prose", "links", "lines", "density", "link_lines", "prose_lines", "headings", "place", "before")
_PER_GROUP: Final = ("size", "linked", "images", "link_share")


def _names() -> tuple[str, ...]:
    own = (
        "weight", "link_share", "link_chars", "texts", "stops", "pauses", "wide", "unmarked", "currencies", "digits",
        "capitals", "separators", "quotes", "n_stops", "n_pauses", "ends_sentence", "ends_pause", "ends_colon",
        "starts_capital", "starts_digit", "repeated", "same_block", "next_same_block",
    )  # fmt: skip
    page = ("page_lines", "page_text", "page_links", "page_wide", "page_prose", "place", "text_before")
    prose = ("is_prose", "is_links", "is_heading", "free", "prose_before", "prose_after")
    headline = ("from_headline", "has_headline", "is_headline")
    return (
        *own,
        *page,
        *prose,
        *headline,
        *(f"in_{name}" for name in _TAG_NAMES[:-1]),
        *(f"own_{name}" for name in _OWN_TAGS),
        *(f"first_{name}" for name in _FIRST_TAGS),
        *(f"{where}_{name}" for where in ("in", "own", "parent") for name in HINTS),
        *(f"level{level}_{name}" for name in _PER_LEVEL for level in range(LEVELS)),
        *(f"group{level}_{name}" for name in _PER_GROUP for level in range(GROUP_LEVELS)),
        *(f"images{level}" for level in range(GROUP_LEVELS)),
    )


FEATURES: Final = _names()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLines:
    """What the network sees of one page of ``n`` lines."""

    values: Array
    """Shape ``(n, len(FEATURES))``."""
    low: Ints
    """First line inside each of the ``LEVELS`` elements around a line; shape ``(n, LEVELS)``."""
    high: Ints
    """One past the last line inside it."""
    chars: Array
    """Characters of each line, white space left out."""
    features: LineFeatures

    @property
    def lines(self) -> Lines:
        return self.features.lines


def page_lines(document: Document) -> PageLines | None:
    """Return the lines of a page as numbers; None for a page without visible text. O(characters + rows)."""
    features = document.once(line_features)
    lines = features.lines
    if not len(lines):
        return None
    headline = document.once(find_headline)
    tree = _tree(lines)
    measures = lines.measures
    names = element_names(measures, np.flatnonzero((tree.high > tree.low) & ~_IS_INLINE[measures.kinds]))
    columns = (
        *_text_columns(features),
        *_page_columns(features),
        *_prose_columns(features, headline),
        *_tag_columns(lines, tree, names),
        *_level_columns(features, tree),
        _group_columns(measures, tree, names),
    )
    values = np.empty((len(FEATURES), len(lines)), dtype=np.float32)
    at = 0
    for column in columns:
        width = 1 if column.ndim == 1 else column.shape[1]
        values[at : at + width] = column.T
        at += width
    return PageLines(
        values=values.T,
        low=tree.low[tree.levels],
        high=tree.high[tree.levels],
        chars=lines.chars.astype(np.float32),
        features=features,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """Elements that hold lines."""

    low: Ints
    """First line inside each row's subtree."""
    high: Ints
    block: Ints
    """Row of the outermost element with the same lines as each line's block."""
    levels: Ints
    """Rows around ``block``, shape ``(n, LEVELS)``: the outermost of each chain of elements with the same lines."""
    parent: Ints
    """Row of the element around ``block``: the innermost of its chain."""


def _tree(lines: Lines) -> _Tree:
    measures = lines.measures
    begins = np.zeros(len(measures) + 1, dtype=np.int32)
    begins[lines.start + 1] = 1
    before = np.cumsum(begins, dtype=np.int32)
    low, high = before[:-1], before[measures.end]
    above = np.maximum(measures.parent, 0)
    top = np.where((low == low[above]) & (high == high[above]), above, np.arange(len(above), dtype=np.int32))
    while True:
        higher = top[top]
        if np.array_equal(higher, top):
            break
        top = higher
    block = top[lines.block]
    parent = above[block]
    levels = np.empty((len(lines), LEVELS), dtype=np.int32)
    row = parent
    for level in range(LEVELS):
        levels[:, level] = top[row]
        row = above[levels[:, level]]
    return _Tree(low=low, high=high, block=block, levels=levels, parent=parent)


_DIGIT, _CAPITAL, _SEPARATOR, _QUOTE = 0, 16, 32, 48
"""Places of the four counts in a 64-bit sum."""
_FIELD: Final = 0xFFFF
_SEPARATORS: Final = "|>›»/\\·•_-—–[]【】()（）<^#@©®:：+=~→▶►■◆●*"
_QUOTES: Final = '"“”„‘’「」『』«»'


@cache
def _counters() -> NDArray[np.int64]:
    """Return for each character below U+10000 the count it adds to, packed."""
    table = np.zeros(0x10000, dtype=np.int64)
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        if category == "Nd":
            table[code] = 1 << _DIGIT
        elif category == "Lu":
            table[code] = 1 << _CAPITAL
    table[[ord(char) for char in _SEPARATORS]] = 1 << _SEPARATOR
    table[[ord(char) for char in _QUOTES]] = 1 << _QUOTE
    return table


def _text_columns(features: LineFeatures) -> list[Values]:
    lines = features.lines
    all_texts = lines.measures.texts
    texts = [all_texts[row] for row in lines.rows.tolist()]
    chars = np.maximum(lines.chars, 1)
    counts = _counts(texts, lines.first)
    digits, capitals, separators, quotes = ((counts >> place & _FIELD) / chars for place in range(0, 64, 16))
    heads = [texts[at] for at in lines.first[:-1].tolist()]
    tails = [texts[at] for at in (lines.first[1:] - 1).tolist()]
    edges = "".join(
        [(one.lstrip()[:1] or " ") + two.rstrip()[-2:].rjust(2) for one, two in zip(heads, tails, strict=True)]
    )
    codes = np.minimum(_codes(edges), 0xFFFF).reshape(-1, 3)
    classes = _edge_classes()[codes[:, 1:]]
    begins = _counters()[codes[:, 0]]
    ends_stop = (classes[:, 1] & STOP) | ((classes[:, 1] & CLOSING) * (classes[:, 0] & STOP))
    times = Counter(heads)
    same = np.concatenate((np.zeros(1), lines.block[1:] == lines.block[:-1]))
    return [
        np.log1p(features.weight),
        features.link_share,
        np.log1p(lines.link_chars),
        np.log1p(np.diff(lines.first)),
        lines.stops / chars,
        lines.pauses / chars,
        lines.wide / chars,
        lines.unmarked / chars,
        np.minimum(lines.currencies, 3),
        digits,
        capitals,
        separators,
        quotes,
        np.log1p(lines.stops),
        np.log1p(lines.pauses),
        ends_stop > 0,
        (classes[:, 1] & PAUSE) > 0,
        (codes[:, 2] == ord(":")) | (codes[:, 2] == ord("：")),
        (begins >> _CAPITAL) & 1,
        begins & 1,
        np.minimum(np.array(list(map(times.__getitem__, heads))), 5) - 1.0,
        same,
        np.concatenate((same[1:], np.zeros(1))),
    ]


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)


@cache
def _edge_classes() -> NDArray[np.uint8]:
    """Return the flags of each character below U+10000 at the end of a line."""
    codes = [code for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    table = np.zeros(0x10000, dtype=np.uint8)
    table[codes] = character_classes("".join(map(chr, codes)))
    table[ord(".")] |= STOP
    return table


def _counts(texts: list[str], first: Ints) -> NDArray[np.int64]:
    """Return the four counts of every line, packed."""
    codes = _codes("\x00".join([*texts, ""]))
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    offsets = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
    sums: NDArray[np.int64] = np.add.reduceat(_counters()[np.minimum(codes, 0xFFFF)], offsets[first[:-1]])
    return sums


def _page_columns(features: LineFeatures) -> list[Values]:
    lines = features.lines
    n = len(lines)
    total = max(1, int(lines.chars.sum()))
    prose = float((features.free * features.is_prose).sum())
    one = np.ones(n)
    return [
        one * np.log1p(n),
        one * np.log1p(total),
        one * (float(lines.link_chars.sum()) / total),
        one * (float(lines.wide.sum()) / total),
        one * np.log1p(prose),
        np.arange(n) / n,
        (np.cumsum(lines.chars) - lines.chars) / total,
    ]


def _prose_columns(features: LineFeatures, headline: int) -> list[Values]:
    n = len(features)
    place = np.arange(n)
    prose = features.free * features.is_prose
    before = np.cumsum(prose)
    total = max(1.0, float(before[-1]))
    return [
        features.is_prose,
        features.is_links,
        features.is_heading,
        np.log1p(features.free),
        (before - prose) / total,
        1 - before / total,
        np.clip((place - headline) / STEP, -FAR, FAR) if headline >= 0 else np.zeros(n),
        np.full(n, headline >= 0),
        place == headline,
    ]


def _tag_columns(lines: Lines, tree: _Tree, names: Names) -> list[Values]:
    """Tags and names around each line, and those of its block, of the element around it, and of its first text."""
    n = len(lines)
    measures = lines.measures
    ids: Ints = _TAG_IDS[measures.kinds]
    bits = names.bits
    tagged = np.flatnonzero((tree.high > tree.low) & (ids < _IMAGE))
    named = np.flatnonzero(bits)
    of, bit = np.nonzero(_unpacked(bits[named]))
    rows = np.concatenate((tagged, named[of]))
    column: NDArray[np.int64] = np.concatenate((ids[tagged], _IMAGE + bit))
    size = (n + 1) * _N_AROUND
    begun = np.bincount(tree.low[rows] * _N_AROUND + column, minlength=size)
    change = begun - np.bincount(tree.high[rows] * _N_AROUND + column, minlength=size)
    around = np.minimum(np.cumsum(change.reshape(n + 1, _N_AROUND)[:-1], axis=0), 3)
    return [
        around[:, :_IMAGE],
        ids[lines.block][:, None] == _OWN_IDS,
        ids[measures.parent[lines.start]][:, None] == _FIRST_IDS,
        around[:, _IMAGE:],
        _unpacked(bits[lines.block] | bits[tree.block]),
        _unpacked(bits[tree.parent] | bits[tree.levels[:, 0]]),
    ]


_OWN_IDS: Final = np.array([_TAG_NAMES.index(name) for name in _OWN_TAGS])
_FIRST_IDS: Final = np.array([_TAG_NAMES.index(name) for name in _FIRST_TAGS])
_SHIFTS: Final = np.arange(N_BITS)


def _unpacked(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    result: NDArray[np.int64] = (bits[:, None] >> _SHIFTS) & 1
    return result


def _level_columns(features: LineFeatures, tree: _Tree) -> list[Values]:
    """The elements around each line: how much prose and how many links they hold."""
    lines = features.lines
    n = len(lines)
    prose = features.free * features.is_prose
    counted = np.stack(
        [prose, lines.chars, lines.link_chars, features.is_links, features.is_prose, features.is_heading], axis=1
    )
    before = np.zeros((n + 1, counted.shape[1]))
    np.cumsum(counted, axis=0, out=before[1:])
    low, high = tree.low[tree.levels], tree.high[tree.levels]
    sums = before[high] - before[low]
    size = np.maximum(high - low, 1)
    place = np.arange(n)[:, None]
    own_prose = np.maximum(sums[:, :, 0], 1.0)
    return [
        sums[:, :, 0] / max(1.0, float(before[-1, 0])),
        sums[:, :, 2] / np.maximum(sums[:, :, 1], 1.0),
        np.log1p(size),
        np.log1p(sums[:, :, 0] / size),
        sums[:, :, 3] / size,
        sums[:, :, 4] / size,
        sums[:, :, 5] / size,
        (place - low) / size,
        (before[:-1, :1] - before[low][:, :, 0]) / own_prose,
    ]


def _group_columns(measures: Measures, tree: _Tree, names: Names) -> Values:
    """Siblings of the same tag and class: a row of teasers, of paragraphs, of comments."""
    rows = np.concatenate((tree.block[:, None], tree.levels[:, : GROUP_LEVELS - 1]), axis=1)
    is_asked = np.zeros(len(measures), dtype=np.bool_)
    is_asked[rows] = True
    asked = np.flatnonzero(is_asked)
    where = (np.cumsum(is_asked) - 1)[rows]
    kinds = measures.kinds[asked]
    sign = (names.classes[asked] * _KINDS + kinds) * len(measures) + measures.parent[asked]
    group = np.unique(sign, return_inverse=True)[1]
    images = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(measures.kinds == _IMAGE_KIND, dtype=np.int32)))
    has_images = images[measures.end[asked]] > images[asked]
    size = np.bincount(group)
    chars = np.bincount(group, weights=measures.chars[asked])
    of_group = np.stack(
        [
            np.log1p(size),
            np.bincount(group, weights=measures.links[asked] > 0) / size,
            np.bincount(group, weights=has_images) / size,
            np.bincount(group, weights=measures.link_chars[asked]) / np.maximum(chars, 1),
        ],
        axis=1,
    )
    of_row = np.concatenate((of_group[group], has_images[:, None]), axis=1)
    columns: NDArray[np.float64] = of_row[where].transpose(0, 2, 1).reshape(len(rows), -1)
    return columns
