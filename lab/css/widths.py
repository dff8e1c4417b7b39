"""From the body down: the width of every box, from what is said and the room around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.css import screen
from lab.css.tree import LEFT, RIGHT
from lab.css.values import Fraction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.css.tree import Tree
    from lab.css.values import Length

_TABLE_PARTS = frozenset(("table-row", "table-row-group"))


def set_widths(tree: Tree) -> None:
    """Set ``width``, ``is_width_said`` and ``said_height`` of every row that is shown."""
    if not tree.parent:
        return
    _set_block(tree, 0, screen.WIDTH)
    _set_said_height(tree, 0, screen.HEIGHT)
    for row, parent in enumerate(tree.parent):
        if not tree.shown[row] or tree.is_text[row]:
            continue
        if row:
            _set_said_height(tree, row, tree.said_height[parent])
        style = tree.styles[row]
        if style.display == "table":
            _set_table(tree, row)
        elif style.display in _TABLE_PARTS and parent >= 0 and tree.width[parent]:
            _set_loose_cells(tree, row)
        elif style.display == "flex" and style.is_row:
            _set_flex(tree, row)
        elif style.display == "grid" and len(style.tracks) > 1:
            _set_grid(tree, row)
        else:
            _set_flow(tree, row)


def _set_said_height(tree: Tree, row: int, room: float | None) -> None:
    style = tree.styles[row]
    if style.height is None or (style.height.percent and room is None):
        return
    height = style.height.of(room or 0.0)
    frame = tree.frame_height(row) if style.is_border_box else 0.0
    tree.said_height[row] = max(height - frame, 0.0)


def _limit(tree: Tree, row: int, width: float, room: float) -> tuple[float, bool]:
    """Return the width within its limits, and whether one of them took effect."""
    style = tree.styles[row]
    extra = 0.0 if style.is_border_box else tree.frame(row)
    found = width
    if style.max_width is not None:
        found = min(found, style.max_width.of(room) + extra)
    if style.min_width is not None:
        found = max(found, style.min_width.of(room) + extra)
    return max(found, 0.0), found != width


def _set_block(tree: Tree, row: int, room: float, *, fills: bool = True) -> None:
    """Set the width of a box that is alone on its lines.

    :param fills: without a width of its own it takes all the room; else only what its content needs.
    """
    style = tree.styles[row]
    inner = room - tree.margin(row, LEFT, room) - tree.margin(row, RIGHT, room)
    parent = tree.parent[row]
    if style.width is not None:
        width = style.width.of(room) + (0.0 if style.is_border_box or style.display == "table" else tree.frame(row))
        is_said = True
        if style.display == "table":
            width = max(width, tree.least[row])
    elif fills and style.display not in ("table", "inline-block") and style.float_side == "none":
        width, is_said = inner, parent >= 0 and tree.is_width_said[parent]
    else:
        width, is_said = min(max(tree.least[row], inner), tree.natural[row]), False
    tree.width[row], is_limited = _limit(tree, row, width, room)
    tree.is_width_said[row] = is_said or is_limited


def _set_line_part(tree: Tree, row: int, room: float) -> None:
    tree.width[row] = min(tree.natural[row], max(room, tree.least[row]))
    tree.is_width_said[row] = tree.natural[row] >= room and tree.is_width_said[tree.parent[row]]


def _set_absolute(tree: Tree, row: int) -> None:
    """Set the width of a box out of the flow, against the nearest positioned ancestor."""
    style = tree.styles[row]
    room = screen.WIDTH
    if style.position == "absolute":
        above = tree.parent[row]
        while above > 0 and tree.styles[above].position == "static":
            above = tree.parent[above]
        room = tree.width[above] if above > 0 else screen.WIDTH
    left, right = style.insets[LEFT], style.insets[RIGHT]
    if style.width is None and left is not None and right is not None:
        tree.width[row], _ = _limit(tree, row, room - left.of(room) - right.of(room), room)
        tree.is_width_said[row] = True
    else:
        _set_block(tree, row, room, fills=False)


def _set_flow(tree: Tree, row: int) -> None:
    """Set the widths of children that stand in lines, float, or lie one below the other."""
    room = tree.content_width(row)
    beside = 0.0
    for child in tree.children[row]:
        style = tree.styles[child]
        if style.is_out_of_flow:
            _set_absolute(tree, child)
        elif style.float_side != "none":
            beside = 0.0 if style.clear != "none" else beside
            _set_block(tree, child, room)
            beside += tree.width[child] + tree.margin(child, LEFT, room) + tree.margin(child, RIGHT, room)
        elif tree.is_line[child]:
            _set_line_part(tree, child, room)
        elif style.display == "inline-block":
            _set_block(tree, child, room)
        else:
            beside = 0.0 if style.clear != "none" else beside
            is_apart = style.keeps_floats or style.display in ("table", "flex", "grid")
            is_narrowed = 0 < beside < room and is_apart and tree.least[child] <= room - beside
            _set_block(tree, child, room - beside if is_narrowed else room)
            beside = 0.0 if is_apart else beside


def _set_table(tree: Tree, row: int) -> None:
    """Set the widths of rows and cells from the columns (automatic table layout, in outline)."""
    room = tree.content_width(row)
    columns = tree.columns.get(row, [])
    gap = tree.styles[row].spacing
    widths = column_widths(columns, room - gap * (len(columns) + 1))
    tree.column_widths[row] = widths
    for line in tree.grids.get(row, ()):
        for cell, column, span, _ in line:
            tree.width[cell] = sum(widths[column : column + span]) + gap * (span - 1)
            is_said = all(said is not None for _, _, said in columns[column : column + span])
            tree.is_width_said[cell] = is_said or (tree.is_width_said[row] and len(columns) == span)
    for child in tree.children[row]:
        display = tree.styles[child].display
        if display in _TABLE_PARTS:
            tree.width[child] = room
            tree.is_width_said[child] = tree.is_width_said[row]
            for inner in tree.children[child]:
                if tree.styles[inner].display == "table-row":
                    tree.width[inner] = room
                    tree.is_width_said[inner] = tree.is_width_said[row]
        elif display != "table-cell":
            _set_block(tree, child, room)


def column_widths(columns: Sequence[tuple[float, float, Length | None]], room: float) -> list[float]:
    """Divide ``room`` among columns: percentages, then pixels, then the rest by what the content would take."""
    widths = [least for least, _, _ in columns]
    goals = list(widths)
    open_columns = []
    for place, (least, _, said) in enumerate(columns):
        if said is None:
            open_columns.append(place)
        else:
            goals[place] = max(least, said.of(max(room, 0.0)))
    rest = room - sum(widths)
    asked = sum(goal - width for goal, width in zip(goals, widths, strict=True))
    share = min(rest / asked, 1.0) if asked > 0 and rest > 0 else 0.0
    widths = [width + share * (goal - width) for width, goal in zip(widths, goals, strict=True)]
    rest = room - sum(widths)
    if rest <= 0 or not columns:
        return widths
    takers = open_columns or list(range(len(columns)))
    wishes = [max(columns[place][1] - widths[place], 0.0) for place in takers]
    if sum(wishes) >= rest or not open_columns:
        weights = wishes if sum(wishes) > 0 and open_columns else [max(widths[place], 1.0) for place in takers]
    else:
        widths = [
            max(width, natural) if said is None else width
            for width, (_, natural, said) in zip(widths, columns, strict=True)
        ]
        rest = room - sum(widths)
        weights = [max(columns[place][1], 1.0) for place in takers]
    total = sum(weights)
    for place, weight in zip(takers, weights, strict=True):
        widths[place] += rest * weight / total
    return widths


def _set_loose_cells(tree: Tree, row: int) -> None:
    """Set what stands in a row or group besides cells, and the cells of a row that is in no table."""
    parent = tree.parent[row]
    inside_table = tree.styles[parent].display == "table" or tree.styles[parent].display in _TABLE_PARTS
    for child in tree.children[row]:
        display = tree.styles[child].display
        if display in _TABLE_PARTS or (display == "table-cell" and inside_table):
            continue
        if tree.is_line[child]:
            _set_line_part(tree, child, tree.width[row])
        else:
            _set_block(tree, child, tree.width[row], fills=display != "table-cell")


def flex_lines(tree: Tree, row: int, items: Sequence[int], bases: Sequence[float]) -> list[list[int]]:
    """Return the places of the items on each line of a flex container."""
    style = tree.styles[row]
    if not style.wraps:
        return [list(range(len(items)))] if items else []
    room = tree.content_width(row)
    lines: list[list[int]] = []
    used = 0.0
    for place, base in enumerate(bases):
        if lines and used + style.gap + base <= room + 0.5:
            lines[-1].append(place)
            used += style.gap + base
        else:
            lines.append([place])
            used = base
    return lines


def in_flow(tree: Tree, row: int) -> list[int]:
    """Return the shown children that are laid out with the others."""
    return [child for child in tree.children[row] if not tree.styles[child].is_out_of_flow]


def _set_flex(tree: Tree, row: int) -> None:
    room = tree.content_width(row)
    style = tree.styles[row]
    items = in_flow(tree, row)
    for child in tree.children[row]:
        if tree.styles[child].is_out_of_flow:
            _set_absolute(tree, child)
    bases = [_base(tree, child, room) for child in items]
    margins = [tree.margin(child, LEFT, room) + tree.margin(child, RIGHT, room) for child in items]
    for line in flex_lines(tree, row, items, [base + extra for base, extra in zip(bases, margins, strict=True)]):
        free = room - sum(bases[place] + margins[place] for place in line) - style.gap * (len(line) - 1)
        _share_out(tree, items, bases, line, free)
    for child, base in zip(items, bases, strict=True):
        tree.width[child], is_limited = _limit(tree, child, base, room)
        item = tree.styles[child]
        tree.is_width_said[child] = (
            is_limited
            or item.width is not None
            or item.basis is not None
            or (len(items) == 1 and item.grow > 0 and tree.is_width_said[row])
        )


def _base(tree: Tree, child: int, room: float) -> float:
    style = tree.styles[child]
    said = style.basis if style.basis is not None else style.width
    if said is None:
        return tree.natural[child]
    return said.of(room) + (0.0 if style.is_border_box else tree.frame(child))


def _share_out(tree: Tree, items: Sequence[int], bases: list[float], line: Sequence[int], free: float) -> None:
    """Grow or shrink the items of one line by the room that is left or lacking."""
    if free >= 0:
        grows = [tree.styles[items[place]].grow for place in line]
        total = max(sum(grows), 1.0) if sum(grows) > 0 else 0.0
        for place, grow in zip(line, grows, strict=True):
            bases[place] += free * grow / total if total else 0.0
        return
    weights = [tree.styles[items[place]].shrink * bases[place] for place in line]
    total = sum(weights)
    for place, weight in zip(line, weights, strict=True):
        if total > 0:
            item = items[place]
            least = tree.least[item] if tree.is_text[item] else tree.content_least[item]
            bases[place] = max(bases[place] + free * weight / total, min(least, bases[place]))


def _set_grid(tree: Tree, row: int) -> None:
    room = tree.content_width(row)
    widths = track_widths(tree, row)
    for child in tree.children[row]:
        if tree.styles[child].is_out_of_flow:
            _set_absolute(tree, child)
    for place, child in enumerate(in_flow(tree, row)):
        cell = widths[place % len(widths)]
        style = tree.styles[child]
        if style.width is not None or style.max_width is not None:
            _set_block(tree, child, cell)
        else:
            tree.width[child] = max(cell - tree.margin(child, LEFT, room) - tree.margin(child, RIGHT, room), 0.0)
        tree.is_width_said[child] = True


def track_widths(tree: Tree, row: int) -> list[float]:
    """Return the widths of a grid's columns."""
    room = tree.content_width(row)
    style = tree.styles[row]
    fixed = sum(track.of(room) for track in style.tracks if not isinstance(track, Fraction))
    parts = sum(track.parts for track in style.tracks if isinstance(track, Fraction))
    rest = max(room - fixed - style.gap * (len(style.tracks) - 1), 0.0)
    part = rest / parts if parts else 0.0
    return [track.parts * part if isinstance(track, Fraction) else track.of(room) for track in style.tracks]
