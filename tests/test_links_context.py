"""What surrounds a link, on hand-made pages."""

from __future__ import annotations

from newscrawl.links.context import link_contexts
from newscrawl.links.extract import extract_links
from newscrawl.page.document import Document

LIST = """<body><div class="wrap"><h1>Phones</h1><ul class="list">
<li class="item-1"><a href="/a">First story</a><p>It has a long battery life.</p></li>
<li class="item-2"><a href="/b">Second story</a><p>Its screen broke.</p></li></ul></div>
<div class="side"><h3>Archive <a href="/all">all</a></h3><a href="/2023">2023</a></div></body>"""


def contexts(page: str) -> dict[str, tuple[str, str, str]]:
    document = Document.from_html(page, "http://e.org/")
    links = extract_links(document)
    found = link_contexts(document, links)
    return {
        link.url.removeprefix("http://e.org"): (each.path, each.around, each.heading)
        for link, each in zip(links, found, strict=True)
    }


def test_an_entry_of_a_list_has_its_own_text() -> None:
    found = contexts(LIST)
    assert found["/a"] == ("body>div.wrap>ul.list>li.item-#>a", "It has a long battery life.", "Phones")
    assert found["/b"][1] == "Its screen broke."


def test_a_heading_made_of_links_heads_nothing() -> None:
    assert contexts(LIST)["/2023"][2] == ""


def test_a_link_in_running_text_has_the_words_beside_it() -> None:
    words = "Many words stand here to make this a long paragraph of a real article. " * 12
    path, around, _ = contexts(f"<p>{words}as <a href=/x>this report</a> says. {words}</p>")["/x"]
    assert path == "body>p>a"
    assert "as says." in around
    assert len(around) <= 240


def test_deep_trees_and_pages_without_links() -> None:
    deep = "<div>" * 200 + "<a href=/x>x</a>" + "</div>" * 200
    assert contexts(deep)["/x"][0].endswith("div>a")
    assert contexts("<p>no link</p>") == {}
    assert contexts("") == {}
