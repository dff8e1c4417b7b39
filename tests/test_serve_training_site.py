"""The strength of a site's correction is what helps labelled pages that are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.classify.blocks.classifiers import SiteClassifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.lines.site_model import SiteModel
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from newscrawl.serve.training.label_file import UserPage
from newscrawl.serve.training.site import UNTRIED, train_site
from tests.labelled_site import made_page

if TYPE_CHECKING:
    from collections.abc import Sequence

TICKER, OLD, MENU = "//table", "//div[@class='old']", "//ul[@class='menu']"


def page(number: int, main: Sequence[str], other: Sequence[str]) -> UserPage:
    made = made_page(number)
    return UserPage(
        name=made.name,
        document=Document.from_html(made.html),
        labels=(*((path, BlockLabel.MAIN) for path in main), *((path, BlockLabel.OTHER) for path in other)),
    )


def test_labels_that_hold_for_each_page_correct_the_network() -> None:
    result = train_site([page(number, [TICKER], [OLD]) for number in range(4)])
    assert result.strength > 0
    assert result.right == pytest.approx(1.0)
    assert result.before < 0.7


def test_labels_that_mislead_on_pages_left_out_leave_the_network_as_it_is() -> None:
    # the network takes the old story for text; it is, but for one page
    pages = [page(0, [TICKER], [OLD]), *(page(number, [OLD], [TICKER, MENU]) for number in range(1, 3))]
    result = train_site(pages)
    assert result.strength == 0
    assert result.right is not None
    document = Document.from_html(made_page(9).html)
    before = document.once(judge_lines)
    _, after = SiteClassifier(result.model).judge(crawl_blocks(document), document, before)
    assert after is before


def test_of_one_page_half_the_correction_is_taken() -> None:
    result = train_site([page(0, [TICKER], [OLD])])
    assert (result.strength, result.right) == (UNTRIED, None)


def test_a_correction_towards_main_text_takes_no_line_out() -> None:
    document = Document.from_html(made_page(0).html)
    blocks = crawl_blocks(document)
    before = document.once(judge_lines)
    assert before.is_body.any()
    towards = SiteModel(dict.fromkeys(("1:p", "1:tr", "1:td"), 0.2), {})
    found, after = SiteClassifier(towards).judge(blocks, document, before)
    assert (after.is_body >= before.is_body).all()
    assert BlockLabel.MAIN in [block.label for block in found]
