"""What content systems put beside the text: links to headings, tools in them, numbers of a code's lines."""

from __future__ import annotations

import pytest

from newscrawl.page.document import Document
from newscrawl.page.lines import lines


def shown(html: str) -> list[str]:
    return lines(Document.from_html(f"<body>{html}</body>").measures).shown


@pytest.mark.parametrize(
    "heading",
    [
        '<h2 id="a">First steps <a class="anchor" href="#a">#</a></h2>',
        '<h2 id="a"><a href="#a">¶</a>First steps</h2>',
        '<h2 id="a">First steps<a href="#a">\u200b</a></h2>',
        '<h2>First steps<span>[<a href="/edit">edit</a> | <a href="/source">source</a>]</span></h2>',
    ],
)
def test_marks_and_tools_are_no_part_of_a_heading(heading: str) -> None:
    assert shown(heading) == ["First steps"]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ('<h2><a href="/c">C#</a></h2>', "C#"),
        ('<h2><a href="/n">#</a></h2>', "#"),
        ('<h2><a href="/live">Live</a> from the bridge</h2>', "Live from the bridge"),
        ("<h2>The bridge <em>[sic]</em></h2>", "The bridge [sic]"),
    ],
)
def test_words_and_links_of_a_heading_stay(heading: str, text: str) -> None:
    assert shown(heading) == [text]


CODE = "<pre><code>a = 1\nif a:\n    b = 2</code></pre>"


@pytest.mark.parametrize(
    "code",
    [
        f"<table><tr><td><pre><span>1</span><br><span>2</span><br><span>3</span></pre></td><td>{CODE}</td></tr></table>",
        f"<div>{CODE}<div><span>1</span><span>2</span><span>3</span></div></div>",
        f"<table><tr><td><pre>1\n2\n3\n</pre></td><td>{CODE}</td></tr></table>",
    ],
)
def test_the_numbers_of_code_are_no_text(code: str) -> None:
    assert shown(f"<p>Before.</p>{code}<p>After.</p>") == ["Before.", "a = 1 if a: b = 2", "After."]


def test_numbers_elsewhere_are_text() -> None:
    table = "<table><tr><td>1</td><td>2</td><td>3</td></tr></table>"
    assert shown(f"{table}<p>Between.</p>{CODE}")[:3] == ["1", "2", "3"]
    assert shown(f"<p>Is it 1?</p>{CODE}<p>4</p>")[-1] == "4"
