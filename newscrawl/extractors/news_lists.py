"""Lists and tables inside the text: whole, whatever their lines look like one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.extractors.news_features import FEATURES

if TYPE_CHECKING:
    from newscrawl.dom.measures import Bools
    from newscrawl.extractors.news_features import PageLines

MAX_LINKS: Final = 0.2
"""Share of link text from which on it is a list of links."""
MIN_CELLS: Final = 6
"""A table of fewer cells is rather a part of the layout."""

_IN_ITEM, _IN_CELL, _ENDS_COLON = (FEATURES.index(name) for name in ("in_item", "in_cell", "ends_colon"))


def add_lists(is_body: Bools, page: PageLines) -> None:
    """Take in the lists and tables that belong to the text they stand in.

    One does that follows a line of the body in the same element, holds hardly a link, and is a table of data, or has a
    colon before it or a line of the body after it, or is in for the most part already.
    """
    lines, levels = page.lines, page.values[:, [_IN_ITEM, _IN_CELL]]
    parent = lines.measures.parent
    deeper = (levels[1:] > levels[:-1]).any(axis=1)
    for line in np.flatnonzero(is_body[:-1] & deeper).tolist():
        around = parent[lines.block[line]]
        end = int(np.searchsorted(lines.start, lines.measures.end[around]))
        inner = levels[line + 1 : end] > levels[line]
        n = _leading(inner.any(axis=1))
        listed = slice(line + 1, line + 1 + n)
        chars, link_chars = lines.chars[listed], int(lines.link_chars[listed].sum())
        if link_chars > MAX_LINKS * chars.sum():
            continue
        is_data = n >= MIN_CELLS and not link_chars and bool(inner[:n, 1].all())
        if is_data or page.values[line, _ENDS_COLON] or 2 * chars[is_body[listed]].sum() > chars.sum():
            is_body[listed] = True
        after = listed.stop + _leading(page.features.is_heading[listed.stop : end])
        if after < end and is_body[after] and parent[lines.block[after]] == around:
            is_body[line + 1 : after] = True


def _leading(flags: Bools) -> int:
    """Return how many flags are set before the first that is not."""
    return len(flags) if flags.all() else int(np.argmin(flags))
