"""Computed styles: what was declared, on top of what browsers take for each tag, with inheritance."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lab.css import screen
from lab.css.properties import AUTO, SIDES
from lab.css.values import ZERO, Length
from newscrawl.page.measures import TEXT
from newscrawl.page.tags import BLOCK_LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.css.properties import Declarations
    from lab.css.values import Track, Value
    from newscrawl.page.measures import Measures

NORMAL_LINE: Final = 1.15
WIDE_LINE: Final = 1.32
"""Line height in font sizes where nothing is said, for alphabets and for ideographs; the common faces have 1.14 to
1.45 for the latter."""
MAX_FONT: Final = 400.0

_DISPLAYS: Final[dict[str, str]] = {
    **dict.fromkeys(BLOCK_LEVEL, "block"),
    **dict.fromkeys(("thead", "tbody", "tfoot"), "table-row-group"),
    **dict.fromkeys(("td", "th"), "table-cell"),
    "table": "table",
    "tr": "table-row",
    "caption": "block",
    "col": "none",
    "colgroup": "none",
    "img": "inline-block",
    "button": "inline-block",
    "meter": "inline-block",
    "progress": "inline-block",
    "marquee": "inline-block",
    "rp": "none",
    "head": "none",
}
_SYNONYMS: Final = {
    "list-item": "block",
    "flow-root": "block",
    "inline-flex": "flex",
    "-webkit-flex": "flex",
    "-webkit-box": "block",
    "-ms-flexbox": "flex",
    "inline-grid": "grid",
    "inline-table": "table",
    "table-header-group": "table-row-group",
    "table-footer-group": "table-row-group",
    "table-caption": "block",
    "table-column": "none",
    "table-column-group": "none",
    "run-in": "block",
    "ruby": "inline",
}
_KNOWN: Final = frozenset(
    "block inline inline-block flex grid table table-row table-row-group table-cell contents none".split()
)

_EMS: Final[dict[str, tuple[float, float]]] = {
    "h1": (2.0, 0.67),
    "h2": (1.5, 0.83),
    "h3": (1.17, 1.0),
    "h4": (1.0, 1.33),
    "h5": (0.83, 1.67),
    "h6": (0.67, 2.33),
    "p": (1.0, 1.0),
    "dl": (1.0, 1.0),
    "ul": (1.0, 1.0),
    "ol": (1.0, 1.0),
    "menu": (1.0, 1.0),
    "dir": (1.0, 1.0),
    "blockquote": (1.0, 1.0),
    "figure": (1.0, 1.0),
    "pre": (0.81, 1.0),
    "xmp": (0.81, 1.0),
    "hr": (1.0, 0.5),
    "small": (0.83, 0.0),
    "sub": (0.83, 0.0),
    "sup": (0.83, 0.0),
    "big": (1.2, 0.0),
}
"""Tag → font size and vertical margin, in font sizes."""
_INDENTED: Final = frozenset(("ul", "ol", "menu", "dir"))
_QUOTED: Final = frozenset(("blockquote", "figure"))
_INHERITED_ALIGN: Final = frozenset(("left", "right", "center", "-webkit-center", "justify", "start", "end"))


@dataclass(slots=True)
class Style:
    """What layout needs to know of a row. Lengths that may depend on the room around it stay lengths."""

    display: str = "inline"
    float_side: str = "none"
    position: str = "static"
    clear: str = "none"
    is_visible: bool = True
    font: float = screen.FONT_SIZE
    line: float = screen.FONT_SIZE * NORMAL_LINE
    line_factor: float = NORMAL_LINE
    """Line height in font sizes; 0.0 where it was said as a length, which children inherit as it is."""
    align: str = "left"
    nowrap: bool = False
    width: Length | None = None
    height: Length | None = None
    min_width: Length | None = None
    max_width: Length | None = None
    min_height: Length | None = None
    max_height: Length | None = None
    margins: tuple[Length | None, ...] = (ZERO, ZERO, ZERO, ZERO)
    """Top, right, bottom, left; None is ``auto``."""
    paddings: tuple[Length, ...] = (ZERO, ZERO, ZERO, ZERO)
    borders: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    insets: tuple[Length | None, ...] = (None, None, None, None)
    is_border_box: bool = False
    keeps_floats: bool = False
    """True if floats inside do not reach out of the element."""
    is_row: bool = True
    wraps: bool = False
    grow: float = 0.0
    shrink: float = 1.0
    basis: Length | None = None
    justify: str = "normal"
    tracks: tuple[Track, ...] = ()
    gap: float = 0.0
    spacing: float = 2.0
    """Pixels between the cells of a table."""

    @property
    def is_out_of_flow(self) -> bool:
        return self.position in ("absolute", "fixed")

    @property
    def is_inline(self) -> bool:
        return self.display == "inline" and self.float_side == "none" and not self.is_out_of_flow


_ROOT: Final = Style(display="block")


def compute_styles(measures: Measures, said: Sequence[Declarations], root: Declarations) -> list[Style]:
    """Return the style of each row, in document order; a text row has that of a line of text in its parent.

    :param root: what is said of the ``html`` element, which has no row.
    """
    first = replace(_ROOT, line_factor=WIDE_LINE) if _is_mostly_wide(measures) else _ROOT
    above_all = _style("html", root, first, screen.FONT_SIZE)
    above_all.display, root_font = "block", above_all.font
    styles: list[Style] = []
    texts: dict[int, Style] = {}
    for row, (tag, parent) in enumerate(zip(measures.tags, measures.parent.tolist(), strict=True)):
        above = styles[parent] if parent >= 0 else above_all
        if tag == TEXT:
            if parent not in texts:
                texts[parent] = _text_style(above)
            styles.append(texts[parent])
        else:
            style = _style(tag, said[row], above, root_font)
            if tag == "form" and above.display in _TABLE_PARTS:
                style.display = "contents"  # browsers put the cells of ``<tr><form><td>`` outside of the form
            styles.append(style)
            if tag in ("td", "th"):
                _pad_cell(styles[-1], said[row], _table_of(row, measures, said))
    return styles


def _is_mostly_wide(measures: Measures) -> bool:
    """Tell whether most of the page's first characters take three bytes of UTF-8: ideographs, kana, Hangul."""
    text = "".join(itertools.islice((text for text in measures.texts if len(text) > _MIN_SAMPLE), 50))
    return len(text.encode("utf-8", "replace")) > 2.2 * max(len(text), 1)


_MIN_SAMPLE: Final = 10
_TABLE_PARTS: Final = frozenset(("table", "table-row", "table-row-group"))


def _table_of(row: int, measures: Measures, said: Sequence[Declarations]) -> Declarations:
    for _ in range(4):
        row = int(measures.parent[row])
        if row < 0:
            break
        if measures.tags[row] == "table":
            return said[row]
    return {}


def _pad_cell(style: Style, said: Declarations, table: Declarations) -> None:
    padding = table.get("cell-padding", 1.0)
    border = table.get("cell-border", 0.0)
    if isinstance(padding, float) and not any(f"padding-{side}" in said for side in SIDES):
        style.paddings = (Length(px=padding),) * 4
    if isinstance(border, float) and border:
        style.borders = (1.0,) * 4


def _text_style(above: Style) -> Style:
    return Style(font=above.font, line=above.line, nowrap=above.nowrap, is_visible=above.is_visible, align=above.align)


def _style(tag: str, said: Declarations, above: Style, root_font: float) -> Style:
    size, margin = _EMS.get(tag, (1.0, 0.0))
    font = above.font * size
    style = Style(display=_DISPLAYS.get(tag, "inline"))
    declared_font = said.get("font-size")
    if isinstance(declared_font, Length):
        font = declared_font.pixels(0.0, above.font, root_font)
    elif declared_font == "inherit":
        font = above.font
    style.font = min(max(font, 0.0), MAX_FONT)
    style.nowrap, style.is_visible, style.align = above.nowrap, above.is_visible, above.align
    _set_line(style, said.get("line-height"), above, root_font)
    if margin or tag in _QUOTED or tag == "body":
        style.margins = _default_margins(tag, margin * style.font)
    if tag in _INDENTED:
        style.paddings = (ZERO, ZERO, ZERO, Length(px=40.0))
    if tag == "dd":
        style.margins = (ZERO, ZERO, ZERO, Length(px=40.0))
    if tag == "center":
        style.align = "-webkit-center"
    elif tag == "th":
        style.align = "center"
    elif tag == "table":
        style.align = "left"  # quirk of old pages: tables do not inherit it
        _set_spacing(style, said)
    elif tag in ("pre", "xmp"):
        style.nowrap = True
    if said:
        _declare(style, said, root_font)
    return style


def _default_margins(tag: str, margin: float) -> tuple[Length | None, ...]:
    if tag == "body":
        return (Length(px=8.0),) * 4
    sides = Length(px=40.0) if tag in _QUOTED else ZERO
    return (Length(px=margin), sides, Length(px=margin), sides)


def _set_spacing(style: Style, said: Declarations) -> None:
    spacing = said.get("cell-spacing")
    if isinstance(spacing, float):
        style.spacing = spacing


def _set_line(style: Style, value: Value | None, above: Style, root_font: float) -> None:
    if isinstance(value, Length):
        style.line, style.line_factor = max(value.pixels(0.0, style.font, root_font), 0.0), 0.0
    elif isinstance(value, float):
        style.line_factor = min(max(value, 0.0), 20.0)
        style.line = style.line_factor * style.font
    elif value == "normal":
        style.line, style.line_factor = style.font * NORMAL_LINE, NORMAL_LINE
    elif above.line_factor:
        style.line, style.line_factor = style.font * above.line_factor, above.line_factor
    else:
        style.line, style.line_factor = above.line, 0.0


def _declare(style: Style, said: Declarations, root_font: float) -> None:
    _declare_kind(style, said)
    _declare_sizes(style, said, root_font)
    gap = said.get("gap")
    if isinstance(gap, Length):
        style.gap = max(gap.pixels(screen.WIDTH, style.font, root_font), 0.0)


def _declare_kind(style: Style, said: Declarations) -> None:
    """Set everything that is a word or a number."""
    display = _word(said, "display", style.display)
    display = _SYNONYMS.get(display, display)
    style.display = display if display in _KNOWN else style.display
    style.float_side = _word(said, "float", "none")
    style.float_side = style.float_side if style.float_side in ("left", "right") else "none"
    style.position = _word(said, "position", "static")
    style.clear = _word(said, "clear", "none")
    if style.is_out_of_flow:
        style.float_side = "none"
    if (style.float_side != "none" or style.is_out_of_flow) and style.display in ("inline", "inline-block"):
        style.display = "block"
    if "visibility" in said:
        style.is_visible = _word(said, "visibility", "visible") == "visible"
    style.nowrap = _word(said, "white-space", "nowrap" if style.nowrap else "") in ("nowrap", "pre")
    align = _word(said, "text-align", style.align)
    style.align = align if align in _INHERITED_ALIGN else style.align
    style.is_border_box = said.get("box-sizing") == "border-box"
    style.keeps_floats = (
        said.get("contains-floats") is not None
        or said.get("display") == "flow-root"
        or _word(said, "overflow", _word(said, "overflow-x", "visible")) in ("hidden", "auto", "scroll")
    )
    style.is_row = not _word(said, "flex-direction", "row").startswith("column")
    style.wraps = _word(said, "flex-wrap", "nowrap").startswith("wrap")
    style.justify = _word(said, "justify-content", "normal")
    grow, shrink = said.get("flex-grow"), said.get("flex-shrink")
    style.grow = min(max(grow, 0.0), 1e6) if isinstance(grow, float) else 0.0
    style.shrink = min(max(shrink, 0.0), 1e6) if isinstance(shrink, float) else 1.0
    columns = said.get("grid-template-columns")
    if isinstance(columns, tuple) and not isinstance(columns, Length):
        style.tracks = columns


def _declare_sizes(style: Style, said: Declarations, root_font: float) -> None:
    """Set the lengths, with font sizes already turned into pixels."""

    def size(name: str) -> Length | None:
        value = said.get(name)
        return value.in_pixels(style.font, root_font) if isinstance(value, Length) else None

    style.width, style.height = size("width"), size("height")
    style.min_width, style.max_width = size("min-width"), size("max-width")
    style.min_height, style.max_height = size("min-height"), size("max-height")
    style.basis = size("flex-basis")
    style.insets = tuple(map(size, SIDES))
    style.margins = tuple(
        None if said.get(f"margin-{side}") == AUTO else size(f"margin-{side}") or old
        for side, old in zip(SIDES, style.margins, strict=True)
    )
    style.paddings = tuple(size(f"padding-{side}") or old for side, old in zip(SIDES, style.paddings, strict=True))
    borders = (size(f"border-{side}") for side in SIDES)
    style.borders = tuple(
        old if border is None else max(border.px, 0.0) for border, old in zip(borders, style.borders, strict=True)
    )


def _word(said: Declarations, name: str, otherwise: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) and value not in ("inherit", "initial", "unset") else otherwise
