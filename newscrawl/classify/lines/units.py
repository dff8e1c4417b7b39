"""Lines that are text together: the cells of a table, lines of code, the posts of a thread, a paragraph among others.

The network judges each line, and a short one stands in doubt wherever it is. Units are told by the log odds of all
their lines, and by the text before and behind them. Nothing is left out here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.hints import name_words
from newscrawl.page.tags import KIND_OF, kinds_among

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from newscrawl.classify.lines.features import PageLines
    from newscrawl.classify.lines.posts import Posts
    from newscrawl.page.lines import Lines
    from newscrawl.page.measures import Bools

    Odds = NDArray[np.float64]

MAX_ODDS: Final = 4.0
"""What one line says at most for those of its unit."""
MIN_CELLS: Final = 4
MAX_CELL: Final = 120.0
"""Weight of a cell; one with more holds a text of its own."""
MAX_LINKED: Final = 0.3
"""Share of a table's characters in links."""
PARAGRAPH: Final = 120.0
"""Letters from which on a paragraph beside a picture is no caption, where its log odds are above ``LEAST_ODDS``."""
LEAST_ODDS: Final = -2.5
CAPTIONS: Final = frozenset(("caption", "captions", "credit", "credits"))
SURE: Final = 1.0
"""Mean log odds of the first post with which those that answer it are text, too."""

_PRE, _TABLE, _ROW, _PARAGRAPH, _FIGURE, _PICTURE = (
    KIND_OF[tag] for tag in ("pre", "table", "tr", "p", "figure", "img")
)
_IS_CELL: Final = kinds_among(frozenset(("td", "th")))


def odds_over(probabilities: NDArray[np.float32], threshold: float) -> Odds:
    """Return by how much the log odds of each line are above the threshold's, at most ``MAX_ODDS`` either way."""
    inner = np.clip(np.append(probabilities, threshold).astype(np.float64), 1e-6, 1 - 1e-6)
    odds = np.log(inner / (1 - inner))
    over: Odds = np.clip(odds[:-1] - odds[-1], -MAX_ODDS, MAX_ODDS)
    return over


def unite(is_body: Bools, page: PageLines, odds: Odds, posts: Posts | None) -> None:
    """Take the other lines of a unit for text where those say so that are."""
    if not is_body.any():
        return
    lines = page.lines
    kinds = lines.measures.kinds
    for row in (kinds == _PRE).nonzero()[0].tolist():
        part, mean = _part(is_body, lines, row), _mean(odds, lines, row)
        if not part.all() and (_follows_text(is_body, lines, row) or (part.any() and mean > 0)):
            part[:] = True
    for row in _tables(page) if (kinds == _TABLE).any() else ():
        part, mean = _part(is_body, lines, row), _mean(odds, lines, row)
        if not part.all() and _follows_text(is_body, lines, row):
            part[:] |= _precedes_text(is_body, lines, row) or (part.any() and mean > 0)
    doubtful = page.features.is_prose & ~is_body & (odds > LEAST_ODDS) & (page.features.free >= PARAGRAPH)
    for line in doubtful.nonzero()[0].tolist():
        is_body[line] = _is_beside_picture(is_body, lines, line)
    if posts is not None and (odds[posts.body].sum() > 0 or odds[posts.opening].sum() > SURE * len(posts.opening) > 0):
        is_body[posts.body] = True


def _is_beside_picture(is_body: Bools, lines: Lines, line: int) -> bool:
    """Tell whether a paragraph stands in an element of its own beside one with a picture, and text around both.

    A caption stands in one element with its picture, or is named so.
    """
    measures = lines.measures
    paragraph = int(lines.block[line])
    own = int(measures.parent[paragraph])
    row = int(measures.parent[own]) if own > 0 else 0
    if row < 1 or measures.kinds[paragraph] != _PARAGRAPH or measures.kinds[row] == _FIGURE:
        return False
    pictures = (measures.kinds[row : measures.end[row]] == _PICTURE).nonzero()[0] + row
    if not len(pictures) or ((pictures > own) & (pictures < measures.end[own])).any():
        return False
    if any(not CAPTIONS.isdisjoint(name_words(measures.nodes[of].get("class", ""))) for of in (paragraph, own)):
        return False
    is_apart = not _part(is_body, lines, row).any()
    return is_apart and _follows_text(is_body, lines, row) and _precedes_text(is_body, lines, row)


def _span(lines: Lines, row: int) -> tuple[int, int]:
    first, stop = np.searchsorted(lines.start, (row, lines.measures.end[row])).tolist()
    return first, stop


def _part(is_body: Bools, lines: Lines, row: int) -> Bools:
    return is_body[slice(*_span(lines, row))]


def _mean(odds: Odds, lines: Lines, row: int) -> float:
    of = odds[slice(*_span(lines, row))]
    return float(of.mean()) if len(of) else 0.0


def _around(lines: Lines, row: int) -> tuple[int, int]:
    """Return the lines of the innermost element around one that holds others, too."""
    own, above = _span(lines, row), int(lines.measures.parent[row])
    while above > 0 and _span(lines, above) == own:
        above = int(lines.measures.parent[above])
    return _span(lines, max(above, 0))


def _follows_text(is_body: Bools, lines: Lines, row: int) -> bool:
    first = _span(lines, row)[0]
    return bool(first and is_body[first - 1] and _around(lines, row)[0] < first)


def _precedes_text(is_body: Bools, lines: Lines, row: int) -> bool:
    stop = _span(lines, row)[1]
    return bool(stop < len(is_body) and is_body[stop] and _around(lines, row)[1] > stop)


def _tables(page: PageLines) -> Iterator[int]:
    """Yield tables of data: none within them, most rows of as many cells, each with little text and few links."""
    lines = page.lines
    kinds, end = lines.measures.kinds, lines.measures.end
    tables, rows, cells = (test.nonzero()[0] for test in (kinds == _TABLE, kinds == _ROW, _IS_CELL[kinds]))
    for table in tables[np.append(tables[1:], len(kinds)) >= end[tables]].tolist():
        first, stop = _span(lines, table)
        inside = rows[slice(*np.searchsorted(rows, (table, end[table])).tolist())]
        if len(inside) < 2 or stop - first < MIN_CELLS or page.features.weight[first:stop].max() > MAX_CELL:
            continue
        if lines.link_chars[first:stop].sum() > MAX_LINKED * lines.chars[first:stop].sum():
            continue
        n_cells = np.searchsorted(cells, end[inside]) - np.searchsorted(cells, inside)
        usual = int(np.bincount(n_cells).argmax())
        if usual > 1 and 2 * np.count_nonzero(n_cells == usual) > len(inside):
            yield table
