"""What belongs to a story by its place: posts that it embeds as quotes, footnotes, and paragraphs in a table's rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from newscrawl.page.tags import KIND_OF

if TYPE_CHECKING:
    from newscrawl.classify.lines.features import NetworkInput
    from newscrawl.page.measures import Bools

MIN_QUOTE: Final = 12.0
"""Weight outside links of a line that is quoted; shorter ones are signatures."""
_NOTES: Final = etree.XPath("descendant::*/@role[contains(., 'doc-') and contains(., 'note')]/..")
"""What holds footnotes, by its role (DPUB-ARIA)."""
_QUOTE: Final = KIND_OF["blockquote"]
_RAISED: Final = KIND_OF["sup"]
_CELL: Final = KIND_OF["td"]
_MAX_CLIMB: Final = 4
MIN_ROWS: Final = 3
MIN_FILLED: Final = 0.7
"""Share of a column's cells that are a paragraph where the table sets a text."""


def take_quotes(is_body: Bools, page: NetworkInput) -> None:
    """Take the lines of a ``blockquote`` for text where it stands between paragraphs of the text."""
    measures = page.lines.measures
    rows = (measures.kinds == _QUOTE).nonzero()[0]
    if not len(rows):
        return
    starts = page.lines.start
    kept = starts[is_body & page.features.is_prose]
    for row in rows.tolist():
        low, high = np.searchsorted(starts, (row, measures.end[row])).tolist()
        if low == high or is_body[low:high].all():
            continue
        above = row
        for _ in range(_MAX_CLIMB):
            above = int(measures.parent[above])
            if above < 0 or np.searchsorted(starts, above) < low or np.searchsorted(starts, measures.end[above]) > high:
                break
        inside = kept[(kept >= max(above, 0)) & (kept < measures.end[max(above, 0)])]
        if (inside < row).any() and (inside >= measures.end[row]).any():
            is_body[low:high] |= page.features.free[low:high] >= MIN_QUOTE


def take_notes(is_body: Bools, page: NetworkInput) -> None:
    """Take all footnotes for text where the text holds one of them."""
    measures = page.lines.measures
    if not (measures.kinds == _RAISED).any():  # no number refers to any
        return
    for row in measures.rows_among(_NOTES(measures.body)).tolist():
        low, high = np.searchsorted(page.lines.start, (row, measures.end[row])).tolist()
        if is_body[low:high].any():
            is_body[low:high] |= page.features.free[low:high] >= MIN_QUOTE


def take_rows(is_body: Bools, page: NetworkInput) -> None:
    """Take all paragraphs in one column of a table for text where one of them is: numbered or with their speaker."""
    measures, features = page.lines.measures, page.features
    asked = (features.is_prose & (measures.kinds.take(page.lines.block) == _CELL)).nonzero()[0].tolist()
    if len(asked) < MIN_ROWS or not is_body[asked].any() or is_body[asked].all():
        return
    n_before: Counter[int] = Counter()
    columns: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    of: dict[int, tuple[int, int]] = {}
    for cell in (measures.kinds == _CELL).nonzero()[0].tolist():
        row = int(measures.parent[cell])
        of[cell] = int(measures.parent[row]), n_before[row]
        n_before[row] += 1
        columns[of[cell]].append(cell)
    told: defaultdict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
    for line in asked:
        cell = int(page.lines.block[line])
        told[of[cell]].setdefault(cell, []).append(line)
    for column, cells in told.items():
        lines = [line for found in cells.values() for line in found]
        is_text = len(cells) >= max(MIN_ROWS, MIN_FILLED * len(columns[column]))
        if is_text and column[1] and is_body[lines].any():
            is_body[lines] = True
