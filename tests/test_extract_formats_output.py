from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from newscrawl.extract.formats.figures import lines_of
from newscrawl.extract.formats.pictures import address
from newscrawl.extractors import extract, get_extractor
from newscrawl.methods.base import DEFAULT_METHOD, Extraction
from newscrawl.page.document import Document
from tests.page_strategies import PAGES

URL: Final = "http://www.example.org/n/1"
PAGE: Final = """<title>Rates rise again</title><body><nav><a href=/>Home</a></nav><article><h1>Rates rise</h1>
<figure><img src="/img/a.jpg" width=600 alt="The [bank]"><figcaption>The bank, <b>yesterday</b></figcaption></figure>
<p>The bank has raised rates a <b>third</b> time, <a href="/b?x=1&y=2">analysts</a> say
<a href="javascript:x">so</a>.</p>
<h2>Why <em>now</em></h2><p>1. Inflation is high &lt;b&gt;, <script>alert(1)</script>says the governor.</p>
<ol><li>Rents rise.<ul><li>In the city by <code>a|b</code>.</li></ul></li><li>Food rises.</li></ol>
<blockquote onclick="alert(1)"><p>We had no other choice.</p></blockquote>
<pre><code>def f(x):
    return x &lt; 2</code></pre>
<table><tr><th>Year</th><th>Rate</th></tr><tr><td>2023</td><td>4.5 %</td></tr></table>
<img src="/pixel.gif" width=1 height=1><img src="data:image/png;base64,xx">
<p>The next meeting is in May.</p></article><footer>© Example</footer></body>"""


def whole(page: str) -> Extraction:
    document = Document.from_html(page, URL)
    extraction = get_extractor("fulltext").extract(document)
    return Extraction(text=extraction.text, method="fulltext", document=document)


def test_markdown_of_every_part() -> None:
    parts = whole(PAGE).markdown.split("\n\n")
    assert parts[0] == "[Home](http://www.example.org/)"
    assert parts[1:] == [
        "# Rates rise",
        "![The \\[bank\\]](http://www.example.org/img/a.jpg)",
        "*The bank, yesterday*",
        "The bank has raised rates a **third** time, [analysts](http://www.example.org/b?x=1&y=2) say so.",
        "## Why *now*",
        "1\\. Inflation is high \\<b\\>, says the governor.",
        "1. Rents rise.\n   - In the city by `a|b`.\n2. Food rises.",
        "> We had no other choice.",
        "```\ndef f(x):\n    return x < 2\n```",
        "| Year | Rate |\n| --- | --- |\n| 2023 | 4.5 % |",
        "The next meeting is in May.",
        "© Example",
    ]


def test_code_within_code_is_told_once() -> None:
    markdown = whole("<p>Run this:</p><pre>one\n<pre>two\n<pre>three</pre></pre>four</pre><p>That is all.</p>").markdown
    assert [markdown.count(word) for word in ("one", "two", "three", "four")] == [1, 1, 1, 1]


def test_html_of_every_part() -> None:
    html = whole(PAGE).html
    root = lxml_html.fragment_fromstring(html, create_parent="div")
    assert [node.tag for node in root] == "p h1 figure p h2 p ol blockquote pre table p p".split()
    assert root.findtext("ol/li/ul/li/code") == "a|b"
    assert root.findtext("pre/code") == "def f(x):\n    return x < 2"
    assert [cell.text for cell in root.iter("th", "td")] == ["Year", "Rate", "2023", "4.5 %"]
    assert [image.get("src") for image in root.iter("img")] == ["http://www.example.org/img/a.jpg"]
    assert root.findtext("figure/figcaption") == "The bank, yesterday"
    assert [link.get("href") for link in root.iter("a")] == [
        "http://www.example.org/",
        "http://www.example.org/b?x=1&y=2",
    ]
    assert "alert" not in html


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/a", "http://www.example.org/a"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("javascript:alert(1)", ""),
        (" java\nscript:alert(1)", ""),
        ("\x01javascript:alert(1)", ""),
        ("JaVaScRiPt:alert(1)", ""),
        ("data:text/html,x", ""),
        ("vbscript:x", ""),
        ("file:///etc/passwd", ""),
        ('/"onclick="x', "http://www.example.org/%22onclick=%22x"),
        ("http://[", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_addresses(href: str | None, expected: str) -> None:
    assert address(href, URL) == expected


def test_text_that_is_not_of_the_page_is_plain_paragraphs() -> None:
    extraction = Extraction(text="a <b>\n\n*c*", method="x", document=Document.from_html("<p>other</p>"))
    assert extraction.html == "<p>a &lt;b&gt;</p>\n<p>*c*</p>"
    assert extraction.markdown == "a \\<b\\>\n\n\\*c\\*"


def test_nothing_gives_nothing() -> None:
    assert extract("").html == extract("").markdown == ""


@pytest.mark.parametrize("method", sorted({"rules", "readability", DEFAULT_METHOD}))
def test_every_method_gives_html(method: str) -> None:
    body = "".join(
        f"<p>The river rose by {n} metres, and the <a href=/b>lower bridge</a> was closed.</p>" for n in range(2, 9)
    )
    extraction = extract(f"<title>River rises</title><body><h1>River rises</h1>{body}", URL, method)
    assert extraction.html.count("<p>") >= 5
    assert '<a href="http://www.example.org/b">lower bridge</a>' in extraction.html


def test_lines_of_a_text_follow_the_order_of_the_page() -> None:
    document = Document.from_html("<p>Menu</p><p>a</p><p>Menu</p><p>b</p>", URL)
    assert lines_of("a\nMenu\nb", document) == {1: 0, 2: 1, 3: 2}


@pytest.mark.parametrize("opened", ["<blockquote>", "<ul><li>", "<ol><li><blockquote>"])
def test_quotes_and_lists_without_end_are_written_in_bounds(opened: str) -> None:
    said = "The river rose by three metres, and the lower bridge was closed."
    page = f"<h1>River rises</h1><p>{said}</p>" + "".join(f"{opened}<p>{said} {n}</p>" for n in range(200))
    extraction = whole(page)
    assert extraction.text.count(said) > 150
    assert len(extraction.html) + len(extraction.markdown) < 12 * len(extraction.text)


_MARKUP = st.sampled_from([
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:alert(1)'>x</a>",
    "&lt;script&gt;",
    "<svg onload=alert(1)>", "<iframe src=//e>", "<style>*{}</style>", "<table><tr><td>a", "<pre>b", "<ul><li>c",
    "<ol><li>d", "<blockquote>", "</p>", "<p title='\">'>", "<h2>", "word ", "`", "](javascript:alert(1))",
])  # fmt: skip


@settings(deadline=None)
@given(st.lists(_MARKUP, max_size=12).map("".join))
def test_html_holds_nothing_that_runs(page: str) -> None:
    html = whole(page).html
    root = lxml_html.fragment_fromstring(html or "<p>", create_parent="div")
    for node in root.iter():
        assert node.tag in _ALLOWED
        assert set(node.keys()) <= {"href", "src", "alt"}
        for name in ("href", "src"):
            assert re.match(r"https?:|mailto:|$", node.get(name) or "")


_ALLOWED = set(
    "div p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table tr td th figure img figcaption a em strong".split()
)


@settings(deadline=None)
@given(PAGES)
def test_no_text_is_lost(page: str) -> None:
    extraction = whole(page)
    root = lxml_html.fragment_fromstring(extraction.html or "<p>", create_parent="div")
    assert "".join(root.text_content().split()) == "".join(extraction.text.split())


def test_an_address_with_brackets_stands_in_angles() -> None:
    page = "<p>It is <a href='http://e.org/a_(b)'>here</a>, said the mayor of the town on Friday.</p>"
    assert "[here](<http://e.org/a_(b)>)" in extract(page, "http://e.org/", "fulltext").markdown
