"""LocalRel rules on small pages whose numbers are worked out here."""

from __future__ import annotations

import numpy as np
import pytest

from newscrawl.methods.localrel import LocalRelExtractor
from newscrawl.page import Document


def text_of(html: str, *, context: bool = True) -> list[str]:
    return LocalRelExtractor(context=context).extract(Document.from_html(html)).text.splitlines()


A = "a" * 20
B = "b" * 30
SHORT = "short one"  # 8 characters, below words_min


@pytest.mark.parametrize(
    ("words", "links", "relevant"),
    [
        (15, 0, True),  # no links: more than 14 characters
        (14, 0, False),
        (150, 15, True),  # LocalRel 10 = L
        (149, 15, False),
        (14, 1, False),  # LocalRel 14, but fewer than 15 characters
    ],
)
def test_local_relevance(words: int, links: int, *, relevant: bool) -> None:
    assert LocalRelExtractor().locally_relevant(np.array([words]), np.array([links])).tolist() == [relevant]


def test_relevant_with_one_relevant_sibling() -> None:
    assert text_of(f"<body><p>{A}</p><p>{B}</p></body>") == [A, B]


def test_a_lone_block_is_not_relevant_in_context() -> None:
    page = f"<body><div><p>{A}</p></div><div><p>{SHORT}</p></div></body>"
    assert text_of(page) == []
    assert text_of(page, context=False) == [A]


def test_a_short_block_is_relevant_only_between_two_relevant_ones() -> None:
    assert text_of(f"<body><p>{A}</p><p>{A}</p><p>{SHORT}</p><p>{B}</p><p>{B}</p></body>") == [A, A, SHORT, B, B]
    assert text_of(f"<body><p>{A}</p><p>{B}</p><p>{SHORT}</p></body>") == [A, B]


def test_empty_nodes_do_not_come_between_siblings() -> None:
    assert text_of(f"<body><p>{A}</p><p> </p><hr><p>{B}</p></body>") == [A, B]


def test_links_make_a_block_irrelevant() -> None:
    # 20 characters outside 3 links: LocalRel 6.7 < 10
    linked = f"<p>{A}<a href=1>x</a><a href=2>y</a><a href=3>z</a></p>"
    assert text_of(f"<body><p>{B}</p>{linked}<p>{B}</p></body>") == []


def test_a_div_with_blocks_in_it_is_not_topical_itself() -> None:
    assert text_of(f"<body><div>{A}<p>{B}</p></div></body>", context=False) == [B]
    assert text_of(f"<body><div>{A}<b>x</b><br>{B}</div></body>", context=False) == [f"{A}x", B]


def test_a_paragraph_with_a_script_is_not_topical() -> None:
    assert text_of(f"<body><p>{A}<script>1</script></p><p>{B}</p></body>", context=False) == [B]


def table(rows: int, columns: int, cell: str = "1", inside: str = "") -> str:
    return "<table>" + ("<tr>" + f"<td>{cell}</td>" * columns + "</tr>") * rows + inside + "</table>"


@pytest.mark.parametrize(
    ("markup", "is_data"),
    [
        (table(3, 3), True),
        (table(2, 3), False),
        (table(3, 2), False),
        (table(3, 3, "<a href=x>1</a>"), False),
        (table(3, 3, inside="<tr><td><select><option>1</select></td></tr>"), False),
        (table(3, 3, inside="<tr><td><script>1</script></td></tr>"), False),
        (table(3, 3, inside=f"<tr><td>{table(3, 3)}</td></tr>"), False),
    ],
)
def test_data_tables(markup: str, *, is_data: bool) -> None:
    document = Document.from_html(f"<body>{markup}</body>")
    row = document.measures.tags.index("table")
    assert LocalRelExtractor().is_data_table(document.measures, row) is is_data


@pytest.mark.parametrize(("linked", "is_data"), [(4, True), (5, False)])
def test_a_data_table_has_links_in_fewer_than_half_of_its_cells(linked: int, *, is_data: bool) -> None:
    cells = ["<td><a href=x>1</a></td>"] * linked + ["<td>1</td>"] * (9 - linked)
    rows = "".join("<tr>" + "".join(cells[i : i + 3]) + "</tr>" for i in (0, 3, 6))
    assert bool(text_of(f"<body><table>{rows}</table></body>")) is is_data


def test_data_table_text_comes_out_and_layout_table_gives_its_blocks() -> None:
    assert text_of(f"<body>{table(3, 3)}</body>") == ["1"] * 9
    layout = f"<table><tr><td><p>{A}</p><p>{B}</p></td><td>menu</td></tr></table>"
    assert text_of(f"<body>{layout}</body>") == [A, B]
