"""Labelled blocks → the text of the article, a paragraph a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newscrawl.blocks.body import find_body
from newscrawl.blocks.model import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Bools


def article_text(blocks: Sequence[Block], document: Document) -> str:
    """Return the body's lines that stand in main blocks, in reading order; ``""`` if there are none."""
    body = document.once(find_body)
    return "\n".join(body.features.lines.texts(np.flatnonzero(article_lines(blocks, body)).tolist()))


def article_lines(blocks: Sequence[Block], body: Body) -> Bools:
    """Tell which of the page's lines are body and stand in a main block."""
    start = body.features.lines.start
    in_main = np.zeros(len(start), dtype=np.bool_)
    for block in blocks:
        if block.label is BlockLabel.MAIN:
            in_main[np.searchsorted(start, block.start) : np.searchsorted(start, block.end)] = True
    chosen: Bools = body.is_body & in_main
    return chosen
