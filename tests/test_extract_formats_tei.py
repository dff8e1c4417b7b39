from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lxml import etree

from newscrawl.extract.formats.tei import NAMESPACE, as_tei
from newscrawl.items import Article, Author

TEI = f"{{{NAMESPACE}}}"
#: What TEI P5 lets stand directly in an element; inline elements are left out.
CHILDREN = {
    "TEI": {"teiHeader", "text"},
    "teiHeader": {"fileDesc"},
    "fileDesc": {"titleStmt", "publicationStmt", "sourceDesc"},
    "text": {"body"},
    "body": {"p", "list", "quote", "ab", "table", "figure", "div"},
    "div": {"head", "p", "list", "quote", "ab", "table", "figure"},
    "list": {"item"},
    "table": {"row"},
    "row": {"cell"},
    "figure": {"graphic", "figDesc"},
}
BODY = (
    "<p>One <strong>bold</strong><em>slanted</em> <a href='https://e.org/'>link</a>.</p>\n<h2>Part</h2>\n"
    "<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol></li>\n</ul><blockquote>\n<h3>Said</h3>\n<p>Yes &amp; no.</p>\n</blockquote>\n"
    "<table>\n<tr><th>x</th><td>y</td></tr>\n</table>\n<pre><code>a = 1</code></pre>\n"
    "<figure><img src='https://e.org/1.jpg' alt='Boat'><figcaption>A boat</figcaption></figure>\n<h2>End</h2>"
)


def article(body: str | None, text: str = "One.\nTwo.") -> Article:
    return Article(
        url="https://e.org/a?b=1&c=2",
        headline="Ferry & <boat>",
        articleBody=text,
        articleBodyHtml=body,
        authors=(Author(name="Jane Doe"),),
        datePublished=datetime(2024, 5, 3, tzinfo=UTC),
        inLanguage="en",
        source="The Paper",
    )


def names(element: etree._Element) -> set[str]:
    return {str(child.tag).removeprefix(TEI) for child in element}


@pytest.mark.parametrize("body", [BODY, None, "", "<p>x\x0b</p>"])
def test_every_element_stands_where_tei_lets_it(body: str | None) -> None:
    root = etree.fromstring(as_tei(article(body)).encode())
    assert [str(child.tag) for child in root] == [f"{TEI}teiHeader", f"{TEI}text"]
    for element in root.iter(*(TEI + name for name in CHILDREN)):
        assert names(element) <= CHILDREN[str(element.tag).removeprefix(TEI)], element.tag
    for part in root.iter(f"{TEI}div"):
        assert part[0].tag == f"{TEI}head"


def test_no_word_is_lost_or_added() -> None:
    root = etree.fromstring(as_tei(article(BODY)).encode())
    said = "".join(root.find(f"{TEI}text").itertext()).split()  # type: ignore[union-attr]
    assert said == "One boldslanted link. Part a b Said Yes & no. x y a = 1 Boat A boat End".split()
    assert root.find(f".//{TEI}ref[@target='https://e.org/']") is not None
    assert root.findtext(f".//{TEI}titleStmt/{TEI}title") == "Ferry & <boat>"


def test_without_html_the_paragraphs_are_those_of_the_text() -> None:
    root = etree.fromstring(as_tei(article(None)).encode())
    assert [node.text for node in root.iter(f"{TEI}body") for node in node] == ["One.", "Two."]
