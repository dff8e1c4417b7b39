"""The state of one layout: styles, and the sizes and places found so far, a list for each with a value a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lab.css.glyphs import text_widths
from lab.css.screen import WIDTH
from newscrawl.page.measures import TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.css.style import Style
    from lab.css.values import Length
    from newscrawl.page.measures import Measures

TOP, RIGHT, BOTTOM, LEFT = range(4)


class Cell(NamedTuple):
    """A table cell, its first column, and how many columns and rows it takes."""

    row: int
    column: int
    n_columns: int
    n_rows: int


class Tree:
    """Rows of the measures as boxes. Sizes are those of border boxes, in pixels."""

    def __init__(self, measures: Measures, styles: Sequence[Style]) -> None:
        n = len(measures)
        self.tags = measures.tags
        self.parent: list[int] = measures.parent.tolist()
        self.styles = styles
        self.is_text = [tag == TEXT for tag in measures.tags]
        self.children: list[list[int]] = [[] for _ in range(n)]
        self.is_line: list[bool] = [False] * n
        """Whether the row stands in a line of text: texts and inline elements without a block inside."""
        self.shown: list[bool] = [False] * n
        self._link()
        self.natural: list[float] = [0.0] * n
        """Width without any line break."""
        self.least: list[float] = [0.0] * n
        """Width with every line break that can be."""
        self.content_least: list[float] = [0.0] * n
        """Least width without regard to a stated width."""
        self.width: list[float] = [0.0] * n
        self.height: list[float] = [0.0] * n
        self.x: list[float] = [0.0] * n
        self.y: list[float] = [0.0] * n
        """Relative to the parent's border box, until the last pass adds them up."""
        self.said_height: list[float | None] = [None] * n
        """Height of the content as far as it is known before what is inside has been laid out."""
        self.margin_top: list[float] = [0.0] * n
        self.margin_bottom: list[float] = [0.0] * n
        """Vertical margins, with those of first and last children that reach through."""
        self.overhang: list[float] = [0.0] * n
        """How far floats reach out of the lower edge."""
        self.is_width_said: list[bool] = [False] * n
        self.grids: dict[int, list[list[Cell]]] = {}
        """Table → the cells of its rows."""
        self.column_widths: dict[int, list[float]] = {}
        self.columns: dict[int, list[tuple[float, float, Length | None]]] = {}
        """Table → least, natural and stated width of each column."""
        self._nodes = measures.nodes
        self._measure_texts(measures.texts)

    def _link(self) -> None:
        for row, parent in enumerate(self.parent):
            style = self.styles[row]
            self.shown[row] = style.display != "none" and (parent < 0 or self.shown[parent])
            box = parent
            while box >= 0 and self.styles[box].display == "contents":
                box = self.parent[box]
            self.parent[row] = box
            if box >= 0 and self.shown[row] and style.display != "contents":
                self.children[box].append(row)
        for row in range(len(self.parent) - 1, -1, -1):
            inside = self.children[row]
            self.is_line[row] = self.is_text[row] or (
                self.styles[row].is_inline and all(self.is_line[child] or self.is_atom(child) for child in inside)
            )

    def _measure_texts(self, texts: Sequence[str]) -> None:
        rows = [row for row, is_text in enumerate(self.is_text) if is_text]
        widths, longest = text_widths([texts[row] for row in rows])
        for row, width, least in zip(rows, widths.tolist(), longest.tolist(), strict=True):
            font = self.styles[row].font
            self.natural[row] = width * font
            self.least[row] = width * font if self.styles[row].nowrap else least * font

    def is_atom(self, row: int) -> bool:
        """Tell whether the row stands in a line of text as one piece, or in none at all."""
        style = self.styles[row]
        return style.display == "inline-block" or style.float_side != "none" or style.is_out_of_flow

    def is_in_line(self, row: int) -> bool:
        """Tell whether the row takes part in a line of text."""
        style = self.styles[row]
        if style.float_side != "none" or style.is_out_of_flow:
            return False
        return self.is_line[row] or style.display == "inline-block"

    def frame(self, row: int) -> float:
        """Return left and right padding and border of a row, percentages against the screen's width at most."""
        style = self.styles[row]
        base = self._base(row)
        padding = style.paddings[LEFT].of(base) + style.paddings[RIGHT].of(base)
        return max(padding, 0.0) + style.borders[LEFT] + style.borders[RIGHT]

    def frame_height(self, row: int) -> float:
        """Return upper and lower padding and border of a row."""
        style = self.styles[row]
        base = self._base(row)
        padding = style.paddings[TOP].of(base) + style.paddings[BOTTOM].of(base)
        return max(padding, 0.0) + style.borders[TOP] + style.borders[BOTTOM]

    def left_edge(self, row: int) -> float:
        """Return where the content of a row begins, from its left border edge."""
        style = self.styles[row]
        return max(style.paddings[LEFT].of(self._base(row)), 0.0) + style.borders[LEFT]

    def top_edge(self, row: int) -> float:
        """Return where the content of a row begins, from its upper border edge."""
        style = self.styles[row]
        return max(style.paddings[TOP].of(self._base(row)), 0.0) + style.borders[TOP]

    def _base(self, row: int) -> float:
        return self.width[self.parent[row]] if self.parent[row] >= 0 else WIDTH

    def content_width(self, row: int) -> float:
        """Return the room inside a row whose width is known."""
        return max(self.width[row] - self.frame(row), 0.0)

    def margin(self, row: int, side: int, base: float) -> float:
        """Return a margin in pixels; ``auto`` is 0."""
        length = self.styles[row].margins[side]
        return 0.0 if length is None else length.of(base)

    def span(self, cell: int, attribute: str) -> int:
        """Return how many columns or rows a cell takes (``colspan``, ``rowspan``)."""
        value = self._nodes[cell].get(attribute) or ""
        return max(int(value[:4]), 1) if value.isascii() and value.isdecimal() else 1
