from __future__ import annotations

import itertools

import pytest
from hypothesis import given

from newscrawl.languages.text import visible_text
from newscrawl.page.document import Document
from newscrawl.page.segment import node_entropy, segment, similar, with_xpaths
from tests.page_strategies import PAGES

# body: 40 characters outside links, 10 inside, 2 links.
#   div#nav   0 text, 2 links, 10 link characters  ρ = (0, 1, 1)       H = 0 + 0.5 + 0.5          = 1.0   > α: divided
#     a  5 link characters, 1 link                 ρ = (0, .5, .5)     H = 2 · 0.25·2             = 1.0   > α: divided
#       "three"  ρltext = .5                       ρ = (0, 0, .5)      H = 0.25·2                 = 0.5   > γ: a block
#   div#text  40 characters                        ρ = (1, 0, 0)       H = 0.5·1                  = 0.5   ≤ α: a block
#   p#tail    0 characters                         H = 0: dropped
SMALL = (
    "<body><div id=nav><a href=1>three</a><a href=2>seven</a></div>"
    f"<div id=text><p>{'x' * 30}</p><p>{'y' * 10}</p></div><p id=tail></p></body>"
)


def test_entropies_of_the_worked_example() -> None:
    measures = Document.from_html(SMALL).measures
    rows = {node.get("id"): row for row, node in enumerate(measures.nodes) if measures.tags[row] != "#text"}
    h = node_entropy(measures)
    assert h[rows["nav"]] == pytest.approx(1.0)
    assert h[rows["text"]] == pytest.approx(0.5)
    assert h[rows["tail"]] == 0.0
    assert h[0] == pytest.approx(1.5)


def test_blocks_of_the_worked_example() -> None:
    blocks = segment(Document.from_html(SMALL))
    assert [(block.tag, block.text) for block in blocks] == [
        ("#text", "three"),
        ("#text", "seven"),
        ("div", f"{'x' * 30}\n{'y' * 10}"),
    ]
    assert [(block.n_chars, block.n_link_chars, block.n_links) for block in blocks] == [
        (5, 5, 0),
        (5, 5, 0),
        (40, 0, 0),
    ]


def test_consecutive_siblings_of_similar_tag_are_fused() -> None:
    # Two paragraphs of 20 of the page's 100 characters: ρ = .2, H = −.1·log2 .1 = .332, β < H ≤ α: blocks.
    # The div of 40 has H = −.2·log2 .2 = .464 and is similar to p; the empty ul between them is dropped.
    x, y, z, w = "x" * 20, "y" * 20, "z" * 40, "w" * 20
    html = f"<body><p>{x}</p><p>{y}</p><ul></ul><div>{z}</div><table><tr><td>{w}</table></body>"
    blocks = segment(Document.from_html(html))
    assert [block.tag for block in blocks] == ["p", "table"]
    assert blocks[0].n_chars == 80


@pytest.mark.parametrize(
    ("tag", "other", "expected"),
    [("p", "section", True), ("ul", "dl", True), ("tr", "td", True), ("#text", "em", True), ("ul", "p", False)],
)
def test_similar_tags(tag: str, other: str, *, expected: bool) -> None:
    assert similar(tag, other) is expected
    assert similar(other, tag) is expected


@pytest.mark.parametrize("thresholds", [{"alpha": 0.1}, {"beta": -1.0}, {"gamma": -0.1}])
def test_thresholds_out_of_order_are_refused(thresholds: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="need alpha >= beta >= 0"):
        segment(Document.from_html(SMALL), **thresholds)  # type: ignore[arg-type]


@given(PAGES)
def test_entropies_are_those_of_shares_of_the_page(html: str) -> None:
    found = node_entropy(Document.from_html(html).measures)
    assert ((found >= 0) & (found <= 1.593)).all()


@given(PAGES)
def test_lossless_blocks_are_a_partition_of_the_visible_text(html: str) -> None:
    document = Document.from_html(html)
    blocks = segment(document, lossless=True)
    together = "".join(block.text for block in blocks)
    assert "".join(together.split()) == "".join(visible_text(document.measures).split())
    spans = [(block.start, block.end) for block in blocks]
    assert all(stop <= start for (_, stop), (start, _) in itertools.pairwise(spans))


def test_lossless_keeps_what_the_paper_drops() -> None:
    document = Document.from_html(SMALL.replace("<p id=tail></p>", "<p>.</p>"))
    assert len(segment(document, lossless=True)[-1].text) > 0
    assert "." not in "".join(block.text for block in segment(document))


def test_xpaths_lead_back_to_the_block() -> None:
    document = Document.from_html(SMALL)
    blocks = with_xpaths(segment(document), document)
    assert document.root is not None
    assert blocks[-1].xpath == "/html/body/div[2]"
    for block in blocks:
        assert document.root.xpath(block.xpath)


@given(PAGES)
def test_xpaths_are_those_of_lxml(html: str) -> None:
    document = Document.from_html(html)
    for block in with_xpaths(segment(document, lossless=True), document):
        node = document.measures.nodes[block.start]
        assert block.xpath == node.getroottree().getpath(node)


@pytest.mark.parametrize("html", ["", "<p></p>", "<!-- -->"])
def test_pages_without_text_have_no_blocks(html: str) -> None:
    assert segment(Document.from_html(html)) == ()
