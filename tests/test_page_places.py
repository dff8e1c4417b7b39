from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.languages.text import fold_space
from newscrawl.page.document import Document
from newscrawl.page.places import PageLines

PAGE = "\n".join(
    (
        "<h1>Rates <b>rise</b></h1>",
        "<p>By <a href='/a'>Jane</a></p>",
        "<p><a href='/b'>All of it a link, from 2024 on</a></p>",
        "<h2>Why</h2>",
        f"<p>{'The bank has raised rates again. ' * 3}</p>",
        "<p>Since 1999, wa\u00adter.</p>",
        f"<p>{'新闻正文。' * 6}</p>",
    )
)


def page_lines(markup: str) -> PageLines:
    return PageLines(Document.from_html(markup))


def test_lines_know_their_heading_and_whether_they_are_links() -> None:
    lines = page_lines(PAGE)
    assert [(line.text, line.tag, line.linked) for line in lines][:4] == [
        ("Rates rise", "h1", False),
        ("By Jane", "", False),
        ("All of it a link, from 2024 on", "", True),
        ("Why", "h2", False),
    ]
    assert lines[1].spaced == "By  Jane"
    assert lines[5].text == "Since 1999, water."
    assert [line.number for line in lines.headings] == [0, 3]


def test_paragraphs_are_long_and_no_links() -> None:
    assert page_lines(PAGE).paragraphs == [4, 6]


def test_lines_with_a_year() -> None:
    lines = page_lines(PAGE)
    assert lines.years(80) == [2, 5]
    assert lines.years(20) == [5]


def test_longest_lines_come_first() -> None:
    assert [line.number for line in page_lines(PAGE).longest(2)] == [4, 6]


@pytest.mark.parametrize("markup", ["", "<p> </p>", "<body></body>"])
def test_page_without_text_has_no_lines(markup: str) -> None:
    lines = page_lines(markup)
    assert len(lines) == 0
    assert not lines.headings
    assert not lines.paragraphs
    assert not lines.years(80)
    assert not lines.longest(3)


@given(st.lists(st.text(alphabet="ab 2019新\u3000", max_size=12), max_size=8))
def test_lines_hold_all_text_in_order(texts: list[str]) -> None:
    lines = page_lines("<body>" + "".join(f"<p>{text}</p>" for text in texts) + "</body>")
    assert [line.text for line in lines] == [folded for text in texts if (folded := fold_space(text))]
    with_years = set(lines.years(80))
    assert with_years == {
        line.number for line in lines if re.search(r"(?<!\d)(?:19|20)[0-9]{2}", "".join(lines.parts(line.number)))
    }


@pytest.mark.parametrize(
    "markup", ["<p>A<a>b<b>c</b>", "<p><i>{}</i>", "<div><a><b><i>{}</i></b></a></div>", "<p>One <b>{}</b>"]
)
def test_an_element_is_on_the_line_of_its_first_text(markup: str) -> None:
    document = Document.from_html(f"<p>Before</p>{markup.format('Here')}<p>After</p>")
    lines, measures = PageLines(document), document.measures
    rows = [row for row, tag in enumerate(measures.tags) if tag in {"a", "b", "i"}]
    assert rows
    assert {lines.of_row(row) for row in rows} == {1}


def test_an_element_without_text_is_on_the_line_before() -> None:
    document = Document.from_html("<p>Before</p><p><img alt=x></p><p>After</p>")
    assert PageLines(document).of_row(document.measures.tags.index("img")) == 0
