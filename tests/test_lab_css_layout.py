"""The layout in outline, against sums done by hand; the screen is 1366 by 768 pixels."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.css import lay_out
from lab.css.values import Length
from lab.css.widths import column_widths
from newscrawl.page.document import Document

TEXT = "Some words that fill a line or more of text. " * 20


def page(markup: str, css: str = "") -> Document:
    return Document.from_html(f"<!DOCTYPE html><style>body{{margin:0}}{css}</style><body>{markup}</body>")


def box(document: Document, css_id: str, stylesheets: tuple[str, ...] = ()) -> tuple[float, float, float, float]:
    rows = lay_out(document, stylesheets)
    row = next(row for row, node in enumerate(document.measures.nodes) if node.get("id") == css_id)
    return tuple(round(float(values[row]), 2) for values in (rows.x, rows.y, rows.width, rows.height))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("width:300px", (0, 300)),
        ("width:50%", (0, 683)),
        ("width:10em", (0, 160)),
        ("font-size:20px;width:10em", (0, 200)),
        ("font-size:20px;width:10rem", (0, 160)),
        ("width:50vw", (0, 683)),
        ("width:calc(100% - 366px)", (0, 1000)),
        ("width:300px;padding:0 10px;border:1px solid", (0, 322)),
        ("width:300px;padding:0 10px;border:1px solid;box-sizing:border-box", (0, 300)),
        ("max-width:500px", (0, 500)),
        ("width:10px;min-width:50px", (0, 50)),
        ("width:366px;margin:0 auto", (500, 366)),
        ("margin-left:100px;margin-right:20px", (100, 1246)),
        ("float:right;width:200px", (1166, 200)),
        ("position:absolute;left:10%;width:100px", (136.6, 100)),
        ("position:absolute;right:66px;width:100px", (1200, 100)),
        ("position:absolute;left:100px;right:100px", (100, 1166)),
        ("position:relative;left:20px;width:100px", (20, 100)),
        ("width:min(100%, 800px)", (0, 800)),
        ("width:nonsense;max-width:;width:70px", (0, 70)),
    ],
)
def test_width_and_left_edge_of_inline_style(style: str, expected: tuple[float, float]) -> None:
    x, _, width, _ = box(page(f'<div id=a style="{style}">{TEXT}</div>'), "a")
    assert (x, width) == pytest.approx(expected, abs=0.1)


def test_floats_stand_beside_each_other_and_wrap() -> None:
    document = page(
        "<div id=a>x</div><div id=b>x</div><div id=c>x</div><div id=d>x</div>",
        "div{float:left;width:500px;height:50px}#d{clear:left;width:10px}",
    )
    assert [box(document, name)[:2] for name in "abcd"] == [(0, 0), (500, 0), (0, 50), (0, 100)]


def test_columns_of_an_old_portal() -> None:
    document = page(
        "<div id=wrap><div id=left>nav</div><div id=main>text</div><div id=foot>imprint</div></div>",
        "#wrap{width:1000px;margin:0 auto}#left{float:left;width:25%;height:300px}"
        "#main{float:right;width:740px;height:400px}#foot{clear:both;height:20px}",
    )
    assert box(document, "left") == (183, 0, 250, 300)
    assert box(document, "main") == (443, 0, 740, 400)
    assert box(document, "foot") == (183, 400, 1000, 20)
    assert box(document, "wrap")[3] == 420


@pytest.mark.parametrize("css", ["#w{overflow:hidden}", "#w:after{content:'';display:block;clear:both}"])
def test_an_element_that_keeps_its_floats_is_as_high_as_they_are(css: str) -> None:
    markup = "<div id=w><p id=f>x</p></div>"
    floating = "#f{float:left;width:10px;height:70px;margin:0}"
    assert box(page(markup, floating), "w")[3] == 0
    assert box(page(markup, floating + css), "w")[3] == 70


def test_cells_share_a_row_by_their_widths() -> None:
    document = page(
        "<table width=1000 cellspacing=0 cellpadding=0><tr><td id=a width=200>x</td><td id=b>y</td>"
        '<td id=c width="30%">z</td></tr></table>'
    )
    assert [box(document, name)[::2] for name in "abc"] == [(0, 200), (200, 500), (700, 300)]


def test_a_cell_of_several_rows_keeps_its_column() -> None:
    document = page(
        "<table width=600 cellspacing=0 cellpadding=0><tr><td id=a rowspan=2 width=200 height=100>x</td>"
        "<td id=b height=30>y</td></tr><tr><td id=c height=30>z</td></tr></table>"
    )
    assert box(document, "a")[3] == 100
    assert box(document, "b") == (200, 0, 400, 30)
    assert box(document, "c")[:3] == (200, 30, 400)


def test_flex_items_grow_and_shrink() -> None:
    growing = page("<div id=w><p id=a>x</p><p id=b>y</p></div>", "#w{display:flex}#a{flex:0 0 366px}#b{flex:1}")
    assert [box(growing, name)[::2] for name in "ab"] == [(0, 366), (366, 1000)]
    shrinking = page("<div id=w><p id=a>x</p><p id=b>y</p></div>", "#w{display:flex}p{width:1366px}")
    assert [box(shrinking, name)[::2] for name in "ab"] == [(0, 683), (683, 683)]


def test_grid_columns() -> None:
    css = "#w{display:grid;grid-template-columns:366px 3fr repeat(1,minmax(0,1fr));gap:0}"
    document = page("<div id=w><p id=a>x</p><p id=b>y</p><p id=c>z</p><p id=d>z</p></div>", css)
    assert [box(document, name)[::2] for name in "abcd"] == [(0, 366), (366, 750), (1116, 250), (0, 366)]


def test_height_of_text_follows_from_the_width() -> None:
    markup = f"<div id=a>{TEXT}</div>"
    lines = [box(page(markup, f"#a{{line-height:20px;width:{width}px}}"), "a")[3] / 20 for width in (1300, 650, 325)]
    assert lines[0] == pytest.approx(lines[1] / 2, rel=0.15)
    assert lines[1] == pytest.approx(lines[2] / 2, rel=0.15)


def test_margins_collapse_between_siblings_and_through_parents() -> None:
    document = page("<div><p id=a>x</p></div><p id=b>y</p>", "p{margin:10px 0 30px;height:20px}")
    assert box(document, "a")[1] == 10
    assert box(document, "b")[1] == 60


def test_strongest_declaration_wins() -> None:
    css = "#a{width:1px}.x{width:2px!important}div{width:3px}.x{width:4px}@media print{#a{width:5px!important}}"
    assert box(page('<div id=a class=x style="width:6px">x</div>', css), "a")[2] == 2
    assert box(page("<div id=a class=y>x</div>", "div{width:3px}div.y{width:4px}.y{width:5px}"), "a")[2] == 4


def test_given_sheets_come_before_the_page() -> None:
    document = page("<div id=a>x</div><div id=b>x</div>", "#a{width:10px}")
    assert box(document, "a", ("#a{width:20px}#b{width:30px}",))[2] == 10
    assert box(document, "b", ("#a{width:20px}#b{width:30px}",))[2] == 30


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("screen", True),
        ("print", False),
        ("not print", True),
        ("(min-width: 768px)", True),
        ("screen and (max-width: 767px)", False),
        ("print, (min-width: 60em)", True),
        ("(width >= 1000px)", True),
        ("(orientation: portrait)", False),
        ("(unheard-of: 1)", False),
    ],
)
def test_media_queries(query: str, holds: bool) -> None:
    assert (box(page("<div id=a>x</div>", f"@media {query}{{#a{{width:10px}}}}"), "a")[2] == 10) is holds


def test_what_is_said_and_what_is_estimated() -> None:
    document = page(
        "<div id=a><p id=b>x</p></div><div id=c>x</div><table><tr><td id=d>x</td></tr></table>", "#a{width:600px}"
    )
    rows = lay_out(document)
    said = {node.get("id"): bool(flag) for node, flag in zip(document.measures.nodes, rows.is_width_said, strict=True)}
    first = {name: said[name] for name in "cd"}
    assert first == {"c": False, "d": False}
    by_tag = [
        bool(flag)
        for node, tag, flag in zip(document.measures.nodes, document.measures.tags, rows.is_width_said, strict=True)
        if node.get("id") in ("a", "b") and tag != "#text"
    ]
    assert by_tag == [True, True]


def test_hidden_rows_have_no_box() -> None:
    document = page("<div id=a>x<b id=b>y</b></div>", "#a{display:none}")
    rows = lay_out(document)
    assert box(document, "b")[2:] == (0, 0)
    assert not rows.is_shown[1:].any()


MARKUP = st.lists(
    st.sampled_from(
        "<div> </div> <table> <tr> <td> </td></tr></table> <td colspan=3> <td rowspan=99999> <p> <br> <form> <center> "
        "<ul><li> <img> <span> </span> 文字 words <table width=10%> <col> <caption> <hr>".split()
    ),
    max_size=40,
)
STYLES = st.lists(
    st.sampled_from(
        "float:left float:right clear:both display:table-cell display:table-row display:flex display:contents "
        "display:inline-block display:grid;grid-template-columns:1fr\\ 2fr position:absolute position:fixed "
        "width:9999999px "
        "width:-5px width:1e9em width:100% height:50% margin:auto margin:-99999px padding:50% font-size:1e30px "
        "line-height:1e9 flex:1 flex-wrap:wrap right:0 width:calc(1px/0) width:calc(((( white-space:nowrap".split()
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(MARKUP, st.lists(STYLES, max_size=6))
def test_no_markup_and_no_style_breaks_the_layout(markup: list[str], styles: list[list[str]]) -> None:
    tags = ["div", "td", "p", "span", "table", "tr"]
    css = "".join(f"{tag}{{{';'.join(style)}}}" for tag, style in zip(tags, styles, strict=False))
    rows = lay_out(page("".join(markup), css))
    for values in (rows.x, rows.y, rows.width, rows.height):
        assert np.isfinite(values).all()
    assert (rows.width >= 0).all()
    assert (rows.height >= 0).all()


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="{}();:,.#*@!/\\\"'[]<>-+~=a1 \n%", max_size=120))
def test_no_sheet_breaks_the_layout(css: str) -> None:
    document = Document.from_html("<body><div class=a id=a style='width:10px'>x</div></body>")
    assert len(lay_out(document, [css]).x) == len(document.measures)


@given(
    st.lists(st.tuples(st.floats(0, 300), st.floats(0, 900)), min_size=1, max_size=6),
    st.lists(st.one_of(st.none(), st.floats(0, 120).map(lambda value: Length(percent=value))), min_size=6, max_size=6),
    st.floats(0, 3000),
)
def test_columns_take_all_the_room_and_no_less_than_they_need(
    widths: list[tuple[float, float]], said: list[Length | None], room: float
) -> None:
    columns = [(least, least + more, length) for (least, more), length in zip(widths, said, strict=False)]
    found = column_widths(columns, room)
    assert sum(found) == pytest.approx(max(room, sum(least for least, _, _ in columns)), abs=0.01)
    assert all(width >= least - 0.01 for width, (least, _, _) in zip(found, columns, strict=True))


def test_deep_and_wide_pages() -> None:
    deep = Document.from_html("<div><b>" * 3000 + "x", None)
    assert np.isfinite(lay_out(deep, ["div div b{width:10px}", "b ~ b{margin:1px}"]).x).all()
    wide = Document.from_html("<body>" + "<p class=a>x</p>" * 5000)
    assert np.isfinite(
        lay_out(wide, ["p ~ p{width:10px} p:nth-of-type(2n){height:9px} p:last-of-type{top:1px}"]).x
    ).all()


def test_a_page_without_elements() -> None:
    assert len(lay_out(Document(None)).x) == 0


@pytest.mark.parametrize(
    "selector", ["x div div div div div div", "x ~ div ~ div ~ div ~ div", "div:not(x ~ div ~ div ~ div)"]
)
def test_a_selector_cannot_search_for_ever(selector: str) -> None:
    deep = Document.from_html("<body>" + "<div>" * 300 + "x")
    wide = Document.from_html("<body>" + "<div>x</div>" * 1000)
    begin = time.process_time()
    for document in (deep, wide):
        lay_out(document, [selector + "{width:1px}"])
    assert time.process_time() - begin < 20
