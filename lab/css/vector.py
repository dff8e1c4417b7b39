"""The block vector ⟨ρtext, ρlink, ρltext, width, height, sp⟩ (Zhang, Cao, Li 2015, §4.2, eq. 5), and block boxes.

Where a block stands on the screen comes from a :class:`BoxSource`. :func:`estimated_boxes` is the one that needs
nothing but the markup; an analyser of style sheets or a browser can take its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement
    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.measures import Measures
    from newscrawl.page.segment import Block

    Floats = NDArray[np.float64]

FEATURES: Final = ("text_density", "link_density", "link_text_density", "width", "height", "place")

SCREEN_WIDTH: Final = 1366.0
SCREEN_HEIGHT: Final = 768.0
"""Pixels; the commonest screen of the paper's years. Ours."""
LINE_HEIGHT: Final = 24.0
GLYPH_WIDTH: Final = 8.0
WIDE_GLYPH_WIDTH: Final = 16.0
"""Pixels of a letter and of an ideograph at the usual 14 to 16 px."""
PADDING: Final = 16.0
"""Pixels added to the longest line of a block, for bullets and margins."""
MIN_SHARE: Final = 0.001

PLACES: Final = ((0.2, 0.4, 0.2), (0.5, 1.0, 0.5), (0.1, 0.2, 0.1))
"""Importance of a place: rows top, middle, bottom; columns left, middle, right. The printed table 1 is lost; DESIGN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Boxes of a page's blocks, as shares of the screen; shape ``(n,)``."""

    left: Floats
    """Left edge, in ``[0, 1)``."""
    width: Floats
    """In (0, 1]."""
    height: Floats
    """In (0, 1]: what is higher than the screen counts 1."""


class BoxSource(Protocol):
    """Anything that tells where blocks stand."""

    def __call__(self, blocks: Sequence[Block], document: Document) -> Boxes: ...


def block_vectors(blocks: Sequence[Block], document: Document, boxes: BoxSource | None = None) -> Floats:
    """Return the vectors of a page's blocks, shape ``(n_blocks, 6)``, columns as in ``FEATURES``, all in ``[0, 1]``.

    :param boxes: :func:`estimated_boxes` when None.
    """
    if not blocks:
        return np.empty((0, len(FEATURES)))
    found = (boxes or estimated_boxes)(blocks, document)
    counts = np.array([(block.n_chars - block.n_link_chars, block.n_links, block.n_link_chars) for block in blocks])
    vectors = np.empty((len(blocks), len(FEATURES)))
    vectors[:, :3] = counts / np.maximum(_page_counts(document.measures), 1)
    vectors[:, 3] = found.width
    vectors[:, 4] = found.height
    vectors[:, 5] = place_scores(found, middles(blocks, document.measures))
    return vectors


def _page_counts(measures: Measures) -> tuple[int, int, int]:
    if not len(measures):
        return 0, 0, 0
    link_chars = int(measures.link_chars[0])
    return int(measures.chars[0]) - link_chars, int(measures.links[0]), link_chars


def middles(blocks: Sequence[Block], measures: Measures) -> Floats:
    """Return the middle node number of each block as a share of the page's nodes: about how far down it stands."""
    spans = np.array([(block.start, block.end) for block in blocks], dtype=np.float64)
    shares: Floats = spans.mean(axis=1) / max(len(measures), 1)
    return shares


def place_scores(boxes: Boxes, middle: Floats) -> Floats:
    """Return sp: the importance of each block's place, X by thirds of the width, Y by thirds of node numbers."""
    column = np.clip((boxes.left + boxes.width / 2) * 3, 0, 2).astype(np.int64)
    row = np.clip(middle * 3, 0, 2).astype(np.int64)
    scores: Floats = np.array(PLACES)[row, column]
    return scores


def estimated_boxes(blocks: Sequence[Block], document: Document) -> Boxes:
    """Estimate boxes from the markup alone.

    Width: what attributes and inline styles of the block and the elements around it say, cells of a table row sharing
    the row; within that, the longest line of text. Left edge: the cells before it in its row, ``align`` and inline
    ``float``, else names such as "left" and "sidebar"; in the middle where nothing speaks. Height: its lines, broken
    at that width, and images with a height.
    """
    measures = document.measures
    outer = _Frames(measures)
    frames = [outer.of_row(_first_element(measures, block.start)) for block in blocks]
    left = np.array([frame.left for frame in frames])
    available = np.array([frame.width for frame in frames])
    longest, pixels = _line_pixels(blocks)
    width = np.clip(np.minimum(available, (longest + PADDING) / SCREEN_WIDTH), MIN_SHARE, 1.0)
    aligned = np.array([frame.align for frame in frames])
    left = left + aligned * (available - width)
    n_lines = np.array([len(block.text.split("\n")) for block in blocks])
    rows = np.maximum(n_lines, np.ceil(pixels / (width * SCREEN_WIDTH)))
    return Boxes(left=left, width=width, height=np.clip(rows * LINE_HEIGHT / SCREEN_HEIGHT, MIN_SHARE, 1.0))


def _first_element(measures: Measures, row: int) -> int:
    return int(measures.parent[row]) if measures.is_text(row) else row


def _line_pixels(blocks: Sequence[Block]) -> tuple[Floats, Floats]:
    """Return the pixels of each block's longest line and of all its lines."""
    text = "".join(block.text for block in blocks)
    sample = text[:4000]
    # an ideograph takes three bytes of UTF-8
    wide = (len(sample.encode("utf-8", "replace")) - len(sample)) / 2 / max(len(sample), 1)
    glyph = GLYPH_WIDTH + (WIDE_GLYPH_WIDTH - GLYPH_WIDTH) * min(wide, 1.0)
    longest = [max(map(len, block.text.split("\n"))) for block in blocks]
    return np.array(longest) * glyph, np.array([len(block.text) for block in blocks]) * glyph


@dataclass(frozen=True, slots=True)
class _Frame:
    """The room an element has, as shares of the screen."""

    left: float
    width: float
    align: float
    """Where a narrower block stands in it: 0 at the left, 1 at the right."""


_SCREEN: Final = _Frame(0.0, 1.0, 0.5)
_LENGTH: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(px|%|em|)\s*(?:$|[;!])")
_STYLE_WIDTH: Final = re.compile(r"(?:^|;)\s*width\s*:\s*([^;]+)", re.IGNORECASE)
_STYLE_FLOAT: Final = re.compile(r"(?:^|;)\s*float\s*:\s*(left|right)", re.IGNORECASE)
_ALIGN: Final = {"left": 0.0, "right": 1.0, "center": 0.5}
_SIDE: Final = re.compile(
    r"(?<![a-z])(?:(left|l_?col|lside)|(right|r_?col|rside|side_?bar|aside))(?![a-z])", re.IGNORECASE
)
_CELLS: Final = frozenset(("td", "th"))
_EM: Final = 16.0


class _Frames:
    """Frames of rows, each computed once from the frame of its parent."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures
        self.known: dict[int, _Frame] = {-1: _SCREEN}

    def of_row(self, row: int) -> _Frame:
        above = []
        parent = self.measures.parent
        while row not in self.known:
            above.append(row)
            row = int(parent[row])
        frame = self.known[row]
        for inner in reversed(above):
            frame = self.known[inner] = self._inside(frame, inner)
        return frame

    def _inside(self, frame: _Frame, row: int) -> _Frame:
        measures = self.measures
        node = measures.nodes[row]
        if measures.tags[row] in _CELLS:
            return self._cell(frame, node)
        if not node.attrib:
            return frame
        width, align = _own_width(node, frame.width), _own_align(node, frame.align)
        if width is None:
            return frame if align == frame.align else _Frame(frame.left, frame.width, align)
        return _Frame(frame.left + align * (frame.width - width), width, align)

    def _cell(self, frame: _Frame, node: HtmlElement) -> _Frame:
        """Share the row's room: widths that are said, then equal parts of the rest."""
        row = node.getparent()
        cells = [cell for cell in (row if row is not None else ()) if cell.tag in _CELLS]
        widths = [_own_width(cell, frame.width) for cell in cells]
        n_open = sum(width is None for width in widths)
        said = sum(width for width in widths if width is not None)
        rest = max(frame.width - said, 0.0) / n_open if n_open else 0.0
        shares = [rest if width is None else width for width in widths]
        scale = frame.width / max(sum(shares), frame.width, MIN_SHARE)
        place = cells.index(node) if node in cells else 0
        width = (shares[place] if shares else frame.width) * scale
        return _Frame(frame.left + sum(shares[:place]) * scale, max(width, MIN_SHARE), 0.5)


def _own_width(node: HtmlElement, available: float) -> float | None:
    """Return the width that the element's attributes give it, at most ``available``; None if they say nothing."""
    style = node.get("style")
    found = _STYLE_WIDTH.search(style) if style and "width" in style else None
    length = _LENGTH.match(found[1] if found else (node.get("width") or ""))
    if length is None:
        return None
    value, unit = float(length[1]), length[2]
    pixels = value * _EM if unit == "em" else value
    share = available * value / 100 if unit == "%" else pixels / SCREEN_WIDTH
    return min(max(share, MIN_SHARE), available)


def _own_align(node: HtmlElement, inherited: float) -> float:
    style = node.get("style")
    found = _STYLE_FLOAT.search(style) if style and "float" in style else None
    if found:
        return _ALIGN[found[1].lower()]
    align = (node.get("align") or "").lower()
    if align in _ALIGN:
        return _ALIGN[align]
    side = _SIDE.search(f"{node.get('class') or ''} {node.get('id') or ''}")
    return inherited if side is None else float(side[1] is None)
