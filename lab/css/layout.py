"""Boxes of a page without a browser: a layout in outline, in four passes over the rows, none of them recursive.

What it follows: block and inline flow, floats and ``clear``, tables, flex rows, simple grids, positions, margins that
collapse between siblings and through parents, widths and heights with their limits. What it leaves out: fonts (a mean
advance for each kind of character), sizes of images that nothing states, generated content, ``rowspan``, columns,
transforms, writing modes, and everything that scripts do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lab.css.cascade import declarations_of
from lab.css.flow import set_heights, set_places
from lab.css.intrinsic import measure_widths
from lab.css.style import compute_styles
from lab.css.tree import Tree
from lab.css.widths import set_widths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from newscrawl.page.document import Document

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBoxes:
    """Boxes of the rows of a page's measures, in CSS pixels from the upper left corner of the page; shape ``(n,)``.

    A box without width and height is one that is not shown, or that nothing stands in.
    """

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    is_shown: Bools
    """False inside ``display: none`` and where ``visibility`` hides."""
    is_width_said: Bools
    """Whether the width follows from a width, limit, column or basis that the page states for the row or for what it
    fills; else it comes from the screen's width or from estimated text."""
    is_height_said: Bools


def lay_out(document: Document, stylesheets: Iterable[str] = ()) -> RowBoxes:
    """Return the boxes of ``document.measures``. Never raises for what is in the page or in a sheet.

    :param stylesheets: texts of style sheets that the page links to, in order.
    """
    measures = document.measures
    said, root = declarations_of(document, stylesheets)
    tree = Tree(measures, compute_styles(measures, said, root))
    measure_widths(tree)
    set_widths(tree)
    set_heights(tree)
    set_places(tree)
    is_shown = np.array(tree.shown, dtype=np.bool_)
    return RowBoxes(
        x=np.array(tree.x),
        y=np.array(tree.y),
        width=np.where(is_shown, tree.width, 0.0),
        height=np.where(is_shown, tree.height, 0.0),
        is_shown=is_shown & np.array([style.is_visible for style in tree.styles], dtype=np.bool_),
        is_width_said=np.array(tree.is_width_said, dtype=np.bool_),
        is_height_said=np.array([height is not None for height in tree.said_height], dtype=np.bool_),
    )
