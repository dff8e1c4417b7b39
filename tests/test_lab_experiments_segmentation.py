from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lab.evaluation.corpus import CorpusPage, Gold
from lab.evaluation.gold import BlockGold
from lab.experiments import published
from lab.experiments.segmentation import common_share, constants_of, gold_page, processed_share, segment_page

if TYPE_CHECKING:
    from pathlib import Path

# 100 characters of text in one container, two link lists of 30 characters and 3 links each.
LINK = "<li><a href='#'>ten_letter</a></li>"
PAGE = (
    f"<body><ul id='nav'>{LINK * 3}</ul><div id='text'><p>{'t' * 60}</p><p>{'t' * 40}</p></div>"
    f"<ul id='rel'>{LINK * 3}</ul></body>"
)


@pytest.fixture
def page(tmp_path: Path) -> CorpusPage:
    path = tmp_path / "1.html"
    path.write_text(PAGE)
    blocks = BlockGold(main=("//*[@id='text']",), related_links=("//*[@id='rel']",), other=("//*[@id='nav']",))
    return CorpusPage(id="1", set="own", path=path, gold=Gold(blocks=blocks))


def test_common_share_worked_by_hand() -> None:
    # Rows 1 and 2 in both, of 5 + 7 characters; rows 0 and 3, of 3 + 5, in one only: 12 / 20.
    assert common_share(frozenset({0, 1, 2}), frozenset({1, 2, 3}), [3, 5, 7, 5]) == 0.6
    assert common_share(frozenset(), frozenset(), []) == 0.0


def test_gold_blocks_of_a_page(page: CorpusPage) -> None:
    gold = gold_page(page)
    chars = gold.document.measures.chars
    assert [sum(int(chars[row]) for row in unit) for unit in gold.units] == [100, 30, 30]


def test_segmentation_that_finds_every_block(page: CorpusPage) -> None:
    # Each list has half of the links and of their text: H = 2 · (.25 · 2) = 1 > α, so it is divided, and its items,
    # each H = 2 · (1/12 · log₂ 12) = .597 > α, too. With α = 1.1 the lists and the text (H = .5) are the blocks.
    found = segment_page(gold_page(page), (1.1, 0.12, 0.05))
    assert found.n_blocks == 3
    assert found.best == (1.0, 1.0, 1.0)
    assert found.recall(0.9) == found.pure == 1.0


def test_a_coarse_segmentation_misses(page: CorpusPage) -> None:
    # β above everything: no block at all.
    found = segment_page(gold_page(page), (1.1, 1.05, 0.05))
    assert (found.n_blocks, found.best, found.pure) == (0, (0.0, 0.0, 0.0), 0.0)


def test_processed_share(page: CorpusPage) -> None:
    # Rows: body, 2 lists with 3 items, links and texts (10 each), div, 2 p, 2 texts: 1 + 20 + 5 = 26. Taken: 3.
    document = gold_page(page).document
    assert len(document.measures) == 26
    assert processed_share(document, (1.1, 0.12, 0.05)) == pytest.approx(3 / 26)


def test_constants_of_the_best_levels() -> None:
    assert constants_of((4, 4, 4)) == (0.52, 0.12, 0.05)
    assert max(published.L25, key=published.L25.__getitem__) in {(4, 4, 3), (5, 1, 3)}
