from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.evaluation.block_metrics import (
    LINKS,
    ClassCounts,
    output_rows,
    score_blocks,
    summarise_blocks,
)
from lab.evaluation.corpus import CorpusPage, load
from lab.evaluation.gold import BlockGold, gold_rows
from lab.evaluation.page_types import known_type, type_of, type_scores
from newscrawl.items import PageType
from newscrawl.page.document import Document

PAGE = """<body>
<div id=nav>abcd</div>
<div id=main><p>aaaaaaaaaa</p><p class=credit>bb</p><ul><li><a href=1>ccc</a></li></ul>tail</div>
<ul id=rel><li><a href=2>dddd</a></li><li><a href=3>eeee</a></li></ul>
<div id=side>unlabelled</div>
<div id=maybe>qqqqq</div>
</body>"""
GOLD = BlockGold(
    main=("//*[@id='main']",),
    exclude=("//p[@class='credit']", "//*[@id='main']/ul", "//*[@id='main']/text()[contains(., 'tail')]"),
    related_links=("//*[@id='rel']", "//*[@id='main']/ul"),
    other=("//*[@id='nav']",),
    ambiguous=("//*[@id='maybe']",),
)


@pytest.fixture
def document() -> Document:
    return Document.from_html(PAGE)


def span(document: Document, path: str, label: str) -> tuple[int, int, str]:
    assert document.root is not None
    (node,) = document.root.xpath(path)
    row = next(
        place
        for place, found in enumerate(document.measures.nodes)
        if found is node and not document.measures.is_text(place)
    )
    return row, int(document.measures.end[row]), label


def test_gold_rows_take_the_nearest_class(document: Document) -> None:
    rows, missing = gold_rows(document, GOLD)
    labels = {text.strip(): label for text, label in zip(document.measures.texts, rows, strict=True) if text.strip()}
    assert labels == {
        "abcd": "other",
        "aaaaaaaaaa": "main",
        "bb": "other",  # excluded from the body, and nothing else
        "ccc": "related",  # excluded, and a related link
        "tail": "other",  # a text node that an XPath selects
        "dddd": "related",
        "eeee": "related",
        "unlabelled": None,
        "qqqqq": "ambiguous",
    }
    assert missing == 0


def test_xpaths_that_find_nothing_are_counted(document: Document) -> None:
    assert gold_rows(document, BlockGold(main=("//section",)))[1] == 1


def test_a_perfect_output(document: Document) -> None:
    rows, _ = gold_rows(document, GOLD)
    spans = [(row, row + 1, label) for row, label in enumerate(rows) if label]
    counts = score_blocks(document, GOLD, spans)
    assert {name: count.f1 for name, count in counts.items()} == {"main": 1.0, "related": 1.0, "other": 1.0, LINKS: 1.0}


def test_counts_worked_by_hand(document: Document) -> None:
    # The whole #main is called main: 10 right; credit 2, links 3 and tail 4 wrong. #rel: 8 of the 11 related
    # characters, 2 of 3 links. #nav is in no block: 4 of the 10 other characters, the rest was called main.
    spans = [
        span(document, "//*[@id='main']", "main"),
        span(document, "//*[@id='rel']", "related"),
        span(document, "//*[@id='side']", "main"),
        span(document, "//*[@id='maybe']", "main"),
    ]
    counts = score_blocks(document, GOLD, spans)
    assert counts["main"] == ClassCounts(both=10, only_output=9, only_gold=0)
    assert counts["related"] == ClassCounts(both=8, only_output=0, only_gold=3)
    assert counts["other"] == ClassCounts(both=0, only_output=0, only_gold=10)
    assert counts[LINKS] == ClassCounts(both=2, only_output=0, only_gold=1)


def test_summary_leaves_out_pages_without_the_class() -> None:
    pages = [
        {"main": ClassCounts(both=3, only_output=1, only_gold=0)},
        {"main": ClassCounts(both=0, only_output=0, only_gold=2)},
        {"main": ClassCounts()},
    ]
    summary = summarise_blocks(pages)["main"]
    # Precision over the one page with output, recall over the two with gold.
    assert [summary.n, summary.precision, summary.recall] == [2, 0.75, 0.5]
    assert summary.f1 == pytest.approx(0.6)


def test_output_rows_stay_inside_the_page() -> None:
    assert output_rows(3, [(1, 9, "main")]) == [None, "main", "main"]


def test_an_empty_page() -> None:
    counts = score_blocks(Document.from_html(b""), GOLD, [])
    assert all(count == ClassCounts() for count in counts.values())


@pytest.mark.shared
def test_every_xpath_of_the_corpus_finds_its_nodes(shared: Path) -> None:
    pages = [page for page in load(shared / "corpus", ["gne"]) if page.gold.blocks]
    assert len(pages) == 37
    n_with_main = 0
    for page in pages:
        assert page.gold.blocks is not None
        rows, missing = gold_rows(Document.from_html(page.read(), page.url), page.gold.blocks)
        assert missing == 0, page.id
        n_with_main += "main" in rows
    assert n_with_main >= 36


def test_page_types() -> None:
    # article: 2 right of 3 judged and of 2 in gold; hub: 1 of 1 judged, of 2 in gold.
    pairs = [("article", "article"), ("article", "article"), ("hub", "hub"), ("hub", "article")]
    scores = type_scores(pairs)
    assert scores["article"].precision == pytest.approx(2 / 3)
    assert scores["article"].recall == 1.0
    assert scores["hub"].n == 2
    assert scores["hub"].f1 == pytest.approx(2 / 3)
    assert known_type("service") == "other"


def test_types_of_lists_told_by_hand_come_before_the_corpus() -> None:
    path = Path("corpus/wcxb/pages/0083.html")
    news = CorpusPage(id="0083", set="wcxb", path=path, page_type="listing")
    assert type_of(news) is PageType.HUB
    assert type_of(replace(news, id="5022")) is PageType.FORUM
    assert type_of(replace(news, id="1")) is PageType.LISTING
    assert type_of(replace(news, id="1", page_type="collection")) is PageType.LISTING
