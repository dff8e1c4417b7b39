from __future__ import annotations

import numpy as np
from hypothesis import given

from newscrawl.dom.document import Document
from newscrawl.dom.measures import MAX_HIDDEN_SHARE, TEXT, Measures
from tests.page_strategies import PAGES


def measures(html: str) -> Measures:
    return Document.from_html(html).measures


def naive(tree: Measures, row: int, own: list[int]) -> int:
    """Sum over a subtree by walking the children, as the definition says."""
    return own[row] + sum(naive(tree, child, own) for child in tree.children(row))


@given(PAGES)
def test_subtree_sums_are_those_of_a_recursive_count(html: str) -> None:
    tree = measures(html)
    own = [0 if hidden else len("".join(text.split())) for text, hidden in zip(tree.texts, tree.hidden, strict=True)]
    links = [int(tag == "a") for tag in tree.tags]
    inside = [bool({"a"} & set(tags_above(tree, row))) for row in range(len(tree))]
    in_links = [count if linked else 0 for count, linked in zip(own, inside, strict=True)]
    for row in range(len(tree)):
        assert tree.chars[row] == naive(tree, row, own)
        assert tree.links[row] == naive(tree, row, links)
        assert tree.link_chars[row] == naive(tree, row, in_links)


def tags_above(tree: Measures, row: int) -> list[str]:
    tags = []
    while row >= 0:
        tags.append(tree.tags[row])
        row = int(tree.parent[row])
    return tags


@given(PAGES)
def test_rows_are_in_document_order_with_parents_around_them(html: str) -> None:
    tree = measures(html)
    for row in range(1, len(tree)):
        above = int(tree.parent[row])
        assert above < row < tree.end[row] <= tree.end[above]
        assert tree.tags[above] != TEXT
    assert np.all(np.diff(tree.line) >= 0)


def test_comments_end_no_text() -> None:
    tree = measures("<body><p>one<!-- x -->two<!-- y --></p>three<!-- z -->four</body>")
    assert [text for text in tree.texts if text] == ["one", "two", "three", "four"]
    assert tree.chars[0] == len("onetwothreefour")


def test_dropped_elements_leave_their_tails() -> None:
    tree = measures("<body><p>a<script>x</script>b<select><option>c</option></select>d</p></body>")
    assert "".join(tree.texts) == "abd"


def test_hidden_text_counts_nothing() -> None:
    tree = measures("<body><p>seen</p><div style='DISPLAY : none'><a href=x>not</a></div><p hidden>nor</p></body>")
    assert (tree.chars[0], tree.links[0]) == (4, 0)


def test_a_page_hidden_as_a_whole_is_read() -> None:
    text = "x" * 10
    tree = measures(f"<body><div style='visibility:hidden'>{text * 9}</div>{text}</body>")
    assert MAX_HIDDEN_SHARE < 0.9
    assert tree.chars[0] == 100


def test_text_that_the_parser_put_outside_the_body_is_read() -> None:
    assert measures("<html><head><title>t</title><mbox><p>text</p></mbox></head></html>").chars[0] == 4
    assert measures("<html><body><p>one</p></body></html><div>two</div>").chars[0] == 6


def test_pages_without_elements_have_no_rows() -> None:
    assert len(measures("")) == 0
    assert len(measures("<!-- -->")) == 0


def test_white_space_of_every_kind_counts_nothing() -> None:
    assert measures("<p> a\u00a0\u3000b\t\n\u2003c </p>").chars[0] == 3
