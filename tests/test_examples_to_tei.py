from __future__ import annotations

import runpy
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from newscrawl.items import Article, Author
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = PROJECT / "examples" / "to_tei.py"
EXAMPLE = runpy.run_path(str(SCRIPT))
NAMESPACE, as_tei = EXAMPLE["NAMESPACE"], EXAMPLE["as_tei"]
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


def test_a_saved_page_is_written(tmp_path: Path) -> None:
    paragraphs = "".join(f"<p>第{n}段，桥梁工程师介绍了新的施工方案和工期安排，居民表示欢迎。</p>" for n in range(6))
    page = tmp_path / "page.html"
    page.write_text(f"<html lang=zh><title>桥</title><h1>新桥</h1><div>{paragraphs}</div>", encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(page), "https://e.org/a.html"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True, env={"PYTHONPATH": str(PROJECT)})  # noqa: S603
    root = etree.fromstring(done.stdout)
    assert root.tag == f"{TEI}TEI"
    assert len(root.findall(f".//{TEI}p")) == 1 + 6  # one in the header
