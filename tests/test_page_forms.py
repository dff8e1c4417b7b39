from __future__ import annotations

from newscrawl.page.document import Document
from newscrawl.page.forms import LinkForms, record_tops

LINK = frozenset(("a",))


def groups(html: str) -> list[list[str]]:
    """Return the texts of links of one form."""
    document = Document.from_html(f"<body>{html}")
    rows = document.measures.rows_of(LINK).tolist()
    nodes = document.measures.nodes
    is_heading = [node.getparent().tag == "h2" for node in (nodes[row] for row in rows)]
    hrefs = [nodes[row].get("href") for row in rows]
    texts = [nodes[row].text_content() for row in rows]
    return [[texts[place] for place in group] for group in LinkForms(document).groups(rows, hrefs, is_heading)]


def items(name: str, letters: str) -> str:
    return "".join(f"<div class={name}><a href=/{letter}>{letter}</a></div>" for letter in letters)


def test_links_below_other_names_are_apart() -> None:
    assert groups(items("menu", "abc") + items("story", "defg")) == [list("abc"), list("defg")]


def test_numbers_of_names_and_rare_names_do_not_part_links() -> None:
    assert groups(items("post-1", "ab") + items("post-2", "c")) == [list("abc")]
    assert groups(items("first", "a") + items("big", "b") + items("last", "cd")) == [list("abcd")]


def test_links_in_headings_are_apart() -> None:
    pairs = "".join(f"<h2><a href=/{n}>{n}</a></h2><p><a href=/{n}/more>more</a></p>" for n in range(3))
    assert groups(pairs) == [["0", "1", "2"], ["more"] * 3]


def test_an_address_that_is_linked_often_makes_no_list() -> None:
    assert len(groups("".join("<b class=x><a href=/a>a</a></b><b class=y><a href=/a>b</a></b>" for _ in range(3)))) == 1


def test_a_record_is_the_largest_element_around_one_link_of_the_same_height_for_all() -> None:
    item = "<li><p><a href=/{n}>{n}</a></p></li>"
    html = "<ul>" + "".join(item.format(n=n) for n in range(4)) + "</ul><div><a href=/9>9</a></div>"
    measures = Document.from_html(f"<body>{html}").measures
    tops = record_tops(measures, measures.rows_of(LINK))
    assert [measures.nodes[top].tag for top in tops.tolist()] == ["li", "li", "li", "li", "div"]
