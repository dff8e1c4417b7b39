"""The visible lines of a page, and numbers about them that hold in every script, each an array over all lines.

Beside them: the line of the page's own title, below which the article begins, and the lines in parts that are named as
boilerplate, by tag or by class: menus, footers, comments, related links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.languages.characters import (
    CURRENCY,
    PAUSE,
    SPACELESS_LETTER,
    STOP,
    UNMARKED,
    WIDE,
    character_classes,
    codes_of,
    of_money,
)
from newscrawl.languages.text import fold
from newscrawl.page.hints import BOILERPLATE_TAGS, speaks_for_boilerplate
from newscrawl.page.rows import inside
from newscrawl.page.tags import BLOCK_LEVEL, HEADINGS, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from newscrawl.languages.characters import Codes
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools, Ints, Measures

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.intp]

MAX_INLINE_DEPTH: Final = 64
"""Inline elements nested deeper are taken for the line's block."""


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Visible lines in document order; arrays of shape ``(n,)``. Counts leave white space out."""

    measures: Measures
    rows: Ints
    """All visible text rows."""
    first: Ints
    """Place in ``rows`` of each line's first text; shape ``(n + 1,)``, the last entry is ``len(rows)``."""
    start: Ints
    """Row of each line's first text."""
    block: Ints
    """Row of the nearest block-level element around each line's first text."""
    chars: Ints
    link_chars: Ints
    wide: Ints
    """Ideographs, kana and Hangul."""
    stops: Ints
    """Sentence marks."""
    unmarked: Ints
    """Characters of scripts that write no sentence marks."""
    currencies: Ints
    """Currency signs beside a number."""
    pauses: Ints
    """Commas and semicolons."""
    pieces: list[str]
    """The text of each of ``rows``."""
    joined: str
    """All texts, a NUL after each."""
    codes: Codes
    """All texts character by character, a NUL after each."""
    at: NDArray[np.int64]
    """Where each line begins in ``codes``, and where the last one ends; shape ``(n + 1,)``."""
    bounds: list[int]
    """``first`` as a list."""

    def __len__(self) -> int:
        return len(self.block)

    @cached_property
    def shown(self) -> list[str]:
        """The text of each line, runs of white space as one space."""
        pieces, bounds = self.pieces, self.bounds
        texts = map("".join, map(pieces.__getitem__, map(slice, bounds, bounds[1:])))
        return [" ".join(text.split()) for text in texts]

    def text(self, line: int) -> str:
        return self.shown[line]

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """Return the text of each of some lines."""
        return [*map(self.shown.__getitem__, numbers)]

    @cached_property
    def spans(self) -> tuple[Ints, Ints]:
        """The first line that begins in each row's subtree, and the one behind the last that does."""
        before = np.zeros(len(self.measures) + 1, dtype=np.int32)
        before[self.start + 1] = 1
        before.cumsum(out=before)
        return before[:-1], before.take(self.measures.end)

    def within(self, row: int) -> tuple[int, int]:
        """Return the first line that begins in an element, and the one behind the last that does."""
        first, stop = self.spans
        return first.item(row), stop.item(row)


def lines(measures: Measures) -> Lines:
    """Return the lines of a page. O(characters + rows)."""
    rows = measures.own.nonzero()[0].astype(np.int32)
    number = measures.line.take(rows)
    is_first = np.ones(len(rows), dtype=np.bool_)
    np.not_equal(number[1:], number[:-1], out=is_first[1:])
    begins = is_first.nonzero()[0]
    all_texts = measures.texts
    texts = [all_texts[row] for row in rows.tolist()]
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1, out=offsets[1:])
    joined = "\x00".join([*texts, ""])
    codes = codes_of(joined)
    classes = character_classes(codes)
    first = np.append(begins, len(rows)).astype(np.int32)
    at = offsets.take(first)
    start: Ints = rows.take(begins)
    wide, stops, pauses, currencies, unmarked = _sums((classes & _COUNTED) != 0, at[:-1])
    if currencies.any():
        currencies = _sums(of_money(codes, classes, at), at[:-1])
    return Lines(
        measures=measures,
        rows=rows,
        first=first,
        start=start,
        block=_blocks(measures, start),
        chars=_sums(measures.own.take(rows), begins),
        link_chars=_sums(measures.link_chars.take(rows), begins),
        wide=wide,
        stops=stops,
        pauses=pauses,
        currencies=currencies,
        unmarked=unmarked,
        pieces=texts,
        joined=joined,
        codes=codes,
        at=at,
        bounds=first.tolist(),
    )


_COUNTED: Final = np.array([[WIDE], [STOP], [PAUSE], [CURRENCY], [UNMARKED]], dtype=np.uint8)


def _sums(values: NDArray[np.bool_] | Ints, starts: NDArray[np.int64]) -> Ints:
    """Return the sums of the runs that begin at ``starts``, along the last axis."""
    if not len(starts):
        return np.zeros((*values.shape[:-1], 0), dtype=np.int32)
    return np.add.reduceat(values, starts, axis=-1, dtype=np.int32)


def _blocks(measures: Measures, starts: Ints) -> Ints:
    """Climb from each row through inline elements to the block-level one."""
    parent = measures.parent
    is_end = _IS_BLOCK_LEVEL.take(measures.kinds)
    is_end[:1] = True
    blocks: Ints = parent.take(starts)
    for _ in range(MAX_INLINE_DEPTH):
        inner = (~is_end.take(blocks)).nonzero()[0]
        if not len(inner):
            break
        blocks[inner] = parent.take(blocks.take(inner))
    return blocks


_IS_BLOCK_LEVEL: Final = kinds_among(BLOCK_LEVEL)


WIDE_WEIGHT: Final = 2.5
"""Letters that an ideograph is worth: a translation into Chinese has about 0.4 times the letters."""
MIN_PROSE_WEIGHT: Final = 25.0
"""A line outside links with less text than this is a heading, a label or a menu entry. Letters."""
LONG_SENTENCE: Final = 600.0
"""A line with fewer marks than one in so many letters is a list of words."""
UNMARKED_WEIGHT: Final = 60.0
"""A line this long is prose in scripts that write no sentence marks."""
MAX_LINK_SHARE: Final = 0.5
"""Above this share of link text a line is a line of links."""
LINKED_PROSE_WEIGHT: Final = 60.0
"""Unless it has at least this much punctuated text outside them."""


def weight_of(text: str) -> float:
    """Return how much a text says, in letters; an ideograph counts 2.5."""
    n_chars = len(text) - text.count(" ")
    return float(n_chars if text.isascii() else n_chars + (WIDE_WEIGHT - 1) * len(SPACELESS_LETTER.findall(text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFeatures:
    """Features of a page's lines; arrays of shape ``(n,)``."""

    lines: Lines
    weight: Floats
    """Text in letters, an ideograph counting ``WIDE_WEIGHT``."""
    link_share: Floats
    """Share of the characters that stand inside links, 0..1."""
    free: Floats
    """Weight outside links."""
    is_heading: Bools
    """Stands in ``h1`` … ``h6``."""
    is_links: Bools
    """Mostly link text."""
    is_prose: Bools
    """Sentence-like by itself: long enough, punctuated (or very long), and not mostly links."""

    def __len__(self) -> int:
        return len(self.weight)


def line_features(document: Document) -> LineFeatures:
    """Return the context-free features of the page's visible lines. O(characters + rows)."""
    page = lines(document.measures)
    weight = page.chars + (WIDE_WEIGHT - 1) * page.wide
    link_share = page.link_chars / np.maximum(page.chars, 1)
    free = weight * (1 - link_share)
    marks = page.stops + page.pauses / 2
    punctuated = (marks >= 1) & (marks * LONG_SENTENCE >= weight)
    punctuated |= (2 * page.unmarked > page.chars) & (free >= UNMARKED_WEIGHT)
    is_links = (link_share > MAX_LINK_SHARE) & ~(punctuated & (free >= LINKED_PROSE_WEIGHT))
    is_heading: Bools = kinds_among(HEADINGS)[page.measures.kinds[page.block]]
    return LineFeatures(
        lines=page,
        weight=weight,
        link_share=link_share,
        free=free,
        is_heading=is_heading,
        is_links=is_links,
        is_prose=punctuated & (free >= MIN_PROSE_WEIGHT) & ~is_links & ~is_heading,
    )


def median(numbers: NDArray[np.number[Any]]) -> float:
    """Return the middle one of some numbers, or the mean of both in the middle; the modules that have it load slowly.

    >>> median(np.array([4, 1, 2, 9]))
    3.0
    """
    ranked = np.sort(numbers).astype(np.float64)
    return float((ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2)


def span_sums(values: NDArray[np.float64] | NDArray[np.bool_], first: Numbers, stop: Numbers) -> Floats:
    """Return the sums of some values, along the last axis, from each of ``first`` to before the one of ``stop``."""
    before = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    values.cumsum(axis=-1, out=before[..., 1:])
    sums: Floats = before[..., stop] - before[..., first]
    return sums


def sum_subtrees(features: LineFeatures, values: Floats) -> Floats:
    """Return, for each row of the measures, the sum of the lines' ``values`` over its subtree."""
    measures = features.lines.measures
    before = np.zeros(len(measures) + 1)
    before[features.lines.start + 1] = values
    before = before.cumsum()
    sums: Floats = before[measures.end] - before[:-1]
    return sums


_LETTERS: Final = re.compile(r"[^\W_]+")

MIN_SHARE: Final = 0.25
"""A line shorter than this share of the page title is rather the site's or a section's name."""
MIN_WEIGHT: Final = 5.0
HEADING_BONUS: Final = 1.5
"""A line in h1 … h6 may be this much shorter than another one and is still preferred."""


MAX_MARKED: Final = 2.2
"""Most characters of a line for one of the folded title: in Indic scripts every second one is a mark, which folds."""


def find_headline(document: Document) -> int:
    """Return the line that is, or is contained in, the page's own title; -1 if there is none.

    The longest match wins, headings before other lines, plain text before links (logos, breadcrumbs, teasers), the
    later of two equal ones.
    """
    features, title = document.once(line_features), fold(document.title)
    lines = features.lines
    chars = lines.chars
    is_candidate = (
        (features.is_heading | (features.link_share <= MAX_LINK_SHARE))
        & (features.weight >= MIN_WEIGHT)
        & (chars >= MIN_SHARE * len(title))
        & (chars <= MAX_MARKED * len(title) + 4)
    )
    best, best_score = -1, 0.0
    for line in is_candidate.nonzero()[0].tolist():
        start = _LETTERS.search(lines.pieces[lines.bounds[line]])
        if start is not None and (begin := fold(start[0])) not in title and begin.isalnum():
            continue  # most lines begin with a word that the title has not
        folded = fold(lines.text(line))
        if not folded or folded not in title:
            continue
        preference = HEADING_BONUS if features.is_heading[line] else 1.0
        score = len(folded) * preference * (1 - features.link_share[line] / 2)
        if score >= best_score:
            best, best_score = line, score
    return best


MAX_HINTED_SHARE: Final = 0.9
"""Names that speak against a part with more than this share of the page's prose are not believed."""
MAX_HINTED_SHARE_UNTITLED: Final = 0.5
"""Share for a page whose headline, which would clear the article, was not found."""


def find_boilerplate(document: Document) -> Bools:
    """Tell which lines stand in a part whose tag, class or id speaks for boilerplate, and no class or id for content.

    A part with the headline in it is none. A footer below the headline is one, though it holds all the prose there is.
    Inline elements are not asked.
    """
    features = document.once(line_features)
    if not len(features):
        return np.zeros(0, dtype=np.bool_)
    headline, measures = document.once(find_headline), document.measures
    is_named = kinds_among(BOILERPLATE_TAGS)[measures.kinds] & (measures.chars > 0)
    rows, nodes, classes = measures.shown
    for row, node, names in zip(rows.tolist(), nodes, classes, strict=True):
        identity = node.get("id")
        said = f"{names} {identity}" if names and identity else names or identity
        if said and speaks_for_boilerplate(said):
            is_named[row] = True
    roots, title = is_named.nonzero()[0], features.lines.start[headline] if headline >= 0 else -1
    roots = roots[(roots > title) | (measures.end[roots] <= title)]
    prose = sum_subtrees(features, features.free * features.is_prose)
    limit = MAX_HINTED_SHARE if headline >= 0 else MAX_HINTED_SHARE_UNTITLED
    return inside(roots[prose[roots] <= limit * prose[0]], measures.end)[features.lines.start]
