"""From the leaves up: the width that each row takes with no line break, and with every one (CSS 2.2, §10.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.css.tree import LEFT, RIGHT, Cell

if TYPE_CHECKING:
    from lab.css.tree import Tree
    from lab.css.values import Length

MAX_COLUMNS = 200
"""Cells of a table row that have a column of their own; those after stand in the last."""


def measure_widths(tree: Tree) -> None:
    """Set ``natural`` and ``least`` of every element, and ``columns`` of every table."""
    for row in range(len(tree.parent) - 1, -1, -1):
        if tree.is_text[row] or not tree.shown[row]:
            continue
        style = tree.styles[row]
        if style.display == "table":
            natural, least = _table(tree, row)
        elif style.display == "flex" and style.is_row:
            natural, least = _flex(tree, row)
        else:
            natural, least = _flow(tree, row)
        _keep(tree, row, natural, least)


def _keep(tree: Tree, row: int, natural: float, least: float) -> None:
    """Set the widths of a border box from those of its content and what is said."""
    style = tree.styles[row]
    frame = sum(max(style.paddings[side].px, 0.0) + style.borders[side] for side in (LEFT, RIGHT))
    if style.nowrap:
        least = natural
    natural, least = natural + frame, least + frame
    tree.content_least[row] = least
    extra = 0.0 if style.is_border_box else frame
    if style.width is not None and not tree.is_line[row]:
        if style.width.percent:
            least = min(least, frame) if tree.tags[row] == "img" else least
        elif style.display in ("table", "table-cell"):
            natural = max(style.width.px, least)
        else:
            natural = least = style.width.px + extra
    if style.max_width is not None and not style.max_width.percent:
        natural, least = min(natural, style.max_width.px + extra), min(least, style.max_width.px + extra)
    if style.min_width is not None and not style.min_width.percent:
        natural, least = max(natural, style.min_width.px + extra), max(least, style.min_width.px + extra)
    tree.natural[row], tree.least[row] = max(natural, 0.0), max(least, 0.0)


def outer(tree: Tree, row: int) -> tuple[float, float]:
    """Return natural and least width with margins; percentages of margins count 0."""
    style = tree.styles[row]
    margins = sum(length.px for side in (LEFT, RIGHT) if (length := style.margins[side]) is not None)
    return tree.natural[row] + margins, tree.least[row] + margins


def _flow(tree: Tree, row: int) -> tuple[float, float]:
    natural = least = line = 0.0
    for child in tree.children[row]:
        style = tree.styles[child]
        if style.is_out_of_flow:
            continue
        if tree.tags[child] == "br":
            natural, line = max(natural, line), 0.0
            continue
        child_natural, child_least = outer(tree, child)
        least = max(least, child_least)
        if tree.is_in_line(child) or style.float_side != "none":
            line += child_natural
        else:
            natural, line = max(natural, line, child_natural), 0.0
    columns = max(len(tree.styles[row].tracks), 1) if tree.styles[row].display == "grid" else 1
    return max(natural, line) * columns, least


def _flex(tree: Tree, row: int) -> tuple[float, float]:
    style = tree.styles[row]
    items = [child for child in tree.children[row] if not tree.styles[child].is_out_of_flow]
    widths = [outer(tree, child) for child in items]
    gaps = style.gap * max(len(items) - 1, 0)
    leasts = [width[1] for width in widths]
    least = max(leasts, default=0.0) if style.wraps else sum(leasts) + gaps
    return sum(width[0] for width in widths) + gaps, least


def _table_rows(tree: Tree, table: int) -> list[list[int]]:
    """Return the cells of each row of a table; cells that stand in no row make one."""
    rows: list[list[int]] = []
    loose: list[int] = []
    for child in tree.children[table]:
        display = tree.styles[child].display
        if display == "table-row":
            rows.append(_cells(tree, child))
        elif display == "table-row-group":
            rows += [_cells(tree, inner) for inner in tree.children[child] if tree.styles[inner].display == "table-row"]
        elif display == "table-cell":
            loose.append(child)
    return [*rows, loose] if loose else rows


def _cells(tree: Tree, row: int) -> list[int]:
    return [child for child in tree.children[row] if tree.styles[child].display == "table-cell"]


def _grid(tree: Tree, table: int) -> list[list[Cell]]:
    """Return the cells of each row with their columns; a cell of several rows keeps its columns in the later ones."""
    grid: list[list[Cell]] = []
    taken: list[int] = []
    for row_cells in _table_rows(tree, table):
        line: list[Cell] = []
        column = 0
        for cell in row_cells:
            while column < len(taken) and taken[column] > 0:
                column += 1
            column = min(column, MAX_COLUMNS - 1)
            span = min(tree.span(cell, "colspan"), MAX_COLUMNS - column)
            n_rows = tree.span(cell, "rowspan")
            line.append(Cell(cell, column, span, n_rows))
            taken += [0] * (column + span - len(taken))
            taken[column : column + span] = [n_rows] * span
            column += span
        taken = [max(rows - 1, 0) for rows in taken]
        grid.append(line)
    return grid


def _table(tree: Tree, row: int) -> tuple[float, float]:
    """Return the widths of a table, and keep those of its columns: cells of one column first, wider ones after."""
    leasts: list[float] = []
    naturals: list[float] = []
    said: list[Length | None] = []
    wide: list[Cell] = []
    tree.grids[row] = _grid(tree, row)
    for line in tree.grids[row]:
        for cell, column, span, _ in line:
            missing = column + span - len(leasts)
            if missing > 0:
                leasts += [0.0] * missing
                naturals += [0.0] * missing
                said += [None] * missing
            if span > 1:
                wide.append(Cell(cell, column, span, 1))
                continue
            natural, least = outer(tree, cell)
            leasts[column], naturals[column] = max(leasts[column], least), max(naturals[column], natural)
            said[column] = _wider(said[column], tree.styles[cell].width)
    for cell, column, span, _ in wide:
        natural, least = outer(tree, cell)
        _stretch(leasts, column, span, least)
        _stretch(naturals, column, span, natural)
        _share_said(said, column, span, tree.styles[cell].width)
    tree.columns[row] = list(zip(leasts, naturals, said, strict=True))
    gaps = tree.styles[row].spacing * (len(leasts) + 1) if leasts else 0.0
    others = [outer(tree, child) for child in tree.children[row] if tree.styles[child].display == "block"]
    natural = max([sum(naturals) + gaps, *(width for width, _ in others)])
    return natural, max([sum(leasts) + gaps, *(least for _, least in others)])


def _wider(one: Length | None, other: Length | None) -> Length | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other, key=lambda length: (length.percent, length.px))


def _stretch(widths: list[float], column: int, span: int, needed: float) -> None:
    """Widen columns evenly until they hold a cell that spans them."""
    lacking = needed - sum(widths[column : column + span])
    if lacking > 0:
        for place in range(column, column + span):
            widths[place] += lacking / span


def _share_said(said: list[Length | None], column: int, span: int, width: Length | None) -> None:
    """Divide what is said for a cell among the columns that nothing is said of."""
    unknown = [place for place in range(column, column + span) if said[place] is None]
    if width is None or not unknown:
        return
    known = [length for place in range(column, column + span) if (length := said[place]) is not None]
    px = max(width.px - sum(length.px for length in known), 0.0) / len(unknown)
    percent = max(width.percent - sum(length.percent for length in known), 0.0) / len(unknown)
    if len(unknown) == 1 and (px or percent):
        said[unknown[0]] = width._replace(px=px, percent=percent)
