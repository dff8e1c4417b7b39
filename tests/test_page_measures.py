from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html

from newscrawl.page.document import Document
from newscrawl.page.lines import lines
from newscrawl.page.measures import MAX_BARE, MAX_HIDDEN_SHARE, MAX_NODES, TEXT, Measures, measure
from newscrawl.page.rows import DROP, END, FIRST_MARK, NOTE, Rows
from newscrawl.page.tags import BLOCK_LEVEL, DROPPED, FORMATTING, KIND_OF, kinds_among
from tests.page_strategies import PAGES
from tests.walked_rows import WalkedRows


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


@pytest.mark.parametrize(
    ("panel", "is_read"),
    [
        ("class='c-accordion__panel'", True),
        ("class='Faq-answer'", True),
        ("role='tabpanel'", True),
        ("id='tab-content-2'", True),
        ("class='subscriber-only'", True),
        ("class='submenu'", False),
        ("role='dialog'", False),
    ],
)
def test_text_that_a_reader_opens_on_the_page_is_read(panel: str, is_read: bool) -> None:
    folded = f"<div {panel} style='display:none'>open<div><p hidden>not</p></div></div>"
    tree = measures(f"<body><p>{'x' * 9}</p>{folded}</body>")
    assert tree.chars[0] == (13 if is_read else 9)
    tree = measures(f"<body><p>{'x' * 9}</p><section {panel}><div hidden>open</div></section></body>")
    assert tree.chars[0] == (13 if is_read and "class" in panel else 9)


def test_a_page_without_text_is_read_as_its_readers_without_scripts_see_it() -> None:
    def texts(shown: str, unscripted: str) -> str:
        page = f"<body><div id=app>{shown}</div><noscript><style>p {{}}</style>{unscripted}</noscript>tail</body>"
        return "".join(measures(page).texts)

    posts = "<p>" + "post " * MAX_BARE + "</p>"
    assert texts("wait", posts) == "wait" + "post " * MAX_BARE + "tail"
    assert texts("wait", "enable scripts") == texts("wait", f"<a href=x>{posts[3:-4]}</a>") == "waittail"
    assert texts("x" * MAX_BARE, posts) == "x" * MAX_BARE + "tail"


def test_text_that_the_parser_put_outside_the_body_is_read() -> None:
    assert measures("<html><head><title>t</title><mbox><p>text</p></mbox></head></html>").chars[0] == 4
    assert measures("<html><body><p>one</p></body></html><div>two</div>").chars[0] == 6


def test_pages_without_elements_have_no_rows() -> None:
    assert len(measures("")) == 0
    assert len(measures("<!-- -->")) == 0


def test_white_space_of_every_kind_counts_nothing() -> None:
    assert measures("<p> a\u00a0\u3000b\t\n\u2003c </p>").chars[0] == 3


ODD = (
    "<body>a<o:p>b<!-- c -->d</o:p><x-y>\n e</x-y><a<b q>f</a<b><noscript><p>g</p><div>h</div></noscript>i<?php j ?>k",
    "<svg><p>a</p></svg>b<math><mi>c</mi></math><br/>\u00a0<input>d",
    "<frameset><frame>a</frameset>",
    "<p>" * 600 + "a",
)


@given(PAGES)
@example(ODD[0])
@example(ODD[1])
@example(ODD[2])
@example(ODD[3])
def test_rows_from_marked_text_are_those_of_a_walk(html: str) -> None:
    root = Document.from_html(html).root
    if root is None:
        return
    fast, slow = Rows.read(root, MAX_NODES), WalkedRows(root)
    assert (fast.tags, fast.pieces, fast.nodes) == (slow.tags, slow.texts, slow.nodes)
    assert fast.apart.tolist() == slow.apart
    assert fast.ink.tolist() == slow.own
    for column in ("kinds", "parent", "end"):
        assert getattr(fast, column).tolist() == getattr(slow, column)


@given(st.text([chr(FIRST_MARK + number) for number in (END, KIND_OF["p"], 1, 200, DROP)] + ["x"], max_size=8))
def test_text_that_looks_like_marks_changes_no_row(text: str) -> None:
    root = Document.from_html(f"<body><p>{text}<b>y</b></p>z</body>").root
    assert root is not None
    found, expected = measure(root), WalkedRows(root[0])
    assert (found.tags, found.texts) == (expected.tags, expected.texts)
    assert found.end.tolist() == expected.end


@pytest.mark.parametrize("control", ["\x08", "\x1f", "\uffff"])
def test_a_mark_beside_a_control_character_is_taken_out(control: str) -> None:
    page = measures(f"<p>a{control}{chr(FIRST_MARK + KIND_OF['p'])}b</p>")
    assert page.texts[-1].replace(control, "") == "ab"


def test_a_name_that_holds_a_mark_is_no_name() -> None:
    page = measures(f"<body><x{chr(FIRST_MARK + 1)}>a</x{chr(FIRST_MARK + 1)}>b</body>")
    assert (page.tags, page.texts) == (["body", "unknown", TEXT, TEXT], ["", "", "a", "b"])


def test_a_note_in_the_text_is_the_one_mark_that_goes_unnoticed() -> None:
    assert measures(f"<p>a{chr(FIRST_MARK + NOTE)}b</p>").texts[-2:] == ["a", "b"]


def test_a_tree_that_no_parser_of_ours_builds_is_an_empty_page() -> None:
    root = html.Element("body")
    inner = root
    for _ in range(5000):
        inner = etree.SubElement(inner, "div")
    inner.text = "x"
    assert len(measure(root)) == 0


def test_a_page_of_too_many_nodes_is_cut() -> None:
    page = Document.from_html("<body>" + "<br>" * (MAX_NODES + 9)).measures
    assert page.truncated
    assert len(page) == MAX_NODES
    assert page.end[0] == MAX_NODES


@given(PAGES, st.integers(1, 40))
def test_a_page_that_is_cut_begins_as_the_whole(html: str, n: int) -> None:
    root = Document.from_html(html).root
    if root is None:
        return
    whole, cut = Rows.read(root, MAX_NODES), Rows.read(root, n)
    size = len(cut.kinds)
    assert n - 1 <= size <= n if len(whole.kinds) > n else size == len(whole.kinds)
    assert (cut.tags, cut.pieces, cut.nodes) == (whole.tags[:size], whole.pieces[:size], whole.nodes[:size])
    assert cut.parent.tolist() == whole.parent[:size].tolist()
    assert cut.end.tolist() == np.minimum(whole.end[:size], size).tolist()
    assert cut.truncated == (len(whole.kinds) > n)


def test_namespaced_elements_keep_their_names() -> None:
    root = html.fromstring("<r xmlns='u:v'><p>a</p></r>", parser=html.XHTMLParser())
    assert measure(root).tags == ["{u:v}r", "{u:v}p", TEXT]


@pytest.mark.parametrize("n", [1, 5])
def test_the_rows_of_elements_are_found(n: int) -> None:
    page = measures("<p>a</p><script></script>" + "<div hidden>b<i>c</i></div><input hidden>" * n + "<p>aaaa</p>" * n)
    assert page.hidden.sum() == 4 * n
    assert [page.tags[row] for row in np.flatnonzero(page.hidden)] == ["div", TEXT, "i", TEXT] * n


def test_every_tag_that_is_asked_for_has_a_kind() -> None:
    assert kinds_among(BLOCK_LEVEL | FORMATTING | DROPPED).sum() == len((BLOCK_LEVEL | FORMATTING) - DROPPED)
    with pytest.raises(ValueError, match="no kind for blink"):
        kinds_among(frozenset(["blink"]))


@pytest.mark.parametrize(
    "page", [b"\xef\xbb\xbf<p>a", b" \n<p>a\x00b\xc2\xa0", "<p>é".encode(), b"", b"\x1c<p>a", b"<p>\xe4\xb8"]
)
def test_bytes_and_their_text_make_one_tree(page: bytes) -> None:
    from_bytes, from_text = (Document.from_html(given).root for given in (page, page.decode("utf-8", "replace")))
    assert (from_bytes is None) == (from_text is None)
    if from_bytes is not None and from_text is not None:
        assert etree.tostring(from_bytes) == etree.tostring(from_text)


def test_words_of_neighbouring_elements_stand_apart() -> None:
    """A blank between inline elements has no row of its own, and still ends a word."""
    document = Document.from_html("<p>Some <a>analysts</a> <a>say</a><b>!</b><i>\n</i><span>or</span><!-- -->\tnot</p>")
    page = lines(document.measures)
    assert [page.text(line) for line in range(len(page))] == ["Some analysts say! or not"]
