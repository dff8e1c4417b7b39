import numpy as np
from hypothesis import given, settings

from newscrawl.classify.blocks.block_features import CLIMB, MAX_DEPTH, NAME_GROUPS, depths, first_elements, name_groups
from newscrawl.page.document import Document
from newscrawl.page.measures import Measures
from tests.page_strategies import PAGES

GROUPS = tuple(NAME_GROUPS)


def ancestors(row: int, measures: Measures) -> list[int]:
    above = []
    while (row := int(measures.parent[row])) > 0:
        above.append(row)
    return above


@given(page=PAGES)
@settings(max_examples=60, deadline=None)
def test_depths_count_the_ancestors(page: str) -> None:
    measures = Document.from_html(page).measures
    if len(measures):
        rows = np.arange(len(measures))
        assert depths(rows, measures).tolist() == [len(ancestors(row, measures)) for row in rows.tolist()]


def test_depth_is_bounded() -> None:
    measures = Document.from_html("<div>" * 100 + "text").measures
    assert depths(np.array([len(measures) - 1]), measures).tolist() == [MAX_DEPTH]


def names_of(page: str, tag: str) -> tuple[set[str], set[str]]:
    measures = Document.from_html(page).measures
    row = measures.tags.index(tag)
    own, around = name_groups(np.array([row]), measures).reshape(2, len(GROUPS))
    return {GROUPS[place] for place in own.nonzero()[0]}, {GROUPS[place] for place in around.nonzero()[0]}


def test_names_of_a_block_and_of_what_is_around_it() -> None:
    page = "<body class=article><div class=footer><div id=relatedNews><ul class=nav-list><li>a</ul></div></div>"
    assert names_of(page, "ul") == ({"navigation", "related"}, {"related", "footer"})


def test_a_nameless_block_has_the_names_of_its_first_child() -> None:
    assert names_of("<body><ul><li class=comment>a<li class=side>b</ul>", "ul") == ({"comments"}, set())
    assert names_of("<body><ul>text<li class=side>b</ul>", "ul") == (set(), set())


def test_names_further_out_are_not_read() -> None:
    page = f"<body><div class=footer>{'<div>' * (CLIMB - 1)}<p>a"
    assert names_of(page, "p") == (set(), {"footer"})
    assert names_of(page.replace("<p>", "<div><p>"), "p") == (set(), set())


def test_a_bare_text_begins_with_the_element_around_it() -> None:
    measures = Document.from_html("<body><div>text<p>more</div>").measures
    row = measures.tags.index("#text")
    assert first_elements(np.array([row, row + 1]), measures).tolist() == [row - 1, row + 1]
