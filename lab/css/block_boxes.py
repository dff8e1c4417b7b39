"""Boxes of blocks from the boxes of rows: by the page's own CSS, or by any other layout of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.css import RowBoxes, lay_out, screen
from lab.css.vector import MIN_SHARE, Boxes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newscrawl.page.document import Document
    from newscrawl.page.segment import Block

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

_RIGHTMOST: Final = 1.0 - MIN_SHARE


class CssBoxes:
    """A :class:`~lab.css.vector.BoxSource` that lays the page out by its own CSS.

    :param stylesheets: texts of the style sheets that the pages link to; a harvest knows them per site.
    """

    def __init__(self, stylesheets: Sequence[str] = ()) -> None:
        self.stylesheets = tuple(stylesheets)

    def __call__(self, blocks: Sequence[Block], document: Document) -> Boxes:
        return block_boxes(blocks, document, lay_out(document, self.stylesheets))


def block_boxes(blocks: Sequence[Block], document: Document, rows: RowBoxes) -> Boxes:
    """Return the smallest boxes around the pieces of each block, as shares of the screen.

    A block without a box, since nothing of it is shown, gets the least size at the left edge.
    """
    pieces, owners = block_pieces(blocks, document)
    has_box = (rows.width[pieces] > 0) & (rows.height[pieces] > 0)
    pieces, owners = pieces[has_box], owners[has_box]
    n = len(blocks)
    left, top = np.full(n, np.inf), np.full(n, np.inf)
    right, bottom = np.full(n, -np.inf), np.full(n, -np.inf)
    np.minimum.at(left, owners, rows.x[pieces])
    np.minimum.at(top, owners, rows.y[pieces])
    np.maximum.at(right, owners, rows.x[pieces] + rows.width[pieces])
    np.maximum.at(bottom, owners, rows.y[pieces] + rows.height[pieces])
    is_empty = ~np.isfinite(left)
    left[is_empty] = right[is_empty] = top[is_empty] = bottom[is_empty] = 0.0
    return Boxes(
        left=np.clip(left / screen.WIDTH, 0.0, _RIGHTMOST),
        width=np.clip((right - left) / screen.WIDTH, MIN_SHARE, 1.0),
        height=np.clip((bottom - top) / screen.HEIGHT, MIN_SHARE, 1.0),
    )


def block_pieces(blocks: Sequence[Block], document: Document) -> tuple[Ints, Ints]:
    """Return the rows that blocks consist of, each with the number of its block: siblings from start to end."""
    end = document.measures.end
    pieces: list[int] = []
    owners: list[int] = []
    for number, block in enumerate(blocks):
        row = block.start
        while row < block.end:
            pieces.append(row)
            owners.append(number)
            row = int(end[row])
    return np.array(pieces, dtype=np.int64), np.array(owners, dtype=np.int64)


def said(blocks: Sequence[Block], document: Document, is_said: Bools) -> Bools:
    """Tell for each block whether all its pieces are said: with ``is_width_said``, that no width was estimated."""
    pieces, owners = block_pieces(blocks, document)
    unsaid = np.bincount(owners, weights=~is_said[pieces], minlength=len(blocks))
    found: Bools = unsaid == 0
    return found
