"""Boxes of blocks by the page's own CSS."""

from __future__ import annotations

import numpy as np

from lab.css import lay_out
from lab.css.block_boxes import CssBoxes, block_boxes, said
from lab.css.vector import MIN_SHARE, block_vectors
from newscrawl.page.document import Document
from newscrawl.page.segment import segment

TEXT = "words of an article, long enough to count. " * 10
MARKUP = (
    "<!DOCTYPE html><style>body{margin:0}#l{float:left;width:25%;height:384px}#m{margin-left:30%}</style>"
    f"<div id=l><ul>{'<li><a href=/>link text</a>' * 9}</ul></div><div id=m><p>{TEXT}</p><p>{TEXT}</p></div>"
)


def test_a_block_is_as_large_as_its_pieces_together() -> None:
    document = Document.from_html(MARKUP)
    blocks = segment(document, lossless=True)
    boxes = CssBoxes()(blocks, document)
    links = next(number for number, block in enumerate(blocks) if block.n_links == 9)
    assert boxes.left[links] + boxes.width[links] <= 0.26
    text = next(number for number, block in enumerate(blocks) if block.text.startswith("words"))
    assert abs(boxes.left[text] - 0.3) < 0.01
    assert abs(boxes.width[text] - 0.7) < 0.01


def test_given_sheets_count() -> None:
    document = Document.from_html(MARKUP)
    blocks = segment(document, lossless=True)
    narrow = CssBoxes(["#m{width:100px}"])(blocks, document)
    assert narrow.width.min() < CssBoxes()(blocks, document).width.min() + 1e-9
    assert (narrow.width <= 0.26).all()


def test_a_block_that_is_not_shown_has_the_least_box() -> None:
    style = "<style>ul:nth-of-type(1){display:none}</style>"
    document = Document.from_html(f"{style}<p>{TEXT}</p><ul><li>{TEXT}</ul>")
    blocks = segment(document, lossless=True)
    boxes = block_boxes(blocks, document, lay_out(document))
    assert boxes.width[-1] == boxes.height[-1] == MIN_SHARE
    assert boxes.left[-1] == 0


def test_shares_stay_in_their_range() -> None:
    document = Document.from_html(f"<p style='margin-left:-900px;width:9000px;height:9000px'>{TEXT}</p>")
    vectors = block_vectors(segment(document), document, CssBoxes())
    assert ((vectors >= 0) & (vectors <= 1)).all()


def test_said_only_if_all_pieces_are() -> None:
    document = Document.from_html(f"<div><p>{TEXT}</p><p>{TEXT}</p></div><ul>{'<li><a href=/>x</a>' * 9}</ul>")
    blocks = segment(document, lossless=True)
    flags = np.zeros(len(document.measures), dtype=np.bool_)
    assert not said(blocks, document, flags).any()
    flags[blocks[0].start] = True
    assert said(blocks, document, ~flags).tolist() == [False] + [True] * (len(blocks) - 1)


def test_no_blocks() -> None:
    document = Document.from_html("<p></p>")
    assert len(CssBoxes()((), document).width) == 0
