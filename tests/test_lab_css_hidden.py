"""Elements that a page's own style sheets hide."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.css import hidden_by_css
from newscrawl.page.document import Document


def hidden(css: str, markup: str) -> set[str]:
    document = Document.from_html(f"<style>{css}</style><body>{markup}</body>")
    return {node.get("id") or node.get("class") or "" for node in hidden_by_css(document)}


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".hide{display:none}", {"a"}),
        (".hide { DISPLAY : NONE !important }", {"a"}),
        ("#a{visibility:hidden}", {"a"}),
        ("div.hide{display:none}", {"a"}),
        ("span.hide{display:none}", set()),
        (".x,.hide,.y{color:red;display:none;margin:0}", {"a"}),
        (".hide{display:block}", set()),
        (".other{display:none}", set()),
        ("/* .hide{display:none} */", set()),
        ("@media print{.hide{display:none}}", set()),
        ("@media screen{.hide{display:none}}", {"a"}),
        ("@media (max-width:600px){.hide{display:none}} .b{}", set()),
        ("@media print{.b{}} .hide{display:none}", {"a"}),
        (".hide{display:none} .hide{display:block}", set()),
        (".hide{display:none} .big{display:block}", set()),
        (".big{display:block} .hide{display:none}", {"a"}),
        (".hide{display:none!important} .big{display:block}", {"a"}),
        ("#a{display:block} .hide{display:none}", set()),
        (".hide{display:none} .tabs .hide.big{display:block}", set()),
        (".hide{display:none} body.js .hide{display:inline}", set()),
        (".hide{display:none} .big p{display:block}", {"a"}),
        ("p .hide{display:none}", set()),
        (".hide:hover{display:none}", set()),
        ("@font-face{font-family:x;src:url(a)} .hide{display:none}", {"a"}),
        (".hide{display:none", set()),
        ("}}.hide{display:none}", {"a"}),
    ],
)
def test_rules(css: str, expected: set[str]) -> None:
    assert hidden(css, '<div id=a class="big hide">x</div><p>y</p>') == expected


def test_inline_style_wins_unless_the_sheet_is_important() -> None:
    shown = '<div id=a class=hide style="display:block">x</div>'
    assert hidden(".hide{display:none}", shown) == set()
    assert hidden(".hide{display:none!important}", shown) == {"a"}


def test_a_sheet_for_print_hides_nothing() -> None:
    document = Document.from_html("<style media=print>.a{display:none}</style><body><p class=a>x</p>")
    assert hidden_by_css(document) == frozenset()


def test_nothing_to_look_at() -> None:
    assert hidden_by_css(Document(None)) == frozenset()
    assert hidden_by_css(Document.from_html("<p class=hide>x</p>")) == frozenset()


@given(st.text(alphabet="{}();:,.#*@!/\\\"'ah none display:hide", max_size=150))
def test_no_sheet_breaks_it(css: str) -> None:
    document = Document.from_html(f"<style>.hide{{display:none}}{css}</style><body><p class=hide>x</p>")
    assert len(hidden_by_css(document)) <= 1


@pytest.mark.parametrize(
    "css", ["/*" * 100_000, "a" * 300_000 + ">", "{" * 100_000, "display" + " " * 300_000, ".a," * 90_000]
)
def test_long_sheets_take_time_in_proportion(css: str) -> None:
    document = Document.from_html(f"<style>.x{{display:none}}{css}{{display:block}}</style><body><p class=x>x</p>")
    begin = time.process_time()
    hidden_by_css(document)
    assert time.process_time() - begin < 5
