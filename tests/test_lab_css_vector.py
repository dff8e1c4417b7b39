from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from lab.css.vector import FEATURES, Boxes, block_vectors, estimated_boxes, place_scores
from lab.evaluation.corpus import load
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.page.document import Document
from newscrawl.page.segment import segment
from tests.page_strategies import PAGES

SENTENCE = "A sentence that is long enough to run over the whole width of the column, and then some more of it. " * 6


def boxes_of(markup: str) -> Boxes:
    document = Document.from_html(markup)
    return estimated_boxes(crawl_blocks(document), document)


def test_densities_are_shares_of_the_page() -> None:
    links = "".join(f'<li><a href="/{n}">{"y" * 10 * n}</a></li>' for n in range(1, 20))
    document = Document.from_html(f"<body><p>{'x' * 60}</p><ul>{links}</ul></body>")
    blocks = crawl_blocks(document)
    vectors = block_vectors(blocks, document)
    assert vectors.shape == (len(blocks), len(FEATURES))
    assert vectors[:, :3].sum(axis=0) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize(
    ("left", "width", "middle", "score"),
    [
        (0.0, 0.2, 0.1, 0.2),
        (0.4, 0.2, 0.1, 0.4),
        (0.8, 0.2, 0.3, 0.2),
        (0.0, 0.2, 0.5, 0.5),
        (0.0, 1.0, 0.5, 1.0),
        (0.8, 0.2, 0.5, 0.5),
        (0.0, 0.2, 0.9, 0.1),
        (0.4, 0.2, 0.9, 0.2),
        (0.8, 0.2, 1.0, 0.1),
    ],
)
def test_importance_of_places(left: float, width: float, middle: float, score: float) -> None:
    box = Boxes(left=np.array([left]), width=np.array([width]), height=np.array([0.1]))
    assert place_scores(box, np.array([middle])).tolist() == [score]


def test_cells_share_a_row() -> None:
    row = f"<table><tr><td>{SENTENCE}</td><td>{SENTENCE}</td></tr></table>"
    document = Document.from_html(f"<body>{row}</body>")
    blocks = segment(document, alpha=0.1, beta=0.05)
    boxes = estimated_boxes(blocks, document)
    assert boxes.width.tolist() == pytest.approx([0.5, 0.5])
    assert boxes.left.tolist() == pytest.approx([0.0, 0.5])


def test_said_widths_come_first() -> None:
    row = f'<table><tr><td width="25%">{SENTENCE}</td><td>{SENTENCE}</td></tr></table>'
    document = Document.from_html(f"<body>{row}</body>")
    assert estimated_boxes(segment(document, alpha=0.1, beta=0.05), document).width.tolist() == pytest.approx(
        [0.25, 0.75]
    )


@pytest.mark.parametrize(
    ("attributes", "width", "left"),
    [
        ('style="width: 683px"', 0.5, 0.25),
        ('style="width:50%; float: left"', 0.5, 0.0),
        ('style="float:right;width:683px"', 0.5, 0.5),
        ('width="683"', 0.5, 0.25),
        ('style="width: 20em" class="left"', 320 / 1366, 0.0),
        ('style="width: 9999px"', 1.0, 0.0),
        ('style="width: auto"', 1.0, 0.0),
        ('style="max-width: 10px"', 1.0, 0.0),
    ],
)
def test_widths_of_one_block(attributes: str, width: float, left: float) -> None:
    boxes = boxes_of(f"<body><div {attributes}>{SENTENCE}</div></body>")
    assert boxes.width.tolist() == pytest.approx([width])
    assert boxes.left.tolist() == pytest.approx([left])


def test_a_list_of_short_lines_is_narrow_and_high() -> None:
    items = "".join(f"<li><a>Headline number {n}</a></li>" for n in range(20))
    boxes = boxes_of(f"<body><div>{SENTENCE}</div><ul>{items}</ul></body>")
    assert boxes.width[1] < 0.3 < boxes.width[0]
    assert boxes.height[1] > 0.5


def test_no_block() -> None:
    document = Document.from_html("")
    assert block_vectors((), document).shape == (0, len(FEATURES))


def test_boxes_can_come_from_elsewhere() -> None:
    document = Document.from_html(f"<body><p>{SENTENCE}</p></body>")
    blocks = crawl_blocks(document)
    given_boxes = Boxes(left=np.array([0.0]), width=np.array([0.1]), height=np.array([0.2]))
    assert block_vectors(blocks, document, lambda *_: given_boxes)[0, 3:5].tolist() == [0.1, 0.2]


@given(page=PAGES)
@settings(max_examples=60, deadline=None)
def test_vectors_lie_between_0_and_1(page: str) -> None:
    document = Document.from_html(page)
    vectors = block_vectors(crawl_blocks(document), document)
    assert ((vectors >= 0) & (vectors <= 1)).all()
    assert (vectors[:, 3:] > 0).all()


@pytest.mark.shared
def test_vectors_of_real_pages(shared: Path) -> None:
    for page in load(shared / "corpus", ["gne", "autopager"], limit=20):
        document = Document.from_html(page.read(), page.url)
        vectors = block_vectors(crawl_blocks(document), document)
        assert np.isfinite(vectors).all()
        assert ((vectors >= 0) & (vectors <= 1)).all()
