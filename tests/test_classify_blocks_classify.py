from __future__ import annotations

import pytest
from hypothesis import given

from newscrawl.classify.blocks.classify import RuleClassifier, crawl_blocks, find_body
from newscrawl.extractors import extract
from newscrawl.page.document import Document
from newscrawl.page.hints import speaks_for_boilerplate
from newscrawl.page.segment import BlockLabel, segment
from tests.page_strategies import PAGES

SENTENCE = "The river rose by two metres over night, and the lower bridge was closed at six. "
PAGE = f"""
<title>River rises - Example News</title>
<body><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul>
<div><h1>River rises</h1><div><p>{SENTENCE * 2}</p><p>{SENTENCE}</p></div></div>
<ul><li><a href=/a>Council votes on a new flood wall for the town</a>
<li><a href=/b>Volunteers fill ten thousand sandbags</a></ul><p>Copyright Example News</p></body>"""


def labels(html: str) -> dict[str, BlockLabel | None]:
    document = Document.from_html(html)
    return {
        block.text.split("\n")[0][:12]: block.label
        for block in RuleClassifier().classify(crawl_blocks(document), document)
    }


def test_blocks_are_main_related_or_other() -> None:
    found = labels(PAGE)
    main = [text for text, label in found.items() if label is BlockLabel.MAIN]
    assert main
    assert all("river" in text.lower() for text in main)
    assert found["Council vote"] is BlockLabel.RELATED
    assert found["Copyright Ex"] is BlockLabel.OTHER
    assert found["Home"] is BlockLabel.OTHER


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("comments", True),
        ("relatedLinks box", True),
        ("article-footer", False),
        ("adventure", False),
        ("c8 grid", False),
    ],
)
def test_names_that_speak_for_boilerplate(names: str, *, expected: bool) -> None:
    assert speaks_for_boilerplate(names) is expected


def test_a_part_with_the_headline_is_no_boilerplate() -> None:
    document = Document.from_html(
        f"<title>River rises</title><body><div class=sidebar><h1>River rises</h1><p>{SENTENCE}"
    )
    assert find_body(document).weight > 50


STORY = "Council votes on a new flood wall for the old town"


def bar(*anchors: str, after: str = "") -> str:
    return "<ul>" + "".join(f"<li><a href=/a>{anchor}</a>{after}" for anchor in anchors) + "</ul>"


@pytest.mark.parametrize(
    ("part", "is_list"),
    [
        (bar(STORY, STORY), True),
        (bar(STORY, STORY, after=" 3 May 2024"), True),
        (bar("小牛队长上全国两会了吗", "十二名队员昨日回到了家"), False),
        (bar("小牛队长昨日上全国两会了吗", "十二名队员昨日都回到了家中"), True),
        (bar(STORY), False),
        (bar("Home", "News", STORY), False),
        (bar(*["Town"] * 40, STORY, STORY), True),
        (bar(*["Town hall"] * 40, STORY, STORY), False),
        ("<p>Copyright Example News</p>", False),
    ],
    ids=["headlines", "with dates", "eleven ideographs", "thirteen", "one story", "one among sections",
         "many sections", "too many sections", "no links"],
)  # fmt: skip
def test_lists_of_stories_are_related(part: str, *, is_list: bool) -> None:
    document = Document.from_html(
        f"<title>River rises</title><h1>River rises</h1><div><p>{SENTENCE * 9}</p></div><section>{part}</section>"
    )
    found = {block.label for block in RuleClassifier().classify(crawl_blocks(document), document)}
    assert (BlockLabel.RELATED in found) is is_list


def test_the_heading_of_a_list_belongs_to_it() -> None:
    lists = "<b>Read more</b><ul>" + f"<li><a href=/a>{STORY}</a>" * 3 + "</ul>"
    document = Document.from_html(f"<title>River</title><div><p>{SENTENCE * 9}</p></div><div>{lists}</div>")
    found = {block.text: block.label for block in RuleClassifier().classify(crawl_blocks(document), document)}
    assert all(label is BlockLabel.RELATED for text, label in found.items() if SENTENCE.strip() not in text)


def test_comments_longer_than_the_article_are_left_out() -> None:
    comments = "".join(f"<p>{SENTENCE}</p>" for _ in range(3))
    article = f"<h1>River rises</h1><div><p>{SENTENCE}</p></div>"
    html = f"<title>River rises</title><body>{article}<div id=comments>{comments}</div>"
    assert extract(html, method="rules").text == SENTENCE.strip()


@given(PAGES)
def test_every_block_gets_a_label_and_a_probability(html: str) -> None:
    document = Document.from_html(html)
    before = segment(document, lossless=True)
    after = RuleClassifier().classify(before, document)
    assert [block.text for block in after] == [block.text for block in before]
    for block in after:
        assert block.label is not None
        assert 0.0 <= block.confidence <= 1.0


def test_a_menu_of_long_entries_above_the_text_is_no_list_of_stories() -> None:
    entries = "<ul>" + f"<li><a href=/a>{STORY}</a>" * 4 + "</ul>"
    html = f"<title>River rises</title><nav>{entries}</nav><div><h1>River rises</h1><p>{SENTENCE * 9}</p></div>"
    for page, expected in ((html, False), (html.replace("nav>", "section>"), True)):
        document = Document.from_html(page)
        labels = {block.label for block in RuleClassifier().classify(crawl_blocks(document), document)}
        assert (BlockLabel.RELATED in labels) is expected
