"""Blocks by density entropy, labelled by the rule on their densities."""

from __future__ import annotations

import pytest

from newscrawl.methods.density import DensityExtractor, DensityRule
from newscrawl.page import Document
from newscrawl.page.segment import Block, BlockLabel


def block(n_chars: int, n_link_chars: int = 0, n_links: int = 0) -> Block:
    return Block(index=0, tag="p", xpath="", text="", n_chars=n_chars, n_link_chars=n_link_chars, n_links=n_links)


def labels(*blocks: Block) -> list[BlockLabel | None]:
    document = Document.from_html(f"<body>{'x' * 1000}</body>")
    return [found.label for found in DensityRule().classify(blocks, document)]


def test_the_rule_by_hand() -> None:
    """Best text: 500 characters. 0.3 of it is 150. A block with 31 of 100 characters in links is no text."""
    main, related, other = BlockLabel.MAIN, BlockLabel.RELATED, BlockLabel.OTHER
    assert labels(block(500), block(150), block(149)) == [main, main, other]
    assert labels(block(100), block(1000, 310, 2)) == [main, other]
    assert labels(block(100), block(100, 50, 3), block(100, 50, 2), block(100, 49, 3)) == [main, related, other, other]
    assert labels(block(100, 30, 1)) == [main]
    assert labels(block(0)) == [other]
    assert labels() == []


def test_confidence_is_the_share_of_the_pages_text() -> None:
    document = Document.from_html(f"<body>{'x' * 1000}</body>")
    (found,) = DensityRule().classify([block(500, 100, 1)], document)
    assert found.confidence == pytest.approx(0.4)


TEXT = "<p>" + "The text of the article, sentence by sentence. " * 10 + "</p>"
LINKS = "".join(f"<li><a href={n}>headline number {n} of another story</a></li>" for n in range(12))
PAGE = f"<body><div><ul>{LINKS}</ul></div><div>{TEXT}{TEXT}</div><div><p>Footer of the site</p></div></body>"


def test_the_main_block_comes_out() -> None:
    answer = DensityExtractor().extract(Document.from_html(PAGE))
    assert answer.text.splitlines() == [("The text of the article, sentence by sentence. " * 10).strip()] * 2
    by_label = {found.label: found for found in answer.blocks}
    assert "headline" in by_label[BlockLabel.RELATED].text
    assert 0.9 < answer.confidence <= 1.0


def test_small_paragraphs_are_lost_unless_lossless() -> None:
    """The heading has 13 of 813 characters outside links: p = 0.008, H = 0.056 < 0.12."""
    paragraphs = "".join(f"<div><p>{'long text ' * 20}</p></div>" for _ in range(5))
    html = f"<body><section>{paragraphs}<h2>short line here</h2><ul>{LINKS}</ul></section></body>"
    found = DensityExtractor().extract(Document.from_html(html)).blocks
    assert not any("short line" in one.text for one in found)
    found = DensityExtractor(lossless=True).extract(Document.from_html(html)).blocks
    assert any("short line" in one.text for one in found)


class _FirstIsMain:
    def classify(self, blocks: tuple[Block, ...], document: Document) -> tuple[Block, ...]:
        return tuple(one._replace(label=BlockLabel.MAIN if not one.index else None) for one in blocks)


def test_any_classifier_will_do() -> None:
    answer = DensityExtractor(classifier=_FirstIsMain()).extract(Document.from_html(PAGE))  # type: ignore[arg-type]
    assert answer.text.startswith("headline number 0")


@pytest.mark.parametrize("page", ["", "<body></body>", "<a href=1>only a link</a>"])
def test_a_page_without_plain_text_gives_none(page: str) -> None:
    answer = DensityExtractor().extract(Document.from_html(page))
    assert answer.text == ""
    assert answer.confidence == 0.0
