"""Density rules per page cluster: H and the rule worked out by hand on small pages."""

from __future__ import annotations

import pytest
from hypothesis import given

from newscrawl.methods.cluster import ClusterExtractor, block_level_rows, block_scores, tag_paths
from newscrawl.page import Document
from tests.page_strategies import PAGES

PAGE = "<body><ul><li><a href=1>aaaa</a></li></ul><div id=c><p>bbbbbb</p><p>cc<a href=2>dd</a></p></div></body>"


def test_scores_by_hand() -> None:
    """The page has 14 characters, 6 of them in 2 links, 8 outside.

    div: p1 = 8/8, p2 = 1 - 1/2, p3 = 8/10, size = 1 + 3 (two p, one a): 0.4 / 4^0.3 = 0.2639
    first p: p1 = 6/8, p2 = 1, p3 = 1, size = 1: 0.75
    second p: p1 = 2/8, p2 = 1/2, p3 = 2/4, size = 2: 0.0625 / 2^0.3 = 0.0508
    ul: p1 = 0: 0; body: p2 = 1 - 2/2 = 0: 0
    """
    document = Document.from_html(PAGE)
    scores = block_scores(document.measures)
    by_tag: dict[str, list[float]] = {}
    for row in block_level_rows(document.measures):
        by_tag.setdefault(document.measures.tags[row], []).append(float(scores[row]))
    assert by_tag["div"] == pytest.approx([0.4 / 4**0.3])
    assert by_tag["div"] == pytest.approx([0.2639], abs=1e-4)
    assert by_tag["p"] == pytest.approx([0.75, 0.0508], abs=1e-4)
    assert by_tag["ul"] == [0.0]
    assert by_tag["body"] == [0.0]


@given(PAGES)
def test_scores_are_in_range(page: str) -> None:
    scores = block_scores(Document.from_html(page).measures)
    assert ((scores >= 0) & (scores <= 1)).all()


def test_tag_paths_are_equal_for_equal_paths_only() -> None:
    measures = Document.from_html("<body><div><p>a</p><p>b</p></div><p>c</p></body>").measures
    paths = tag_paths(measures)
    first, second, outer = (row for row in range(len(measures)) if measures.tags[row] == "p")
    assert paths[first] == paths[second] != paths[outer]


def article(text: str, comment: str = "short", content: str = "id=content class=text") -> Document:
    return Document.from_html(
        f"<body><div><ul><li><a href=1>menu</a></li></ul></div><div {content}>{text}</div>"
        f"<div class=comments><blockquote>{comment}</blockquote></div></body>"
    )


TEXTS = [f"{number} text of an article that is the longest block of its page" for number in range(3)]


def test_a_short_article_is_found_by_its_clusters_rule() -> None:
    short = article("brief", comment="a comment that is much longer than the article above it")
    assert ClusterExtractor().extract(short).text.startswith("a comment")
    extractor = ClusterExtractor()
    for text in TEXTS:
        extractor.observe(article(text))
    extractor.observe(short)
    assert extractor.extract(short).text == "brief"
    assert len(extractor.clusters) == 1
    alone = ClusterExtractor(clustering=False)
    for text in TEXTS:
        alone.observe(article(text))
    assert alone.extract(short).text.startswith("a comment")


@pytest.mark.parametrize(
    ("content", "kind"), [("id=content", "by id"), ("id=other class=text", "by class"), ("id=other", "by path")]
)
def test_the_rule_applies_by_id_then_class_then_path(content: str, kind: str) -> None:
    extractor = ClusterExtractor()
    for text in TEXTS:
        extractor.observe(article(text))
    answer = extractor.extract(article("brief", comment="", content=content))
    assert answer.text == "brief"
    assert kind in answer.evidence[0]


def test_parts_of_the_block_that_are_mostly_links_go_out() -> None:
    document = article("the text itself, long enough<p><a href=1>recommended reading</a> now</p>")
    # 18 of 21 characters are in the link
    assert ClusterExtractor().extract(document).text == "the text itself, long enough"
    assert "recommended" in ClusterExtractor(max_link_share=0.9).extract(document).text


@pytest.mark.parametrize("page", ["", "<body></body>", "<a href=1>only a link</a>"])
def test_a_page_without_plain_text_gives_none(page: str) -> None:
    extractor = ClusterExtractor()
    document = Document.from_html(page)
    extractor.observe(document)
    assert extractor.extract(document).text == ""


def test_a_path_with_several_blocks_names_none() -> None:
    """Two pages have their text in one ``p``, best by H; of the third's three no one is the text."""
    extractor = ClusterExtractor(threshold=0.5)
    single = "<body><div><p>All of the text stands in one paragraph here, in one go.</p></div></body>"
    for number in range(2):
        extractor.observe(Document.from_html(single.replace("one go", f"{number} go")))
    found = extractor.extract(Document.from_html("<body><div><p>One line.</p><p>Second.</p><p>Third.</p></div></body>"))
    assert found.evidence[0].startswith("greatest H")
    assert extractor.extract(Document.from_html(single)).evidence[0].startswith("cluster 0 of 2 pages: by path")
