"""From the leaves up: heights, and where each box stands in the one around it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from lab.css import screen
from lab.css.tree import BOTTOM, LEFT, RIGHT, TOP
from lab.css.widths import flex_lines, in_flow, track_widths

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.css.tree import Cell, Tree

MAX_FLOATS: Final = 200
"""Floats that stand beside others; of more, the last count."""
_SHIFTS: Final = {"center": 0.5, "-webkit-center": 0.5, "right": 1.0, "end": 1.0}


def set_heights(tree: Tree) -> None:
    """Set ``height`` of every shown row, and its place relative to its parent."""
    layouts: dict[str, Callable[[Tree, int], float]] = {
        "table": _table,
        "table-row": _flow,
        "flex": _flex,
        "grid": _grid,
    }
    for row in range(len(tree.parent) - 1, -1, -1):
        if not tree.shown[row]:
            continue
        style = tree.styles[row]
        if tree.is_text[row]:
            tree.height[row] = style.line
            continue
        layout = layouts.get(style.display, _flow)
        if (style.display == "flex" and not style.is_row) or (style.display == "grid" and len(style.tracks) < 2):
            layout = _flow
        _keep(tree, row, layout(tree, row))


def _keep(tree: Tree, row: int, content: float) -> None:
    """Set the height of a border box from that of its content and what is said."""
    style = tree.styles[row]
    if tree.is_line[row]:
        tree.height[row] = max(content, style.line) if content else 0.0
        return
    frame = tree.frame_height(row)
    said = tree.said_height[row]
    if said is not None and style.display in ("table-cell", "table", "table-row"):
        content = max(content, said)
    elif said is not None:
        content = said
    extra = frame if style.is_border_box else 0.0
    if style.max_height is not None and not style.max_height.percent:
        content = min(content, max(style.max_height.px - extra, 0.0))
    if style.min_height is not None and not style.min_height.percent:
        content = max(content, style.min_height.px - extra)
    tree.height[row] = max(content + frame, 0.0)


class _Lines:
    """Texts, inline elements and floats of one container, filled from the top."""

    def __init__(self, tree: Tree, row: int) -> None:
        self.tree = tree
        self.left, self.room = tree.left_edge(row), tree.content_width(row)
        self.shift = _SHIFTS.get(tree.styles[row].align, 0.0)
        self.line = tree.styles[row].line
        self.nowrap = tree.styles[row].nowrap
        self.y = tree.top_edge(row)
        self.cursor = 0.0
        self.line_height = 0.0
        self.on_line: list[int] = []
        self.floats: list[tuple[str, float, float]] = []
        """Side, width and lower edge of floats that later content may stand beside."""
        self.float_top = 0.0
        """No later float stands higher than the last one."""
        self.lowest = 0.0
        """Lower edge of the lowest float so far."""

    def edges(self, y: float) -> tuple[float, float]:
        """Return the room that floats take at the left and at the right at height ``y``."""
        left = sum(width for side, width, bottom in self.floats if side == "left" and bottom > y)
        return left, sum(width for side, width, bottom in self.floats if side == "right" and bottom > y)

    def end_line(self) -> None:
        """Close the line that is being filled; without one, nothing happens."""
        if self.on_line:
            left, right = self.edges(self.y)
            free = max(self.room - left - right - self.cursor, 0.0) * self.shift
            for row in self.on_line:
                self.tree.x[row] += left + free
        self.y += self.line_height
        self.on_line, self.cursor, self.line_height = [], 0.0, 0.0

    def break_line(self) -> None:
        """Close the line; an empty one takes a line's height (``br``)."""
        self.line_height = max(self.line_height, self.line)
        self.end_line()

    def add(self, row: int) -> None:
        """Put a text, an inline element or an inline block on the line, or below it if it does not fit."""
        tree = self.tree
        style = tree.styles[row]
        natural = tree.natural[row] if tree.is_line[row] else tree.width[row]
        margins = tree.margin(row, LEFT, self.room), tree.margin(row, RIGHT, self.room)
        natural += sum(margins)
        if natural <= 0 and tree.height[row] <= 0:
            tree.x[row], tree.y[row] = self.left + self.cursor, self.y
            return
        left, right = self.edges(self.y)
        room = max(self.room - left - right, 1.0)
        fits = self.cursor + natural <= room + 0.5 or self.nowrap
        if not fits and tree.is_line[row] and not style.nowrap:
            self._wrap(row, natural, room, left)
            return
        if not fits and self.cursor > 0:
            self.end_line()
        tree.x[row], tree.y[row] = self.left + self.cursor + margins[0], self.y
        self.on_line.append(row)
        self.cursor += natural
        height = tree.height[row]
        if not tree.is_line[row]:
            height += tree.margin(row, TOP, self.room) + tree.margin(row, BOTTOM, self.room)
        self.line_height = max(self.line_height, height, self.line)

    def _wrap(self, row: int, natural: float, room: float, left: float) -> None:
        """Fill lines with a text that is longer than the rest of this one."""
        tree = self.tree
        if self.cursor + tree.least[row] > room and self.cursor > 0:
            self.end_line()
            self.add(row)
            return
        height = max(tree.styles[row].line, self.line, self.line_height)
        top, end = self.y, self.cursor + natural
        lines = 0
        while end > 0 and lines < 10_000:
            lines += 1
            at_left, at_right = self.edges(self.y)
            here = max(self.room - at_left - at_right, 1.0)
            if end <= here:
                break
            usable = max(here - tree.least[row] * 0.3 if here > 2 * tree.least[row] else here, 1.0)
            end -= usable
            self.y += height
        tree.x[row], tree.y[row] = self.left + left, top
        tree.width[row] = min(room, self.room) if tree.width[row] else 0.0
        tree.height[row] = self.y + height - top
        self.on_line, self.cursor, self.line_height = [], max(end, 0.0), height

    def add_float(self, row: int) -> None:
        """Put a float beside the others of its side, or below them where there is no room."""
        tree = self.tree
        style = tree.styles[row]
        width = tree.width[row] + tree.margin(row, LEFT, self.room) + tree.margin(row, RIGHT, self.room)
        y = self.clear_of(style.clear, max(self.y, self.float_top))
        self.floats = [item for item in self.floats if item[2] > self.y][-MAX_FLOATS:]
        while True:
            left, right = self.edges(y)
            lower = [bottom for _, _, bottom in self.floats if bottom > y]
            if left + right + width <= self.room + 0.5 or not lower:
                break
            y = min(lower)
        self.float_top = y
        offset = left if style.float_side == "left" else self.room - right - width
        top = tree.margin(row, TOP, self.room)
        tree.x[row], tree.y[row] = self.left + offset + tree.margin(row, LEFT, self.room), y + top
        bottom = y + top + tree.height[row] + tree.margin(row, BOTTOM, self.room)
        self.floats.append((style.float_side, width, bottom))
        self.lowest = max(self.lowest, bottom)

    def clear_of(self, clear: str, y: float) -> float:
        """Return the height from which ``clear`` lets content begin."""
        sides = ("left", "right", "below") if clear == "both" else (clear, "below") if clear != "none" else ()
        return max([y, *(bottom for side, _, bottom in self.floats if side in sides)])


def _flow(tree: Tree, row: int) -> float:
    """Lay out lines, floats and blocks one below the other; return the height of the content."""
    lines = _Lines(tree, row)
    style = tree.styles[row]
    top = lines.y
    is_open_above = not tree.is_line[row] and _is_open(tree, row, TOP)
    margin = 0.0
    reached = 0.0
    n_blocks = 0
    own_top, own_bottom = tree.margin(row, TOP, lines.room), tree.margin(row, BOTTOM, lines.room)
    for child in tree.children[row]:
        child_style = tree.styles[child]
        if child_style.is_out_of_flow:
            tree.x[child], tree.y[child] = lines.left, lines.y
        elif child_style.float_side != "none":
            if lines.cursor == 0:
                lines.y, margin = lines.y + margin, 0.0
            lines.add_float(child)
        elif tree.tags[child] == "br":
            lines.y, margin = lines.y + margin, 0.0
            tree.x[child], tree.y[child] = lines.left + lines.cursor, lines.y
            lines.break_line()
            lines.y = lines.clear_of(child_style.clear, lines.y)
        elif tree.is_in_line(child):
            lines.y, margin = lines.y + margin, 0.0
            lines.add(child)
            n_blocks += 1
        else:
            lines.end_line()
            above = tree.margin_top[child] if child_style.display != "table-cell" else 0.0
            if n_blocks == 0 and is_open_above:
                reached, above = max(above, 0.0), 0.0
            lines.y += max(margin, above) if min(margin, above) >= 0 else margin + above
            lines.y = lines.clear_of(child_style.clear, lines.y)
            _place_block(lines, child)
            lines.y += tree.height[child]
            margin = tree.margin_bottom[child]
            n_blocks += tree.height[child] > 0 or above > 0
    lines.end_line()
    escapes = n_blocks > 0 and margin > 0 and _is_open(tree, row, BOTTOM) and tree.said_height[row] is None
    tree.margin_top[row] = max(own_top, reached)
    tree.margin_bottom[row] = max(own_bottom, margin) if escapes else own_bottom
    end = lines.y if escapes else lines.y + max(margin, 0.0)
    if style.keeps_floats or style.float_side != "none" or row == 0 or _is_apart(tree, row):
        end = max(end, lines.lowest)
    else:
        tree.overhang[row] = max(lines.lowest - end, 0.0)
    return max(end - top, 0.0)


def _is_apart(tree: Tree, row: int) -> bool:
    """Tell whether floats and margins inside stay inside, whatever is said."""
    style = tree.styles[row]
    return style.is_out_of_flow or style.display in ("table-cell", "inline-block", "flex", "grid")


def _is_open(tree: Tree, row: int, side: int) -> bool:
    """Tell whether margins of children reach through the upper or lower edge."""
    style = tree.styles[row]
    if style.keeps_floats or style.float_side != "none" or _is_apart(tree, row):
        return False
    return style.borders[side] == 0 and style.paddings[side].px <= 0


def _place_block(lines: _Lines, child: int) -> None:
    tree = lines.tree
    style = tree.styles[child]
    before, after = style.margins[LEFT], style.margins[RIGHT]
    margin = tree.margin(child, LEFT, lines.room)
    free = lines.room - tree.width[child] - margin - tree.margin(child, RIGHT, lines.room)
    if style.keeps_floats or style.display in ("table", "flex", "grid"):
        left, right = lines.edges(lines.y)
        if left + right + tree.width[child] > lines.room + 0.5:
            lines.y = max(lines.y, lines.lowest)
            left = right = 0.0
        margin, free = margin + left, free - left - right
    if free > 0:
        if before is None:
            margin += free / 2 if after is None else free
        elif lines.shift and after is not None and tree.styles[tree.parent[child]].align == "-webkit-center":
            margin += free / 2
    tree.x[child], tree.y[child] = lines.left + margin, lines.y
    overhang = tree.overhang[child]
    if overhang > 0:
        bottom = lines.y + tree.height[child] + overhang
        lines.floats.append(("below", 0.0, bottom))
        lines.lowest = max(lines.lowest, bottom)


def _table(tree: Tree, table: int) -> float:
    """Lay out the rows of a table, its groups and cells; what stands in it besides comes first (captions)."""
    gap = tree.styles[table].spacing
    left, top = tree.left_edge(table), tree.top_edge(table)
    y = top
    for child in tree.children[table]:
        if tree.styles[child].display not in _TABLE_PARTS:
            tree.x[child], tree.y[child] = left, y
            y += tree.height[child] if not tree.styles[child].is_out_of_flow else 0.0
    grid = tree.grids.get(table, [])
    heights = _row_heights(tree, table)
    tops = [y + gap + sum_above for sum_above in _sums([height + gap for height in heights])]
    for line, begin, height in zip(grid, tops, heights, strict=True):
        for cell in line:
            _place_cell(tree, table, cell, begin)
        if line:
            _place_row(tree, table, tree.parent[line[0].row], begin, height)
    for place, line in enumerate(grid):
        for cell in line:
            last = min(place + cell.n_rows, len(grid)) - 1
            tree.height[cell.row] = max(tops[last] + heights[last] - tops[place], 0.0)
    _place_groups(tree, table)
    tree.margin_top[table] = tree.margin(table, TOP, tree.width[table])
    tree.margin_bottom[table] = tree.margin(table, BOTTOM, tree.width[table])
    return y + sum(heights) + gap * (len(heights) + 1 if heights else 0) - top


_TABLE_PARTS: Final = frozenset(("table-row", "table-row-group", "table-cell"))


def _sums(values: list[float]) -> list[float]:
    """Return for each value the sum of those before it."""
    return list(itertools.accumulate(values[:-1], initial=0.0)) if values else []


def _row_heights(tree: Tree, table: int) -> list[float]:
    """Return the height of each row of a table; cells of several rows stretch the last of theirs."""
    grid = tree.grids.get(table, [])
    heights = []
    for line in grid:
        said = tree.said_height[tree.parent[line[0].row]] if line else None
        heights.append(max([said or 0.0, *(tree.height[cell.row] for cell in line if cell.n_rows == 1)]))
    for place, line in enumerate(grid):
        for cell in line:
            if cell.n_rows > 1:
                end = min(place + cell.n_rows, len(grid))
                heights[end - 1] += max(tree.height[cell.row] - sum(heights[place:end]), 0.0)
    lacking = (tree.said_height[table] or 0.0) - sum(heights)
    if lacking > 0 and heights:
        heights = [height + lacking / len(heights) for height in heights]
    return heights


def _place_cell(tree: Tree, table: int, cell: Cell, y: float) -> None:
    """Set the place of a cell relative to its table; its row and group, as parents, are taken off."""
    gap = tree.styles[table].spacing
    before = tree.column_widths[table][: cell.column]
    tree.x[cell.row] = tree.left_edge(table) + gap * (cell.column + 1) + sum(before)
    tree.y[cell.row] = y
    if tree.parent[cell.row] != table:
        tree.x[cell.row] -= tree.left_edge(table)
        tree.y[cell.row] = 0.0


def _place_row(tree: Tree, table: int, row: int, y: float, height: float) -> None:
    if row == table:
        return
    tree.x[row], tree.y[row], tree.height[row] = tree.left_edge(table), y, height


def _place_groups(tree: Tree, table: int) -> None:
    """Set the box of each group of rows around them, and the places of the rows relative to it."""
    for group in tree.children[table]:
        if tree.styles[group].display != "table-row-group":
            continue
        rows = [row for row in tree.children[group] if tree.styles[row].display == "table-row" and tree.children[row]]
        tree.x[group] = tree.left_edge(table)
        tree.y[group] = min((tree.y[row] for row in rows), default=tree.top_edge(table))
        end = max((tree.y[row] + tree.height[row] for row in rows), default=tree.y[group])
        tree.height[group] = end - tree.y[group]
        for row in rows:
            tree.x[row] = 0.0
            tree.y[row] -= tree.y[group]


def _flex(tree: Tree, row: int) -> float:
    style = tree.styles[row]
    room = tree.content_width(row)
    items = in_flow(tree, row)
    outers = [tree.width[child] + tree.margin(child, LEFT, room) + tree.margin(child, RIGHT, room) for child in items]
    top = y = tree.top_edge(row)
    for line in flex_lines(tree, row, items, outers):
        free = max(room - sum(outers[place] for place in line) - style.gap * (len(line) - 1), 0.0)
        x, between = _justify(style.justify, free, len(line))
        autos = sum(tree.styles[items[place]].margins[side] is None for place in line for side in (LEFT, RIGHT))
        auto = free / autos if autos else 0.0
        x, between = (0.0, 0.0) if autos else (x, between)
        height = 0.0
        for place in line:
            child = items[place]
            margins = tree.styles[child].margins
            x += auto if margins[LEFT] is None else 0.0
            above = tree.margin_top[child]
            tree.x[child] = tree.left_edge(row) + x + tree.margin(child, LEFT, room)
            tree.y[child] = y + above
            height = max(height, tree.height[child] + above + tree.margin_bottom[child])
            x += outers[place] + style.gap + between + (auto if margins[RIGHT] is None else 0.0)
        for place in line:
            _stretch(tree, items[place], height)
        y += height + (style.gap if style.wraps else 0.0)
    tree.margin_top[row] = tree.margin(row, TOP, room)
    tree.margin_bottom[row] = tree.margin(row, BOTTOM, room)
    return y - top - (style.gap if style.wraps and items else 0.0)


def _stretch(tree: Tree, child: int, height: float) -> None:
    """Give an item the height of its line, where nothing else is said."""
    if tree.said_height[child] is None and not tree.is_text[child]:
        margins = tree.margin_top[child] + tree.margin_bottom[child]
        tree.height[child] = max(tree.height[child], height - margins)


def _justify(justify: str, free: float, n_items: int) -> tuple[float, float]:
    """Return where the first item begins, and the extra room between two."""
    if justify == "center":
        return free / 2, 0.0
    if justify in ("flex-end", "end", "right"):
        return free, 0.0
    if justify == "space-between" and n_items > 1:
        return 0.0, free / (n_items - 1)
    if justify in ("space-around", "space-evenly"):
        part = free / n_items if justify == "space-around" else free / (n_items + 1)
        return (part / 2 if justify == "space-around" else part), part
    return 0.0, 0.0


def _grid(tree: Tree, row: int) -> float:
    widths = track_widths(tree, row)
    gap = tree.styles[row].gap
    top = y = tree.top_edge(row)
    items = in_flow(tree, row)
    for begin in range(0, len(items), len(widths)):
        x = tree.left_edge(row)
        on_row = items[begin : begin + len(widths)]
        height = max(tree.height[child] + tree.margin_top[child] + tree.margin_bottom[child] for child in on_row)
        for child, width in zip(on_row, widths, strict=False):
            tree.x[child], tree.y[child] = x + tree.margin(child, LEFT, width), y + tree.margin_top[child]
            _stretch(tree, child, height)
            x += width + gap
        y += height + gap
    tree.margin_top[row] = tree.margin(row, TOP, tree.width[row])
    tree.margin_bottom[row] = tree.margin(row, BOTTOM, tree.width[row])
    return max(y - top - (gap if items else 0.0), 0.0)


def set_places(tree: Tree) -> None:
    """Turn places relative to the parent into places on the page, and move what is positioned."""
    if not tree.parent:
        return
    tree.x[0] += tree.margin(0, LEFT, screen.WIDTH)
    if tree.styles[0].margins[LEFT] is None and tree.styles[0].margins[RIGHT] is None:
        tree.x[0] += max(screen.WIDTH - tree.width[0], 0.0) / 2
    tree.y[0] += tree.margin_top[0]
    for row in range(1, len(tree.parent)):
        if not tree.shown[row]:
            continue
        parent = tree.parent[row]
        tree.x[row] += tree.x[parent]
        tree.y[row] += tree.y[parent]
        if tree.styles[row].position != "static":
            _move(tree, row)


def _move(tree: Tree, row: int) -> None:
    style = tree.styles[row]
    top, right, bottom, left = style.insets
    if style.position == "relative":
        room = tree.width[tree.parent[row]]
        if left is not None:
            tree.x[row] += left.of(room)
        elif right is not None:
            tree.x[row] -= right.of(room)
        if top is not None and not top.percent:
            tree.y[row] += top.px
    elif style.is_out_of_flow:
        above = 0 if style.position == "fixed" else tree.parent[row]
        while above > 0 and tree.styles[above].position == "static":
            above = tree.parent[above]
        x, y, width, height = (
            (tree.x[above], tree.y[above], tree.width[above], tree.height[above])
            if above > 0
            else (0.0, 0.0, screen.WIDTH, screen.HEIGHT)
        )
        margin = tree.margin(row, LEFT, width)
        if left is not None:
            tree.x[row] = x + left.of(width) + margin
        elif right is not None:
            tree.x[row] = x + width - right.of(width) - tree.width[row] - tree.margin(row, RIGHT, width)
        else:
            tree.x[row] += margin
        if top is not None:
            tree.y[row] = y + top.of(height) + tree.margin(row, TOP, width)
        elif bottom is not None:
            tree.y[row] = y + height - bottom.of(height) - tree.height[row]
